#!/usr/bin/env bash
# The crane crab and the double pendulum of this folder against own equations by DOP853: the
# reference's coordinates of the joints next to ours, over time.
#   examples/planar/against_reference.sh build/release/bin/femflex
# Exits with 1 where any value differs by more than 1e-5.
set -euo pipefail
femflex=$(realpath "${1:-build/release/bin/femflex}")
folder=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# MODEL CHANNEL CHANNEL, then lines of: time, both values of the reference
compare() {
  "$femflex" simulate "$folder/$1.json" --output "$1.h5" --csv "$1.csv" --quiet > /dev/null
  echo "$1"
  printf '%6s %36s %36s\n' 't [s]' "$2: reference, ours" "$3: reference, ours"
  awk -F '[, ]' -v first="$2" -v second="$3" '
    function far(a, b) { return a - b > 1e-5 || b - a > 1e-5 }
    NR == FNR { want[$1] = $2; other[$1] = $3; next }
    FNR == 1 { for (k = 1; k <= NF; ++k) { if ($k == first) a = k; if ($k == second) b = k }; next }
    { t = sprintf("%.4g", $1)
      if (t in want) {
        ++seen
        printf "%6s %18.10f %17.10f %18.10f %17.10f\n", t, want[t], $a, other[t], $b
        if (far(want[t], $a) || far(other[t], $b)) off = 1
      } }
    END { exit off || seen != length(want) }' - "$1.csv"
}

compare crane_crab rail/displacement pivot/angle <<X
0.5 -0.052734175154 1.9848768227
1 0.20165350921 -0.26576374106
2 -0.0023002889558 -1.3472816592
3 -0.015391007155 1.5602856508
4 0.083670263719 -1.168888234
5 -0.1422139969 0.56949304124
X
compare double_pendulum shoulder/angle elbow/angle <<X
0.5 -1.0532530738 0.49286319354
1 -2.7613161605 -0.67750156778
2 -1.3213961237 0.57534086771
3 -0.85890094005 1.2446222462
5 -0.093962234715 0.28708376955
X
