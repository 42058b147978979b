#!/usr/bin/env bash
# Builds the fuzz targets and runs each for FUZZ_SECONDS (60), starting from the project's own files.
#   tests/fuzz/run.sh [target...]     for example: FUZZ_SECONDS=600 tests/fuzz/run.sh op4 bulk
# Finds are left in build/fuzz/finds.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${FUZZ_SECONDS:-60}
cd "$root"
[ -f build/fuzz/build.ninja ] || cmake --preset fuzz
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  mapfile -t targets < <(sed -n 's/^set(formats//p; /^  inp/p' tests/fuzz/CMakeLists.txt | tr -d ')' | tr ' -' '\n_' | grep .)
  targets+=(body_flex body_sid body_mbdyn body_exudyn body_dads substructure_text)
fi
cmake --build --preset fuzz --parallel "${JOBS:-$(nproc)}" --target "${targets[@]/#/fuzz_}"
declare -A seeds=([op4]=op4 [op2]=op2 [bulk]=bulk [punch]=punch [f06]=f06 [msc_h5]=msc_h5 [matrix_market]=matrix_market
  [frd]=calculix [ansys_mapping]=ansys [harwell_boeing]=harwell_boeing [user_element]=calculix [inp]=calculix
  [coordinate_matrix]=calculix [calculix_dof]=calculix [abaqus_labels]=abaqus [node_table]=node_table [npy]=npy
  [ansys_full]=ansys [ansys_result]=ansys [ansys_sub]=ansys [ansys_deck]=ansys [universal]=universal [npz]=npz [matlab]=matlab
  [med]=med
  [body_flex]=body_files [body_sid]=body_files [body_mbdyn]=body_files [body_exudyn]=body_files [body_dads]=body_files)
mkdir -p build/fuzz/finds
# libhdf5 itself forgets memory on damaged files: named there, everything else counts
export LSAN_OPTIONS=suppressions=$root/cmake/lsan.supp:print_suppressions=0
failed=0
for target in "${targets[@]}"; do
  corpus=build/fuzz/corpus/$target
  mkdir -p "$corpus"
  echo "== $target: $seconds s"
  # 20 s for one input and 2 GB are far beyond what a few kilobytes may cost
  if ! build/fuzz/bin/fuzz_"$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=65536 \
      -print_final_stats=1 -verbosity=0 -artifact_prefix=build/fuzz/finds/"$target"- \
      "$corpus" ${seeds[$target]:+"data/${seeds[$target]}/valid"} 2>build/fuzz/"$target".log; then
    failed=1
    echo "   FOUND something: build/fuzz/$target.log"
  fi
  sed -n 's/^stat::number_of_executed_units: */   runs: /p; s/^stat::peak_rss_mb: */   peak memory [MB]: /p' build/fuzz/"$target".log
done
exit $failed
