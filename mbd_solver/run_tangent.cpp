// simulate_with_tangents(): advances the tangents of all parameters with the steps of a run.
// Tangents end where the run does not depend smoothly on a parameter: a force that starts or ends
// with a jump, a spring that breaks, a discontinuous load.
#include "femflex/mbd_solver/run_tangent.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>
#include <type_traits>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/followed_run.h"
#include "integrators/parameter_tangent.h"
#include "integrators/switches.h"

namespace femflex::mbd_solver {
namespace {

/// Whether a force is exactly zero on one side of a limit of its coordinate.
bool can_let_go(const ForceModel& force) {
  return std::visit([](const auto& law) { return law.can_let_go(); }, force.law);
}

double size_of_load(const PairLoad& load) {
  return load.force_b.norm() + load.torque_b.norm();
}

/// Bisections that locate the start of a force to 1e-12 of a step.
constexpr int kSwitchBisections = 40;
/// A force starts with a jump if its load at the start exceeds this share of its load at the end of
/// the step. The start is located to 1e-12 of the step, so a force that grows from zero as a power
/// of the distance is smaller.
constexpr double kJumpShare = 1e-5;

/// Relative change of velocities above which they jump by an impact; smaller changes are
/// corrections by a projection.
constexpr double kImpact = 1e-5;
// switches of motions are looked for in a window of this relative width
constexpr double kSwitchWindow = 1e-9;

/// Name of an element because of which all runs of the system are not smooth; empty if there is
/// none.
std::string rough_part(const Model& model) {
  for (const ForceModel& force : model.forces)
    if (force.base().grip >= 0)
      return fmt::format(
          "force {}: set-valued friction sticks and slides; a regularised or lugre "
          "one has derivatives",
          force.name);
  if (model.network.has_samples) return "a block takes samples";
  if (model.network.has_events) return "a block switches";
  for (const MotionModel& motion : model.motions)
    if (motion.block_output >= 0) return fmt::format("motion {} follows a block", motion.name);
  return {};
}

/// Adds the processor time between construction and destruction to a number.
class CpuMeter {
 public:
  explicit CpuMeter(double& seconds) : seconds_(seconds), begin_(std::clock()) {}
  CpuMeter(const CpuMeter&) = delete;
  CpuMeter& operator=(const CpuMeter&) = delete;
  CpuMeter(CpuMeter&&) = delete;
  CpuMeter& operator=(CpuMeter&&) = delete;
  ~CpuMeter() { seconds_ += static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC; }

 private:
  double& seconds_;
  std::clock_t begin_;
};

/// Follows the steps of a run with all tangents, and receives its rows.
class TangentRun : public StepFollower, public ResultSink {
 public:
  TangentRun(const System& system,
             const std::vector<TangentParameter>& parameters,
             const DynamicOptions& options,
             TangentSink& sink)
      : sink_(sink), options_(options), model_(compile(system, said_before_)), centre_(model_) {
    for (const TangentParameter& parameter : parameters)
      tangents_.push_back(std::make_unique<ParameterTangent>(parameter, model_, options_));
    breaks_.resize(parameters.size());
    slopes_.resize(static_cast<Eigen::Index>(model_.outputs.channels.size()),
                   static_cast<Eigen::Index>(parameters.size()));
    acts_.resize(model_.forces.size());
  }

  // --- steps -------------------------------------------------------------------------------------
  void start(const State& state, bool is_fresh) override {
    if (is_begun_) {
      restart(state, is_fresh);
      return;
    }
    is_begun_ = true;
    velocity_ = state.velocity;
    if (const std::string rough = rough_part(model_); !rough.empty()) {
      end_all(-std::numeric_limits<double>::infinity(), rough);
      return;
    }
    centre_.engine.set_all(state);
    events_ = state.events;
    look_at_forces();
    for (std::size_t p = 0; p < tangents_.size(); ++p) {
      if (const std::optional<double> time = tangents_[p]->moving_switch())
        end(p, *time, "when a load or motion jumps or kinks depends on the parameter");
      tangents_[p]->start();
    }
  }

  void follow(const SolvedStep& step) override {
    if (is_over(step.from.time)) return;
    const CpuMeter meter(seconds_);
    if (breaks_spring(step.from)) return;
    if (!centre_.set(step)) {
      end_all(step.from.time, "the linearised equations of a step cannot be solved");
      return;
    }
    State to;
    to.time = step.t;
    to.position = centre_.placed.q;
    to.velocity = centre_.placed.v;
    to.force_states = centre_.engine.ws.states;
    if (jumps(step.from, to)) return;
    time_before_ = step.from.time;
    velocity_ = to.velocity;
    for (std::size_t p = 0; p < tangents_.size(); ++p) {
      if (breaks_[p] && breaks_[p]->time < step.t) continue;
      if (!tangents_[p]->follow(step, centre_)) {
        end(p,
            step.from.time,
            fmt::format("the linearised equations do not converge at t = {:.6g} s", step.t));
        continue;
      }
      tangents_[p]->adapt(centre_.engine);
    }
    centre_.engine.ws.state_gain = 0.0;
  }

