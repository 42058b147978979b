#!/usr/bin/env bash
# Installs the Debian packages of cmake/packages.txt that are missing: setup.sh [SECTION ...]
# Without names of sections all are installed. Prints the list first; a second call finds nothing to
# do. MINIMAL=1 installs the required ones alone.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sections=${*:-required libraries mpi python site develop}
[ "${MINIMAL:-0}" = 1 ] && sections='required'

wanted=$(awk -v sections="$sections" '
  /^#/ || /^[ \t]*$/ { next }
  /^\[/ { gsub(/[][]/, ""); take = index(" " sections " ", " " $0 " ") > 0; next }
  take  { print $1 }' "$here/packages.txt")

missing=()
for package in $wanted; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "femflex needs these Debian packages: ${missing[*]}"
if [ "$(id -u)" = 0 ]; then as_root=()
elif command -v sudo >/dev/null; then as_root=(sudo)
else
  echo "femflex: not root and no sudo: have the packages above installed, then call make again" >&2
  [ "$sections" = required ] || echo "femflex: with MINIMAL=1 fewer are needed: MINIMAL=1 make demo" >&2
  exit 2
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
# what apt itself says of the size of the download and on disk
"${as_root[@]}" apt-get install --no-install-recommends --assume-no "${missing[@]}" 2>/dev/null | grep -E '^(Need to get|After this)' || true
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "femflex: packages installed"
