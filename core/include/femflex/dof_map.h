// Defines a DOF of an FE model, and the map between DOFs and matrix rows.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace femflex {

/// One DOF of an FE model: a node and one of its components.
struct Dof {
  std::int64_t node = 0;
  std::int8_t component = 0;  ///< 1..3 translations, 4..6 rotations, 0 a scalar point

  friend auto operator<=>(const Dof&, const Dof&) = default;
};

/// `17/T1`, `18/R3`, `501/S`.
std::string to_string(const Dof& dof);
/// The DOF that to_string() writes so; empty if the text is not one.
std::optional<Dof> parse_dof(std::string_view text);

/// Tells to which DOF each row of a matrix, or of a set of shapes, belongs. Rows keep the order of
/// the source.
class DofMap {
 public:
  DofMap() = default;
  /// @throws ModelError  a DOF appears twice, or a component is outside 0..6
  explicit DofMap(std::vector<Dof> rows);

  /// All six DOFs of each node, node by node.
  static DofMap all_six(const std::vector<std::int64_t>& nodes);

  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
  const Dof& operator[](std::int64_t row) const { return rows_[static_cast<std::size_t>(row)]; }
  const std::vector<Dof>& rows() const { return rows_; }
  /// Row of a DOF, -1 if it has none. Takes logarithmic time.
  std::int64_t find(const Dof& dof) const;

  friend bool operator==(const DofMap& a, const DofMap& b) { return a.rows_ == b.rows_; }

 private:
  std::vector<Dof> rows_;
  std::vector<std::int32_t> by_dof_;  // row numbers in ascending order of (node, component)
};

}  // namespace femflex
