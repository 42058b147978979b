#!/usr/bin/env bash
# Three suppliers, one process each: bars; triangles made of bars; a span made of triangles and bars.
# No supplier has the model of another. Everything runs on loopback, on any free ports.
#   usage: examples/substructures/three_suppliers.sh build/release/bin/femflex
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
agents=()
finish() {
  for agent in "${agents[@]}"; do kill "$agent" 2>/dev/null || true; wait "$agent" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

# 1. each supplier serves its own file; the TCP ports of the other agents are filled in
serve() {
  "$program" serve "$work/$1.json" --port 0 --port-file "$work/$1.port" --quiet >/dev/null &
  agents+=($!)
  for _ in $(seq 200); do [ -s "$work/$1.port" ] && break; sleep 0.05; done
}
cp "$here/bars.json" "$work/bars.json"
serve bars
sed "s/BARS_PORT/$(cat "$work/bars.port")/" "$here/triangle.json" >"$work/triangle.json"
serve triangle

# 2. the builder of the span requests parts from both, and solves
sed "s/BARS_PORT/$(cat "$work/bars.port")/; s/TRIANGLE_PORT/$(cat "$work/triangle.port")/" "$here/span.json" >"$work/span.json"
"$program" assemble "$work/span.json"
