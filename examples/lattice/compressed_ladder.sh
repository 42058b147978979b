#!/usr/bin/env bash
# Tables 2 and 3 of 2007: a ladder of ten columns pushed together by 600 N, its height, length and
# Poisson number on the symmetric branch, the document's values next to ours.
#   examples/lattice/compressed_ladder.sh build/release/bin/femflex
# Exits with 1 where a height differs by more than 0.005, a length by 0.006 or a Poisson number by
# 0.02.
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
data=$(realpath "$(dirname "$0")/../../data/lattice/staal")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

echo "table    k     height        length        Poisson"
for table in 2 3; do
  file=$(ls "$data"/table${table}_*.csv)
  tail -n +2 "$file" | while IFS=, read -r run k a b c d e f hp lp poisson height length rest; do
    vertical=100; diagonal=100
    if [ $table = 2 ]; then vertical=$k; else diagonal=$k; fi
    cat > ladder.json <<J
{ "dimension": 2, "generate": { "type": "ladder", "columns": 10, "mass": 0.2, "k_chord": 100,
  "k_vertical": $vertical, "k_diagonal": $diagonal }, "fixed": { "xy": [1, 20], "y": [10, 11] },
  "loads": [ { "node": 10, "force": [-300, 0] }, { "node": 11, "force": [-300, 0] } ] }
J
    "$femflex" lattice ladder.json --statics --stay-on-branch |
      awk -v t="$table" -v k="$k" -v h="$height" -v l="$length" -v p="$poisson" '
        function far(a, b, limit) { return a - b > limit || b - a > limit }
        $1 == "node" { x[$2] = $3; y[$2] = $4 }
        END { H = (y[16] - y[5] + y[15] - y[6]) / 4; L = (x[10] + x[11]) / 36
              r = -(H - 1) / (L - 1); nu = r / (1 + r)
              printf "%d %8s  %.4f %.4f  %.4f %.4f  %.2f %.3f\n", t, k, h, H, l, L, p, nu
              exit far(h, H, 0.005) || far(l, L, 0.006) || far(p, nu, 0.02) }'
  done
done
