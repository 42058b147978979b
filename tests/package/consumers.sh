#!/bin/sh
# Installs the build, and lets projects of others use it: consumers.sh SOURCE BUILD
# The C++ program of README.md is built by CMake (find_package, C++ as the only language) and by plain
# make with pkg-config from a tree that was moved after its installation; both run and write the same body.
set -eu
source=$1
build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cmake --install "$build" --prefix "$folder/first" > install.log
mv first root
for file in bin/femflex lib/pkgconfig/femflex.pc share/doc/femflex/LICENSE share/man/man1/femflex.1 \
  share/bash-completion/completions/femflex share/zsh/vendor-completions/_femflex; do
  [ -s "root/$file" ] || { echo "$file was not installed"; exit 1; }
done
awk '/^```cpp/ { take = 1; next } /^```/ { take = 0 } take' "$source/README.md" > main.cpp

mkdir cmake plain
cat > cmake/CMakeLists.txt << END
cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
find_package(femflex 0.2 REQUIRED)
add_executable(consumer ../main.cpp)
target_link_libraries(consumer PRIVATE femflex::importer femflex::modal femflex::flexfile)
END
cmake -S cmake -B cmake/build -DCMAKE_PREFIX_PATH="$folder/root" > configure.log
cmake --build cmake/build > build.log
cat > plain/Makefile << 'END'
consumer: ../main.cpp
	$(CXX) -std=c++20 $(shell pkg-config --cflags femflex) $< -o $@ $(shell pkg-config --libs femflex)
END
program=plain/consumer
if command -v pkg-config > /dev/null; then
  PKG_CONFIG_PATH=$folder/root/lib/pkgconfig make -s -C plain
else
  echo "pkg-config is not installed: the plain consumer was not tried"
  program=
fi
for consumer in cmake/build/consumer $program; do
  mkdir -p run
  cp "$source"/data/double_mass_spring/dms.* run
  (cd run && "../$consumer" && cat dms.flex) | cksum > "$(dirname "$consumer")/sum.txt"
  root/bin/femflex info run/dms.flex > info.txt
  rm -r run
done
[ -z "$program" ] || cmp cmake/build/sum.txt plain/sum.txt
# the README's own lines for a compiler
if [ -n "$program" ]; then
  mkdir try
  ln -s root femflex
  ln -s "$source/examples" examples
  cp "$source"/data/double_mass_spring/dms.* try
  awk '/^## Ten lines of C/ { on = 1 } on && /^```sh/ { take = 1; next } /^```/ { if (take) exit } take' "$source/README.md" > lines.sh
  [ -s lines.sh ]
  (cd try && HOME=$folder sh -e ../lines.sh && cat dms.flex) | cksum | cmp - plain/sum.txt
fi
root/bin/femflex new --help > /dev/null
echo "find_package and pkg-config: linked, ran, one body"
