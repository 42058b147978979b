#!/usr/bin/env bash
# A mass of 10 kg under gravity on a quartic spring, k = 100, of rest length 1 and 2 m: stretch [m],
# the values of the document of 2007 next to ours. data/lattice/staal/ORIGIN.md
#   examples/lattice/mass_on_spring.sh build/release/bin/femflex
# Exits with 1 where a stretch differs by more than 0.0005 m.
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

echo "rest length [m]   document       ours"
for d in 1 2; do
  cat > one.json <<J
{ "dimension": 2, "gravity": 9.81,
  "nodes": [ { "id": 1, "x": [0, $d], "mass": 1, "fixed": "xy" }, { "id": 2, "x": [0, 0], "mass": 10 } ],
  "springs": [ { "i": 1, "j": 2, "k": 100, "d": $d } ] }
J
  "$femflex" lattice one.json --statics | awk -v d="$d" -v doc="$([ "$d" = 1 ] && echo 0.189 || echo 0.059)" '
    $1 == "node" && $2 == 2 { printf "%15s %10s %10.5f\n", d, doc, -$4
      found = 1; far = -$4 - doc > 5e-4 || doc + $4 > 5e-4 }
    END { exit far || !found }'
done
