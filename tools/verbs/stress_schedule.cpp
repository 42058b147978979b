// Damage of a durability schedule: the damage of several runs of one body, each as often as the
// schedule says. Part of the verb stress.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "body/model_of_body.h"
#include "document/durability_json.h"
#include "document/schedule_json.h"
#include "document/table.h"
#include "results/back_transform.h"
#include "results/stress_tables.h"
#include "verbs/stress_preload.h"
#include "verbs/stress_subjects.h"

namespace femflex::verbs {
namespace {

using durability::ShapeSet;
using tools::Json;
using tools::ScheduledDamage;

/// The places of a body, with what the runs so far have done to them.
struct DamagedPlaces {
  Recovery recovery;
  ShapeSet shapes;
  std::vector<ScheduledDamage> rows;
  std::vector<std::int64_t> elements;  ///< id of the element of each row
};

/// What the runs of a schedule have in common, and what is reported of each.
class ScheduleDamage {
 public:
  ScheduleDamage(const StressRequest& request, Diagnostics& diagnostics, Progress& progress)
      : request_(request), diagnostics_(diagnostics), progress_(progress) {
    options_.threads = request.threads;
    options_.damage = {tools::read_curve(*request.curve).curve, request.criterion, request.residue};
  }

  void add(const tools::ScheduledRun& scheduled) {
    const ResultInput input(scheduled.result);
    const Loaded<tools::ResultSeries> run = load(input, diagnostics_);
    const std::string name = tools::flexible_body_of(*run, request_.body);
    const BodyInput flex = body_of_run(request_.flex, *run, input, name);
    const Loaded<FlexBody> body = load(flex, request_.units, diagnostics_, progress_);
    const std::size_t number = runs_.items().size();
    if (!model_) {
      model_.emplace(model_for(request_, *body, folder_of(flex), diagnostics_, progress_));
      preload_.emplace(request_, **model_, diagnostics_, progress_);
    } else {
      tools::check_model_of_body(**model_, *body);
    }
    // runs of one body share its stresses
    if (number == 0 || !has_shapes_of(*body)) recover(*body);
    const Eigen::MatrixXd zeta =
        preload_->with_state(tools::modal_coordinates(*run, *body, name).transpose());
    progress_.begin("stress", static_cast<double>(places_.recovery.source->size()), "elements");
    const durability::RunStress found =
        durability::stress_over_run(*places_.recovery.source, run->time, zeta, options_, progress_);
    progress_.end();
    double worst = 0.0;
    for (std::size_t k = 0; k < found.locations.size(); ++k) {
      const durability::LocationPeaks& peaks = found.locations[k];
      ScheduledDamage& row = places_.rows[k];
      worst = std::max(worst, peaks.damage);
      row.add(peaks, scheduled.weight, number);
    }
    Json told = Json::object();
    told["result"] = scheduled.result.string();
    told["body"] = name;
    told["passes_per_unit"] = scheduled.weight;
    told["largest_damage"] = worst;
    told["source"] = places_.recovery.json();
    sources_.emplace_back(scheduled.result.filename().string(), places_.recovery.text());
    ways_.emplace_back(places_.recovery.way());
    runs_.push_back(std::move(told));
  }

  /// Where the stresses come from; of each run, with a warning, if they come from different places.
  std::string sources() const {
    const auto other = std::adjacent_find(ways_.begin(), ways_.end(), std::not_equal_to<>());
    if (other == ways_.end()) return sources_.back().second;
    const auto k = static_cast<std::size_t>(other - ways_.begin());
    diagnostics_.warn("mixed-sources",
                      fmt::format("the stresses of the bodies are {} in {}, but {} in {}: choose "
                                  "--source computed for all",
                                  ways_[k],
                                  sources_[k].first,
                                  ways_[k + 1],
                                  sources_[k + 1].first));
    std::string out;
    for (const auto& [run, text] : sources_)
      out += run + ": " + text;
    return out;
  }
  const DamagedPlaces& places() const { return places_; }
  const Preload& preload() const { return *preload_; }
  const Json& runs() const { return runs_; }
  const std::string& curve() const { return options_.damage->curve.name; }

 private:
  bool has_shapes_of(const FlexBody& body) const {
    const Eigen::MatrixXd& known = places_.shapes.shapes;
    return body.shapes.rows() == known.rows() && body.shapes.cols() == known.cols() &&
           body.shapes == known;
  }

  /// Whether these are the places of the runs so far, in their order.
  bool are_known(const std::vector<durability::StressLocation>& locations,
                 const durability::StressSource& source) const {
    return std::equal(locations.begin(),
                      locations.end(),
                      places_.rows.begin(),
                      places_.rows.end(),
                      [&](const durability::StressLocation& at, const ScheduledDamage& row) {
                        const auto k = static_cast<std::size_t>(&row - places_.rows.data());
                        const durability::StressLocation& known = row.location;
                        return source.id(at.element) == places_.elements[k] &&
                               at.point.place == known.point.place &&
                               at.point.index == known.point.index && at.ply == known.ply;
                      });
  }

