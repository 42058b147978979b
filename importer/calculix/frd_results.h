// Collects the displacement and stress fields of a CalculiX result file as shapes and stresses.
// Displacement fields on the same nodes form one group of shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "femflex/importer/contents.h"
#include "femflex/large_pages.h"

namespace femflex::importer {

/// One field of a result file: numbers at each of its nodes.
struct FrdField {
  std::string name;                 ///< DISP, STRESS or TOSTRAIN
  bool is_modal = false;            ///< of a mode; otherwise of a step
  double frequency_or_time = 0.0;   ///< of the mode [Hz], or of the step
  std::vector<std::int64_t> nodes;  ///< ids
  /// rows of each node: of displacements as RawModes::components, of stresses six
  Eigen::Index components = 6;
  bool is_on_last_nodes = false;  ///< its nodes are FrdResults::nodes_of_last_group(), not `nodes`
};

class FrdResults {
 public:
  /// Clears eigenvalue and generalised mass: the file gives both once, before the fields of a mode.
  void begin_step() {
    eigenvalue_.reset();
    generalised_mass_.reset();
  }
  void set_eigenvalue(std::optional<double> value) { eigenvalue_ = value; }
  void set_generalised_mass(std::optional<double> value) { generalised_mass_ = value; }

  /// Adds a displacement field and returns its column, to be filled with `components` numbers per
  /// node.
  /// @param expected  upper bound of the fields to come; reserves address space, not memory
  double* new_shape(FrdField field, std::size_t expected);
  /// Adds a field of stresses or strains and returns its column, to be filled with six tensor
  /// components per node; then double_shear_strains() or drop_stress() must follow. Null, and
  /// nothing is added, if the last displacement field does not belong to the same mode or step.
  double* new_stress(FrdField field, std::size_t expected);
  /// Ends the field that new_stress() added last: tensor shear strains become gamma = 2 epsilon,
  /// stresses stay.
  void double_shear_strains();
  /// Takes back the field that new_stress() added last.
  void drop_stress();
  /// The nodes of the last group of the name, kind and components of `field`; empty if there is
  /// none.
  std::span<const std::int64_t> nodes_of_last_group(const FrdField& field) const;
  /// Moves all shapes and stresses to `contents`.
  void finish(FileContents& contents);

 private:
  /// Shapes of one kind on the same nodes.
  struct Group {
    RawModes modes;
    Eigen::Index filled = 0;  ///< columns of modes.shapes that hold a shape
    void shrink() { modes.shapes.conservativeResize(modes.shapes.rows(), filled); }
  };
  /// Nodal means of stress or strain, on the same nodes.
  struct StressGroup {
    RawStress stress;
    std::vector<std::int64_t> nodes;
    Eigen::Index filled = 0;  ///< columns of stress.values, of six numbers per node
  };

  const StressGroup* find_stress(const std::string& name, RawModes::Kind kind) const;
  StressGroup& new_stress_group(FrdField field, RawModes::Kind kind);

  std::vector<Group> groups_;
  std::vector<StressGroup> stresses_;
  LargePages pages_;
  std::size_t last_stress_ = 0;                        ///< group of the last field of stresses
  std::int64_t modes_ = 0, steps_ = 0;                 ///< shapes of each kind so far
  std::optional<std::pair<bool, double>> last_shape_;  ///< is it a mode, and frequency or time
  std::optional<double> eigenvalue_, generalised_mass_;
};

}  // namespace femflex::importer
