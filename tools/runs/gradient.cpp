// Converts tangents (derivatives) of channels to derivatives of measures, by differences along the
// tangents. A measure is quickly computed from its rows, so the steps can be as short as necessary.
#include "runs/gradient.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/run_tangent.h"
#include "femflex/parallel.h"

#include "runs/history_sink.h"
#include "runs/vary_system.h"
#include "system/loaded_system.h"

namespace femflex::tools {
namespace {

constexpr double kNoSlope = std::numeric_limits<double>::quiet_NaN();
/// Relative change of a parameter for tangents. Central differences then have an error of (1e-4)^2,
/// and of 1e-16 / 1e-4 by round-off.
constexpr double kTangentChange = 1e-4;
/// Relative change of a parameter for fourth-order differences of whole analyses. Their error is
/// (1e-3)^4; eigenvalues are accurate to 1e-11.
constexpr double kAnalysisChange = 1e-3;
/// Length of a step along a tangent, relative to the range of the channel.
constexpr double kMeasureStep = 1e-6;
constexpr double kShorterStep = 0.1;  // factor on the step for a second comparison
/// If the derivatives from both sides differ by more than this share, there is a kink.
constexpr double kKink = 1e-3;
/// Round-off of a measure divided by kMeasureStep.
constexpr double kMeasureNoise = 1e-8;

/// Processor time of one parameter over that of the run; 0.8 to 2.6 was measured.
constexpr double kRunsPerParameter = 1.5;
/// Analyses with other values of a parameter, for a difference of fourth order.
constexpr std::int64_t kAnalysesPerParameter = 4;

double cpu_seconds_now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double change_of(const GradientParameter& parameter, double share) {
  return share * (parameter.value != 0.0 ? std::abs(parameter.value) : 1.0);
}

/// Stores the rows of the channels with their tangents.
class TangentHistory : public mbd_solver::TangentSink {
 public:
  /// @param begins  called when the run has been checked and begins
  TangentHistory(std::size_t parameters, std::function<void()> begins)
      : begins_(std::move(begins)), tangents_(parameters) {}
  void begin(std::span<const mbd_solver::Channel> channels) override {
    begins_();
    rows_.begin(channels);
    for (std::size_t c = 0; c < channels.size(); ++c)
      names_.push_back(channels[c].name);
    for (auto& each : tangents_)
      each.assign(channels.size(), {});
  }
  void append(double t, std::span<const double> values, const Eigen::MatrixXd& slopes) override {
    rows_.append(t, values);
    for (std::size_t p = 0; p < tangents_.size(); ++p)
      for (std::size_t c = 0; c < names_.size(); ++c)
        tangents_[p][c].push_back(
            slopes(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(p)));
  }
  const HistorySink& rows() const { return rows_; }
  const std::vector<double>& tangent(std::size_t parameter, const std::string& channel) const {
    const auto at = std::find(names_.begin(), names_.end(), channel);
    return tangents_[parameter][static_cast<std::size_t>(at - names_.begin())];
  }

