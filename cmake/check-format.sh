#!/usr/bin/env bash
# Checks the formatting of all our sources; `check-format.sh --fix` corrects it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Other versions break lines differently, so only the one the style was written for may judge.
if ! command -v clang-format-14 >/dev/null; then
  echo "skipped: no clang-format-14 on this system" >&2
  exit 0
fi
mode=(--dry-run -Werror)
if [ "${1:-}" = --fix ]; then mode=(-i); fi
find messages actors apps tests -name node_modules -prune -o \( -name '*.cpp' -o -name '*.hpp' \) -print0 \
  | xargs -0 -r clang-format-14 "${mode[@]}"
