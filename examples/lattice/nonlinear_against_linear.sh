#!/usr/bin/env bash
# The full nonlinear cantilever of table 4 against its reduced linear body, and the load at which
# their tip deflections differ by a given percentage, found by bisection.
#   examples/lattice/nonlinear_against_linear.sh build/release/bin/femflex 5
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
percent=${2:-5}
model=$(realpath "$(dirname "$0")/../../data/lattice/staal/model_table4.json")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# 1. K and M at rest, a static mode for the load and a few normal modes, a body of them
"$femflex" lattice "$model" --to-fe rest.fe.h5 > /dev/null
"$femflex" modes rest.fe.h5 --static --normal 6 -o modes.fe.h5 > /dev/null
"$femflex" reduce modes.fe.h5 -o reduced.fbm --select "dynamic:1-6,static:1" --orthogonalise --scale > /dev/null

# 2. its response to 1 N; a linear body responds in proportion
cat > push.json <<'J'
{ "femflex": 1, "name": "linear", "units": "m-kg-s",
  "bodies": { "net": { "flex": "reduced.fbm", "damping": "none" } },
  "joints": { "clamp": { "type": "fixed", "a": "ground", "b": "net" } },
  "forces": { "push": { "type": "force", "on": "net/9", "value": [0, -1, 0] } },
  "analyses": [ { "type": "static" } ],
  "outputs": [ "net/9/displacement" ] }
J
"$femflex" simulate push.json -o linear.h5 --csv linear.csv > /dev/null
unit=$(awk -F, 'END { printf "%.12g", -$3 }' linear.csv)

# 3. the lattice under the same load
tip() { "$femflex" lattice "$model" --statics --load-factor "$1" --nodes 9 | awk '$1 == "node" { printf "%.12g", -$4 }'; }
gap() { awk -v n="$(tip "$1")" -v l="$unit" -v f="$1" 'BEGIN { g = 100 * (l * f - n) / n; printf "%.6f", g < 0 ? -g : g }'; }
echo "load [N]  nonlinear [m]  linear [m]  apart [%]"
for load in 1 5 10 20 40 80; do
  printf '%8s  %13.6f  %10.6f  %9.3f\n' "$load" "$(tip $load)" "$(awk -v l="$unit" -v f=$load 'BEGIN { print l * f }')" "$(gap $load)"
done

# 4. where they differ by that percentage: double the load until they do, then bisect
low=0.01; high=1
while awk -v g="$(gap $high)" -v p="$percent" 'BEGIN { exit !(g < p) }'; do
  low=$high; high=$(awk -v h="$high" 'BEGIN { print 2 * h }')
  [ "${high%.*}" -lt 100000 ] || { echo "they do not part by $percent %"; exit 1; }
done
for _ in $(seq 30); do
  middle=$(awk -v a="$low" -v b="$high" 'BEGIN { printf "%.10g", (a + b) / 2 }')
  if awk -v g="$(gap "$middle")" -v p="$percent" 'BEGIN { exit !(g < p) }'; then low=$middle; else high=$middle; fi
done
printf 'the reduced linear body is %s %% off at %.4f N (tip %.4f m)\n' "$percent" "$high" "$(tip "$high")"
