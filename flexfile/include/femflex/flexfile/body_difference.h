#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// What two bodies may differ in, besides frequencies and mode shapes.
struct BodyAspect {
  enum class Verdict : std::uint8_t {
    same,
    differs,
    not_held,     ///< by the file format of one of them: told, no failure
    not_compared  ///< says why
  };
  std::string name;  ///< "damping", "invariant 3", "V", ...
  double difference = std::numeric_limits<double>::quiet_NaN();  ///< relative; NaN: not compared
  Verdict verdict = Verdict::same;
  std::string remark;
};
std::string_view name_of(BodyAspect::Verdict verdict);

/// Names of the aspects that the format of a body file has no room for: "node ids", "rotations",
/// "damping", "stiffening", "back-transformation", "initial state". A FLEX file with its sidecar
/// lacks none.
/// @throws UsageError, ParseError  as detect_body_format()
std::vector<std::string> aspects_lacking_in(const std::filesystem::path& path);

/// Nodes that two bodies share: rows of `a` and `b` in FlexBody::nodes.
struct CommonNodes {
  std::vector<Eigen::Index> a, b;
  bool by_position = false;  ///< because one of them has no ids of its own
};
/// By id, or by position (to 1e-6 of the size of the body, as FLEX rounds) where `has_ids` is
/// false.
CommonNodes common_nodes(const FlexBody& a, const FlexBody& b, bool has_ids);

/// Node positions, shapes, invariants 1 to 9, damping, stiffening, initial state,
/// back-transformation. Where the modes of `b` are other combinations of the same motions, it is
/// taken to the coordinates of `a` first; the back-transformation is then not compared.
/// @param lacking    aspects that the file of either has no room for
/// @param tolerance  largest relative difference of what is the same
std::vector<BodyAspect> body_aspects(const FlexBody& a,
                                     const FlexBody& b,
                                     const CommonNodes& nodes,
                                     const std::vector<std::string>& lacking,
                                     double tolerance);

}  // namespace femflex::flexfile