 private:
  std::function<void()> begins_;
  HistorySink rows_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::vector<double>>> tangents_;  // by parameter and channel
};

/// Whether a measure uses rows after a time.
bool reaches_beyond(const RunMeasure& measure, double time, double end) {
  const bool is_filtered = measure.low_hz > 0.0 || measure.high_hz.has_value();
  const double last = is_filtered ? end : std::min(end, measure.until.value_or(end));
  return last > time;
}

/// The derivative of a measure if its rows move along a tangent.
double slope_along(const RunMeasure& measure,
                   const std::vector<double>& t,
                   const std::vector<double>& y,
                   const std::vector<double>& tangent,
                   std::string& reason) {
  double largest = 0.0;
  for (const double each : tangent)
    if (std::isfinite(each)) largest = std::max(largest, std::abs(each));
  if (!(largest > 0.0)) return 0.0;
  if (measure.kind == RunMeasure::Kind::frequency) {
    reason = "the frequency of a spectrum's peak moves from line to line";
    return kNoSlope;
  }
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  double span = *high - *low;
  if (!(span > 0.0)) span = std::abs(*high) > 0.0 ? std::abs(*high) : 1.0;
  const double step = kMeasureStep * span / largest;
  const auto at = [&](double amount) {
    std::vector<double> moved(y);
    for (std::size_t r = 0; r < y.size(); ++r)
      if (std::isfinite(tangent[r])) moved[r] += amount * tangent[r];
    return measure_of(measure, t, moved);
  };
  const double here = at(0.0);
  const auto sides = [&](double length) {
    return std::pair{(at(length) - here) / length, (here - at(-length)) / length};
  };
  const auto [right, left] = sides(step);
  const double noise = kMeasureNoise * (std::abs(here) + span) * largest / span;
  const double gap = std::abs(right - left);
  if (gap > kKink * std::max(std::abs(right), std::abs(left)) + noise) {
    // the gap due to curvature shrinks with the step, that of a kink does not
    const auto [near_right, near_left] = sides(kShorterStep * step);
    if (std::abs(near_right - near_left) > 0.5 * gap) {
      reason = "the measure has a kink here: two rows, or two cycles, are equally extreme";
      return kNoSlope;
    }
  }
  std::vector<double> known(tangent);
  for (double& each : known)
    if (!std::isfinite(each)) each = 0.0;
  return measure_slope(measure, t, y, known).value_or(0.5 * (right + left));
}

/// Computes the gradient for one system.
class GradientMaker {
 public:
  GradientMaker(const DocumentInput& system,
                const RunsOptions& options,
                RunTable& table,
                Diagnostics& diagnostics,
                Progress& progress,
                const std::function<void(const GradientCost&)>& tell)
      : options_(options),
        table_(table),
        diagnostics_(diagnostics),
        progress_(progress),
        tell_(tell),
        varied_(system, options.document, false, table, diagnostics, progress) {
    check_overrides(table, options_.overrides);
    gradient_.name = table.name;
    gradient_.model = table.model;
    gradient_.measures = table.measures;
    gradient_.units = table.units;
    for (const RunParameter& each : table.parameters)
      gradient_.parameters.push_back({each.name, each.path, varied_.nominal(each)});
    const auto m = static_cast<Eigen::Index>(table.measures.size());
    const auto n = static_cast<Eigen::Index>(table.parameters.size());
    gradient_.values.assign(table.measures.size(), kNoSlope);
    gradient_.slopes.setConstant(m, n, kNoSlope);
    gradient_.reasons.assign(table.measures.size(),
                             std::vector<std::string>(table.parameters.size()));
  }

  RunGradient make() {
    const double begin = cpu_seconds_now();
    document_ = at(0, 0.0, diagnostics_);
    analyses_ = analyses_of(document_, options_.overrides);
    const auto is_dynamic = [](const Analysis& each) {
      return each.type == Analysis::Type::dynamic;
    };
    const auto count = std::count_if(analyses_.begin(), analyses_.end(), is_dynamic);
    if (count > 1)
      throw UsageError(
          "gradient",
          fmt::format("the system has {} dynamic analyses, and a gradient follows one", count),
          {},
          "join them, or take one out by a variant");
    dynamic_ = std::find_if(analyses_.cbegin(), analyses_.cend(), is_dynamic);
    const bool has_dynamic = dynamic_ != analyses_.cend();
    const auto follows_steps = [&](const RunMeasure& each) {
      return has_dynamic && !each.is_of_modes();
    };
    if (std::any_of(table_.measures.begin(), table_.measures.end(), follows_steps)) follow_steps();
    for (std::size_t m = 0; m < table_.measures.size(); ++m)
      if (!follows_steps(table_.measures[m])) {
        take_differences(has_dynamic);
        break;
      }
    gradient_.cpu_seconds = cpu_seconds_now() - begin;
    return std::move(gradient_);
  }

 private:
  void tell_cost(bool has_dynamic) {
    if (!tell_ || is_told_) return;
    is_told_ = true;
    GradientCost cost;
    cost.parameters = static_cast<std::int64_t>(gradient_.parameters.size());
    const auto of_steps =
        std::count_if(table_.measures.begin(), table_.measures.end(), [&](const RunMeasure& each) {
          return has_dynamic && !each.is_of_modes();
        });
    if (of_steps > 0) cost.runs = 1.0 + kRunsPerParameter * static_cast<double>(cost.parameters);
    if (of_steps < static_cast<std::int64_t>(table_.measures.size()))
      cost.analyses = kAnalysesPerParameter * cost.parameters;
    tell_(cost);
  }

  /// The system with parameter p changed by `change`.
  SystemDocument at(std::size_t p, double change, Diagnostics& diagnostics) {
    std::vector<double> values;
    for (const GradientParameter& each : gradient_.parameters)
      values.push_back(each.value);
    values[p] += change;
    return varied_.at(table_, values, diagnostics, progress_);
  }

