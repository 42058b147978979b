#!/bin/sh
# The main workflow on data of the project: demo.sh PROGRAM FOLDER
# Imports a truck chassis, reduces it, runs the truck with few modes, with many and with none,
# compares them with every elastic mode of the FE model, writes flex files, and leaves
# FOLDER/report.html. Before that, the same chain on the double mass-spring, full against reduced,
# for which published numbers exist.
set -e
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
data=$(dirname "$here")/data
mkdir -p "$2"
cd "$2"
cp "$here/double_mass_spring/step.json" .
femflex() { "$program" "$@" --quiet; }

echo "1  double mass-spring: import, four paths of the reduction, step response"
dms=$data/double_mass_spring
femflex import "$dms/dms.bdf" "$dms/dms.ou1.op4" --modes "$dms/dms_dynamic.pch:dynamic" \
  --modes "$dms/dms_static.pch:static" --modes "$dms/dms_constraint.pch:constraint" \
  --units m-kg-s --name dms -o dms.fe.h5 > log.txt
femflex reduce dms.fe.h5 --select dynamic -o dynamic.fbm dynamic.flex >> log.txt
femflex reduce dms.fe.h5 --select dynamic --scale -o dynamic_scaled.fbm dynamic_scaled.flex >> log.txt
femflex reduce dms.fe.h5 --select static,constraint -o static.fbm static.flex >> log.txt
femflex reduce dms.fe.h5 --select static,constraint --orthogonalise -o static_ortho.fbm static_ortho.flex >> log.txt
femflex reduce dms.fe.h5 --select static,constraint --orthogonalise --scale -o static_ortho_scaled.fbm static_ortho_scaled.flex >> log.txt
femflex reduce dms.fe.h5 --select constraint -o constraint.fbm >> log.txt
femflex simulate step.json -o step.h5 --csv step.csv >> log.txt
femflex back-transform step.h5 --nodes 2,3 -o eta.h5 --csv eta.csv >> log.txt
femflex compare "$dms/damping_step_response.csv" step.h5 --channels eta1=dms/zeta/1,eta2=dms/zeta/2 --tol 1e-8
femflex simulate step.json --variant full -o full.h5 >> log.txt
femflex simulate step.json --variant one -o one.h5 >> log.txt
# one mode is not enough, so this ends with 1: check failed
femflex compare full.h5 one.h5 --channels dms/2/displacement/z,dms/3/displacement/z \
  --csv reduction.csv --report reduction.html >> log.txt || [ $? -eq 1 ]

echo "2  truck: its chassis reduced in eight ways, on a rough road and over a bump, against all 592 modes"
rm -rf truck
"$here/truck/study.sh" "$program" truck
cp truck/modes.html report.html
# the 20-mode chassis in the other formats, and a page with its shapes
femflex convert truck/chassis.fbm chassis.flex >> log.txt
femflex convert truck/chassis.fbm chassis.fem >> log.txt
femflex view truck/chassis.fbm -o chassis.html >> log.txt

printf '\n%s\n' "The report is $(pwd)/report.html (bump, kinds of modes and damping: truck/*.html); chassis.html shows the modes, log.txt the output"
