// Stresses over a run: peaks, histories, gauges and damage, and the files with these results.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/text.h"

#include "document/durability_json.h"
#include "document/table.h"
#include "results/back_transform.h"
#include "results/stress_tables.h"
#include "verbs/stress_exports.h"
#include "verbs/stress_histories.h"
#include "verbs/stress_pictures.h"
#include "verbs/stress_preload.h"
#include "verbs/stress_subjects.h"

namespace femflex::verbs {
namespace {

using durability::LocationPeaks;
using durability::ShapeSet;
using durability::StressSource;
using tools::Json;

/// What disabled modes would add to the modal coordinates (instants x modes); no rows if the run
/// does not contain it.
Eigen::MatrixXd left_out_coordinates(const tools::ResultSeries& run,
                                     const std::string& body,
                                     Eigen::Index modes) {
  Eigen::MatrixXd out(run.time.size(), modes);
  for (Eigen::Index j = 0; j < modes; ++j) {
    const Eigen::Index channel = run.find(fmt::format("{}/left_out_zeta/{}", body, j + 1));
    if (channel < 0) return {};
    out.col(j) = run.values.col(channel);
  }
  return out;
}

/// The modal coordinates plus what disabled modes would add; no rows if the run does not contain
/// it.
/// @throws UsageError  the request needs it, but the run does not contain it
Eigen::MatrixXd with_left_out_modes(const tools::ResultSeries& run,
                                    const FlexBody& body,
                                    const std::string& name,
                                    const Eigen::MatrixXd& acting,
                                    const StressRequest& request) {
  const Eigen::MatrixXd left_out = left_out_coordinates(run, name, body.mode_count());
  if (left_out.rows() > 0) return acting + left_out;
  if (request.with_left_out)
    throw UsageError(
        "no-left-out",
        fmt::format("the run does not tell what modes of {} that do not act would add", name),
        {},
        fmt::format("make the body with reduce --left-out, add \"{}/left_out_zeta\" to the "
                    "outputs, and simulate again",
                    name));
  return {};
}

/// Largest von Mises stress of a location for any of the coordinates.
double peak_at(const durability::ModalStress& block,
               const durability::StressLocation& at,
               const Eigen::MatrixXd& zeta) {
  const Eigen::MatrixXd values = zeta * block.S.transpose();
  durability::SixHistories six{};
  for (std::size_t c = 0; c < 6; ++c)
    if (at.rows[c] >= 0) six[c] = values.col(at.rows[c]).data();
  durability::Invariants scalars;
  compute_invariants(six, values.rows(), scalars);
  return scalars.signed_von_mises.abs().maxCoeff();
}

/// Reports the peak at a place with and without what disabled modes would add.
void tell_left_out_stress(const StressSource& source,
                          const LocationPeaks& place,
                          const Eigen::MatrixXd& without,
                          const Eigen::MatrixXd& with,
                          StressOutcome& out) {
  const std::size_t k = place.location.element;
  const durability::ModalStress block = source.stress(k, k + 1);
  const auto at = std::find_if(
      block.locations.begin(), block.locations.end(), [&](const durability::StressLocation& one) {
        return one.point.place == place.location.point.place &&
               one.point.index == place.location.point.index &&
               durability::face_of(one) == durability::face_of(place.location);
      });
  if (at == block.locations.end()) return;
  Json told = tools::place_json(source, place.location);
  told["von_mises_without"] = peak_at(block, *at, without);
  told["von_mises_with"] = peak_at(block, *at, with);
  out.text += fmt::format(
      "left-out modes: peak of von Mises stress in element {} {} Pa with them, {} Pa without\n",
      source.id(k),
      tools::readable(told.find("von_mises_with")->number()),
      tools::readable(told.find("von_mises_without")->number()));
  out.document["left_out_modes"] = std::move(told);
}

/// The places with the largest damage, or with the largest von Mises stress if there is no curve.
std::vector<LocationPeaks> hot_spots(const durability::RunStress& run,
                                     const StressRequest& request) {
  const bool with_damage = request.curve.has_value();
  std::vector<const LocationPeaks*> order;
  for (const LocationPeaks& each : run.locations)
    order.push_back(&each);
  const auto shown = std::min(order.size(), static_cast<std::size_t>(request.top));
  const auto larger = [&](const LocationPeaks* a, const LocationPeaks* b) {
    if (with_damage && a->damage != b->damage) return a->damage > b->damage;
    return a->von_mises.value > b->von_mises.value;
  };
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(), larger);
  std::vector<LocationPeaks> out;
  for (std::size_t k = 0; k < shown; ++k)
    out.push_back(*order[k]);
  return out;
}

void show_hot_spots(const StressSource& source,
                    const std::vector<LocationPeaks>& spots,
                    const StressRequest& request,
                    StressOutcome& out) {
  const bool with_damage = request.curve.has_value();
  Json rows = Json::list();
  std::vector<std::string> heads = {
      "element", "type", "place", "face", "von Mises [Pa]", "time [s]"};
  if (with_damage) heads.emplace_back("damage");
  tools::TextTable table(heads);
  for (const LocationPeaks& each : spots) {
    rows.push_back(tools::row_json(source, each, with_damage));
    std::vector<std::string> cells = {element_of(source, each.location),
                                      source.type(each.location.element),
                                      place_of(each.location),
                                      durability::face_of(each.location),
                                      tools::readable(each.von_mises.value),
                                      tools::readable(each.von_mises.time)};
    if (with_damage) cells.push_back(tools::readable(each.damage));
    table.add(std::move(cells));
  }
  out.document["rows"] = std::move(rows);
  out.text += table.text();
}

durability::DamageRule damage_rule(const StressRequest& request) {
  return {tools::read_curve(*request.curve).curve, request.criterion, request.residue};
}

}  // namespace

