// compare_bodies(): differences of two flexible bodies in frequencies, MAC (modal assurance
// criterion), mass properties and all other content. The verb compare calls it.
#pragma once

#include <string>
#include <vector>

#include "femflex/flex_body.h"
#include "femflex/flexfile/body_difference.h"
#include "femflex/modal/compare_bodies.h"

#include "document/json.h"
#include "document/table.h"

namespace femflex::tools {

/// Outcome of compare_bodies().
struct BodyComparison : modal::ModeComparison {
  /// Differences of nodes, shapes, invariants, damping, back-transformation and other content.
  std::vector<flexfile::BodyAspect> aspects;
  double tolerance = 0.0;
};

/// Compares modes and mass properties, see modal::compare_bodies(), and aspects.
/// @param tolerance  largest relative difference of frequencies, mass and aspects, and of 1 - MAC
/// @param lacking    aspects that the file format of one of the bodies cannot contain; they are
/// listed, but do not affect whether the comparison passes
/// @throws ModelError  there is no common node
BodyComparison compare_bodies(const FlexBody& a,
                              const FlexBody& b,
                              double tolerance,
                              const std::vector<std::string>& lacking = {});
Json comparison_json(const BodyComparison& comparison);
/// Frequencies and MAC of the modes.
TextTable comparison_table(const BodyComparison& comparison);
/// Difference and verdict of each aspect.
TextTable aspect_table(const BodyComparison& comparison);

}  // namespace femflex::tools
