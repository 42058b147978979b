#!/bin/sh
# The manoeuvres of a truck: manoeuvres.sh PROGRAM FOLDER [NAME...]
# For each one it runs the truck with every elastic mode of its frame, with 20 modes and with a
# rigid frame, and leaves NAME.html with the figures and curves of the three over each other; then
# it halves the step. NAME: axle_rig, cornering, step_steer, lane_change, brake_in_turn,
# four_post, twist_ditch, kerb, cobbles; without names all. Leaves manoeuvres.txt.
set -e
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
mkdir -p "$2"
cd "$2"
shift 2
[ $# -gt 0 ] || set -- axle_rig cornering step_steer lane_change brake_in_turn four_post twist_ditch kerb cobbles
"$here/roads.sh"
for name in truck4x2 semitrailer four-post; do
  [ -f $name.json ] || "$program" new $name --quiet > log.txt
done
for name in channels "$@"; do cp "$here/$name.json" .; done
: > manoeuvres.txt
# system, reference, variants, page, more options. Exit code 1 says that no variant is within the
# limit, which is a finding
study() {
  system=$1 reference=$2 variants=$3 page=$4
  shift 4
  "$program" study "$system.json" --reference "$reference" --variants "$variants" --folder "runs_$system" \
    --report "$page.html" --quiet $REPRODUCIBLE "$@" > "$page.txt" || [ $? -eq 1 ]
  cat "$page.txt" | tee -a manoeuvres.txt
}
for name in "$@"; do
  printf '\n%s\n' "$name" | tee -a manoeuvres.txt
  end=
  [ "$name" != cobbles ] || end='--end 20'  # halving the step needs no mile
  case $name in
    axle_rig)
      for way in bounce roll lateral brake; do
        for step in 2e-3 1e-3; do
          "$program" simulate axle_rig.json --variant $way --step $step -o axle_$way.h5 --report axle_$way.html --quiet \
            > axle_$way.txt
          tee -a manoeuvres.txt < axle_$way.txt
        done
      done
      continue ;;
    # impacts ring in modes far above what a frame is judged by
    kerb | cobbles) study $name full rigid,flex $name --below 40Hz ;;
    *) study $name full rigid,flex $name ;;
  esac
  study $name half flex ${name}_half_step $end
done
