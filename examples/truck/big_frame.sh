#!/bin/sh
# A frame of real size below the truck: big_frame.sh PROGRAM FOLDER [STEP]
# Writes a ladder frame of 150,000 DOFs (solid elements, channel rails, cross members that hold by bolted washers)
# as a CalculiX deck, has ccx assemble K and M, imports them with a node for each mount, reduces it,
# and asks which modes are enough, of this frame and of the small one of `femflex new truck4x2`.
# STEP is the length of an element along the rails, 0.0176 m. Needs ccx and awk.
set -e
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
mkdir -p "$2"
cd "$2"
command -v ccx > /dev/null || { echo 'big_frame.sh: ccx is not installed (CalculiX, package calculix-ccx)' >&2; exit 3; }
if [ ! -f frame.fe.h5 ]; then
  awk ${3:+-v step=$3} -f "$here/frame_deck.awk" > frame.inp
  ccx frame > ccx.txt
  # a node for each mount that follows the mean of the mesh around it
  spiders=$(awk '/^\*NSET, NSET=S[0-9]/ { sub(/.*=S/, ""); n = $0 + 0; c = n % 100
    printf "--spider %d=rbe3:set:S%d@%g,%g,%g ", n, n, (int(n / 100) - 1) * 0.5, c < 3 ? -0.4 : 0.4, c % 2 ? -0.1 : 0.1 }' frame.inp)
  "$program" import frame.inp frame.sti frame.mas frame.dof $spiders --units m-kg-s --name frame -o frame.fe.h5 --quiet
  rm -f frame.sti frame.mas frame.dof
fi
printf 'The small frame, against every mode of it\n'
"$program" new truck4x2 --quiet > log.txt
"$here/which_modes.sh" "$program" small truck4x2_chassis.fe.h5 full
printf '\nThe frame of real size, against 40 normal modes and shapes of all mounts\n'
"$here/which_modes.sh" "$program" real frame.fe.h5 rich
