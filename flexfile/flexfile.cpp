#include "femflex/flexfile/flexfile.h"
