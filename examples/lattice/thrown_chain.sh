#!/usr/bin/env bash
# Appendix I of 2007: a hanging chain of eleven masses, thrown sideways by 1000 N for 0.301 s;
# position, velocity and energies of its lower end every 101 steps of Adams-Bashforth 2, the
# document's legible readings next to ours.
#   examples/lattice/thrown_chain.sh build/release/bin/femflex
# Exits with 1 where a position differs by more than 0.10 m, a velocity by 0.2 m/s or an energy by
# max(10 J, 0.5 %).
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
data=$(realpath "$(dirname "$0")/../../data/lattice/staal")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$femflex" lattice "$data/model_appendixI.json" --integrator ab2 --dt 0.001 --end 14.8 \
  --output-step 0.001 --nodes 11 -o chain.h5 --csv chain.csv > /dev/null
echo "  step          x               y              vx              vy          Ekin            Epot               H"
awk -F, '
  function limit(i, doc) { return i < 3 ? 0.1 : i < 5 ? 0.2 : doc > 2000 ? 0.005 * doc : 10 }
  NR == FNR { if (FNR > 1) { s = int($1 * 1000 + 0.5); row[s] = $2 "," $3 "," $4 "," $5 "," $6 "," $7 "," $8 } next }
  FNR > 1 && ($3 in row) { split(row[$3], ours, ","); split($NF, ok, "/"); printf "%6d", $3
    for (i = 1; i <= 7; ++i) {
      doc = $(4 + i); clean = ok[i] == "ok" && doc != ""
      printf (i < 5 ? "  %6s %7.2f" : "  %6s %8.1f"), clean ? doc : "-", ours[i]
      if (!clean) continue
      ++compared
      if (ours[i] - doc > limit(i, doc) || doc - ours[i] > limit(i, doc)) far = 1
    }
    print "" }
  END { print compared " readings compared"; exit far || compared < 500 }' chain.csv "$data/appendixI_chain.csv"
