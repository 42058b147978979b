#!/bin/sh
# The chassis of the truck, reduced in several ways: prepare.sh PROGRAM, in an empty folder.
# Leaves chassis.fe.h5 (the FE model), chassis.fbm (20 shapes of the motion on a training road),
# chassis_5, _10, _40 (the same with other numbers of shapes), chassis_normal, _static, _constraint,
# _mixed, _rich.
set -e
program=$1
here=$(dirname "$(realpath "$0")")
data=$(dirname "$(dirname "$here")")/data/chassis
femflex() { "$program" "$@" --quiet; }
cp "$here"/*.json .

# where forces act: spring eyes, engine seat, mounts of cab and payload
interface=1-8,51,100015,200015,100085,200085,100145,200145
femflex import "$data/framec.bdf" "$data/framec_kgg_mgg_ascii.op4" --interface $interface \
  --units m-kg-s --name chassis -o chassis.fe.h5
finish="--orthogonalise --scale --drop-rigid --damping 0.02"

# with a static mode for every interface DOF: 118 modes, the best that modes can do here
femflex reduce chassis.fe.h5 --method craig-chang --normal 40 $finish -o chassis_rich.fbm >> log.txt
# normal modes of the free frame: 6 rigid ones and 40 more
femflex modes chassis.fe.h5 --normal 46 -o normal.fe.h5 >> log.txt
femflex reduce normal.fe.h5 $finish -o chassis_normal.fbm >> log.txt
# unit forces, and unit motions, of the DOFs that carry most: up and down at every mount,
# sideways at the payload and at the engine
dofs=1/T3,2/T3,3/T3,4/T3,5/T3,6/T3,7/T3,8/T3,51/T3,51/T2,100015/T3,200015/T3
payload=100085/T3,200085/T3,100145/T3,200145/T3,100085/T2,200085/T2,100145/T2,200145/T2
along=100085/T1,200085/T1,100145/T1,200145/T1
femflex modes chassis.fe.h5 --attachment --dofs $dofs,$payload -o static.fe.h5 >> log.txt
femflex reduce static.fe.h5 $finish -o chassis_static.fbm >> log.txt
# 26 unit motions span the 6 rigid modes and 20 shapes that strain the frame
femflex modes chassis.fe.h5 --constraint -o constraint.fe.h5 \
  --dofs $dofs,$payload,$along,51/T1,100015/T2 >> log.txt
femflex reduce constraint.fe.h5 $finish -o chassis_constraint.fbm >> log.txt
# 8 elastic normal modes and what they miss of the payload's forces
femflex modes chassis.fe.h5 --normal 14 --residual \
  --dofs $payload,$along -o mixed.fe.h5 >> log.txt
femflex reduce mixed.fe.h5 $finish -o chassis_mixed.fbm >> log.txt

# the shapes come from the motion on a road and over a bump that no comparison uses
femflex simulate training.json -o training.h5 >> log.txt
femflex simulate training_bump.json -o training_bump.h5 >> log.txt
for keep in 5 10 20 40; do
  femflex transform chassis_rich.fbm --run training.h5 training_bump.h5 --keep $keep --below 45Hz \
    -o chassis_$keep.fbm >> log.txt
done
mv chassis_20.fbm chassis.fbm
