#pragma once

// FEMFLEX_CLONES and FEMFLEX_VERSIONS: a kernel marked with them is compiled for the wide vector
// units as well, and the loader chooses. Sanitizers and other compilers use the plain version.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__)
#define FEMFLEX_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define FEMFLEX_VERSIONS 1  // several bodies of one function, marked [[gnu::target]]
#else
#define FEMFLEX_CLONES
#define FEMFLEX_VERSIONS 0
#endif
