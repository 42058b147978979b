// Suggestions for misspelt names, as tools name them: "did you mean 'mass'?".
#pragma once

#include "femflex/nearest_name.h"

namespace femflex::tools {

using femflex::nearest_name;
using femflex::suggestion;

}  // namespace femflex::tools
