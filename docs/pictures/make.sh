#!/bin/sh
# Makes the pictures of this folder: make.sh PROGRAM. Needs node and Chromium.
set -e
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
root=$(dirname "$(dirname "$here")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
femflex() { "$program" "$@" --quiet > /dev/null; }
shot() { node "$root/tests/viewer/shot.mjs" "$@"; }

femflex import "$root/data/chassis/framec.bdf" "$root/data/chassis/framec_kgg_mgg_ascii.op4" --interface 1-8,51 \
  --units m-kg-s --name chassis -o chassis.fe.h5
femflex reduce chassis.fe.h5 --method craig-chang --normal 20 --orthogonalise --scale --damping 0.02 -o chassis.fbm
femflex view chassis.fbm -o chassis.html
# the second elastic mode is the first bending one; the first twists
shot chassis.html "$here/chassis_bending.png" \
  "femflex.play(false), femflex.setTheme('light'), femflex.chooseMode(0, 1), femflex.setPlace(0.25)" 1100 560

cp "$root/examples/truck/truck.json" .
femflex simulate truck.json --set 'bodies.chassis.modes={"enable":"1-20"}' --end 2 -o truck.h5
femflex view truck.h5 -o truck.html
shot truck.html "$here/truck.png" "femflex.play(false), femflex.setTheme('light'), femflex.setPlace(1.2)" 1100 760
