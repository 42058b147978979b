#!/usr/bin/env bash
# FyDiK's three methods on one mass: 2 kg on a linear spring of 40 N/m and 1 m, damper 0.1 N s/m,
# released at 1.3 m, steps of 0.01 s. The reference's values next to ours, from a .model.fdk file.
#   examples/lattice/fydik_methods.sh build/release/bin/femflex
# Exits with 1 where any value differs by more than 1e-9.
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
reference=$(realpath "$(dirname "$0")/../../data/lattice/fydik_reference.json")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# method step x v, one line per value of the reference
awk '/"integrator_case"/ { inside = 1 }
  inside && match($0, /^ *"[0-2]": \[/) { split($0, part, "\""); method = part[2] }
  inside && /"step":/ { gsub(/[^0-9]/, ""); step = $0 }
  inside && /"x":/ { sub(/.*: */, ""); sub(/,.*/, ""); x = $0 }
  inside && /"v":/ { sub(/.*: */, ""); sub(/[, ].*/, ""); if (method != "") print method, step, x, $0 }' \
  "$reference" > reference.txt
[ "$(wc -l < reference.txt)" = 15 ] || { echo "the reference has changed its form" >&2; exit 1; }

echo "method                step                      x: reference, ours                     v: reference, ours"
while read -r method step x v; do
  cat > mass.model.fdk <<X
<MODEL name="mass" type="1D">
  <SIMULATOR time="0" timeStep="0.01" method="$method"/>
  <MASSPOINT index="0" initMass="1.0" initCoordX="0.0" fixedX="true"/>
  <MASSPOINT index="1" initMass="2.0" initCoordX="1.3" dampingCoef="0.1"/>
  <TRANSLATIONALSPRING index="0" length="1.0" stiffness="40" massObject1Index="0" massObject2Index="1"/>
</MODEL>
X
  end=$(awk -v n="$step" 'BEGIN { print 0.01 * n }')
  "$femflex" lattice mass.model.fdk --end "$end" --nodes 1 --json > out.json
  awk -v step="$step" -v x="$x" -v v="$v" '
    function far(a, b) { return a - b > 1e-9 || b - a > 1e-9 }
    /"integrator":/ { split($0, part, "\""); name = part[4] }
    /"position":/ { sub(/.*\[/, ""); p = $0 + 0 }
    /"velocity":/ { sub(/.*\[/, ""); u = $0 + 0 }
    END { printf "%-20s %5d  %20.14f %20.14f  %20.14f %20.14f\n", name, step, x, p, v, u
          exit far(x, p) || far(v, u) }' out.json
done < reference.txt
