#!/usr/bin/env bash
# Checks who includes whom. Rooms stand in one order, and each may use those before it:
#   messages/json, messages, messages/{config,wire}, actors/loop, actors/port, actors/connection, actors/hub, actors/nodes, apps
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

status=0

# forbid FOLDER REGEX REASON [GREP OPTIONS...]: no source of the folder includes what the expression matches.
forbid() {
  local folder=$1 regex=$2 reason=$3
  shift 3
  [ -d "$folder" ] || return 0
  if grep -rnP --include='*.?pp' --exclude-dir=node_modules "$@" "^#include [<\"]($regex)" "$folder"; then
    echo "^ $folder: $reason" >&2
    status=1
  fi
}

room=caf_mcp/messages
forbid messages 'caf_mcp/actors/' 'messages are values: they know no actors'
forbid messages/json "$room/([a-z_]+\.hpp|config/|wire/)" 'JSON knows no message' --exclude='payload.?pp'
forbid messages "$room/(config|wire)/" 'the vocabulary does not show how it is read or written' --exclude-dir={json,config,wire}
forbid messages/config "$room/wire/" 'configuration is not what servers write'
forbid messages/wire "$room/config/" 'lines know no configuration'
forbid messages '(mutex|thread|fstream|atomic|condition_variable)>' 'the vocabulary has no lock, no thread and no file' \
  --exclude-dir=config
if grep -rnE --include='*.?pp' '(steady|system)_clock::now' messages; then
  echo "^ messages: values have no clock" >&2
  status=1
fi
forbid messages 'boost/(asio|process)' 'values do no input or output'

room=caf_mcp/actors
forbid actors/loop "$room/(?!loop/)" 'the loop knows no actor of ours'
forbid actors/port "$room/(connection|hub|nodes)/" 'a port owner knows its process and its listener'
forbid actors/connection "$room/(hub|nodes)/" 'a connection is not aware of who shares it'
forbid actors/hub "$room/nodes/" 'a hub is not aware of other nodes'
# Servers of other nodes are callers of a connection: they need none of its insides but those that answer many callers.
forbid actors/nodes "$room/(hub|port)/" 'nodes use the public face of hubs'
forbid actors "$room/(port|connection|hub|nodes)/" 'public headers show no insides' --exclude-dir={loop,port,connection,hub,nodes} --exclude='*.cpp'
for folder in messages actors/port actors/connection actors/hub; do
  forbid "$folder" '(caf/(io|openssl)/|openssl/)' 'only actors/nodes needs CAF io and OpenSSL'
done
# Only actors use CAF's actor types; what they are made of is plain, and tested without an actor system.
for folder in port connection hub nodes; do
  forbid "actors/$folder" 'caf/((typed_|)event_based_actor|actor_system|scoped_actor|blocking_actor)' \
    'only *_actor.* uses the actor types of CAF' \
    --exclude='*_actor.?pp' --exclude='connection_*.cpp' --exclude='remote_server*.cpp' --exclude={gateway,tls,tls_context,caf_transport,port_owner}.cpp --exclude=facade_agent.hpp
done

forbid apps/demo-server 'caf(_mcp)?/' 'the demo server must not share code with the client'
forbid apps 'tests/' 'programs do not need the tests'
# The tool and the examples are users: they have what is installed. Some files of the tool share more with the library
# than users have: they start and kill processes as it does, keep descriptors, start threads, and read the filters
# of a subscription.
for folder in apps/caf-mcp apps/examples; do
  forbid "$folder" "$room/(port|connection|hub|nodes)/" 'only public headers' \
    --exclude={sampling_command,follow,interrupt_watch,configuration_reader}.cpp \
    --exclude=stop_event.hpp
done
for folder in messages actors apps tests; do
  forbid "$folder" '(messages|actors)/' 'our headers are included as "caf_mcp/..."'
  forbid "$folder" '\.\.?/' 'no relative includes'
done
exit $status
