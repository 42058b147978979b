// Warns of beams of CalculiX whose stiffness or stresses are doubtful: knots of B31, and B31R.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"

namespace femflex::importer {

/// Warns of two kinds of beams of CalculiX. Nodes, elements, properties and fixed DOFs of the model
/// must be set.
///
/// B31 at held rotations, and where beams meet at an angle: CalculiX makes a knot of the section
/// there. In its solution the section of a knot is distorted and turns otherwise than its node,
/// most where elements are short and inclined to the axes.
///
/// B31R: the solid that CalculiX makes of it has one integration point, on its axis, where bending
/// causes no strain. Only the control of its zero-energy modes resists bending.
void warn_of_doubtful_beams(const FeModel& model, Diagnostics& diagnostics);

}  // namespace femflex::importer
