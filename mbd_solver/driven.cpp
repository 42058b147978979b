// run_kinematics(): at each row the joints and motions are closed from where the velocities of the
// row before lead; velocities, accelerations and multipliers then follow from linear equations.
#include "femflex/mbd_solver/driven.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/assembly.h"
#include "integrators/driven_start.h"
#include "integrators/engine.h"
#include "integrators/free_stiffness.h"
#include "integrators/run_start.h"
#include "integrators/tangent.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// way from one closing of the joints to the next, over the size of the system or in rad: from so
// near the joints close to the same branch
constexpr double kLongestWay = 0.1;
constexpr double kMostParts = 1000.0;  // of the way from row to row
constexpr double kOneMore = 1e-9;      // round-off of a part, of its length
constexpr int kClosings = 50;          // passes of closing the joints
constexpr double kStaysClosed = 1e-9;
// pivot, over the largest, below which a direction is free
constexpr double kFreePivot = 1e-9;

/// @throws ModelError  a body may move although all motions are given
void check_driven(Engine& engine, const State& state) {
  engine.set_position(state.time, state.position);
  const VectorXd units = units_of(engine.model);
  const MatrixXd rows = scaled_rows(dense_jacobian(engine), units);
  Eigen::FullPivLU<MatrixXd> lu(rows.rows() > 0 ? rows : MatrixXd::Zero(1, engine.model.nv));
  lu.setThreshold(kFreePivot);
  const Eigen::Index count = engine.model.nv - (rows.rows() > 0 ? lu.rank() : 0);
  if (count == 0) return;
  const VectorXd way = lu.kernel().col(0).cwiseProduct(units);
  std::string who;
  engine.size_of(way / std::max(way.cwiseAbs().maxCoeff(), 1e-300), &who);
  throw ModelError("free-motions",
                   fmt::format("kinematics: joints and motions leave {} {} free, as of {}",
                               count,
                               count == 1 ? "motion" : "motions",
                               who),
                   {},
                   "add a motion for each, hold flexible bodies rigid, or take "
                   "\"type\": \"quasi-static\" where springs hold them");
}

class Kinematics {
 public:
  Kinematics(Engine& engine, State& state) : engine_(engine), state_(state) {}

  /// Velocities, accelerations and multipliers at the position of the state.
  /// @param h  [s] since the row before, in which force states have gone on; 0: they stay
  void rates(double h) {
    if (!engine_.project_velocity(state_.velocity)) engine_.throw_failure();
    Workspace& ws = engine_.ws;
    ws.state_gain = engine_.model.state_count > 0 ? h : 0.0;
    ws.state_constants = state_.force_states;
    if (!engine_.accelerations(state_.acceleration, state_.multipliers)) engine_.throw_failure();
    if (ws.state_gain > 0.0) state_.force_states = ws.states;
    ws.state_gain = 0.0;
    engine_.update_memory(state_);
  }

  /// Moves the state to t. @throws NumericalError  the joints do not close
  void advance(double t) {
    const double from = state_.time, h = t - from;
    const VectorXd first = state_.velocity + 0.5 * h * state_.acceleration;
    const double way = std::abs(h) * engine_.size_of(first);
    // a motion may rest at both rows and go far between them: parts that do not close are halved
    double step = h / std::clamp(std::ceil(way / kLongestWay), 1.0, kMostParts);
    const VectorXd a = state_.acceleration;
    while (state_.time < t) {
      const VectorXd q = state_.position;
      const double before = state_.time, left = t - before;
      const bool is_last = left <= step * (1.0 + kOneMore);
      const double part = is_last ? left : step;
      move(engine_.model, q, part * state_.velocity + 0.5 * part * part * a, state_.position);
      state_.time = is_last ? t : before + part;
      const double open = close();
      if (!engine_.is_closed(open, kStaysClosed)) {
        if (step * kMostParts <= h) throw_open(open);
        state_.position = q;
        state_.time = before;
        step *= 0.5;
        continue;
      }
      engine_.update_angles(state_);
      if (!is_last && !engine_.project_velocity(state_.velocity)) engine_.throw_failure();
    }
    rates(h);
  }

  /// Closes the joints of the first state. @throws NumericalError  they do not close
  void close_first() {
    const double open = close();
    if (!engine_.is_closed(open, kStaysClosed)) throw_open(open);
  }

 private:
  double close() {
    return engine_.project_position(state_.time, state_.position, kClosings, kClosedTo);
  }
  [[noreturn]] void throw_open(double open) const {
    throw NumericalError("does-not-close",
                         fmt::format("kinematics: at t = {:.9g} s the joints do not close: {:.3g} "
                                     "stays open",
                                     state_.time,
                                     open),
                         {},
                         "a motion may ask for more than the lengths allow: shorten it, or end "
                         "before");
  }

  static constexpr double kClosedTo = 1e-15;  // |Phi| over the size of the system: round-off
  Engine& engine_;
  State& state_;
};

}  // namespace

DrivenSummary run_kinematics(const System& system,
                             const DrivenOptions& options,
                             ResultSink& sink,
                             Diagnostics& diagnostics,
                             Progress& progress) {
  const Model model = compile(system, diagnostics);
  check_driven_options(model, options, "kinematics", diagnostics);
  if (model.state_count > 0)
    diagnostics.warn(
        "row-states",
        "kinematics: states of blocks, and of forces that follow their path, go on "
        "from row to row by a rule of first order; a shorter output_step shows how far "
        "they depend on it");
  Engine engine(model);
  DrivenSummary summary;
  AssemblyReport assembly;
  State state = options.from ? resumed_state(engine, *options.from)
                             : assemble(engine, system, options.start, assembly, diagnostics);
  state.time = options.start;
  Kinematics kinematics(engine, state);
  engine.ws.work = state.work;
  kinematics.close_first();
  check_driven(engine, state);
  kinematics.rates(0.0);
  const auto advance = [&](double t) {
    if (summary.rows > 0) kinematics.advance(t);
  };
  progress.begin("kinematics", options.end - options.start, "s");
  drive_rows(engine, state, advance, {options, sink, summary, progress});
  progress.end();
  summary.final_state = std::move(state);
  return summary;
}

}  // namespace femflex::mbd_solver
