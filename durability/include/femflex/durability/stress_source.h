// Sources of the stresses of shapes: computed from displacements, or read from the result file of
// an FE program. Used by run_stress.h and by the stress commands.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/modal_stress.h"
#include "femflex/durability/stress_mesh.h"

namespace femflex::durability {

/// Elements with the stresses of all shapes. If an FE program wrote mean stresses at nodes, the
/// entries are nodes instead of elements.
class StressSource {
 public:
  StressSource() = default;
  StressSource(const StressSource&) = delete;
  StressSource& operator=(const StressSource&) = delete;
  virtual ~StressSource() = default;

  virtual std::size_t size() const = 0;
  virtual std::int64_t id(std::size_t k) const = 0;
  virtual const std::string& type(std::size_t k) const = 0;
  virtual Eigen::Index shape_count() const = 0;
  /// Largest number of rows of S that an element has.
  virtual std::size_t most_rows() const = 0;
  /// The stresses of the elements `first` to `last` - 1.
  /// @throws ModelError  see modal_stress()
  virtual ModalStress stress(std::size_t first, std::size_t last) const = 0;
  virtual const std::vector<LeftOut>& left_out() const = 0;
  /// See StressMesh::bars_without_bending(); 0 for stresses of an FE program.
  virtual std::int64_t bars_without_bending() const { return 0; }
};

/// Stresses computed from the displacements of the nodes, the materials and the sections.
class ComputedStress final : public StressSource {
 public:
  /// @param mesh  must outlive this object
  ComputedStress(const StressMesh& mesh, StressPlaces places) : mesh_(mesh), places_(places) {}
  std::size_t size() const override { return mesh_.size(); }
  std::int64_t id(std::size_t k) const override { return mesh_.id(k); }
  const std::string& type(std::size_t k) const override { return mesh_.type(k); }
  Eigen::Index shape_count() const override { return mesh_.shapes().shapes.cols(); }
  std::size_t most_rows() const override;
  ModalStress stress(std::size_t first, std::size_t last) const override {
    return modal_stress(mesh_, first, last, places_);
  }
  const std::vector<LeftOut>& left_out() const override { return mesh_.left_out(); }
  std::int64_t bars_without_bending() const override { return mesh_.bars_without_bending(); }

 private:
  const StressMesh& mesh_;
  StressPlaces places_;
};

/// The shapes of a model whose stresses are in its file.
struct ReadShapes {
  ShapeSet given;                    ///< the shapes that have stresses
  std::vector<std::int64_t> labels;  ///< indices of these shapes in FeModel::modes
};
/// Selects the shapes of a model that have stresses.
/// @throws ModelError  the model has no units, or none of its shapes has stresses
ReadShapes read_shapes_of(const FeModel& model);

/// Stresses read from the result file of an FE program (FeModel::stresses). Stresses of other
/// shapes are combinations of those in the file.
class ReadStress final : public StressSource {
 public:
  /// Uses the shapes that have stresses, in the order of FeStressTable::shapes.
  /// @param model  must outlive this object
  /// @param wanted  ids of elements; empty: all elements
  /// @throws ModelError  the model has no units, or none of its shapes has stresses
  /// @throws UsageError  the file has no stresses at `places`; a wanted id is not an element of the
  /// model
  ReadStress(const FeModel& model, StressPlaces places, std::span<const std::int64_t> wanted);

  /// Stresses of `shapes`. Each shape must be a combination of shapes that have stresses and of
  /// rigid motions.
  /// @throws ModelError  a shape is not such a combination ("not-in-span"), or the nodes of
  /// `shapes` do not distinguish the shapes of the model; also the errors of the other constructor
  ReadStress(const FeModel& model,
             const ShapeSet& shapes,
             StressPlaces places,
             std::span<const std::int64_t> wanted);

  std::size_t size() const override { return entries_.size(); }
  std::int64_t id(std::size_t k) const override { return entries_[k].id; }
  const std::string& type(std::size_t k) const override;
  Eigen::Index shape_count() const override { return combination_.cols(); }
  std::size_t most_rows() const override { return most_rows_; }
  ModalStress stress(std::size_t first, std::size_t last) const override;
  const std::vector<LeftOut>& left_out() const override { return left_out_; }
  /// Largest remainder of a shape that the combination does not reproduce, relative to the norm of
  /// the shape.
  double misfit() const { return misfit_; }

 private:
  struct Entry {
    std::int64_t id = 0;
    std::int32_t type = 0;
    std::vector<std::uint32_t> places;  ///< indices in the table
  };
  void build(StressPlaces places, std::span<const std::int64_t> wanted);
  void leave_out_others(std::span<const std::int64_t> wanted);
  void combine(const ShapeSet& given, const ShapeSet& shapes);
  Eigen::Vector3d position_of(const FeStressPlace& place) const;
  /// Index of the place's node in the node list of its element. Files may list the corners in a
  /// different order.
  int corner_of(const FeStressPlace& place) const;

  const FeModel& model_;
  const FeStressTable& table_;
  std::vector<Eigen::Index> row_of_;  ///< first row of each place
  std::vector<Entry> entries_;
  std::vector<LeftOut> left_out_;
  std::size_t most_rows_ = 1;
  Eigen::MatrixXd combination_;  ///< (shapes of the table x shapes), multiplied by the unit of
                                 ///< stress [Pa]
  double misfit_ = 0.0;
  /// per element id: its block, and the index of its first node in that block
  std::unordered_map<std::int64_t, std::pair<const ElementBlock*, std::size_t>> elements_;
};

}  // namespace femflex::durability
