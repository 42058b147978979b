// Collects element stresses of text and HDF5 result files, entry by entry.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "femflex/importer/contents.h"

#include "nastran/op2_stress_layouts.h"

namespace femflex::importer {

/// The shape to which stresses belong.
struct StressShape {
  std::string source;  ///< table or block name
  bool is_strain = false;
  RawModes::Kind kind = RawModes::Kind::normal;
  std::int64_t subcase = 0;
  std::int64_t number = 0;           ///< mode; may be found later
  std::optional<double> eigenvalue;  ///< where it alone tells the mode [1/time^2]

  bool operator==(const StressShape&) const = default;
};

/// Stresses of one shape in the elements of one layout.
struct StressColumn {
  StressShape shape;
  const Op2StressLayout* layout = nullptr;
  std::vector<FeStressPlace> places;
  std::vector<double> values;  ///< the components of all places
};

/// Punch files, print files and HDF5 hold the numbers of OUTPUT2 in other orders: every reader puts
/// them in OUTPUT2's order and adds them here.
class StressEntries {
 public:
  enum class Added : std::uint8_t { yes, unknown_layout, curvature };

  /// Adds the entry of one element: `words` as OUTPUT2 has them, except word 0, the plain id. A
  /// second entry of the same place in one column begins another column of the same shape.
  Added add(const StressShape& shape,
            std::int64_t element_type,
            std::span<const double> words,
            bool in_material_axes);
  std::vector<StressColumn>& columns() { return columns_; }
  /// Joins columns on the same places and moves them to `contents`.
  void finish(FileContents& contents);

 private:
  std::vector<StressColumn> columns_;
  std::vector<std::pair<std::int64_t, std::int32_t>> seen_;  ///< elements and levels, sorted
};

}  // namespace femflex::importer