  /// The state in which the dynamic analysis begins; empty if it is the assembled one.
  std::optional<mbd_solver::State> state_before(const SystemDocument& document,
                                                Diagnostics& diagnostics) {
    std::optional<mbd_solver::State> out;
    for (auto each = analyses_.cbegin(); each != dynamic_; ++each) {
      if (each->type == Analysis::Type::modal) {
        mbd_solver::AssemblyReport report;
        if (!out) out = mbd_solver::assemble(document.system, report, diagnostics);
        continue;
      }
      if (each->type != Analysis::Type::static_)
        throw UsageError("gradient",
                         "the derivatives of a run begin after statics alone",
                         {},
                         "take kinematics and quasi-static analyses out by a variant");
      HistorySink none;
      mbd_solver::StaticSummary statics =
          mbd_solver::solve_statics(document.system, each->statics, none, diagnostics, progress_);
      if (!statics.converged) throw NumericalError("no-equilibrium", "statics: " + statics.reason);
      out = std::move(statics.state);
    }
    return out;
  }

  /// Throws if a parameter changes the length or the steps of a run, because there is no derivative
  /// then.
  void check_analyses(const SystemDocument& changed, const std::string& name) const {
    const std::vector<Analysis> others = analyses_of(changed, options_.overrides);
    const auto* mine = &dynamic_->dynamic;
    const auto* its = &others[static_cast<std::size_t>(dynamic_ - analyses_.cbegin())].dynamic;
    if (mine->end == its->end && mine->step == its->step && mine->start == its->start &&
        mine->output_step == its->output_step && mine->rho == its->rho)
      return;
    throw UsageError("gradient",
                     fmt::format("'{}' changes the analysis itself", name),
                     {},
                     "derivatives are those of the system; vary it with --sample instead");
  }

  void follow_steps() {
    std::vector<mbd_solver::TangentParameter> parameters;
    for (std::size_t p = 0; p < gradient_.parameters.size(); ++p) {
      mbd_solver::TangentParameter each;
      each.name = gradient_.parameters[p].name;
      each.change = change_of(gradient_.parameters[p], kTangentChange);
      each.at = [this, p, name = each.name](double change, bool is_first) {
        Diagnostics said_before;
        SystemDocument changed = at(p, change, said_before);
        check_analyses(changed, name);
        mbd_solver::ChangedSystem out;
        if (is_first) out.restart = state_before(changed, said_before);
        out.system = std::move(changed.system);
        return out;
      };
      parameters.push_back(std::move(each));
    }
    mbd_solver::DynamicOptions options = dynamic_->dynamic;
    options.restart = state_before(document_, diagnostics_);
    const bool is_at_rest = std::any_of(analyses_.cbegin(), dynamic_, [](const Analysis& each) {
      return each.type == Analysis::Type::static_;
    });
    if (is_at_rest) options.restart_velocity = mbd_solver::RestartVelocity::of_system;
    TangentHistory history(parameters.size(), [this] { tell_cost(true); });
    const mbd_solver::TangentSummary summary = mbd_solver::simulate_with_tangents(
        document_.system, parameters, options, history, diagnostics_, progress_);
    if (summary.run.status != mbd_solver::RunStatus::complete)
      throw NumericalError("step-failed", summary.run.reason);
    gradient_.run_seconds = summary.run.cpu_seconds - summary.tangent_seconds;
    for (std::size_t m = 0; m < table_.measures.size(); ++m)
      if (!table_.measures[m].is_of_modes()) take_slopes(m, history, summary);
  }

  void take_slopes(std::size_t m,
                   const TangentHistory& history,
                   const mbd_solver::TangentSummary& summary) {
    const RunMeasure& measure = table_.measures[m];
    const std::vector<double>& t = history.rows().time();
    const std::vector<double>& y = history.rows().column(measure.channel);
    gradient_.values[m] = measure_of(measure, t, y);
    for (std::size_t p = 0; p < gradient_.parameters.size(); ++p) {
      std::string& reason = gradient_.reasons[m][p];
      const std::optional<mbd_solver::TangentBreak>& end = summary.breaks[p];
      if (end && reaches_beyond(measure, end->time, t.back())) {
        reason = end->reason;
        continue;
      }
      gradient_.slopes(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(p)) =
          slope_along(measure, t, y, history.tangent(p, measure.channel), reason);
    }
  }

