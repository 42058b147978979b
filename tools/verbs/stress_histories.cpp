// Histories of chosen elements, section forces and gauges as channels; extremes go into the
// document, those of forces and gauges also into the text.
#include "verbs/stress_histories.h"

#include <utility>

#include <fmt/format.h>

#include "femflex/durability/gauges.h"
#include "femflex/durability/invariants.h"
#include "femflex/durability/section_forces.h"
#include "femflex/errors.h"

#include "document/durability_json.h"
#include "document/table.h"
#include "results/stress_tables.h"

namespace femflex::verbs {

using durability::ShapeSet;
using durability::StressMesh;
using durability::StressSource;
using tools::Json;

namespace {

/// The largest and the smallest value of a history, and when they first occur.
struct Extremes {
  Extremes(const Eigen::VectorXd& time, const Eigen::Ref<const Eigen::VectorXd>& history) {
    Eigen::Index row = 0;
    max.value = history.maxCoeff(&row);
    max.time = time[row];
    min.value = history.minCoeff(&row);
    min.time = time[row];
  }
  void put_into(Json& item) const {
    item["max"] = max.value;
    item["max_time"] = max.time;
    item["min"] = min.value;
    item["min_time"] = min.time;
  }
  durability::Extreme max;
  durability::Extreme min;
};

/// Where a gauge is.
Json gauge_json(const StressMesh& mesh,
                const durability::Gauge& gauge,
                const durability::PlacedGauge& placed) {
  Json out = Json::object();
  out["name"] = gauge.name;
  out["element"] = mesh.id(placed.element);
  out["type"] = mesh.type(placed.element);
  out["face"] = placed.face;
  out["axes"] = elements::name_of(elements::Axes::basic);
  out["position"] = Json::list_of(placed.position);
  out["distance"] = placed.distance;
  out["unit"] = "1";
  return out;
}

}  // namespace

Histories::Histories(std::string body, const Eigen::VectorXd& time, const Eigen::MatrixXd& zeta)
    : body_(std::move(body)), zeta_(zeta), series_(std::make_shared<tools::ResultSeries>()) {
  series_->name = body_;
  series_->time = time;
}

void Histories::add_elements(const FeModel& model,
                             const ShapeSet& shapes,
                             const StressRequest& request,
                             const Preload& preload,
                             const Recovery& peaks,
                             Diagnostics& diagnostics,
                             StressOutcome& out) {
  if (request.histories.empty()) return;
  Recovery recovery = recovery_of(request, model, shapes, request.histories);
  if (!recovery.source->left_out().empty()) {
    const durability::LeftOut& first = recovery.source->left_out().front();
    throw UsageError(
        "no-stress",
        fmt::format("--history: element {} has no stress: {}", first.first, first.reason),
        {},
        "name elements with stresses");
  }
  out.document["histories_source"] = recovery.json();
  if (recovery.way() != std::string_view(peaks.way()))
    diagnostics.warn("mixed-sources",
                     fmt::format("body '{}': the stresses of --history are {}, those of the "
                                 "peaks are {}: choose --source computed, or histories of "
                                 "elements in the tables of the FE code",
                                 body_,
                                 recovery.way(),
                                 peaks.way()));
  Diagnostics told_of_all;  // what has no preload is told once, for all elements
  preload.add_to(recovery, told_of_all);
  const StressSource& source = *recovery.source;
  const durability::ModalStress block = source.stress(0, source.size());
  const Eigen::MatrixXd values = preload.with_state(zeta_) * block.S.transpose();
  durability::Invariants scalars;
  Json list = Json::list();
  for (const durability::StressLocation& at : block.locations) {
    const std::string place = fmt::format("{}/{}-{}-{}-{}/stress",
                                          body_,
                                          source.id(at.element),
                                          elements::name_of(at.point.place),
                                          at.point.index + 1,
                                          durability::face_of(at));
    durability::SixHistories six{};
    for (std::size_t c = 0; c < 6; ++c) {
      if (at.rows[c] < 0) continue;
      six[c] = values.col(at.rows[c]).data();
      add(fmt::format("{}/{}", place, durability::kComponents[c]), "Pa", values.col(at.rows[c]));
    }
    compute_invariants(six, values.rows(), scalars);
    add(place + "/signed_von_mises", "Pa", scalars.signed_von_mises);
    Json item = tools::place_json(source, at);
    item["channels"] = place;
    const Extremes extremes(series_->time, scalars.signed_von_mises.matrix());
    item["signed_von_mises_max"] = tools::extreme_json(extremes.max);
    item["signed_von_mises_min"] = tools::extreme_json(extremes.min);
    list.push_back(std::move(item));
  }
  out.document["histories"] = std::move(list);
}

void Histories::add_forces(const FeModel& model,
                           const ShapeSet& shapes,
                           const StressRequest& request,
                           StressOutcome& out) {
  if (request.forces.empty()) return;
  const StressMesh mesh(model, shapes, request.forces);
  if (!mesh.left_out().empty()) {
    const durability::LeftOut& first = mesh.left_out().front();
    throw UsageError("no-forces",
                     fmt::format("--forces: element {} has none: {}", first.first, first.reason),
                     {},
                     "name bars, beams or rods with sections");
  }
  const durability::ModalForces modal = durability::section_forces(mesh);
  const Eigen::MatrixXd values = zeta_ * modal.S.transpose();
  Json list = Json::list();
  tools::TextTable table({"element", "end", "force", "unit", "largest", "smallest"});
  for (std::size_t k = 0; k < modal.forces.size(); ++k) {
    const durability::SectionForce& force = modal.forces[k];
    const Eigen::VectorXd history = values.col(static_cast<Eigen::Index>(k));
    const std::string_view unit = elements::unit_of(elements::Quantity::force, force.component);
    const std::string channel = fmt::format("{}/{}-{}-{}/force/{}",
                                            body_,
                                            mesh.id(force.element),
                                            elements::name_of(force.place),
                                            force.index + 1,
                                            elements::name_of(force.component));
    add(channel, std::string(unit), history);
    Json item = Json::object();
    item["element"] = mesh.id(force.element);
    item["type"] = mesh.type(force.element);
    item["place"] = elements::name_of(force.place);
    item["index"] = force.index + 1;
    item["face"] = "none";
    item["axes"] = elements::name_of(elements::Axes::element);
    item["component"] = elements::name_of(force.component);
    item["position"] = Json::list_of(force.position);
    item["unit"] = unit;
    item["channel"] = channel;
    Extremes(series_->time, history).put_into(item);
    table.add({std::to_string(mesh.id(force.element)),
               std::to_string(force.index + 1),
               std::string(elements::name_of(force.component)),
               std::string(unit),
               tools::readable(history.maxCoeff()),
               tools::readable(history.minCoeff())});
    list.push_back(std::move(item));
  }
  out.document["forces"] = std::move(list);
  out.text += table.text();
}

void Histories::add_gauges(const FeModel& model,
                           const ShapeSet& shapes,
                           const StressRequest& request,
                           StressOutcome& out) {
  if (!request.gauges) return;
  const StressMesh mesh(model, shapes, {});
  const durability::Skin skin(mesh);
  Json list = Json::list();
  tools::TextTable table(
      {"gauge", "element", "face", "off the skin [m]", "direction", "largest", "smallest strain"});
  for (const durability::Gauge& gauge : tools::read_gauges(*request.gauges)) {
    const durability::PlacedGauge placed = durability::place_gauge(skin, gauge);
    const Eigen::MatrixXd strain = zeta_ * placed.strain.transpose();
    Json grids = Json::list();
    for (Eigen::Index g = 0; g < strain.cols(); ++g) {
      const std::string channel = fmt::format("{}/{}/strain/{}", body_, gauge.name, g + 1);
      add(channel, "", strain.col(g));
      Json grid = Json::object();
      grid["direction"] = Json::list_of(placed.directions[static_cast<std::size_t>(g)]);
      grid["axes"] = elements::name_of(elements::Axes::basic);
      grid["unit"] = "1";
      grid["channel"] = channel;
      Extremes(series_->time, strain.col(g)).put_into(grid);
      grids.push_back(std::move(grid));
      table.add({gauge.name,
                 std::to_string(mesh.id(placed.element)),
                 placed.face,
                 tools::readable(placed.distance),
                 std::to_string(g + 1),
                 tools::readable(strain.col(g).maxCoeff()),
                 tools::readable(strain.col(g).minCoeff())});
    }
    Json item = gauge_json(mesh, gauge, placed);
    item["grids"] = std::move(grids);
    list.push_back(std::move(item));
  }
  out.document["gauges"] = std::move(list);
  out.text += table.text();
}

std::shared_ptr<tools::ResultSeries> Histories::finish(const std::string& provenance) {
  if (columns_.empty()) return nullptr;
  series_->values.resize(series_->time.size(), static_cast<Eigen::Index>(columns_.size()));
  for (std::size_t c = 0; c < columns_.size(); ++c)
    series_->values.col(static_cast<Eigen::Index>(c)) = columns_[c];
  series_->attributes.emplace_back("options", provenance);
  return series_;
}

void Histories::add(std::string name, std::string unit, const Eigen::VectorXd& values) {
  series_->channels.push_back({std::move(name), std::move(unit)});
  columns_.push_back(values);
}

}  // namespace femflex::verbs
