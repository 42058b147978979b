// Compiles the decompositions that femflex/dense.h names.
#include "femflex/dense.h"

FEMFLEX_DENSE_DECOMPOSITIONS(template)
