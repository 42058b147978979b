// Places the parts of Abaqus decks: *PART, *INSTANCE with its translation and rotation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "femflex/errors.h"
#include "femflex/importer/contents.h"

#include "calculix/inp_keyword.h"
#include "calculix/inp_materials.h"
#include "calculix/inp_names.h"
#include "calculix/inp_transforms.h"

namespace femflex::importer {

/// Moves what stands in a part, or in an instance itself, to the place of the instance: nodes, the
/// axes of *TRANSFORM and of sections. A part may have one instance.
///
///   *PART, NAME=                 to *END PART
///   *INSTANCE, NAME=, PART=      translation; then two points of an axis and an angle [degrees];
///                                to *END INSTANCE
class InpInstances {
 public:
  /// All of them must outlive the instances.
  InpInstances(InpNames& names,
               InpTransforms& transforms,
               InpMaterials& materials,
               std::vector<RawGrid>& grids)
      : names_(names), transforms_(transforms), materials_(materials), grids_(grids) {}

  /// Takes any keyword line, after the transforms and materials have taken it.
  /// @throws ParseError  a second instance of a part
  void begin(const std::string& keyword, const InpParameters& parameters, const Where& where);
  /// Takes a data line below *INSTANCE.
  void data(const std::vector<std::string_view>& fields, const Where& where);
  /// Moves a node of the current instance, before it is added to the grids.
  void place(RawGrid& grid);
  /// Axes of the nodes in turned instances.
  const std::map<std::int64_t, Eigen::Matrix3d>& turned() const { return turned_; }

 private:
  /// How many of each had been read at a place of the deck.
  struct Counts {
    std::size_t nodes = 0, transforms = 0, sections = 0;
  };
  struct Part {  ///< what was read before it and up to its end
    Counts first, last;
    bool is_placed = false;  ///< by an instance
  };
  Counts counts() const;
  void end_instance(const Where& where);
  void place_axes(const Counts& first, const Counts& last);

  InpNames& names_;
  InpTransforms& transforms_;
  InpMaterials& materials_;
  std::vector<RawGrid>& grids_;
  std::map<std::string, Part> parts_;
  std::map<std::int64_t, Eigen::Matrix3d> turned_;
  std::string part_;  // the current one
  // of the current instance: position and orientation, its part, what was read before it
  Eigen::Isometry3d placement_ = Eigen::Isometry3d::Identity();
  std::string instance_part_;
  Counts first_of_instance_;
  std::int64_t data_lines_ = 0;
};

}  // namespace femflex::importer
