// Groups the fields of a CalculiX result file by kind and nodes. Shapes grow in place, because a
// large model has no room for two copies of them.
#include "calculix/frd_results.h"

#include <algorithm>
#include <numbers>

#include "bytes/columns.h"
#include "raw_shapes.h"

namespace femflex::importer {
namespace {

RawModes::Kind kind_of(bool modal) {
  return modal ? RawModes::Kind::normal : RawModes::Kind::displacement;
}

}  // namespace

std::span<const std::int64_t> FrdResults::nodes_of_last_group(const FrdField& field) const {
  const RawModes::Kind kind = kind_of(field.is_modal);
  if (field.name == "DISP") {
    if (groups_.empty() || groups_.back().modes.kind != kind ||
        groups_.back().modes.components != field.components)
      return {};
    return groups_.back().modes.points;
  }
  const StressGroup* group = find_stress(field.name, kind);
  if (group == nullptr) return {};
  return group->nodes;
}

double* FrdResults::new_shape(FrdField field, std::size_t expected) {
  const RawModes::Kind kind = kind_of(field.is_modal);
  if (!field.is_on_last_nodes && (groups_.empty() || groups_.back().modes.kind != kind ||
                                  groups_.back().modes.components != field.components ||
                                  groups_.back().modes.points != field.nodes)) {
    if (!groups_.empty()) groups_.back().shrink();
    groups_.emplace_back();
    RawModes& modes = groups_.back().modes;
    modes = shapes_at_grids(
        "DISP", kind, RawModes::Frame::basic, std::move(field.nodes), field.components);
    modes.single_precision = true;
  }
  Group& group = groups_.back();
  double* const column =
      room_for_column(group.modes.shapes,
                      group.modes.components * static_cast<Eigen::Index>(group.modes.points.size()),
                      group.filled++,
                      expected,
                      pages_);
  last_shape_ = {field.is_modal, field.frequency_or_time};
  group.modes.numbers.push_back(field.is_modal ? ++modes_ : ++steps_);
  if (field.is_modal) {
    const double omega = 2.0 * std::numbers::pi * field.frequency_or_time;
    group.modes.frequencies_hz.push_back(field.frequency_or_time);
    // the frequency has up to 10 digits but no sign; 1PGK has 7 digits and the sign
    const double sign = eigenvalue_ && *eigenvalue_ < 0.0 ? -1.0 : 1.0;
    group.modes.eigenvalues.push_back(field.frequency_or_time != 0.0 ? sign * omega * omega
                                                                     : eigenvalue_.value_or(0.0));
    if (generalised_mass_) group.modes.generalised_mass.push_back(*generalised_mass_);
  }
  begin_step();
  return column;
}

/// The last group of this name and kind; null if there is none.
const FrdResults::StressGroup* FrdResults::find_stress(const std::string& name,
                                                       RawModes::Kind kind) const {
  const auto found = std::find_if(stresses_.rbegin(), stresses_.rend(), [&](const auto& group) {
    return group.stress.source == name && group.stress.kind == kind;
  });
  return found == stresses_.rend() ? nullptr : &*found;
}

double* FrdResults::new_stress(FrdField field, std::size_t expected) {
  if (!last_shape_ || last_shape_->first != field.is_modal ||
      last_shape_->second != field.frequency_or_time)
    return nullptr;
  const RawModes::Kind kind = kind_of(field.is_modal);
  const std::int64_t number = field.is_modal ? modes_ : steps_;
  const StressGroup* known = find_stress(field.name, kind);
  if (known == nullptr || (!field.is_on_last_nodes && known->nodes != field.nodes)) {
    const auto fits = [&](const StressGroup& group) {
      return group.stress.source == field.name && group.stress.kind == kind &&
             group.nodes == field.nodes;
    };
    const auto older = std::find_if(stresses_.begin(), stresses_.end(), fits);
    known = older == stresses_.end() ? &new_stress_group(std::move(field), kind) : &*older;
  }
  last_stress_ = static_cast<std::size_t>(known - stresses_.data());
  StressGroup& group = stresses_[last_stress_];
  group.stress.numbers.push_back(number);
  return room_for_column(group.stress.values,
                         static_cast<Eigen::Index>(6 * group.nodes.size()),
                         group.filled++,
                         expected,
                         pages_);
}

FrdResults::StressGroup& FrdResults::new_stress_group(FrdField field, RawModes::Kind kind) {
  StressGroup& group = stresses_.emplace_back();
  group.stress.source = field.name;
  group.stress.type = "NODE";
  group.stress.kind = kind;
  group.stress.is_strain = field.name == "TOSTRAIN";
  group.stress.subcase = 1;
  constexpr std::uint8_t kSixComponents = 63;
  for (const std::int64_t point : field.nodes)
    group.stress.places.push_back({.node = point,
                                   .kind = FeStressPlace::Kind::node,
                                   .axes = FeStressPlace::Axes::basic,
                                   .components = kSixComponents});
  group.nodes = std::move(field.nodes);
  return group;
}

void FrdResults::double_shear_strains() {
  StressGroup& group = stresses_[last_stress_];
  if (!group.stress.is_strain) return;
  Eigen::MatrixXd& values = group.stress.values;
  for (Eigen::Index k = 0; k < values.rows(); ++k)
    if (k % 6 >= 3) values(k, group.filled - 1) *= 2.0;  // gamma_xy = 2 epsilon_xy
}

void FrdResults::drop_stress() {
  StressGroup& group = stresses_[last_stress_];
  --group.filled;
  group.stress.numbers.pop_back();
}

void FrdResults::finish(FileContents& contents) {
  for (Group& group : groups_) {
    RawModes& modes = group.modes;
    group.shrink();
    if (modes.generalised_mass.size() != modes.numbers.size()) modes.generalised_mass.clear();
    contents.modes.push_back(std::move(modes));
  }
  for (StressGroup& group : stresses_) {
    if (group.filled == 0) continue;
    group.stress.values.conservativeResize(Eigen::NoChange, group.filled);
    contents.stresses.push_back(std::move(group.stress));
  }
}

}  // namespace femflex::importer
