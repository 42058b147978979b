#!/bin/sh
# Which modes of a frame are enough? which_modes.sh PROGRAM FOLDER FRAME.fe.h5 REFERENCE
# Runs cornering, kerb, cobbles and four posts with normal modes of the frame, and with static shapes
# of the mounts in addition, against REFERENCE: full (every mode of the FE model) or rich (40 normal
# modes and a shape for each DOF of the mounts), by the displacements of ten nodes of the frame.
# Beside the error stands what each run itself says that it leaves out: bodies of normal modes carry
# 30 further modes and the responses to forces at the 16 nodes where the truck is mounted, which do
# not act. Leaves
# which_NAME.html and which.txt in FOLDER. FRAME has the nodes of the frame of truck4x2. A body that
# is in FOLDER already is not made again.
set -e
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
mkdir -p "$2"
frame=$(realpath "$3")
reference=$4
cd "$2"
femflex() { "$program" "$@" --quiet; }
"$here/roads.sh"
for name in truck4x2 four-post; do femflex new $name > log.txt; done
for name in channels cornering kerb cobbles four_post; do cp "$here/$name.json" .; done

finish='--orthogonalise --scale --drop-rigid --damping 0.02'
judged='1103 1101 303 301 804 802 204 202 1304 1302'
at=$(echo $judged 1104 1102 1203 1201 1003 1001 | tr ' ' ,)
[ -f normal.fe.h5 ] || femflex modes "$frame" --normal 46 -o normal.fe.h5 >> log.txt
for n in 5 10 20 40; do
  [ -f normal$n.fbm ] || femflex reduce normal.fe.h5 --select dynamic:1-$((n + 6)) $finish \
    --left-out 30 --left-out-at $at -o normal$n.fbm >> log.txt
done
[ -f rich.fbm ] || femflex reduce "$frame" --method craig-chang --normal 40 $finish -o rich.fbm >> log.txt
# the cases, and the outputs on which they are judged
{
  printf '{ "page": null, "outputs": [ "chassis/{%s}/displacement" ],\n' "$(echo $judged | tr ' ' '|')"
  printf '  "variants": { "full": { "bodies": { "chassis": { "as": "full", "model": "%s", "modes": null } } }' "$frame"
  for body in normal5 normal10 normal20 normal40 rich; do
    printf ',\n    "%s": { "bodies": { "chassis": { "flex": "%s.fbm", "model": "%s", "modes": null } } }' $body $body "$frame"
  done
  printf ' } }\n'
} > which.json
: > which.txt
for name in cornering kerb cobbles four_post; do
  # what a run leaves out is followed from row to row, which must not lie far apart
  case $name in
    cornering) run='"end": 26, "step": 2e-3, "output_step": 4e-3' ;;
    kerb) run='"end": 8, "step": 1e-3, "output_step": 2e-3' ;;
    cobbles) run='"end": 10, "step": 1e-3, "output_step": 2e-3' ;;
    four_post) run='"end": 40, "step": 1e-3, "output_step": 4e-3' ;;
  esac
  first=
  [ $name != four_post ] || first='{ "type": "static" }, '
  printf '{ "include": [ "%s.json", "which.json" ],\n  "analyses": [ %s{ "type": "dynamic", %s } ] }\n' \
    $name "$first" "$run" > which_$name.json
  printf '\n%s\n' $name | tee -a which.txt
  variants=normal5,normal10,normal20,normal40
  [ "$reference" = rich ] || variants=$variants,rich
  femflex study which_$name.json --reference "$reference" --variants $variants --channels chassis \
    --folder runs_$name --report which_$name.html $REPRODUCIBLE > one.txt || [ $? -eq 1 ]
  tee -a which.txt < one.txt
done
