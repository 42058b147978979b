#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"
#include "femflex/flexfile/body_difference.h"

#include "document/json.h"
#include "document/table.h"

namespace femflex::tools {

struct BodyComparison {
  struct Mode {
    double a_hz = 0.0;
    double b_hz = 0.0;
    double error_percent = 0.0;
    double mac = 0.0;
  };
  /// Each mode of A with its best partner in B; modes of one frequency count as a whole.
  std::vector<Mode> modes;
  double mass_error = 0.0;     ///< relative
  double centre_error = 0.0;   ///< [m]
  double inertia_error = 0.0;  ///< relative
  Eigen::MatrixXd mac;         ///< of the eigenmodes of both
  /// Nodes, shapes, invariants, damping, back-transformation, ...
  std::vector<flexfile::BodyAspect> aspects;
  bool passes = false;
  double tolerance = 0.0;
};

/// Eigenmodes of (k, m) of both bodies on their common nodes, with MAC; mass properties; aspects.
/// @param tolerance  largest relative difference of frequencies, mass and aspects, and of 1 - MAC
/// @param lacking    aspects that a file format of the two has no room for: told, no failure
/// @throws ModelError  no node in common
BodyComparison compare_bodies(const FlexBody& a,
                              const FlexBody& b,
                              double tolerance,
                              const std::vector<std::string>& lacking = {});
Json comparison_json(const BodyComparison& comparison);
Table comparison_table(const BodyComparison& comparison);
Table aspect_table(const BodyComparison& comparison);

}  // namespace femflex::tools
