// Dormand-Prince steps with error control. A step in which an event indicator changes its sign is
// halved until the event is at its end.
#include "guests/guest_solver.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/laws/runge_kutta_tableaux.h"
#include "femflex/laws/step_control.h"

namespace femflex::guests {
namespace {

constexpr double kGuestTolerance = 1e-9;  // error tolerance of a step, relative to state and
                                          // nominal value
constexpr double kFirstShare = 1e-3;      // first step as a share of the interval
constexpr double kShortestStep = 1e-14;   // share of the interval; the end of a shorter step equals
                                          // its start in floating point
constexpr double kEventWidth = 1e-13;     // share of the interval to which an event is located
constexpr int kMostUpdates = 100;    // largest number of updates of discrete states at one time
constexpr int kMostEvents = 100000;  // in one interval; more indicate events that accumulate at
                                     // one time (Zeno behaviour)

}  // namespace

GuestSolver::GuestSolver(GuestInstance& instance) : instance_(instance) {
  std::size_t n = 0;
  const GuestDescription& d = instance.library().description();
  for (const std::size_t k : d.derivatives)
    n += d.variables[k].count();
  x_.resize(n);
  next_.resize(n);
  nominal_.assign(n, 1.0);
  stage_.resize(n);
  before_.resize(d.indicators);
  after_.resize(d.indicators);
  k_.assign(laws::kDormandPrince.c.size(), std::vector<double>(n));
}

void GuestSolver::refresh(double time) {
  instance_.set_time(time);
  if (!x_.empty()) {
    instance_.get_states(x_);
    instance_.get_nominals(nominal_);
  }
  for (double& each : nominal_)
    if (!(std::abs(each) > 0.0) || !std::isfinite(each)) each = 1.0;
  if (!before_.empty()) instance_.get_indicators(before_);
}

void GuestSolver::begin(double time) {
  for (int k = 0;; ++k) {
    const EventOutcome outcome = instance_.update_events();
    if (outcome.ends) throw ModelError("fmu-end", "it asks to end the simulation");
    memory.has_event = outcome.has_time;
    memory.event = outcome.next_time;
    if (!outcome.again) break;
    if (k == kMostUpdates)
      throw ModelError("fmu-events",
                       fmt::format("its discrete states do not settle at t = {:.9g} s", time));
  }
  instance_.leave_events();
  refresh(time);
}

void GuestSolver::handle_events(double time, const std::function<void()>& change) {
  instance_.enter_events();
  if (change) change();
  begin(time);
}

void GuestSolver::place(double time,
                        const std::vector<double>& x,
                        const std::function<void(double)>& inputs) {
  instance_.set_time(time);
  if (inputs) inputs(time);
  if (!x.empty()) instance_.set_states(x);
}

double GuestSolver::attempt(double time, double h, const std::function<void(double)>& set_inputs) {
  constexpr const auto& tableau = laws::kDormandPrince;
  const std::size_t stages = tableau.c.size();
  if (x_.empty()) {
    place(time + h, next_, set_inputs);
    return 0.0;
  }
  for (std::size_t s = 0; s < stages; ++s) {
    stage_ = x_;
    for (std::size_t r = 0; r < s; ++r)
      for (std::size_t i = 0; i < x_.size(); ++i)
        stage_[i] += h * tableau.a[s][r] * k_[r][i];
    place(time + tableau.c[s] * h, stage_, set_inputs);
    instance_.get_derivatives(k_[s]);
  }
  next_ = stage_;  // the last stage is the new point itself
  double error = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    double off = 0.0;
    for (std::size_t s = 0; s < stages; ++s)
      off += tableau.error[s] * k_[s][i];
    const double size = std::max({std::abs(x_[i]), std::abs(next_[i]), std::abs(nominal_[i])});
    error = std::max(error, std::abs(h * off) / (kGuestTolerance * size));
    if (!std::isfinite(next_[i])) return std::numeric_limits<double>::infinity();
  }
  return error;
}

bool GuestSolver::crosses() {
  if (before_.empty()) return false;
  instance_.get_indicators(after_);
  for (std::size_t k = 0; k < before_.size(); ++k)
    if ((before_[k] > 0.0) != (after_[k] > 0.0)) return true;
  return false;
}

void GuestSolver::advance(double from, double to, const std::function<void(double)>& set_inputs) {
  const double interval = to - from;
  double time = from;
  int events = 0;
  if (!(memory.step > 0.0)) memory.step = x_.empty() ? interval : kFirstShare * interval;
  while (time < to) {
    const double stop = memory.has_event ? std::clamp(memory.event, time, to) : to;
    bool is_event = memory.has_event && memory.event <= time;
    if (!is_event) {
      double h = x_.empty() ? stop - time : std::min(memory.step, stop - time);
      const double error = attempt(time, h, set_inputs);
      const double factor =
          std::isfinite(error) ? laws::next_step_factor(error) : laws::kMaxShortening;
      if (!(error <= 1.0)) {
        memory.step = h * factor;
        if (memory.step < kShortestStep * interval)
          throw ModelError("fmu-step",
                           fmt::format("its states change too fast at t = {:.9g} s", time));
        continue;
      }
      if (h == memory.step || factor < 1.0) memory.step = h * factor;
      bool is_crossed = crosses();
      if (is_crossed) {
        double low = 0.0, high = h;
        while (high - low > kEventWidth * interval) {
          const double middle = 0.5 * (low + high);
          if (!(middle > low && middle < high)) break;
          attempt(time, middle, set_inputs);
          (crosses() ? high : low) = middle;
        }
        h = high;
        attempt(time, h, set_inputs);
      }
      x_ = next_;
      const bool is_last = !is_crossed && h >= stop - time;
      time = is_last ? stop : time + h;
      place(time, x_, set_inputs);
      const bool enters = instance_.complete_step();
      is_event = is_crossed || enters || (memory.has_event && time >= memory.event);
      if (!is_event && !before_.empty()) instance_.get_indicators(before_);
    }
    if (!is_event) continue;
    if (++events > kMostEvents)
      throw ModelError("fmu-events",
                       fmt::format("more than {} events up to t = {:.9g} s", kMostEvents, time));
    handle_events(time, {});
  }
}

}  // namespace femflex::guests
