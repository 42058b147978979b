// Compares two flexible bodies, aspect by aspect, for `femflex compare` and tests.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// An aspect in which two bodies may differ, besides frequencies and mode shapes.
struct BodyAspect {
  enum class Verdict : std::uint8_t {
    same,
    differs,
    not_stored,   ///< one of the file formats cannot store it: reported, not a failure
    not_compared  ///< not compared; the reason is given
  };
  std::string name;  ///< "damping", "invariant 3", "V", ...
  double difference = std::numeric_limits<double>::quiet_NaN();  ///< relative; NaN: not compared
  Verdict verdict = Verdict::same;
  std::string remark;  ///< reason or detail; may be empty
};
/// "same", "differs", "not held" or "not compared".
std::string_view name_of(BodyAspect::Verdict verdict);

/// Names of the aspects that the format of a body file cannot store: "node ids", "rotations",
/// "damping", "stiffening", "back-transformation", "initial state", "interface nodes", "nodal
/// masses" (also if those in the file may be fitted). The last alone for FLEX with its sidecar.
/// @throws UsageError, ParseError  as detect_body_format()
std::vector<std::string> aspects_lacking_in(const std::filesystem::path& path);

/// Nodes that two bodies share, as indices into FlexBody::nodes of `a` and `b`.
struct CommonNodes {
  std::vector<Eigen::Index> a, b;
  /// true if nodes were matched by position, because one body has no node ids
  bool by_position = false;
};
/// Matches nodes by id, or by position (to 1e-6 of the size of the body, as FLEX rounds) if
/// `has_ids` is false.
CommonNodes common_nodes(const FlexBody& a, const FlexBody& b, bool has_ids);

/// Compares node positions, interface nodes, nodal masses, shapes, invariants 1 to 9, damping,
/// stiffening, initial state, back-transformation. If the modes of `b` are other combinations of
/// the same motions, it is first transformed to the coordinates of `a`; the back-transformation is
/// then not compared.
/// @param lacking    aspects that the file of either body cannot store
/// @param tolerance  largest relative difference of equal quantities
std::vector<BodyAspect> body_aspects(const FlexBody& a,
                                     const FlexBody& b,
                                     const CommonNodes& nodes,
                                     const std::vector<std::string>& lacking,
                                     double tolerance);

}  // namespace femflex::flexfile
