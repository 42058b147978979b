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

.PHONY: all setup build test demo bench lint tidy format check-format fuzz docs install clean

all: build

setup:
	@cmake/setup.sh

build: setup
	@[ -f build/$(PRESET)/build.ninja ] || cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET) --parallel $(JOBS)

test: build
	@ctest --preset $(PRESET) --parallel $(JOBS)

demo: build
	@examples/demo.sh build/$(PRESET)/bin/femflex demo

bench: setup
	@[ -f build/bench/build.ninja ] || cmake --preset bench
	@cmake --build --preset bench --parallel $(JOBS)
	@bench/run.sh build/bench/bin

fuzz: setup
	@[ -f build/fuzz/build.ninja ] || cmake --preset fuzz
	@tests/fuzz/run.sh

# all files; .ci/run looks at changed ones only
lint: setup check-format
	@cmake/tidy.sh --all

tidy: setup
	@cmake/tidy.sh

format:
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

check-format:
	@git ls-files '*.cpp' '*.h' | xargs clang-format --dry-run --Werror

# pages of the C++ API in build/docs/html
docs: setup
	@mkdir -p build/docs
	@doxygen docs/Doxyfile
	@echo build/docs/html/index.html

install: build
	@cmake --install build/$(PRESET) --prefix $(PREFIX)

clean:
	@rm -rf build demo
