#!/usr/bin/env bash
# The program against its peers of Debian, on this machine in this run: peers.sh FOLDER
# FOLDER holds the benches and femflex. LAMMPS (networks of springs), SLEPc (modes from matrices), CalculiX (modes of a
# block from its deck), Simbody (chain on hinges). Each line tells its conditions; peers that are not installed
# are named. Rows go to docs/performance.md by hand, the lost ones too.
set -euo pipefail
folder=$(realpath "$1")
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 CCX_NPROC_EQUATION_SOLVER=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { printf '\n== %s\n' "$1"; }
version() { dpkg-query -W -f='${Package} ${Version}\n' "$1" 2> /dev/null || echo "$1 is not installed"; }
processor() { sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1; }

say "$(date +%F), $(processor), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg); one thread each"
for package in lammps libslepc-real3.18 calculix-ccx libsimbody-dev; do version "$package"; done

say 'networks of springs: LAMMPS, whole steps in turn'
"$folder/bench_networks"

say 'modes from matrices: SLEPc over CHOLMOD'
"$folder/bench_modal_modes"

say 'chain on hinges: Simbody, equal error of the tip'
if [ -x "$folder/bench_peer_simbody" ]; then "$folder/bench_peer_simbody"; else echo 'built without Simbody'; fi

say 'modes of a block, 20 modes: CalculiX from its deck; the program from the matrices of the same deck'
command -v ccx > /dev/null || { echo 'ccx is not installed'; exit 0; }
cd "$work"
# a steel block of 20 x 20 x 60 bricks, 0.1 x 0.1 x 0.6 m, held at one end
mesh() {
  awk 'BEGIN { a = 20; n = 60; print "*NODE, NSET=ALL"
    for (k = 0; k <= n; ++k) for (j = 0; j <= a; ++j) for (i = 0; i <= a; ++i)
      printf "%d, %.9g, %.9g, %.9g\n", 1 + i + (a + 1) * (j + (a + 1) * k), 0.1 * i / a, 0.1 * j / a, 0.6 * k / n
    print "*ELEMENT, TYPE=C3D8, ELSET=ALL"
    for (k = 0; k < n; ++k) for (j = 0; j < a; ++j) for (i = 0; i < a; ++i) {
      p = 1 + i + (a + 1) * (j + (a + 1) * k); q = p + (a + 1) * (a + 1)
      printf "%d, %d, %d, %d, %d, %d, %d, %d, %d\n", 1 + i + a * (j + a * k), p, p + 1, p + a + 2, p + a + 1, q, q + 1, q + a + 2, q + a + 1 }
    print "*NSET, NSET=FOOT, GENERATE"; printf "1, %d, 1\n", (a + 1) * (a + 1)
    print "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.\n*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL"
    print "*BOUNDARY\nFOOT, 1, 3" }'
}
{ mesh; printf '*STEP\n*FREQUENCY\n20\n*END STEP\n'; } > modes.inp
{ mesh; printf '*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n20\n*END STEP\n'; } > matrices.inp
TIMEFORMAT='%U %S'
cpu() { { time "$@" > log.txt 2>&1; } 2>&1 | awk '{ printf "%.2f", $1 + $2 }'; }
peer=$(cpu ccx modes)
ccx matrices > log.txt 2>&1 || true
"$folder/femflex" import matrices.inp matrices.sti matrices.mas matrices.dof --units m-kg-s --name block -o block.fe.h5 -q > log.txt
ours=$(cpu "$folder/femflex" modes block.fe.h5 --normal 20 --threads 1 -q)
theirs=$(awk '/E I G E N V A L U E/ { take = 1 } take && $1 == 1 && NF >= 4 { print $4; exit }' modes.dat)
first=$(awk '$1 == "dynamic:1" { print $2 }' log.txt)
echo "CalculiX, deck to modes: $peer s; the program, matrices to modes: $ours s (elements are not computed here)"
echo "first frequency: $theirs Hz by CalculiX, $first Hz here"
