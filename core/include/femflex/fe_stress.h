// Stresses and strains of shapes as an FE code computed and wrote them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace femflex {

/// Where an FE code gave a stress or strain.
struct FeStressPlace {
  enum class Kind : std::uint8_t {
    centre,
    corner,
    end,   ///< of a bar or beam: index 0 is A, 1 is B
    node,  ///< mean over the elements, and over their faces, at a node
  };
  enum class Face : std::uint8_t { none, bottom, top, fibre, ply };
  enum class Axes : std::uint8_t { basic, element, material };

  std::int64_t element = 0;  ///< id; 0: a mean at a node
  std::int64_t node = 0;     ///< of a corner, end or mean; 0 at a centre
  std::int32_t type = 0;     ///< index in FeStressTable::types
  std::int32_t index = 0;    ///< corner or end, from 0
  std::int32_t level = 0;    ///< fibre or ply, from 0
  Kind kind = Kind::centre;
  Face face = Face::none;
  Axes axes = Axes::element;
  /// bit c is set if component c of xx, yy, zz, xy, yz, zx has a row; shear strain is gamma
  std::uint8_t components = 0;
};

/// Number of components of a place, and thus of its rows.
int component_count(const FeStressPlace& place);

/// Stress or strain at all places, for the shapes for which the FE code wrote it.
struct FeStressTable {
  std::vector<std::string> sources;   ///< files and tables
  std::vector<std::string> types;     ///< of elements: CQUAD4; NODE for means at nodes
  std::vector<FeStressPlace> places;  ///< in the order of their rows in `values`
  std::vector<std::int64_t> shapes;   ///< in FeModel::modes, of each column; ascending
  /// (rows x shapes) [pressure] or [1] per unit of the shape; a place has one row per component
  Eigen::MatrixXd values;

  bool empty() const { return places.empty() || shapes.empty(); }
};

struct FeStresses {
  FeStressTable stress;
  FeStressTable strain;
};

/// @throws ModelError  sizes do not fit each other or the number of modes, or a value is not finite
void check_stresses(const FeStresses& stresses, std::int64_t modes);

}  // namespace femflex
