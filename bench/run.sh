#!/usr/bin/env bash
# Runs every bench of a folder of programs, one after the other; their lines go to docs/performance.md by hand.
set -euo pipefail
folder=$1
# The benches count processor time of one thread: the BLAS library's second one would add the 0.1 s that it
# spins at the start of every program. Those that measure two threads ask for them.
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
for program in "$folder"/bench_*; do
  [ -x "$program" ] || continue
  echo "== $(basename "$program")"
  "$program"
done
