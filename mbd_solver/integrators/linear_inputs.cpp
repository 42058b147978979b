// Finds what each input of a linear system changes, by the channel that has its name; compares
// loads at large changes of an input, with and without a motion.
#include "integrators/linear_inputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/linearise.h"

#include "integrators/free_stiffness.h"

namespace femflex::mbd_solver {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// change of an input by which its effect is judged, relative to its magnitude; 1/2 keeps its sign
constexpr double kLargeShare = 0.5;
// motion with which it is judged, relative to the units of the coordinates
constexpr double kJudgedMotion = 1e-3;
// a share of the change of a load that counts as an effect, and the round-off of the loads
constexpr double kOtherEffect = 1e-7;
constexpr double kRoundOffOfLoads = 1e-11;

/// Whether the quantity of a channel, such as a position, displacement or angle, accepts a unit
/// load.
bool takes_load(Probe::What what) {
  using What = Probe::What;
  return what == What::position || what == What::displacement || what == What::rotation ||
         what == What::zeta || what == What::eta || what == What::joint_angle ||
         what == What::joint_displacement;
}

/// Numbers in (0.5, 1.5) without a pattern, so that effects of different coordinates do not cancel.
VectorXd uneven(Index size) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  VectorXd out(size);
  for (Index k = 0; k < size; ++k) {
    const double turns = kGoldenRatio * static_cast<double>(k + 1);
    out(k) = 0.5 + (turns - std::floor(turns));
  }
  return out;
}

/// Moves everything but one input by a little.
SmallMove motion_of_all(const Model& model, const MatrixXd& N, int except, Neighbourhood& near) {
  SmallMove by = near.none();
  if (N.cols() > 0) {
    const VectorXd way = N * uneven(N.cols());
    const double size = way.cwiseQuotient(units_of(model)).cwiseAbs().maxCoeff();
    if (size > 0.0) by.coordinates = by.rates = kJudgedMotion / size * way;
  }
  by.states = kJudgedMotion *
              model.state_unit.head(model.state_count).cwiseProduct(uneven(by.states.size()));
  for (Index k = 0; k < by.inputs.size(); ++k)
    if (k != except)
      by.inputs(k) = kJudgedMotion * std::max(1.0, std::abs(near.input(static_cast<int>(k))));
  return by;
}

SmallMove with_input(SmallMove by, int input, double change) {
  by.inputs(input) += change;
  return by;
}

}  // namespace

SmallMove UnitInput::times(double s) const {
  SmallMove out = by;
  out.inputs *= s;
  out.push *= s;
  out.block *= s;
  return out;
}

std::vector<UnitInput> unit_inputs(const System& system,
                                   const State& state,
                                   const std::vector<std::string>& inputs,
                                   const Neighbourhood& near,
                                   Diagnostics& diagnostics) {
  std::vector<UnitInput> out;
  for (const std::string& input : inputs) {
    System asked = system;
    asked.outputs = {input};
    Diagnostics ignored;
    const Model model = compile(asked, ignored);
    if (model.outputs.probes.size() != 1)
      throw ModelError(
          "not-one-channel",
          fmt::format("input '{}' names {} channels", input, model.outputs.probes.size()),
          {},
          fmt::format("name one, for example {}", model.outputs.channels.front().name));
    const Probe& probe = model.outputs.probes.front();
    UnitInput unit{near.none()};
    if (probe.what == Probe::What::block_output) {
      unit.by.block(probe.index) = 1.0;
    } else if (probe.what == Probe::What::input) {
      if (model.inputs[static_cast<std::size_t>(probe.index)].moves)
        throw ModelError("motion-input",
                         fmt::format("a motion follows the input '{}', and a linear model takes "
                                     "inputs of forces alone",
                                     input),
                         {},
                         "drive it by a force; an FMU for co-simulation takes it as it is");
      unit.by.inputs(probe.index) = 1.0;
      unit.value = near.input(probe.index);
      unit.input = probe.index;
    } else if (takes_load(probe.what)) {
      unit.by.push = channel_jacobian(asked, state, diagnostics).rows.row(0).transpose();
    } else {
      throw ModelError(
          "no-input",
          fmt::format("'{}' takes no input", input),
          {},
          "name an input of the system, a position or an angle, along which a force or moment "
          "acts, or a block");
    }
    out.push_back(std::move(unit));
  }
  return out;
}

bool acts_as_load(const Model& model,
                  const MatrixXd& N,
                  const UnitInput& unit,
                  Neighbourhood& near) {
  if (unit.input < 0) return true;
  const double change = kLargeShare * (unit.value == 0.0 ? 1.0 : std::abs(unit.value));
  const SmallMove rest = near.none();
  const SmallMove motion = motion_of_all(model, N, unit.input, near);
  const VectorXd base = near.loads_and_blocks(rest);
  const VectorXd more = near.loads_and_blocks(with_input(rest, unit.input, change));
  const VectorXd less = near.loads_and_blocks(with_input(rest, unit.input, -change));
  const VectorXd moved = near.loads_and_blocks(motion);
  const VectorXd both = near.loads_and_blocks(with_input(motion, unit.input, change));
  const VectorXd curved = more + less - 2.0 * base;
  const VectorXd coupled = both - moved - more + base;
  const double noise =
      kRoundOffOfLoads * std::max(moved.lpNorm<Eigen::Infinity>(), base.lpNorm<Eigen::Infinity>());
  for (Index k = 0; k < base.size(); ++k) {
    const double by_input = std::abs(more(k) - base(k)), by_motion = std::abs(moved(k) - base(k));
    const bool is_straight = std::abs(curved(k)) <= kOtherEffect * by_input + noise;
    const bool is_alone = std::abs(coupled(k)) <= kOtherEffect * (by_input + by_motion) + noise;
    if (!is_straight || !is_alone) return false;  // also if a load is not a number
  }
  return true;
}

}  // namespace femflex::mbd_solver
