#!/usr/bin/env bash
# Table 6 of 2007: a ladder on two supports, loaded in the middle of its lower chord; how far points 1
# and 3 (upper chord), 2 and 4 (lower chord) sag [m], the document's values next to ours.
#   examples/lattice/two_supports.sh build/release/bin/femflex
# Exits with 1 where one differs by more than 0.001 m; marked *: two errors of the document, not
# compared.
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
data=$(realpath "$(dirname "$0")/../../data/lattice/staal")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

echo "force    v1               v3               v2               v4"
tail -n +2 "$data/table6_dual_load_bottom.csv" | while IFS=, read -r force a b c d rest; do
  "$femflex" lattice "$data/model_table6.json" --statics --load-factor "$force" --nodes 16,14,3,5 |
    awk -v f="$force" -v doc="$a $b $c $d" '
      BEGIN { split(doc, t, " "); printf "%5s", f }
      $1 == "node" { v = (++n < 3 ? 2 : 0) - $4
        slip = (f == 200 && n == 2) || (f == 1500 && n == 3)
        printf "  %6s%s %7.4f", t[n], slip ? "*" : " ", v
        if (!slip && (v - t[n] > 1e-3 || t[n] - v > 1e-3)) far = 1 }
      END { print ""; exit far || n != 4 }'
done
