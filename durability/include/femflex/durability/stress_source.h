// Where stresses of shapes come from: computed from displacements, or read from an FE code's file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/modal_stress.h"
#include "femflex/durability/stress_mesh.h"

namespace femflex::durability {

/// Elements with the stresses of all shapes; nodes instead, if an FE code gave means at nodes.
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
  /// Largest number of rows of an element.
  virtual std::size_t most_rows() const = 0;
  /// Stresses of elements `first` to `last` - 1.
  /// @throws ModelError  see modal_stress()
  virtual ModalStress stress(std::size_t first, std::size_t last) const = 0;
  virtual const std::vector<LeftOut>& left_out() const = 0;
};

/// Computed from the displacements of the nodes, materials and sections.
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

 private:
  const StressMesh& mesh_;
  StressPlaces places_;
};

/// Shapes of a model with stresses in its file.
struct ReadShapes {
  ShapeSet given;                    ///< the shapes that have stresses
  std::vector<std::int64_t> labels;  ///< their indices in FeModel::modes
};
/// @throws ModelError  the model has no units, or none of its shapes has stresses
ReadShapes read_shapes_of(const FeModel& model);

/// Read from the file of an FE code (FeModel::stresses); other shapes get them by combination.
class ReadStress final : public StressSource {
 public:
  /// Stresses of the shapes that have any, in the order of FeStressTable::shapes.
  /// @param model  must outlive this object
  /// @param wanted  ids of elements; empty: all
  /// @throws ModelError  the model has no units, or none of its shapes has stresses
  /// @throws UsageError  the file has none at `places`; a wanted id is not an element of the model
  ReadStress(const FeModel& model, StressPlaces places, std::span<const std::int64_t> wanted);

  /// Stresses of `shapes`, each a combination of shapes that have them and of rigid motions.
  /// @throws ModelError a shape is no such combination ("not-in-span"), or the nodes of `shapes` do
  ///   not distinguish the shapes of the model; as above
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
  /// Largest remainder of a shape after the combination, as a share of the shape's norm.
  double misfit() const { return misfit_; }

 private:
  struct Entry {
    std::int64_t id = 0;
    std::int32_t type = 0;
    std::vector<std::uint32_t> places;  ///< in the table
  };
  void build(StressPlaces places, std::span<const std::int64_t> wanted);
  void leave_out_others(std::span<const std::int64_t> wanted);
  void combine(const ShapeSet& given, const ShapeSet& shapes);
  Eigen::Vector3d position_of(const FeStressPlace& place) const;
  /// Index of the place's node in its element; the order of corners in files differs from it.
  int corner_of(const FeStressPlace& place) const;

  const FeModel& model_;
  const FeStressTable& table_;
  std::vector<Eigen::Index> row_of_;  ///< first row of each place
  std::vector<Entry> entries_;
  std::vector<LeftOut> left_out_;
  std::size_t most_rows_ = 1;
  Eigen::MatrixXd combination_;  ///< (shapes of the table x shapes), times the unit of stress [Pa]
  double misfit_ = 0.0;
  /// first node of each element of the model in its block, by element
  std::unordered_map<std::int64_t, std::pair<const ElementBlock*, std::size_t>> elements_;
};

}  // namespace femflex::durability
