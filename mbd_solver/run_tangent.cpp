// Follows the steps of a run with the tangents of all parameters, and ends them where the run does
// not depend smoothly on a parameter: contacts that open or close, springs that break, jumps.
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

/// Whether a law has no force at all on one side of a limit of its coordinate.
bool can_let_go(const ForceModel& force) {
  return std::visit(
      [](const auto& law) {
        using Law = std::decay_t<decltype(law)>;
        if constexpr (std::is_same_v<Law, TyreLaw>)
          return law.lifts_off;
        else if constexpr (std::is_same_v<Law, SpringLaw>)
          return law.tension_only;
        else
          return std::is_same_v<Law, BumpStopLaw> || std::is_same_v<Law, ContactLaw> ||
                 std::is_same_v<Law, RollingTyreLaw>;
      },
      force.law);
}

/// What in a system keeps all its runs from being smooth; empty: nothing does.
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

/// Adds the processor time of its scope to a number.
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

/// The tangents of a run and the sink of its rows.
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
  void start(const State& state) override {
    if (is_begun_) {
      end_all(state.time, "a motion, an input or a block jumps or kinks");
      return;
    }
    is_begun_ = true;
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
    if (step.from.events.size() == events_.size() && !(step.from.events == events_)) {
      end_all(time_before_, "a spring breaks");
      return;
    }
    if (!centre_.set(step)) {
      end_all(step.from.time, "the linearised equations of a step cannot be solved");
      return;
    }
    if (const std::string switched = look_at_forces(); !switched.empty()) {
      end_all(step.from.time,
              fmt::format("force {} begins or ends to act at t = {:.6g} s", switched, step.t));
      return;
    }
    time_before_ = step.from.time;
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

  TangentSummary summary(SimulationSummary run) const {
    TangentSummary out;
    out.run = std::move(run);
    out.breaks = breaks_;
    out.tangent_seconds = seconds_;
    for (const std::unique_ptr<ParameterTangent>& tangent : tangents_)
      out.iterations += tangent->iterations();
    out.factorisations = centre_.engine.kkt.factorisations();
    return out;
  }

 private:
  /// Notes which forces act. @return the first that did not before, or does no longer
  std::string look_at_forces() {
    std::string switched;
    for (std::size_t k = 0; k < model_.forces.size(); ++k) {
      if (!can_let_go(model_.forces[k])) continue;
      const PairLoad& load = centre_.engine.ws.loads[k];
      const char acts = load.force_b.isZero(0.0) && load.torque_b.isZero(0.0) ? 1 : 2;
      if (acts_[k] != 0 && acts_[k] != acts && switched.empty()) switched = model_.forces[k].name;
      acts_[k] = acts;
    }
    return switched;
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
  Diagnostics said_before_;  // simulate() gives the same warnings
  const Model model_;
  StepCentre centre_;
  std::vector<std::unique_ptr<ParameterTangent>> tangents_;
  std::vector<std::optional<TangentBreak>> breaks_;
  std::vector<char> acts_;  // per force that can let go: 1 idle, 2 acting
  Eigen::VectorXd events_;
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
  return run.summary(simulate_followed(system, options, run, &run, diagnostics, progress));
}

}  // namespace femflex::mbd_solver
