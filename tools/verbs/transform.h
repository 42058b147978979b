// transform(): the verb transform. Moves, rotates or mirrors a body, or makes it smaller.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "verbs/input.h"

namespace femflex::verbs {

/// The changes of a body, applied in this order.
struct TransformRequest {
  BodyInput body;
  std::optional<Units> units;  ///< units of a body file that gives none

  /// Results of simulations of the body. Its shapes are replaced by shapes that represent its
  /// motion in these runs, see body_from_runs(). The body must then be a file, because results
  /// identify it by the SHA-256 of its file.
  std::vector<std::filesystem::path> runs;
  std::int64_t keep = 0;  ///< number of these shapes
  double below_hz = 0.0;  ///< use motion below this frequency; 0: all

  std::optional<std::vector<std::int64_t>> modes;  ///< numbers of modes to keep, counted from 1
  std::optional<std::vector<std::int64_t>> nodes;  ///< ids of nodes to keep
  std::optional<Eigen::Vector3d> mirror_normal;    ///< unit normal of a plane through the origin
  std::optional<Eigen::Matrix3d> rotation;         ///< rotation of the body in its frame
  std::optional<Eigen::Vector3d> shift;            ///< [m] displacement of the body in its frame
  std::optional<std::string> name;                 ///< new name; absent: unchanged
  std::vector<std::filesystem::path> outputs;      ///< body files to write; empty: none
};

/// Outcome of transform().
struct TransformOutcome {
  FlexBody body;
  std::vector<std::string> seen_in;  ///< names of the bodies in `runs` whose motion was used
  /// With `runs`: share of the mean square acceleration that the shapes represent.
  double kept_share = 0.0;
};

/// Moves, rotates or mirrors a body, or keeps some of its modes and nodes.
/// @throws UsageError  the extension of a file name belongs to no body format, or no such mode or
/// node; see body_from_runs()
TransformOutcome transform(const TransformRequest& request,
                           Diagnostics& diagnostics,
                           Progress& progress);

}  // namespace femflex::verbs
