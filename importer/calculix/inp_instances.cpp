// Moves the nodes and axes of a part when the instance that places it ends; those inside the
// instance itself as they are read.
#include "calculix/inp_instances.h"

#include <utility>

#include <fmt/format.h>

#include "femflex/unit_constants.h"

#include "calculix/inp_scan.h"

namespace femflex::importer {

void InpInstances::begin(const std::string& keyword,
                         const InpParameters& parameters,
                         const Where& where) {
  if (keyword == "PART") {
    part_ = parameters.word("NAME");
    parts_[part_] = {counts(), counts()};
    names_.begin_scope(part_);
  } else if (keyword == "ENDPART") {
    names_.end_scope();
    if (const auto part = parts_.find(part_); part != parts_.end()) part->second.last = counts();
  } else if (keyword == "INSTANCE") {
    data_lines_ = 0;
    placement_ = Eigen::Isometry3d::Identity();
    instance_part_ = parameters.word("PART");
    first_of_instance_ = counts();
    const std::string name = parameters.word("NAME");
    names_.add_instance(name, instance_part_);
    names_.begin_scope(name);
  } else if (keyword == "ENDINSTANCE") {
    end_instance(where);
  }
}

void InpInstances::data(const std::vector<std::string_view>& fields, const Where& where) {
  ++data_lines_;
  const auto triple = [&](std::size_t first) {
    Eigen::Vector3d out;
    for (std::size_t k = 0; k < 3; ++k)
      out(static_cast<Eigen::Index>(k)) = inp_real_or_zero(fields, first + k, where);
    return out;
  };
  if (data_lines_ == 1) {
    placement_.translation() = triple(0);
  } else if (data_lines_ == 2) {
    const Eigen::Vector3d from = triple(0);
    const Eigen::Vector3d along = triple(3) - from;
    if (along.isZero(0.0))
      throw ParseError("entry", "the axis of the instance's rotation has no length", where);
    const double angle = inp_real_or_zero(fields, 6, where) * kDegree;
    placement_ = Eigen::Translation3d(from) * Eigen::AngleAxisd(angle, along.normalized()) *
                 Eigen::Translation3d(-from) * placement_;
  }
}

InpInstances::Counts InpInstances::counts() const {
  return {grids_.size(), transforms_.count(), materials_.section_count()};
}

/// Turns the axes of the cards [first, last) with the current instance.
void InpInstances::place_axes(const Counts& first, const Counts& last) {
  transforms_.place(first.transforms, last.transforms, placement_);
  materials_.turn(first.sections, last.sections, placement_.linear());
}

/// Moves the nodes of the part that the instance places, unless the instance has nodes of its own.
/// Axes turn in both cases.
void InpInstances::end_instance(const Where& where) {
  const auto part = parts_.find(instance_part_);
  if (part != parts_.end() && grids_.size() == first_of_instance_.nodes) {
    if (std::exchange(part->second.is_placed, true))
      throw ParseError("instances",
                       fmt::format("part {} has more than one instance", instance_part_),
                       where,
                       "write the deck without parts and assemblies, so that each node has a "
                       "number of its own");
    for (std::size_t k = part->second.first.nodes; k < part->second.last.nodes; ++k)
      place(grids_[k]);
    place_axes(part->second.first, part->second.last);
  }
  place_axes(first_of_instance_, counts());
  names_.end_scope();
  placement_ = Eigen::Isometry3d::Identity();
}

void InpInstances::place(RawGrid& grid) {
  if (!placement_.linear().isIdentity(0.0)) turned_[grid.id] = placement_.linear();
  Eigen::Map<Eigen::Vector3d> position(grid.x.data());
  position = (placement_ * Eigen::Vector3d(position)).eval();
}

}  // namespace femflex::importer