StressOutcome stress_of_run(const StressRequest& request,
                            const ResultInput& input,
                            Diagnostics& diagnostics,
                            Progress& progress) {
  if (request.output && request.histories.empty() && request.forces.empty() && !request.gauges)
    throw UsageError("usage",
                     "--output holds histories, and none are asked for",
                     {},
                     "add --history ELEMENTS, --forces ELEMENTS or --gauges FILE");
  durability::RunStressOptions options;
  options.threads = request.threads;
  if (request.curve) options.damage = damage_rule(request);
  const Loaded<tools::ResultSeries> run = load(input, diagnostics);
  const std::string name = tools::flexible_body_of(*run, request.body);
  const BodyInput flex = body_of_run(request.flex, *run, input, name);
  const Loaded<FlexBody> body = load(flex, request.units, diagnostics, progress);
  const Loaded<FeModel> model = model_for(request, *body, folder_of(flex), diagnostics, progress);
  const ShapeSet shapes = durability::shapes_of(*body);
  const Eigen::MatrixXd acting = tools::modal_coordinates(*run, *body, name).transpose();
  const Eigen::MatrixXd corrected = with_left_out_modes(*run, *body, name, acting, request);
  const Eigen::MatrixXd& zeta = request.with_left_out ? corrected : acting;

  Recovery recovery = recovery_of(request, *model, shapes, request.elements);
  tell_left_out(*recovery.source, diagnostics);
  StressOutcome out;
  out.document = subject_json(recovery, "run");
  out.text = recovery.text();
  const Preload preload(request, *model, diagnostics, progress);
  preload.add_to(recovery, diagnostics);
  preload.tell(out);
  const StressSource& source = *recovery.source;
  const Eigen::MatrixXd with_state = preload.with_state(zeta);
  out.document["body"] = name;
  out.document["instants"] = run->time.size();
  Histories histories(name, run->time, zeta);
  histories.add_elements(*model, shapes, request, preload, recovery, diagnostics, out);
  histories.add_forces(*model, shapes, request, out);
  histories.add_gauges(*model, shapes, request, out);
  out.series = histories.finish(request.provenance);
  if (out.series && !request.output)
    out.text += "histories are in no file: name one with --output\n";

  progress.begin("stress", static_cast<double>(source.size()), "elements");
  const durability::RunStress found =
      durability::stress_over_run(source, run->time, with_state, options, progress);
  progress.end();
  out.document["locations"] = found.locations.size();
  if (options.damage) {
    out.document["curve"] = options.damage->curve.name;
    out.document["counted"] = found.counted;
    out.text += fmt::format("{} of {} locations have cycles that can do damage\n",
                            found.counted,
                            found.locations.size());
  }
  if (request.csv) {
    tools::StressCsv csv(*request.csv, source);
    csv.add_run_header(options.damage.has_value());
    for (const LocationPeaks& each : found.locations)
      csv.add(each, options.damage.has_value());
    csv.commit();
  }
  const std::vector<LocationPeaks> spots = hot_spots(found, request);
  show_hot_spots(source, spots, request, out);
  if (corrected.rows() > 0 && !spots.empty())
    tell_left_out_stress(
        source, spots.front(), preload.with_state(acting), preload.with_state(corrected), out);
  export_coordinates(request, name, run->time, zeta, out);
  export_load_cases(request, *model, *body, run->time, zeta, out);
  if (request.page || request.picture || request.with_report) {
    const RunSubject subject{.model = *model,
                             .body = *body,
                             .name = name,
                             .result = input,
                             .time = run->time,
                             .zeta = with_state};
    picture_run(request, source, subject, found, spots, out);
  }
  if (request.output && lower_case(request.output->extension().string()) == ".csv")
    tools::write_csv(*out.series, *request.output, true);
  else if (request.output)
    tools::write_results(*out.series, *request.output, request.provenance);
  return out;
}

}  // namespace femflex::verbs
