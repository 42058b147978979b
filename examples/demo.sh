#!/bin/sh
# The main workflow on data of the project: demo.sh PROGRAM FOLDER
# Imports a truck chassis, reduces it, runs the truck with few modes, with many and with none,
# compares them with every elastic mode of the FE model, writes flex files, drives a truck over
# cobbles, and leaves FOLDER/truck.html, FOLDER/report.html, FOLDER/cobbles.html and more. Before that, the same chain on the double mass-spring, full against reduced,
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
femflex compare "$dms/damping_step_response.csv" step.h5 --channels eta1=dms/zeta/1,eta2=dms/zeta/2 --tol 1e-8 > step.txt
cat step.txt
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
# the truck on its road, with the frame that bends
femflex view truck/runs_truck/shapes20.h5 -o truck.html >> log.txt

echo "3  a truck with tyres, leaf springs, brakes and a driver on cobbles, ten seconds"
mkdir -p cobbles
(
  cd cobbles
  femflex new truck4x2 >> log.txt
  "$here/truck/roads.sh"
  cp "$here/truck/channels.json" "$here/truck/cobbles.json" .
  femflex simulate cobbles.json --end 10 -o cobbles.h5 --report figures.html > cobbles.txt
  femflex view cobbles.h5 -o ../cobbles.html >> log.txt
)

echo "4  damage: the frame over a mile of cobbles (ISO 8608 class D) at 8 m/s"
cobbles() {
  sed 's/"iso8608": "C"/"iso8608": "D"/; s/"length": 200/"length": 1650/; s/"speed": 15/"speed": 8/
    s#"outputs": \[#"outputs": [ "chassis/zeta",#' truck.json > cobbles.json
  femflex simulate cobbles.json -o cobbles.h5 --end 201 --output-step 0.005
  femflex stress cobbles.h5 --body chassis --at corners --curve "$data/durability/steel.json" --view ../damage.html
}
(cd truck && cobbles > damage.txt)

# the last line of a table names its page, the one before is the verdict
verdict() { tail -n 2 "$1" | sed "s/;.*//; q"; }
printf '\nWhat was found\n'
printf '  rough road: %s\n' "$(verdict truck/modes.txt)"
printf '  bump:       %s\n' "$(verdict truck/bump.txt)"
printf '  which:      %s\n' "$(awk '$1 == "normal20" { n = 100 * $3 } $1 == "shapes20" && $2 == 20 { s = 100 * $3 }
  END { printf "20 normal modes miss the accelerations by %.3g %%, 20 shapes of training runs by %.3g %%", n, s }' truck/kinds.txt)"
awk '$1 == "full" { f = $5 } $1 == "shapes20" && $2 == 20 { printf "  CPU time:   %s s with 592 modes, %s s with 20\n", f, $5 }' truck/modes.txt
printf '  two masses: the step response follows its closed form to %s of its size\n' \
  "$(awk '/dms\/zeta/ && $6 > m { m = $6 } END { print m }' step.txt)"
printf '  cobbles:    %s\n' "$(awk '/^ *rms acceleration of the cab/ { printf "the cab shakes by %s m/s^2 rms at 10 m/s", $NF }' cobbles/cobbles.txt)"
awk '$2 ~ /^C[QT]/ && !n++ { printf "  cobbles:    a mile takes %s of the life of the frame, first at element %s\n", $NF, $1 }' truck/damage.txt
printf '\nWhat to open in a browser, in %s\n' "$(pwd)"
printf '  %-18s %s\n' truck.html 'the truck on its road' chassis.html 'the modes of its frame' \
  report.html 'how many modes are enough' truck/bump.html 'the same over a bump' \
  truck/kinds.html 'which kind of modes' truck/damping.html 'how much damping' \
  cobbles/figures.html 'a truck on cobbles: spectra, level crossings' cobbles.html 'its motion' \
  damage.html 'where a mile of cobbles damages the frame'
