#!/usr/bin/env bash
# Runs the host program of host.c against the program's own run of the chain.
#   examples/c/run.sh build/release/bin/femflex PATH_OF_HOST
# Exits with 1 where a figure is off.
set -euo pipefail
femflex=$(realpath "$1")
host=$(realpath "$2")
models=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$femflex" lattice "$models/chain_pushed.json" --nodes 11 --csv chain.csv > /dev/null
"$host" "$models" chain.csv
