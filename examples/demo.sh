#!/bin/sh
# The main job on data of the project: demo.sh PROGRAM FOLDER
# Imports FE files, reduces, writes flex files, simulates reduced and full, compares, reports.
set -e
program=$(realpath "$1")
out=$2
here=$(dirname "$(realpath "$0")")
data=$(dirname "$here")/data/double_mass_spring
mkdir -p "$out"
cp "$here/double_mass_spring/step.json" "$out/"
cd "$out"

# 1  FE files in, one model out: the deck has the grids, OUTPUT4 K and M, punch the shapes
"$program" import "$data/dms.bdf" "$data/dms.ou1.op4" --modes "$data/dms_dynamic.pch:dynamic" \
  --modes "$data/dms_static.pch:static" --modes "$data/dms_constraint.pch:constraint" \
  --units m-kg-s --name dms -o dms.fe.h5
"$program" check dms.fe.h5

# 2  the four paths of the reduction, each as native body and as FLEX file
"$program" reduce dms.fe.h5 --select dynamic -o dynamic.fbm dynamic.flex
"$program" reduce dms.fe.h5 --select dynamic --scale -o dynamic_scaled.fbm dynamic_scaled.flex
"$program" reduce dms.fe.h5 --select static,constraint -o static.fbm static.flex
"$program" reduce dms.fe.h5 --select static,constraint --orthogonalise -o static_ortho.fbm static_ortho.flex
"$program" reduce dms.fe.h5 --select static,constraint --orthogonalise --scale -o static_ortho_scaled.fbm static_ortho_scaled.flex
"$program" reduce dms.fe.h5 --select constraint -o constraint.fbm

# 3  a unit step on the second mass: damped in the chosen modes, then full against one mode
"$program" simulate step.json -o step.h5 --csv step.csv
"$program" back-transform step.h5 --nodes 2,3 -o eta.h5 --csv eta.csv
"$program" simulate step.json --variant full -o full.h5
"$program" simulate step.json --variant one -o one.h5
status=0
"$program" compare full.h5 one.h5 --channels dms/2/displacement/z,dms/3/displacement/z \
  --tol 0.5 --csv reduction.csv --report report.html || status=$?
[ "$status" -le 1 ]

printf '\n%s\n' "The report is $(pwd)/report.html"
