#!/usr/bin/env bash
# clang-tidy over the sources: by default those that differ from BASE (the commit before the last
# merge into the main line, or the last ten commits); --all takes every one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -f build/tidy/compile_commands.json ] || cmake --preset tidy >/dev/null
if [ "${1:-}" = --all ]; then
  files=$(git ls-files '*.cpp')
else
  base=${BASE:-$(git rev-list --max-count=1 --skip=10 HEAD 2>/dev/null || true)}
  if [ -n "$base" ]; then files=$(git diff --name-only --diff-filter=d "$base" -- '*.cpp')
  else files=$(git ls-files '*.cpp'); fi
fi
# generated or optional sources may not be part of this configuration
files=$(for f in $files; do grep -qF "/$f\"" build/tidy/compile_commands.json && echo "$f"; done || true)
[ -n "$files" ] || { echo "tidy: nothing to look at"; exit 0; }
echo "$files" | xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet 2>/dev/null
echo "tidy: $(echo "$files" | wc -l) files clean"