  /// Computes all measures without tangents by running their analyses with changed parameters.
  void take_differences(bool has_dynamic) {
    if (has_dynamic && std::find_if(dynamic_, analyses_.cend(), [](const Analysis& each) {
                         return each.type == Analysis::Type::modal;
                       }) != analyses_.cend())
      throw UsageError("gradient",
                       "a modal analysis after a dynamic one has no derivatives",
                       {},
                       "put it before the dynamic one");
    const std::vector<double> here = measured(0, 0.0);
    tell_cost(has_dynamic);
    const auto is_mine = [&](std::size_t m) {
      return !has_dynamic || table_.measures[m].is_of_modes();
    };
    for (std::size_t m = 0; m < here.size(); ++m)
      if (is_mine(m)) gradient_.values[m] = here[m];
    for (std::size_t p = 0; p < gradient_.parameters.size(); ++p) {
      const double change = change_of(gradient_.parameters[p], kAnalysisChange);
      std::vector<double> sum(here.size(), 0.0);
      for (const auto& [steps, weight] : {std::pair{1.0, 8.0}, std::pair{2.0, -1.0}})
        for (const double sign : {1.0, -1.0}) {
          const std::vector<double> values = measured(p, sign * steps * change);
          for (std::size_t m = 0; m < sum.size(); ++m)
            sum[m] += sign * weight * values[m] / (12.0 * change);
        }
      for (std::size_t m = 0; m < sum.size(); ++m)
        if (is_mine(m))
          gradient_.slopes(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(p)) = sum[m];
    }
  }

  /// The measures of the analyses before the dynamic one, with parameter p changed; NaN for
  /// measures of the dynamic analysis.
  std::vector<double> measured(std::size_t p, double change) {
    Diagnostics said_before;
    SystemDocument changed = at(p, change, said_before);
    changed.analyses.assign(analyses_.cbegin(), dynamic_);
    RunOverrides overrides = options_.overrides;
    overrides.end.reset();
    HistorySink rows;
    const RunReport report = run_analyses(changed, overrides, rows, said_before, progress_);
    if (change != 0.0) ++gradient_.extra_runs;
    std::vector<double> out;
    for (const RunMeasure& measure : table_.measures)
      out.push_back(measure.is_of_modes() ? measure_of(measure, report.modes)
                    : dynamic_ == analyses_.cend()
                        ? measure_of(measure, rows.time(), rows.column(measure.channel))
                        : kNoSlope);
    return out;
  }

  const RunsOptions& options_;
  const RunTable& table_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  const std::function<void(const GradientCost&)>& tell_;
  bool is_told_ = false;
  VariedSystem varied_;
  RunGradient gradient_;
  SystemDocument document_;
  std::vector<Analysis> analyses_;
  std::vector<Analysis>::const_iterator dynamic_;  // the dynamic analysis, or end() if there is
                                                   // none
};

/// @throws UsageError  an option cannot be combined with a gradient
void check_gradient_options(const RunsOptions& options) {
  if (options.vary.empty())
    throw UsageError("usage", "--gradient: no parameter is named", {}, "add --vary NAME");
  for (const std::string& each : options.vary)
    if (each.find('=') != std::string::npos)
      throw UsageError(
          "vary",
          fmt::format("--vary {}: a gradient is taken at the values of the system", each),
          {},
          fmt::format("write --vary {0}, and --set {0}=VALUE for another value",
                      each.substr(0, each.find('='))));
}

}  // namespace

double RunGradient::relative(std::size_t measure, std::size_t parameter) const {
  const double value = values[measure], p = parameters[parameter].value;
  if (!(value != 0.0) || !(p != 0.0)) return kNoSlope;
  return slopes(static_cast<Eigen::Index>(measure), static_cast<Eigen::Index>(parameter)) * p /
         value;
}

std::string cost_text(const GradientCost& cost) {
  std::string out =
      fmt::format("{} parameter{}:", cost.parameters, cost.parameters == 1 ? "" : "s");
  if (cost.runs > 0.0) out += fmt::format(" about {:.2g} runs of processor time", cost.runs);
  if (cost.analyses > 0)
    out += fmt::format("{} {} other analyses", cost.runs > 0.0 ? " and" : "", cost.analyses);
  return out;
}

RunGradient gradient_of(const DocumentInput& system,
                        const RunsOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress,
                        const std::function<void(const GradientCost&)>& tell) {
  check_gradient_options(options);
  const DenseThreads one_thread(1);  // so the order of sums does not change
  RunTable table;
  for (const std::string& name : options.vary) {
    RunParameter parameter;
    parameter.name = name;
    parameter.kind = RunParameter::Kind::table;
    table.parameters.push_back(std::move(parameter));
  }
  read_measures(options.measure, table);
  return GradientMaker(system, options, table, diagnostics, progress, tell).make();
}

}  // namespace femflex::tools
