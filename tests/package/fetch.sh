#!/bin/sh
# A project that takes femflex in as sources, by FetchContent: fetch.sh SOURCE WORK
# It links three rooms, whose archives alone are built, runs, and keeps its own settings. WORK is kept, so that a second
# run compiles nothing; what the project's build has compiled comes out of the compiler cache where there is one.
set -eu
source=$1
work=$2
mkdir -p "$work/host"
cat > "$work/host/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.25)
project(host CXX)
set(CMAKE_CXX_STANDARD 20)
include(FetchContent)
FetchContent_Declare(femflex SOURCE_DIR "$source")
FetchContent_MakeAvailable(femflex)
if(FEMFLEX_BUILD_TESTS OR FEMFLEX_INSTALL)
  message(FATAL_ERROR "tests and installation of femflex are on in a project of others")
endif()
add_executable(host main.cpp)
target_link_libraries(host PRIVATE femflex::flexfile)
END
cat > "$work/host/main.cpp" << 'END'
#include <cstdio>

#include "femflex/flexfile/flexfile.h"

int main(int count, char** words) {
  femflex::Diagnostics notes;
  for (int k = 1; k < count; ++k)
    std::printf("%g\n", femflex::flexfile::read_body(words[k], {}, notes).invariants.mass);
}
END
export CCACHE_BASEDIR="$source" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=time_macros
cmake -G Ninja -S "$work/host" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=8 \
  > "$work/configure.log"
cmake --build "$work/build" --target host > "$work/build.log" || { cat "$work/build.log"; exit 1; }
body=$(find "$source/data/double_mass_spring/flex" -name '*.flex' | sort | head -n 1)
mass=$("$work/build/host" "$body")
# truth: two masses of 5 kg
[ "$mass" = 10 ] || { echo "mass $mass of $body, not 10"; exit 1; }
echo "FetchContent: linked, ran"
