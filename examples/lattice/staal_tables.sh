#!/usr/bin/env bash
# The experiments of the 2007 spring-mass module: the document's tables beside ours.
#   examples/lattice/staal_tables.sh build/release/bin/femflex
# Springs V = k/2 (L^2 - d^2)^2; equilibria where the tables are equilibria, Adams-Bashforth 2 with
# h = 0.001 s where they are motions (data/lattice/staal/ORIGIN.md).
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
data=$(realpath "$(dirname "$0")/../../data/lattice/staal")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# place LATTICE OPTIONS...: one line "id x y" a node
place() { "$femflex" lattice "$@" | awk '$1 == "node" { print $2, $3, $4 }'; }

echo "== A mass on a spring: stretch [m], document / ours"
for d in 1 2; do
  cat > one.json <<J
{ "dimension": 2, "gravity": 9.81,
  "nodes": [ { "id": 1, "x": [0, $d], "mass": 1, "fixed": "xy" }, { "id": 2, "x": [0, 0], "mass": 10 } ],
  "springs": [ { "i": 1, "j": 2, "k": 100, "d": $d } ] }
J
  printf 'd = %s:  %s  %s\n' "$d" "$([ $d = 1 ] && echo 0.189 || echo 0.059)" \
    "$(place one.json --statics | awk '$1 == 2 { printf "%.5f", -$3 }')"
done

echo "== Tables 2 and 3: the compressed ladder, symmetric branch, document / ours"
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
    place ladder.json --statics --stay-on-branch | awk -v t="$table" -v k="$k" -v h="$height" -v l="$length" -v p="$poisson" '
      { x[$1] = $2; y[$1] = $3 }
      END { H = (y[16] - y[5] + y[15] - y[6]) / 4; L = (x[10] + x[11]) / 36; r = -(H - 1) / (L - 1)
            printf "%d %8s  %.4f %.4f  %.4f %.4f  %.2f %.2f\n", t, k, h, H, l, L, p, r / (1 + r) }'
  done
done

echo "== Table 4: cantilever, deflection [m] at x = 4, 8, 12, 16, document / ours"
tail -n +2 "$data/table4_cantilever_k200.csv" | while IFS=, read -r force a b c d rest; do
  place "$data/model_table4.json" --statics --load-factor "$force" --nodes 3,5,7,9 |
    awk -v f="$force" -v doc="$a $b $c $d" 'BEGIN { split(doc, t, " "); printf "%6s", f }
      { printf "  %7s %7.3f", t[NR], -$3 } END { print "" }'
done

echo "== Table 6: ladder on two supports, v1 v3 v2 v4 [m], document / ours"
tail -n +2 "$data/table6_dual_load_bottom.csv" | while IFS=, read -r force a b c d rest; do
  place "$data/model_table6.json" --statics --load-factor "$force" --nodes 16,14,3,5 |
    awk -v f="$force" -v doc="$a $b $c $d" 'BEGIN { split(doc, t, " "); printf "%6s", f }
      { printf "  %7s %7.3f", t[NR], (NR < 3 ? 2 : 0) - $3 } END { print "" }'
done

echo "== Table 8: return of a wave [s], document / ours"
for mass in 1 2; do
  sed "s/\"mass\": 2.0/\"mass\": $((2 * mass)).0/; s/\"mass\": 1.0/\"mass\": $mass.0/" \
    "$data/model_table8_row1.json" > wave.json
  "$femflex" lattice wave.json --integrator ab2 --dt 0.001 --end 2 --output-step 0.001 --nodes 15 \
    -o wave.h5 --csv wave.csv > /dev/null
  awk -F, -v m=$mass -v doc="$([ $mass = 1 ] && echo 0.955 || echo 1.31)" '
    NR > 1 { h = $3 - 14; if (h > 0.001) up = 1
      if (up && h <= 0 && !done) { printf "mass %d:  %s  %.4f\n", m, doc, t0 + ($1 - t0) * h0 / (h0 - h); done = 1 }
      h0 = h; t0 = $1 }' wave.csv
done

echo "== Appendix I: the thrown chain, clean readings, document / ours"
"$femflex" lattice "$data/model_appendixI.json" --integrator ab2 --dt 0.001 --end 14.8 \
  --output-step 0.001 --nodes 11 -o chain.h5 --csv chain.csv > /dev/null
echo "  step          x               y              vx              vy          Ekin            Epot               H"
awk -F, 'NR == FNR { if (FNR > 1) { s = int($1 * 1000 + 0.5); row[s] = $2 "," $3 "," $4 "," $5 "," $6 "," $7 "," $8 } next }
  FNR > 1 && ($3 in row) { split(row[$3], ours, ","); split($NF, ok, "/"); printf "%6d", $3
    for (i = 1; i <= 7; ++i) printf (i < 5 ? "  %6s %7.2f" : "  %6s %8.1f"), ok[i] == "ok" ? $(4 + i) : "-", ours[i]
    print "" }' chain.csv "$data/appendixI_chain.csv"
