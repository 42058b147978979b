#!/bin/sh
# The Debian packages of the build: debian.sh BUILD
# The program needs no MPI; the package that does is another one, and needs the program. Each holds what it should.
set -eu
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for tool in dpkg-shlibdeps file; do
  command -v "$tool" > /dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$folder" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip > "$folder/log" 2>&1 \
  || { cat "$folder/log"; exit 1; }
main=$(find "$folder" -maxdepth 1 -name 'femflex_*.deb')
needs=$(dpkg-deb -f "$main" Depends)
case $needs in
  *libc6*) ;;
  *) echo "the libraries are not named: $needs"; exit 1 ;;
esac
case $needs in
  *mpi*) echo "femflex needs MPI: $needs"; exit 1 ;;
esac
dpkg-deb -c "$main" > "$folder/files"
for file in bin/femflex lib/pkgconfig/femflex.pc share/man/man1/femflex.1 share/doc/femflex/LICENSE; do
  grep -q "/usr/$file\$" "$folder/files" || { echo "$file is not in the package"; exit 1; }
done
if grep -q femflex-mpi "$folder/files"; then
  echo "femflex-mpi is in the package of the program"
  exit 1
fi
parallel=$(find "$folder" -maxdepth 1 -name 'femflex-mpi_*.deb')
if [ -n "$parallel" ]; then
  dpkg-deb -f "$parallel" Depends | grep -q 'openmpi.*\|mpi' || { echo "femflex-mpi names no MPI"; exit 1; }
  dpkg-deb -f "$parallel" Depends | grep -q 'femflex (=' || { echo "femflex-mpi does not need femflex"; exit 1; }
fi
echo "femflex: $needs"
