// Warns of beams of CalculiX whose stresses are doubtful.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"

namespace femflex::importer {

/// Warns of B31 of CalculiX at held rotations, and where beams meet at an angle: CalculiX makes a
/// knot of the section there. In its solution the section of a knot is distorted and turns
/// otherwise than its node, most where elements are short and inclined to the axes. Nodes,
/// elements, properties and fixed DOFs of the model must be set.
void warn_of_beam_knots(const FeModel& model, Diagnostics& diagnostics);

}  // namespace femflex::importer
