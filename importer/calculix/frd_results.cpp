// Groups the fields of a CalculiX result file by kind and nodes. Shapes grow in place, because a
// large model has no room for two copies of them.
#include "calculix/frd_results.h"

#include <algorithm>
#include <numbers>

#include "bytes/columns.h"
#include "raw_shapes.h"

namespace femflex::importer {
namespace {

RawModes::Kind kind_of(const FrdField& field) {
  return field.modal ? RawModes::Kind::normal : RawModes::Kind::displacement;
}

}  // namespace

double* FrdResults::new_shape(FrdField field, std::size_t expected) {
  const RawModes::Kind kind = kind_of(field);
  if (groups_.empty() || groups_.back().modes.kind != kind ||
      groups_.back().modes.points != field.points) {
    if (!groups_.empty()) groups_.back().shrink();
    groups_.emplace_back();
    RawModes& modes = groups_.back().modes;
    modes = shapes_at_grids("DISP", kind, RawModes::Frame::basic, std::move(field.points));
    modes.single_precision = true;
  }
  Group& group = groups_.back();
  Eigen::MatrixXd& shapes = group.modes.shapes;
  if (group.filled == shapes.cols()) {
    const Eigen::Index more = std::max(group.filled / 2 + 4, static_cast<Eigen::Index>(expected));
    shapes.conservativeResize(static_cast<Eigen::Index>(6 * group.modes.points.size()),
                              group.filled + more);
  }
  last_shape_ = {field.modal, field.value};
  group.modes.numbers.push_back(field.modal ? ++modes_ : ++steps_);
  if (field.modal) {
    const double omega = 2.0 * std::numbers::pi * field.value;
    group.modes.frequencies_hz.push_back(field.value);
    // the frequency has up to 10 digits but no sign; 1PGK has 7 digits and the sign
    const double sign = eigenvalue_ && *eigenvalue_ < 0.0 ? -1.0 : 1.0;
    group.modes.eigenvalues.push_back(field.value != 0.0 ? sign * omega * omega
                                                         : eigenvalue_.value_or(0.0));
    if (generalised_mass_) group.modes.generalised_mass.push_back(*generalised_mass_);
  }
  begin_step();
  return shapes.data() + shapes.rows() * group.filled++;
}

bool FrdResults::add_stress(FrdField field, const std::vector<double>& values) {
  if (!last_shape_ || last_shape_->first != field.modal || last_shape_->second != field.value)
    return false;
  const RawModes::Kind kind = kind_of(field);
  const auto matches = [&](const StressGroup& group) {
    return group.stress.source == field.name && group.stress.kind == kind &&
           group.points == field.points;
  };
  auto group = std::find_if(stresses_.begin(), stresses_.end(), matches);
  if (group == stresses_.end()) {
    stresses_.emplace_back();
    group = stresses_.end() - 1;
    group->stress.source = field.name;
    group->stress.type = "NODE";
    group->stress.kind = kind;
    group->stress.is_strain = field.name == "TOSTRAIN";
    group->stress.subcase = 1;
    constexpr std::uint8_t kAllSix = 63;
    for (const std::int64_t point : field.points)
      group->stress.places.push_back({.node = point,
                                      .kind = FeStressPlace::Kind::node,
                                      .axes = FeStressPlace::Axes::basic,
                                      .components = kAllSix});
    group->points = std::move(field.points);
  }
  group->stress.numbers.push_back(field.modal ? modes_ : steps_);
  group->columns.push_back(values);
  if (!group->stress.is_strain) return true;
  std::vector<double>& column = group->columns.back();
  for (std::size_t k = 0; k < column.size(); ++k)
    if (k % 6 >= 3) column[k] *= 2.0;  // engineering shear strain: gamma_xy = 2 epsilon_xy
  return true;
}

void FrdResults::finish(FileContents& contents) {
  for (Group& group : groups_) {
    RawModes& modes = group.modes;
    group.shrink();
    if (modes.generalised_mass.size() != modes.numbers.size()) modes.generalised_mass.clear();
    contents.modes.push_back(std::move(modes));
  }
  for (StressGroup& group : stresses_) {
    group.stress.values = side_by_side(group.columns);
    contents.stresses.push_back(std::move(group.stress));
  }
}

}  // namespace femflex::importer