  void follow_explicit(const State& from, const State& to, double h) override {
    if (is_over(from.time)) return;
    const CpuMeter meter(seconds_);
    if (breaks_spring(from)) return;
    centre_.engine.set_all(to);
    if (jumps(from, to)) return;
    time_before_ = from.time;
    velocity_ = to.velocity;
    for (std::size_t p = 0; p < tangents_.size(); ++p) {
      if (breaks_[p] && breaks_[p]->time < to.time) continue;
      if (!tangents_[p]->repeat(from, h, to.time)) {
        end(p, from.time, fmt::format("the step to t = {:.6g} s cannot be repeated", to.time));
        continue;
      }
      tangents_[p]->adapt(centre_.engine);
    }
  }

  // --- rows --------------------------------------------------------------------------------------
  void begin(std::span<const Channel> channels) override { sink_.begin(channels); }
  void append(double t, std::span<const double> values) override {
    time_ = t;
    values_.assign(values.begin(), values.end());
  }
  bool keeps_states() const override { return true; }
  void keep(const State& state) override {
    const CpuMeter meter(seconds_);
    for (std::size_t p = 0; p < tangents_.size(); ++p) {
      const auto column = static_cast<Eigen::Index>(p);
      if (breaks_[p] && breaks_[p]->time < time_)
        slopes_.col(column).setConstant(std::nan(""));
      else
        tangents_[p]->read_outputs(state, slopes_.col(column));
    }
    sink_.append(time_, values_, slopes_);
  }

  TangentSummary summary(SimulationSummary run, Diagnostics& diagnostics) const {
    TangentSummary out;
    out.run = std::move(run);
    out.breaks = breaks_;
    out.tangent_seconds = seconds_;
    for (const std::unique_ptr<ParameterTangent>& tangent : tangents_)
      out.iterations += tangent->iterations();
    out.factorisations = centre_.engine.kkt.factorisations();
    if (kinks_ > 0)
      diagnostics.warn("kink",
                       fmt::format("{}{}: runs have a kink there, and derivatives may change "
                                   "abruptly with the parameters",
                                   first_kink_,
                                   kinks_ > 1 ? fmt::format(" (and {} more times)", kinks_ - 1)
                                              : std::string()));
    return out;
  }

 private:
  /// Called after a load, block or motion jumped or had a kink at a prescribed time.
  void restart(const State& state, bool is_fresh) {
    if (is_over(state.time)) return;
    const double change = (state.velocity - velocity_).lpNorm<Eigen::Infinity>();
    // the projection after a step of generalised-alpha moves velocities a little as well
    if (motion_switches(state.time) &&
        change > kImpact * std::max(kImpact, velocity_.lpNorm<Eigen::Infinity>())) {
      end_all(state.time, "a motion kinks: velocities jump");
      return;
    }
    State before = state;  // the changed systems project their velocities, too
    before.velocity = velocity_;
    for (std::size_t p = 0; p < tangents_.size(); ++p)
      if (!(breaks_[p] && breaks_[p]->time < state.time) &&
          !tangents_[p]->restart(before, is_fresh))
        end(p, state.time, "there are no accelerations after a jump of a load");
    centre_.engine.set_all(state);
    static_cast<void>(look_at_forces());
  }

  /// Whether the formula of a motion has a jump or kink at this time.
  bool motion_switches(double time) const {
    const double width = kSwitchWindow * (1.0 + std::abs(time));
    return std::any_of(
        model_.motions.begin(), model_.motions.end(), [&](const MotionModel& motion) {
          return !motion.value.is_constant() &&
                 !motion.value.function->switch_times(time - width, time + width).empty();
        });
  }

  /// Ends all derivatives if a spring has broken since the last step.
  bool breaks_spring(const State& state) {
    if (state.events.size() != events_.size() || state.events == events_) return false;
    end_all(time_before_, "a spring breaks");
    return true;
  }

