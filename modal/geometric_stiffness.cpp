#include "geometric_stiffness.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "solve/projection.h"

namespace femflex::modal {
namespace {

using Cause = GeometricStiffness::Cause;

// those that one preloaded run gives; forces need a node as well
constexpr std::array<std::pair<Cause, std::string_view>, 12> kCauses{{
    {Cause::acceleration_x, "acceleration-x"},
    {Cause::acceleration_y, "acceleration-y"},
    {Cause::acceleration_z, "acceleration-z"},
    {Cause::angular_acceleration_x, "angular-acceleration-x"},
    {Cause::angular_acceleration_y, "angular-acceleration-y"},
    {Cause::angular_acceleration_z, "angular-acceleration-z"},
    {Cause::spin_xx, "spin-xx"},
    {Cause::spin_yy, "spin-yy"},
    {Cause::spin_zz, "spin-zz"},
    {Cause::spin_xy, "spin-xy"},
    {Cause::spin_yz, "spin-yz"},
    {Cause::spin_xz, "spin-xz"},
}};

}  // namespace

GeometricStiffness::Cause parse_cause(std::string_view name) {
  std::string all;
  for (const auto& [cause, text] : kCauses) {
    if (text == name) return cause;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", text);
  }
  throw UsageError("unknown-cause",
                   fmt::format("'{}' is no state that stiffens a body", name),
                   {},
                   fmt::format("use one of {}", all));
}

std::vector<GeometricStiffness> geometric_terms(const FeModel& model,
                                                const std::vector<PreloadedStiffness>& preloaded,
                                                const Eigen::MatrixXd& shapes) {
  std::vector<GeometricStiffness> out;
  if (preloaded.empty()) return out;
  if (!model.stiffness)
    throw ModelError("no-matrices",
                     "geometric stiffness is a difference of two K, and the model holds none",
                     {},
                     "import K");
  for (const PreloadedStiffness& state : preloaded) {
    if (state.stiffness.rows() != model.stiffness->rows() ||
        state.stiffness.cols() != model.stiffness->cols())
      throw ModelError("wrong-size",
                       fmt::format("the preloaded K is {} x {}, that of the model {} x {}",
                                   state.stiffness.rows(),
                                   state.stiffness.cols(),
                                   model.stiffness->rows(),
                                   model.stiffness->cols()),
                       {},
                       "export both from the same model with the same constraints");
    if (!std::isfinite(state.amount) || state.amount == 0.0)
      throw ModelError(
          "amount",
          fmt::format("a preloaded K belongs to an amount of its cause, not {}", state.amount));
    const SparseMatrix change = state.stiffness - *model.stiffness;
    out.push_back(
        {state.cause,
         state.node,
         state.component,
         model.units.value_or(Units{}).moment() / state.amount * project(change, shapes)});
  }
  return out;
}

}  // namespace femflex::modal
