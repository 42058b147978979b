#!/usr/bin/env bash
# Table 4 of 2007: a ladder held at its left end, pulled down at the other; deflection [m] of the
# loaded chord at x = 4, 8, 12, 16, the bending stiffness EI [N m^2] that each means, and how far EI
# at the end is from EI at x = 4 [%]: the document's values next to ours.
#   examples/lattice/cantilever.sh build/release/bin/femflex
# Exits with 1 where a deflection differs by more than 0.001 m, or EI by more than that means.
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
data=$(realpath "$(dirname "$0")/../../data/lattice/staal")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

echo "force    v(4)             v(8)             v(12)            v(16)            EI(4)          EI(8)          EI(12)         EI(16)         difference"
tail -n +2 "$data/table4_cantilever_k200.csv" | while IFS=, read -r force v1 v2 v3 v4 e1 e2 e3 e4 difference rest; do
  "$femflex" lattice "$data/model_table4.json" --statics --load-factor "$force" --nodes 3,5,7,9 --beam cantilever |
    awk -v f="$force" -v v_doc="$v1 $v2 $v3 $v4" -v e_doc="$e1 $e2 $e3 $e4" -v d_doc="$difference" '
      function off(a, b, most) { return a - b > most || b - a > most }
      BEGIN { split(v_doc, v, " "); split(e_doc, e, " "); printf "%5s", f }
      NF == 6 && $1 ~ /^[3579]$/ { ++n; printf "  %7s %7.4f", v[n], $3; ours[n] = $4; last = $5
        if (off($3, v[n], 1e-3) || off($4, e[n], $4 * 1e-3 / $3 + 1)) far = 1
        blur += 100 * 1e-3 / $3 }
      END { for (i = 1; i <= 4; ++i) printf "  %6s %6.0f", e[i], ours[i]
        printf "  %4s %5.1f\n", d_doc, last
        exit far || n != 4 || off(last, d_doc, blur + 1) }'
done