  /// Records which forces act. @return the indices of forces that started or ended since the last
  /// call
  std::vector<std::size_t> look_at_forces() {
    std::vector<std::size_t> switched;
    for (std::size_t k = 0; k < model_.forces.size(); ++k) {
      if (!can_let_go(model_.forces[k])) continue;
      const char acts = size_of_load(centre_.engine.ws.loads[k]) > 0.0 ? 2 : 1;
      if (acts_[k] != 0 && acts_[k] != acts) switched.push_back(k);
      acts_[k] = acts;
    }
    return switched;
  }

  /// Ends all derivatives if a force starts or ends with a jump in this step. If a force grows from
  /// zero, the derivatives of both sides match, and the force is only recorded.
  bool jumps(const State& from, const State& to) {
    for (const std::size_t k : look_at_forces()) {
      const std::string& name = model_.forces[k].name;
      if (load_at_switch(k, from, to) > kJumpShare) {
        end_all(from.time,
                fmt::format("force {} begins or ends to act at t = {:.6g} s with a jump, by its "
                            "damping",
                            name,
                            to.time));
        return true;
      }
      if (++kinks_ == 1)
        first_kink_ = fmt::format("force {} begins or ends to act at t = {:.6g} s", name, to.time);
    }
    return false;
  }

  /// The load of a force when it starts or ends between two states, relative to its load at the
  /// state where it acts.
  double load_at_switch(std::size_t force, const State& from, const State& to) {
    if (!scratch_) scratch_ = std::make_unique<Engine>(model_);
    Workspace& ws = scratch_->ws;
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(model_.nv);
    const auto at = [&](double share) {
      Eigen::VectorXd q = (1.0 - share) * from.position + share * to.position;
      for (std::size_t b = 0; b + 1 < model_.bodies.size(); ++b)
        q.segment<4>(model_.bodies[b].q0 + 3).normalize();
      const Eigen::VectorXd v = (1.0 - share) * from.velocity + share * to.velocity;
      ws.set_memory(from);
      if (model_.state_count > 0)
        ws.state_constants = (1.0 - share) * from.force_states + share * to.force_states;
      ws.multipliers = from.multipliers;
      scratch_->set_position((1.0 - share) * from.time + share * to.time, q);
      scratch_->set_velocity(v);
      residual(model_, ws, none, nullptr);
      return size_of_load(ws.loads[force]);
    };
    const double ends[2] = {at(0.0), at(1.0)};
    double acting = ends[0] > 0.0 ? 0.0 : 1.0, idle = 1.0 - acting;
    double load = std::max(ends[0], ends[1]);
    const double full = load;
    for (int k = 0; k < kSwitchBisections && full > 0.0; ++k) {
      const double middle = 0.5 * (acting + idle), here = at(middle);
      (here > 0.0 ? acting : idle) = middle;
      if (here > 0.0) load = here;
    }
    return full > 0.0 ? load / full : 0.0;
  }

  void end(std::size_t parameter, double time, const std::string& reason) {
    std::optional<TangentBreak>& at = breaks_[parameter];
    if (!at || at->time > time) at = TangentBreak{time, reason};
  }
  void end_all(double time, const std::string& reason) {
    for (std::size_t p = 0; p < breaks_.size(); ++p)
      end(p, time, reason);
  }
  bool is_over(double time) const {
    return std::all_of(
        breaks_.begin(), breaks_.end(), [&](const auto& at) { return at && at->time <= time; });
  }

  TangentSink& sink_;
  const DynamicOptions options_;
  Diagnostics said_before_;  // discarded, because simulate() gives the same warnings
  const Model model_;
  StepCentre centre_;
  std::vector<std::unique_ptr<ParameterTangent>> tangents_;
  std::vector<std::optional<TangentBreak>> breaks_;
  std::vector<char> acts_;  // per force that can be exactly zero: 1 if it is zero, 2 if it acts
  std::unique_ptr<Engine> scratch_;
  int kinks_ = 0;  // number of forces that started or ended without a jump
  std::string first_kink_;
  Eigen::VectorXd events_;
  Eigen::VectorXd velocity_;  // at the end of the last step
  bool is_begun_ = false;
  double time_ = 0.0, time_before_ = 0.0, seconds_ = 0.0;
  std::vector<double> values_;
  Eigen::MatrixXd slopes_;
};

}  // namespace

TangentSummary simulate_with_tangents(const System& system,
                                      const std::vector<TangentParameter>& parameters,
                                      const DynamicOptions& options,
                                      TangentSink& sink,
                                      Diagnostics& diagnostics,
                                      Progress& progress) {
  TangentRun run(system, parameters, options, sink);
  return run.summary(simulate_followed(system, options, run, &run, diagnostics, progress),
                     diagnostics);
}

}  // namespace femflex::mbd_solver
