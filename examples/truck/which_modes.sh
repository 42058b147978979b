#!/bin/sh
# Which modes of a frame are enough? which_modes.sh PROGRAM FOLDER FRAME.fe.h5 REFERENCE
# Runs cornering, kerb, cobbles and four posts with normal modes of the frame, with static
# shapes of the mounts in addition, and with a rigid frame, against REFERENCE: full (every mode of the
# FE model) or rich (normal modes and a shape for each DOF of the mounts), by the displacements of
# ten nodes of the frame. Leaves which_NAME.html and which.txt in FOLDER. FRAME has the nodes of
# the frame of truck4x2.
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

finish='--orthogonalise --scale --damping 0.02'
[ -f normal.fe.h5 ] || femflex modes "$frame" --normal 46 -o normal.fe.h5 >> log.txt
for n in 5 10 20 40; do
  [ -f normal$n.fbm ] || femflex reduce normal.fe.h5 --select dynamic:1-$((n + 6)) $finish -o normal$n.fbm >> log.txt
done
[ -f rich.fbm ] || femflex reduce "$frame" --method craig-chang --normal 40 $finish -o rich.fbm >> log.txt
# the cases, and the outputs on which they are judged
{
  printf '{ "page": null, "outputs": [ "chassis/{1103|1101|303|301|804|802|204|202|1304|1302}/displacement", "energy" ],\n'
  printf '  "variants": { "rigid": { "bodies": { "chassis": { "as": "rigid" } } },\n'
  printf '    "full": { "bodies": { "chassis": { "as": "full", "model": "%s", "modes": null } } }' "$frame"
  for body in normal5 normal10 normal20 normal40 rich; do
    printf ',\n    "%s": { "bodies": { "chassis": { "flex": "%s.fbm", "model": "%s", "modes": null } } }' $body $body "$frame"
  done
  printf ' } }\n'
} > which.json
: > which.txt
for name in cornering kerb cobbles four_post; do
  printf '{ "include": [ "%s.json", "which.json" ] }\n' $name > which_$name.json
  end=
  [ $name != cobbles ] || end='--end 10'
  printf '\n%s\n' $name | tee -a which.txt
  variants=normal5,normal10,normal20,normal40
  [ "$reference" = rich ] || variants=$variants,rich
  femflex study which_$name.json --reference "$reference" --variants $variants --channels chassis $end \
    --folder runs_$name --report which_$name.html $REPRODUCIBLE > one.txt || [ $? -eq 1 ]
  tee -a which.txt < one.txt
done