  /// Prepares the stresses of a body. Bodies of one model have the same places.
  void recover(const FlexBody& body) {
    places_.shapes = durability::shapes_of(body);
    places_.recovery = recovery_of(request_, **model_, places_.shapes, request_.elements);
    Diagnostics& told = places_.rows.empty() ? diagnostics_ : silent_;
    tell_left_out(*places_.recovery.source, told);
    preload_->add_to(places_.recovery, told);
    const durability::StressSource& source = *places_.recovery.source;
    std::vector<durability::StressLocation> locations;
    constexpr std::size_t kBlock = 256;  // number of elements whose stresses are held at once
    for (std::size_t first = 0; first < source.size(); first += kBlock)
      for (const durability::StressLocation& at :
           source.stress(first, std::min(source.size(), first + kBlock)).locations)
        locations.push_back(at);
    if (places_.rows.empty()) {
      for (const durability::StressLocation& at : locations) {
        places_.rows.push_back({.location = at});
        places_.elements.push_back(source.id(at.element));
      }
    } else if (!are_known(locations, source)) {
      throw ModelError("mode-count",
                       "the bodies of the runs have stresses at different places",
                       {},
                       "choose --source computed, or simulate all runs with the same body");
    } else {
      for (std::size_t k = 0; k < locations.size(); ++k)
        places_.rows[k].location = locations[k];  // indices of this source
    }
  }

  const StressRequest& request_;
  Diagnostics& diagnostics_;
  Diagnostics silent_;
  Progress& progress_;
  durability::RunStressOptions options_;
  std::optional<Loaded<FeModel>> model_;
  std::optional<Preload> preload_;  ///< set with model_
  DamagedPlaces places_;
  Json runs_ = Json::list();
  std::vector<std::pair<std::string, std::string>> sources_;  ///< file of each run, source in words
  std::vector<std::string> ways_;                             ///< of each run
};

std::string short_name(const Json& run) {
  return std::filesystem::path(run.find("result")->text()).filename().string();
}

/// Adds the places with the largest damage to the document and the text.
void show_rows(const ScheduleDamage& damage,
               const tools::Schedule& schedule,
               const StressRequest& request,
               StressOutcome& out) {
  const durability::StressSource& source = *damage.places().recovery.source;
  std::vector<ScheduledDamage> rows = damage.places().rows;
  const auto shown =
      static_cast<std::ptrdiff_t>(std::min(rows.size(), static_cast<std::size_t>(request.top)));
  std::partial_sort(rows.begin(),
                    rows.begin() + shown,
                    rows.end(),
                    [](const ScheduledDamage& a, const ScheduledDamage& b) {
                      return a.damage != b.damage ? a.damage > b.damage
                                                  : a.von_mises.value > b.von_mises.value;
                    });
  tools::TextTable table({"element",
                          "type",
                          "place",
                          "face",
                          "damage per " + schedule.unit,
                          fmt::format("life [{}]", schedule.unit),
                          "most of it in"});
  Json list = Json::list();
  for (auto row = rows.begin(); row != rows.begin() + shown; ++row) {
    const auto& runs = damage.runs().items();
    const std::string run = short_name(runs[row->worst_run]);
    const std::string von_mises_run = short_name(runs[row->von_mises_run]);
    list.push_back(tools::row_json(source, *row, {run, von_mises_run, schedule.unit}));
    table.add({element_of(source, row->location),
               source.type(row->location.element),
               place_of(row->location),
               durability::face_of(row->location),
               tools::readable(row->damage),
               tools::readable(row->life()),
               row->damage > 0.0 ? run : "-"});
  }
  out.document["rows"] = std::move(list);
  out.text += table.text();
  if (!schedule.target || rows.empty()) return;
  const double at_target = rows.front().damage * *schedule.target;
  out.document["damage_at_target"] = at_target;
  out.text += fmt::format("damage after {} {}: {} at the worst place{}\n",
                          tools::readable(*schedule.target),
                          schedule.unit,
                          tools::readable(at_target),
                          at_target > 1.0 ? ", which does not last that long" : "");
}

void refuse_options_of_one_run(const StressRequest& request) {
  if (!request.curve)
    throw UsageError("usage", "a schedule needs a Woehler curve", {}, "add --curve W.json");
  if (request.page || request.picture || request.with_report || request.coordinates ||
      request.loads || request.output || request.gauges || !request.histories.empty() ||
      !request.forces.empty() || request.with_left_out)
    throw UsageError(
        "usage",
        "pictures, reports, histories, forces, gauges, coordinates and load cases belong to "
        "one run",
        {},
        "leave them out with --schedule");
}

}  // namespace

StressOutcome stress_of_schedule(const StressRequest& request,
                                 Diagnostics& diagnostics,
                                 Progress& progress) {
  refuse_options_of_one_run(request);
  const tools::Schedule schedule = tools::read_schedule(*request.schedule);
  ScheduleDamage damage(request, diagnostics, progress);
  for (const tools::ScheduledRun& run : schedule.runs)
    damage.add(run);
  const DamagedPlaces& places = damage.places();
  StressOutcome out;
  out.document = subject_json(places.recovery, "schedule");
  out.text = damage.sources();
  damage.preload().tell(out);
  out.document["per"] = schedule.unit;
  out.document["runs"] = damage.runs();
  out.document["undamaging_share"] = schedule.rest;
  out.document["curve"] = damage.curve();
  out.document["locations"] = places.rows.size();
  tools::TextTable runs({"run", "passes per " + schedule.unit, "largest damage of a pass"});
  for (const Json& run : damage.runs().items())
    runs.add({short_name(run),
              tools::readable(run.find("passes_per_unit")->number()),
              tools::readable(run.find("largest_damage")->number())});
  out.text += runs.text();
  if (schedule.rest > 0.0)
    out.text += fmt::format("{} % of each {} is in no run and does no damage\n",
                            tools::readable(100.0 * schedule.rest, 3),
                            schedule.unit);
  show_rows(damage, schedule, request, out);
  if (request.csv) {
    tools::StressCsv csv(*request.csv, *places.recovery.source);
    csv.add_schedule_header(schedule.unit);
    for (const ScheduledDamage& row : places.rows)
      csv.add(row, short_name(damage.runs().items()[row.worst_run]));
    csv.commit();
  }
  return out;
}

}  // namespace femflex::verbs
