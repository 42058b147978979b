#!/usr/bin/env bash
# Runs every bench of a folder of programs, one after the other; the results are copied to docs/performance.md by hand.
set -euo pipefail
folder=$1
# The benches count processor time of one thread: a second BLAS thread would add the 0.1 s for
# which it spins at the start of every program. Benches that measure two threads request them explicitly.
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
for program in "$folder"/bench_*; do
  [ -x "$program" ] || continue
  echo "== $(basename "$program")"
  "$program"
done
