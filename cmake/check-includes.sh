#!/usr/bin/env bash
# Checks that includes go one way: wire -> messages; state -> messages; io -> messages, state; actors -> all of these.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

status=0

# forbid FOLDER REGEX REASON [GREP OPTIONS...]: no source of the folder includes what the expression matches.
forbid() {
  local folder=$1 regex=$2 reason=$3
  shift 3
  [ -d "$folder" ] || return 0
  if grep -rnP --include='*.?pp' --exclude-dir=node_modules "$@" "^#include [<\"]$regex" "$folder"; then
    echo "^ $reason" >&2
    status=1
  fi
}

forbid messages 'caf_mcp/actors/' 'messages are values: they know no actors'
# Sources may: parsing and checking text is wire's, wherever it is needed.
forbid messages 'caf_mcp/messages/wire/' 'what is said does not show how it looks as bytes' --exclude-dir=wire --exclude='*.cpp'
forbid actors/state 'caf_mcp/actors/(io/|[a-z_]+\.hpp)' 'state is plain: it knows messages and itself'
forbid actors/io 'caf_mcp/actors/(?!caf_version)[a-z_]+\.hpp' 'io knows messages, state, itself and caf_version.hpp'
forbid apps/demo-server 'caf(_mcp)?/' 'the demo server must not share code with the client'
forbid apps 'tests/' 'programs do not need the tests'
for folder in messages actors apps tests; do
  forbid "$folder" '(messages|actors)/' 'our headers are included as "caf_mcp/..."'
  forbid "$folder" '\.\.?/' 'no relative includes'
done
for folder in messages actors/state; do
  forbid "$folder" 'boost/(asio|process)' 'only actors/io includes Asio and Process'
done
exit $status
