// Checks a Function by compiling it.
#include "femflex/hamiltonian/time_function.h"

#include "lattice_system/compiled_function.h"

namespace femflex::hamiltonian {

void check_function(const Function& function, FunctionPlace place) {
  (void)CompiledFunction(function, place, CompiledFunction::Beyond::hold);
}

}  // namespace femflex::hamiltonian
