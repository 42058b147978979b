// units_of(): the units of an FE model for all that computes in SI.
#pragma once

#include "femflex/errors.h"
#include "femflex/fe_model.h"
#include "femflex/units.h"

namespace femflex {

/// The units of the model.
/// @throws ModelError  they are not known
inline const Units& units_of(const FeModel& model) {
  if (!model.units)
    throw ModelError("no-units",
                     "the units of the model are not known",
                     {},
                     "give them, for example --units mm-t-s");
  return *model.units;
}

}  // namespace femflex
