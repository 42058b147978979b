#!/usr/bin/env bash
# Runs every bench of a folder of programs, one after the other; their lines go to docs/performance.md by hand.
set -euo pipefail
folder=$1
for program in "$folder"/bench_*; do
  [ -x "$program" ] || continue
  echo "== $(basename "$program")"
  "$program"
done
