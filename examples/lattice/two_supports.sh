#!/usr/bin/env bash
# Table 6 of 2007: a ladder on two supports, loaded in the middle of its lower chord; how far points 1
# and 3 (upper chord), 2 and 4 (lower chord) sag [m], the bending stiffness EI [N m^2] that each means,
# and the differences of EI between 3 and 4, 1 and 3 [%]: the document's values next to ours.
#   examples/lattice/two_supports.sh build/release/bin/femflex
# Exits with 1 where a sag differs by more than 0.001 m, or EI by more than that means; marked *: two
# errors of the document, not compared.
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
data=$(realpath "$(dirname "$0")/../../data/lattice/staal")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

echo "force    v4               v3               v1               v2               EI4            EI3            EI1            EI2            3 to 4      1 to 3"
tail -n +2 "$data/table6_dual_load_bottom.csv" | while IFS=, read -r force v1 v3 v2 v4 e1 e3 e2 e4 d34 d13 rest; do
  "$femflex" lattice "$data/model_table6.json" --statics --load-factor "$force" --nodes 5,14,16,3 --beam two-supports |
    awk -v f="$force" -v v_doc="$v4 $v3 $v1 $v2" -v e_doc="$e4 $e3 $e1 $e2" -v d_doc="0 $d34 $d13" '
      function off(a, b, most) { return a - b > most || b - a > most }
      BEGIN { split(v_doc, v, " "); split(e_doc, e, " "); split(d_doc, d, " "); printf "%5s", f }
      NF == 6 && $1 ~ /^(5|14|16|3)$/ { ++n; slip[n] = (f == 200 && n == 2) || (f == 1500 && n == 4)
        printf "  %6s%s %7.4f", v[n], slip[n] ? "*" : " ", $3; ours[n] = $4; to_previous[n] = $6
        if (!slip[n] && (off($3, v[n], 1e-3) || off($4, e[n], $4 * 1e-3 / $3 + 1))) far = 1
        blur[n] = 100 * 1e-3 / $3 }
      END { for (i = 1; i <= 4; ++i) printf "  %6s %6.0f", e[i], ours[i]
        for (i = 2; i <= 3; ++i) { printf "  %4s %5.1f", d[i], to_previous[i]
          if (f != 200 && off(to_previous[i], d[i], blur[i] + blur[i - 1] + 1)) far = 1 }
        print ""; exit far || n != 4 }'
done
