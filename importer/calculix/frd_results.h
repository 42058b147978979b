// Collects the displacement and stress fields of a CalculiX result file as shapes and stresses.
// Displacement fields on the same nodes form one group of shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// One field of a result file: six numbers at each of its nodes.
struct FrdField {
  std::string name;                  ///< DISP, STRESS or TOSTRAIN
  bool modal = false;                ///< of a mode; otherwise of a step
  double value = 0.0;                ///< frequency of the mode [Hz], or time of the step
  std::vector<std::int64_t> points;  ///< ids of the nodes
};

class FrdResults {
 public:
  /// Forgets eigenvalue and generalised mass, which are given once per mode, before its fields.
  void begin_step() {
    eigenvalue_.reset();
    generalised_mass_.reset();
  }
  void set_eigenvalue(std::optional<double> value) { eigenvalue_ = value; }
  void set_generalised_mass(std::optional<double> value) { generalised_mass_ = value; }

  /// Adds a displacement field and returns its column, to be filled.
  /// @param expected  number of fields that may follow, which takes address space alone
  double* new_shape(FrdField field, std::size_t expected);
  /// Adds a field of stresses or strains. Returns false, and adds nothing, if the last displacement
  /// field does not belong to the same mode or step.
  bool add_stress(FrdField field, const std::vector<double>& values);
  /// Moves all shapes and stresses to `contents`.
  void finish(FileContents& contents);

 private:
  /// Shapes of one kind on the same nodes.
  struct Group {
    RawModes modes;
    Eigen::Index filled = 0;  ///< columns of modes.shapes that hold a shape
    void shrink() { modes.shapes.conservativeResize(modes.shapes.rows(), filled); }
  };
  /// Stresses or strains, means at the same nodes.
  struct StressGroup {
    RawStress stress;
    std::vector<std::int64_t> points;
    std::vector<std::vector<double>> columns;  ///< one per mode or step, six numbers per node
  };

  std::vector<Group> groups_;
  std::vector<StressGroup> stresses_;
  std::int64_t modes_ = 0, steps_ = 0;                 ///< shapes of each kind so far
  std::optional<std::pair<bool, double>> last_shape_;  ///< modal, and frequency or time
  std::optional<double> eigenvalue_, generalised_mass_;
};

}  // namespace femflex::importer
