#!/bin/sh
# The container's recipe in a bare Debian 12: bare_root.sh SOURCE BUILD
# debootstrap makes a minimal root; the lines COPY and RUN of packaging/Containerfile are carried out in it, then the README's
# lines of shell by a user without rights, and the package is removed again. It needs root, debootstrap and a Debian
# mirror (some 90 MB), so it runs where FEMFLEX_BARE_ROOT is set: to 1, or to the folder of a root that is there already.
set -eu
source=$1
build=$2
[ -n "${FEMFLEX_BARE_ROOT:-}" ] || { echo "skipped: FEMFLEX_BARE_ROOT is not set"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "skipped: not root"; exit 77; }
command -v debootstrap > /dev/null || { echo "skipped: debootstrap is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'umount "$folder/root/proc" 2> /dev/null || true; rm -rf --one-file-system "$folder"' EXIT
if [ -d "$FEMFLEX_BARE_ROOT" ]; then
  cp -a "$FEMFLEX_BARE_ROOT" "$folder/root"
else
  debootstrap --variant=minbase bookworm "$folder/root" > "$folder/log" 2>&1 || { tail "$folder/log"; exit 1; }
fi
mount -t proc proc "$folder/root/proc"
cp /etc/resolv.conf "$folder/root/etc/resolv.conf"
inside() { chroot "$folder/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive HOME=/tmp "$@"; }
size() { du -sxm "$folder/root" --exclude=proc | cut -f 1; }
mkdir "$folder/context"
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$folder/context" > "$folder/log" 2>&1 || { tail "$folder/log"; exit 1; }
before=$(size)
sed -n 's/^\(COPY\|RUN\) //p' "$source/packaging/Containerfile" > "$folder/steps"
while read -r step; do
  case $step in
    femflex_\**) cp "$folder"/context/femflex_*.deb "$folder/root/opt/" ;;
    *) inside sh -c "$step" > "$folder/step.log" 2>&1 || { echo "failed: $step"; cat "$folder/step.log"; exit 1; } ;;
  esac
done < "$folder/steps"
after=$(size)
# the lines of the README after its first, which names the build; as a user without rights
mkdir -p "$folder/root/tmp/try/data" "$folder/root/tmp/try/examples"
cp -r "$source/data/double_mass_spring" "$folder/root/tmp/try/data/"
cp -r "$source/examples/double_mass_spring" "$folder/root/tmp/try/examples/"
awk '/^## Ten lines of shell/ { on = 1 } on && /^```sh/ { take = 1; next } /^```/ { if (take) exit } take && !/^export PATH/' "$source/README.md" \
  > "$folder/root/tmp/try/lines.sh"
chown -R 1000:1000 "$folder/root/tmp/try"
chroot --userspec=1000:1000 "$folder/root" env -i PATH=/usr/bin:/bin HOME=/tmp sh -ec 'cd /tmp/try && . ./lines.sh' > "$folder/lines.log" 2>&1 \
  || { cat "$folder/lines.log"; exit 1; }
inside apt-get remove -y -qq femflex > "$folder/step.log" 2>&1 || { cat "$folder/step.log"; exit 1; }
left=$(find "$folder/root/usr" -name '*femflex*' | head -n 3)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
echo "bare Debian 12: $before MB before, $after MB with femflex and what it needs; the README's lines ran; removed without a rest"
