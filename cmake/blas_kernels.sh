#!/usr/bin/env bash
# The tests whose numbers pass through BLAS, once for each OpenBLAS kernel that this processor runs,
# in turn on one processor and on all: results must not depend on where they were computed.
# Usage: cmake/blas_kernels.sh BUILD_FOLDER [TEST_PATTERN]
set -euo pipefail
build=$1
pattern=${2:-'^modal|^pipeline\.(Reduc|Chain|Compare|FullBody|Check)'}
flags=" $(grep -m1 '^flags' /proc/cpuinfo || true) "

# kernel: the processor flags that it needs (OpenBLAS's Zen computes by Haswell's kernels)
kernels='Prescott:pni
Nehalem:sse4_2
Haswell:avx2,fma
SkylakeX:avx512f,avx512bw,avx512dq,avx512vl'

processors=all
while IFS=: read -r kernel needed; do
  for flag in ${needed//,/ }; do
    case $flags in *" $flag "*) ;; *)
      echo "kernel $kernel: left out, this processor has no $flag"
      continue 2 ;;
    esac
  done
  if [ "$processors" = all ]; then
    processors=one
    run=(taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')" ctest --parallel 1)
  else
    processors=all
    run=(ctest --parallel "$(nproc)")
  fi
  echo "kernel $kernel, processors: $processors"
  OPENBLAS_CORETYPE=$kernel "${run[@]}" --test-dir "$build" -R "$pattern" --output-on-failure </dev/null | tail -n 25
done <<<"$kernels"
