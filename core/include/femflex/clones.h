// Compiles hot functions for several processors. FEMFLEX_CLONES before a function compiles it for
// AVX-512, for AVX2 and for any x86-64; the version that fits the processor is selected when the
// program is loaded. With the address sanitizer, or without g++ on x86-64, a function is compiled
// once, as usual.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__)
#define FEMFLEX_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
// 1 if a function may be defined once per processor, each definition marked [[gnu::target]]
#define FEMFLEX_VERSIONS 1
#else
#define FEMFLEX_CLONES
#define FEMFLEX_VERSIONS 0
#endif
