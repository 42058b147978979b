#!/usr/bin/env bash
# Table 4 of 2007: a ladder held at its left end, pulled down at the other; deflection [m] of the
# loaded chord at x = 4, 8, 12, 16, the document's values next to ours.
#   examples/lattice/cantilever.sh build/release/bin/femflex
# Exits with 1 where a deflection differs by more than 0.001 m.
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
data=$(realpath "$(dirname "$0")/../../data/lattice/staal")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

echo "force    x = 4            x = 8            x = 12           x = 16"
tail -n +2 "$data/table4_cantilever_k200.csv" | while IFS=, read -r force a b c d rest; do
  "$femflex" lattice "$data/model_table4.json" --statics --load-factor "$force" --nodes 3,5,7,9 |
    awk -v f="$force" -v doc="$a $b $c $d" '
      BEGIN { split(doc, t, " "); printf "%5s", f }
      $1 == "node" { v = -$4; printf "  %7s %7.4f", t[++n], v; if (v - t[n] > 1e-3 || t[n] - v > 1e-3) far = 1 }
      END { print ""; exit far || n != 4 }'
done
