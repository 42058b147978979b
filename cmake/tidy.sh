#!/usr/bin/env bash
# clang-tidy over the sources: by default those that the last commits of the main line changed, the
# newest first and at most FEMFLEX_TIDY_FILES (12); --all takes every one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -f build/tidy/compile_commands.json ] || cmake --preset tidy >/dev/null
most=${FEMFLEX_TIDY_FILES:-12}
if [ "${1:-}" = --all ]; then
  files=$(git ls-files '*.cpp')
  most=100000
else
  files=$(git log --first-parent -m -n 5 --diff-filter=d --name-only --format= -- '*.cpp' | awk '!seen[$0]++')
fi
# generated or optional sources may not be part of this configuration
files=$(for f in $files; do [ -f "$f" ] && grep -qF "/$f\"" build/tidy/compile_commands.json && echo "$f"; done | head -n "$most" || true)
[ -n "$files" ] || { echo "tidy: nothing to look at"; exit 0; }
echo "$files" | xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet 2>/dev/null
echo "tidy: $(echo "$files" | wc -l) files clean"
