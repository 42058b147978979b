// Tells matrices of CalculiX that resist rotation because of the hourglass control of its elements
// with one integration point.
#pragma once

#include <optional>
#include <string>

#include "femflex/fe_model.h"

#include "model/gather.h"

namespace femflex::importer {

/// Why a stiffness matrix of CalculiX resists rotations, and what to do.
struct HourglassReason {
  std::string text;
  std::string remedy;
};

/// The reason that a model gives: C3D8R that are not parallelepipeds, or S4R, of which CalculiX
/// makes C3D8R. Their hourglass control leaves no force under translations, but does under
/// rotations. Nothing for matrices of other codes, nor for forces beyond those of hourglass
/// control.
/// @param force  largest force under rotations, of |K| |R|
std::optional<HourglassReason> hourglass_reason(const FeModel& model,
                                                const Gathered& gathered,
                                                double force);

}  // namespace femflex::importer
