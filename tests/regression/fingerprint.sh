#!/bin/sh
# Hashes of the files that the examples write: fingerprint.sh PROGRAM FOLDER > sums.txt
# Runs every example with PROGRAM in FOLDER (new), each verb with --reproducible, which omits times
# and the host, and prints the SHA-256 of each body file, result, table and page. Two programs give
# identical results where `diff` finds no difference between their sums: run it before and after a
# change that must not change any number.
# One BLAS thread, since sums over threads differ in last bits from one number of processors to another.
set -e
program=$(realpath "$1")
root=$(dirname "$(dirname "$(dirname "$(realpath "$0")")")")
mkdir -p "$2"
cd "$2"
export OPENBLAS_NUM_THREADS=1 REPRODUCIBLE=--reproducible
cat > femflex <<END
#!/bin/sh
exec "$program" "\$@" --reproducible
END
chmod +x femflex
here=$PWD

"$root/examples/demo.sh" "$here/femflex" demo | sed '/^What was found/,$d' > demo.txt
for script in "$root"/examples/lattice/*.sh "$root/examples/substructures/three_suppliers.sh"; do
  # without the lines with times
  "$script" "$here/femflex" 2>&1 | grep -v ' s$' > "$(basename "$script" .sh).txt" || true
done
mkdir -p lattice assembly
for model in "$root"/data/lattice/*.json "$root"/data/lattice/staal/*.json; do
  name=$(basename "$model" .json)
  ./femflex info "$model" --json > "lattice/$name.json" 2> "lattice/$name.err" || true
  ./femflex lattice "$model" --end 0.2 -o "lattice/$name.h5" --csv "lattice/$name.csv" \
    > "lattice/$name.txt" 2>> "lattice/$name.err" || true
done
for model in "$root"/examples/substructures/*.json; do
  name=$(basename "$model" .json)
  ./femflex assemble "$model" --json > "assembly/$name.json" 2> "assembly/$name.err" || true
done
# logs hold paths
find . -type f ! -name femflex ! -name log.txt ! -name '*.err' | LC_ALL=C sort | xargs sha256sum
