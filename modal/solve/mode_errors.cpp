// Says why modes that were requested do not exist: too few DOFs with mass, or indefinite matrices.
#include "solve/mode_errors.h"

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::modal {

void throw_too_many(std::int64_t asked, std::int64_t exist) {
  if (exist == 0)
    throw ModelError("no-mass",
                     "no DOF that can move has mass, so there are no normal modes",
                     {},
                     "give the right mass matrix (--mass)");
  throw ModelError("too-many-modes",
                   fmt::format("{} normal modes requested, but only {} exist", asked, exist),
                   {},
                   fmt::format("request at most {}", exist));
}

void throw_indefinite_at(std::int64_t negative, double shift) {
  throw ModelError("indefinite",
                   fmt::format("K - sigma M has {} negative eigenvalues at sigma = {:.3g}: K or M "
                               "is indefinite, or the shift lies among the modes",
                               negative,
                               shift),
                   {},
                   "look for elements of negative stiffness or mass, or give a lower --shift");
}

}  // namespace femflex::modal
