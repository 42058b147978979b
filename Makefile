# A thin face on the CMake presets. `make demo` and `make test` are all a newcomer needs;
# MINIMAL=1 installs and builds with the required packages alone.
MINIMAL ?= 0
ifeq ($(MINIMAL),1)
PRESET := minimal
else
PRESET := release
endif
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# so that build folders share what the cache holds
export CCACHE_BASEDIR = $(CURDIR)
export CCACHE_NOHASHDIR = 1
export CCACHE_SLOPPINESS = time_macros
export MINIMAL

.PHONY: all setup setup-program build test demo bench bench-peers lint tidy tsan format check-format fuzz docs site install clean

all: build

setup:
	@cmake/setup.sh

# what the program needs, without the tools of its tests
setup-program:
	@cmake/setup.sh required libraries

# asks no package manager: `make setup` does, and `make test` and `make demo` begin with it.
# `make test` configures again, since the set-up may have brought what was missing for the demo
build:
	@[ -f build/$(PRESET)/build.ninja ] || cmake --preset $(PRESET) || { echo "a package is missing? 'make setup' installs them" >&2; exit 1; }
	@cmake --build --preset $(PRESET) --parallel $(JOBS)

test: setup
	@cmake --preset $(PRESET)
	@$(MAKE) --no-print-directory build
	@ctest --preset $(PRESET) --parallel $(JOBS)

demo: setup-program
	@[ -f build/$(PRESET)/build.ninja ] || cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target femflex
	@examples/demo.sh build/$(PRESET)/bin/femflex demo

bench:
	@[ -f build/bench/build.ninja ] || cmake --preset bench
	@cmake --build --preset bench --parallel $(JOBS)
	@bench/run.sh build/bench/bin

# against LAMMPS, SLEPc, CalculiX and Simbody of Debian, in one run on this machine; builds these benches and femflex alone
bench-peers:
	@cmake/setup.sh required libraries peers
	@cmake --preset bench
	@cmake --build --preset bench --parallel $(JOBS) --target bench_networks bench_modal_modes femflex
	@cmake --build --preset bench --parallel $(JOBS) --target bench_peer_simbody || echo 'built without Simbody'
	@bench/peers.sh build/bench/bin

fuzz:
	@[ -f build/fuzz/build.ninja ] || cmake --preset fuzz
	@tests/fuzz/run.sh

# ThreadSanitizer on the rooms that have threads
tsan:
	@cmake --preset tsan
	@cmake --build --preset tsan --parallel $(JOBS)
	@OPENBLAS_NUM_THREADS=1 TSAN_OPTIONS=suppressions=$(CURDIR)/cmake/tsan.supp ctest --preset tsan --parallel $(JOBS)

# all files; .ci/run looks at changed ones only
lint: check-format
	@cmake/tidy.sh --all

tidy:
	@cmake/tidy.sh

format:
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

check-format:
	@git ls-files '*.cpp' '*.h' | xargs clang-format --dry-run --Werror

# pages of the C++ API in build/docs/html
docs:
	@mkdir -p build/docs
	@doxygen docs/Doxyfile
	@echo build/docs/html/index.html

# the site of docs/, with search, gallery and references: build/site/index.html opens from a disk
site: setup-site
	@[ -f build/$(PRESET)/build.ninja ] || cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target femflex
	@/usr/bin/python3 docs/site/build.py build/$(PRESET)/bin/femflex build/site

setup-site:
	@cmake/setup.sh required libraries site

install:
	@[ -f build/$(PRESET)/build.ninja ] || cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target femflex_installed
	@cmake --install build/$(PRESET) --prefix $(PREFIX)

clean:
	@rm -rf build demo
