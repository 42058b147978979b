#!/bin/sh
# How many modes does the chassis need, which ones, and how much damping? study.sh PROGRAM FOLDER
# Makes the body files, runs the truck with every elastic mode of the frame and with each reduced
# chassis, on a rough road and over a bump under its left wheels, and compares accelerations of 14
# frame nodes below 50 Hz. Leaves modes.html, bump.html, kinds.html, damping.html, their tables as
# text, and study.txt. REPRODUCIBLE=--reproducible in the environment omits times.
set -e
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
mkdir -p "$2"
cd "$2"
"$here/prepare.sh" "$program" > proofs.txt
: > study.txt
# name, system, reference, variants. The program exits with 1 where no variant is good enough, which
# is a finding, not an error
study() {
  # no quotes: an empty variable must not become an argument
  "$program" study "$2" --reference "$3" --variants "$4" --channels chassis --below 50Hz \
    --folder "runs_${2%.json}" --report "$1.html" --quiet $REPRODUCIBLE > "$1.txt" || [ $? -eq 1 ]
  cat "$1.txt" >> study.txt
  cat "$1.txt"
}
printf 'How many? Rough road, ISO 8608 class C at 15 m/s\n' | tee -a study.txt
study modes truck.json full rigid,shapes5,shapes10,shapes20,shapes40,rich
printf '\nA bump of 60 mm under the left wheels\n' | tee -a study.txt
study bump bump.json full rigid,shapes5,shapes10,shapes20,shapes40,rich
printf '\nWhich? Normal modes, static and constraint modes, a mixture, shapes of training runs\n' | tee -a study.txt
study kinds truck.json runs_truck/full.h5 normal5,normal10,normal20,normal40,static20,constraint20,mixed20,shapes20
printf '\nHow much damping? Twenty shapes with another ratio than the 0.02 of the reference\n' | tee -a study.txt
study damping truck.json runs_truck/full.h5 damping0,damping1,shapes20,damping5,damping_adams
