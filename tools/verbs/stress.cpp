// Loads subject, body and model; stresses of shapes and of runs go through the mesh block by block.
#include "verbs/stress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "femflex/durability/gauges.h"
#include "femflex/durability/stress_mesh.h"
#include "femflex/durability/stress_source.h"
#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "body/model_of_body.h"
#include "document/durability_json.h"
#include "document/nearest_name.h"
#include "document/table.h"
#include "results/back_transform.h"
#include "results/stress_tables.h"

namespace femflex::verbs {
namespace {

using durability::LocationPeaks;
using durability::ShapeSet;
using durability::StressMesh;
using durability::StressSource;
using tools::Json;

/// Elements of a block where all shapes are computed at once.
constexpr std::size_t kShapeBlock = 64;

std::filesystem::path folder_of(const BodyInput& input) {
  const auto* path = std::get_if<std::filesystem::path>(&input);
  return path == nullptr ? std::filesystem::path() : path->parent_path();
}

/// The model that gives the elements of a body.
Loaded<FeModel> model_for(const StressRequest& request,
                          const FlexBody& body,
                          const std::filesystem::path& folder,
                          Diagnostics& diagnostics,
                          Progress& progress) {
  const ModelInput input =
      request.model ? *request.model : ModelInput(tools::model_file_of(body, folder));
  Loaded<FeModel> model = load(input, request.units, diagnostics, progress);
  tools::check_model_of_body(*model, body);
  return model;
}

/// Warns of elements without stress; refuses a model in which none has any.
void tell_left_out(const StressSource& source, Diagnostics& diagnostics) {
  for (const durability::LeftOut& each : source.left_out())
    diagnostics.warn("no-stress",
                     fmt::format("{} {} without stress, the first is {}: {}",
                                 each.count,
                                 each.type,
                                 each.first,
                                 each.reason));
  if (source.size() > 0) return;
  const std::string why =
      source.left_out().empty() ? "the model has no elements" : source.left_out().front().reason;
  throw ModelError(
      "no-stress",
      "no element has stresses: " + why,
      {},
      "import the model with its materials and sections, or with stresses of all shapes (OP2, "
      ".frd); `femflex stress` reads "
      "MAT1, MAT8, PSOLID, PSHELL, PBAR(L), PBEAM(L), PROD and *MATERIAL with sections");
}

/// Stresses of shapes, and how they were found.
struct Recovery {
  std::unique_ptr<StressMesh> mesh;  ///< of computed stresses
  std::unique_ptr<StressSource> source;
  std::vector<std::string> sources;  ///< of read stresses: files and tables
  std::optional<double> misfit;      ///< of read stresses that were combined

  Json json() const {
    Json out = Json::object();
    out["way"] = mesh ? "computed" : misfit ? "combined" : "read";
    out["tables"] = Json::list();
    for (const std::string& each : sources)
      out["tables"].push_back(each);
    out["misfit"] = misfit ? Json(*misfit) : Json();
    return out;
  }
  std::string text() const {
    if (mesh) return "stresses computed from displacements, materials and sections\n";
    std::string names;
    for (const std::string& each : sources)
      names += (names.empty() ? "" : ", ") + each;
    if (!misfit) return fmt::format("stresses of {}\n", names);
    return fmt::format(
        "stresses of {}, combined as the shapes ({} left over)\n", names, tools::readable(*misfit));
  }
};

bool has_sections(const FeModel& model) {
  return !model.properties.elements.empty() && !model.properties.materials.empty();
}

Recovery computed_recovery(const StressRequest& request,
                           const FeModel& model,
                           const ShapeSet& shapes,
                           const std::vector<std::int64_t>& wanted) {
  Recovery out;
  out.mesh = std::make_unique<StressMesh>(model, shapes, wanted);
  out.source = std::make_unique<durability::ComputedStress>(*out.mesh, request.places);
  return out;
}

/// Stresses of the shapes of a body: read ones if the model has them and the shapes are
/// combinations of theirs, else computed ones.
/// @throws ModelError  neither way is possible, or the one that was asked for is not
Recovery recovery_of(const StressRequest& request,
                     const FeModel& model,
                     const ShapeSet& shapes,
                     const std::vector<std::int64_t>& wanted) {
  const bool is_read = !model.stresses.stress.empty() &&
                       request.places != durability::StressPlaces::integration_points;
  if (request.source == StressWay::computed || (request.source == StressWay::automatic && !is_read))
    return computed_recovery(request, model, shapes, wanted);
  try {
    Recovery out;
    auto read = std::make_unique<durability::ReadStress>(model, shapes, request.places, wanted);
    // means at nodes are those of no element
    const bool lacks_wanted = !wanted.empty() && !read->left_out().empty();
    if (lacks_wanted && request.source == StressWay::automatic && has_sections(model))
      return computed_recovery(request, model, shapes, wanted);
    out.misfit = read->misfit();
    out.sources = model.stresses.stress.sources;
    out.source = std::move(read);
    return out;
  } catch (const ModelError& error) {
    const bool may_compute = request.source == StressWay::automatic && has_sections(model);
    if (!may_compute || error.code() != "not-in-span") throw;
  }
  return computed_recovery(request, model, shapes, wanted);
}

/// "corner 3" for people.
std::string place_of(const durability::StressLocation& at) {
  if (at.point.place == elements::Place::centre) return "centre";
  if (at.point.place == elements::Place::node) return "node";
  return fmt::format("{} {}", elements::name_of(at.point.place), at.point.index + 1);
}

Json subject_json(const Recovery& recovery, const char* subject) {
  Json out = Json::object();
  out["subject"] = subject;
  const StressSource& source = *recovery.source;
  out["elements"] = source.size();
  out["shapes"] = source.shape_count();
  out["source"] = recovery.json();
  out["unit"] = "Pa";
  Json components = Json::list();
  for (const std::string_view name : durability::kComponents)
    components.push_back(name);
  out["components"] = std::move(components);
  out["left_out"] = tools::left_out_json(source.left_out());
  return out;
}

// --- shapes

/// Goes through all shapes at all locations; keeps the largest of each shape.
class ShapeRows {
 public:
  ShapeRows(const StressSource& source,
            std::vector<std::string> labels,
            const StressRequest& request)
      : source_(source), labels_(std::move(labels)), largest_(labels_.size()) {
    if (!request.csv) return;
    csv_.emplace(*request.csv, source);
    csv_->add_shape_header();
  }

  void add(const durability::ModalStress& block) {
    const auto count = static_cast<Eigen::Index>(labels_.size());
    const Eigen::MatrixXd by_row = block.S.transpose();  // one location's row is contiguous
    for (const durability::StressLocation& location : block.locations) {
      durability::SixHistories six{};
      for (std::size_t c = 0; c < 6; ++c)
        if (location.rows[c] >= 0) six[c] = by_row.col(location.rows[c]).data();
      compute_invariants(six, count, scalars_);
      for (Eigen::Index k = 0; k < count; ++k)
        add_row(location, six, k);
    }
    locations_ += block.locations.size();
  }

  void finish(StressOutcome& out) {
    if (csv_) csv_->commit();
    out.document["locations"] = locations_;
    Json rows = Json::list();
    tools::TextTable table({"shape", "element", "type", "place", "face", "von Mises [Pa]"});
    for (const tools::ShapeStress& row : largest_) {
      if (row.shape.empty()) continue;
      rows.push_back(tools::row_json(source_, row));
      table.add({row.shape,
                 std::to_string(source_.id(row.location.element)),
                 source_.type(row.location.element),
                 place_of(row.location),
                 durability::face_of(row.location),
                 tools::readable(row.von_mises)});
    }
    out.document["rows"] = std::move(rows);
    out.text += table.text();
  }

 private:
  void add_row(const durability::StressLocation& location,
               const durability::SixHistories& six,
               Eigen::Index k) {
    const auto shape = static_cast<std::size_t>(k);
    tools::ShapeStress row{labels_[shape], location};
    for (std::size_t c = 0; c < 6; ++c)
      row.stress[c] = six[c] == nullptr ? 0.0 : six[c][k];
    row.signed_von_mises = scalars_.signed_von_mises[k];
    row.von_mises = std::abs(row.signed_von_mises);
    row.principal_max = scalars_.principal_max[k];
    row.principal_min = scalars_.principal_min[k];
    row.tresca = scalars_.tresca[k];
    if (csv_) csv_->add(row);
    tools::ShapeStress& largest = largest_[shape];
    if (largest.shape.empty() || row.von_mises > largest.von_mises) largest = row;
  }

  const StressSource& source_;
  std::vector<std::string> labels_;
  std::vector<tools::ShapeStress> largest_;
  std::optional<tools::StressCsv> csv_;
  durability::Invariants scalars_;
  std::size_t locations_ = 0;
};

void refuse_run_options(const StressRequest& request) {
  const std::array<std::pair<bool, const char*>, 4> needs_run{
      {{!request.histories.empty(), "--history"},
       {request.gauges.has_value(), "--gauges"},
       {request.curve.has_value(), "--curve"},
       {request.output.has_value(), "--output"}}};
  for (const auto& [is_given, name] : needs_run)
    if (is_given)
      throw UsageError("usage",
                       fmt::format("{} needs a run", name),
                       {},
                       "give the result of a simulation: femflex stress R.h5");
}

StressOutcome stress_of_shapes(const StressRequest& request,
                               const Recovery& recovery,
                               std::vector<std::string> labels,
                               Diagnostics& diagnostics,
                               Progress& progress) {
  const StressSource& source = *recovery.source;
  tell_left_out(source, diagnostics);
  StressOutcome out;
  out.document = subject_json(recovery, "shapes");
  out.text = recovery.text();
  ShapeRows rows(source, std::move(labels), request);
  progress.begin("stress", static_cast<double>(source.size()), "elements");
  for (std::size_t first = 0; first < source.size(); first += kShapeBlock) {
    const std::size_t last = std::min(source.size(), first + kShapeBlock);
    rows.add(source.stress(first, last));
    progress.step(static_cast<double>(last));
  }
  progress.end();
  rows.finish(out);
  return out;
}

// --- runs

/// Histories of elements and gauges as channels BODY/ELEMENT/stress/...
class Histories {
 public:
  Histories(std::string body, const Eigen::VectorXd& time, const Eigen::MatrixXd& zeta)
      : body_(std::move(body)), zeta_(zeta), series_(std::make_shared<tools::ResultSeries>()) {
    series_->name = body_;
    series_->time = time;
  }

  void add_elements(const FeModel& model, const ShapeSet& shapes, const StressRequest& request) {
    if (request.histories.empty()) return;
    const Recovery recovery = recovery_of(request, model, shapes, request.histories);
    const StressSource& source = *recovery.source;
    if (!source.left_out().empty()) {
      const durability::LeftOut& first = source.left_out().front();
      throw UsageError(
          "no-stress",
          fmt::format("--history: element {} has no stress: {}", first.first, first.reason),
          {},
          "name elements with stresses");
    }
    const durability::ModalStress block = source.stress(0, source.size());
    const Eigen::MatrixXd values = zeta_ * block.S.transpose();
    durability::Invariants scalars;
    for (const durability::StressLocation& at : block.locations) {
      const std::string place = fmt::format("{}/{}-{}-{}-{}/stress/",
                                            body_,
                                            source.id(at.element),
                                            elements::name_of(at.point.place),
                                            at.point.index + 1,
                                            durability::face_of(at));
      durability::SixHistories six{};
      for (std::size_t c = 0; c < 6; ++c) {
        if (at.rows[c] < 0) continue;
        six[c] = values.col(at.rows[c]).data();
        add(place + std::string(durability::kComponents[c]), "Pa", values.col(at.rows[c]));
      }
      compute_invariants(six, values.rows(), scalars);
      add(place + "signed_von_mises", "Pa", scalars.signed_von_mises);
    }
  }

  void add_gauges(const FeModel& model,
                  const ShapeSet& shapes,
                  const StressRequest& request,
                  Json& document) {
    if (!request.gauges) return;
    const StressMesh mesh(model, shapes, request.elements);
    Json list = Json::list();
    for (const durability::Gauge& gauge : tools::read_gauges(*request.gauges)) {
      const durability::PlacedGauge placed = durability::place_gauge(mesh, gauge);
      const Eigen::MatrixXd strain = zeta_ * placed.strain.transpose();
      Json item = Json::object();
      item["name"] = gauge.name;
      item["element"] = mesh.id(placed.element);
      item["face"] = placed.face;
      item["distance"] = placed.distance;
      item["unit"] = "1";
      Json grids = Json::list();
      for (Eigen::Index g = 0; g < strain.cols(); ++g) {
        add(fmt::format("{}/{}/strain/{}", body_, gauge.name, g + 1), "", strain.col(g));
        Json grid = Json::object();
        grid["max"] = strain.col(g).maxCoeff();
        grid["min"] = strain.col(g).minCoeff();
        grids.push_back(std::move(grid));
      }
      item["grids"] = std::move(grids);
      list.push_back(std::move(item));
    }
    document["gauges"] = std::move(list);
  }

  /// The series; null if nothing was added.
  std::shared_ptr<tools::ResultSeries> finish(const std::string& provenance) {
    if (columns_.empty()) return nullptr;
    series_->values.resize(series_->time.size(), static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t c = 0; c < columns_.size(); ++c)
      series_->values.col(static_cast<Eigen::Index>(c)) = columns_[c];
    series_->attributes.emplace_back("options", provenance);
    return series_;
  }

 private:
  void add(std::string name, const char* unit, const Eigen::VectorXd& values) {
    series_->channels.push_back({std::move(name), unit});
    columns_.push_back(values);
  }

  std::string body_;
  const Eigen::MatrixXd& zeta_;
  std::shared_ptr<tools::ResultSeries> series_;
  std::vector<Eigen::VectorXd> columns_;
};

/// The rows with the largest damage or, without a curve, von Mises stress.
void show_hot_spots(const StressSource& source,
                    const durability::RunStress& run,
                    const StressRequest& request,
                    StressOutcome& out) {
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
  Json rows = Json::list();
  std::vector<std::string> heads = {
      "element", "type", "place", "face", "von Mises [Pa]", "time [s]"};
  if (with_damage) heads.emplace_back("damage");
  tools::TextTable table(heads);
  for (std::size_t k = 0; k < shown; ++k) {
    const LocationPeaks& each = *order[k];
    rows.push_back(tools::row_json(source, each, with_damage));
    std::vector<std::string> cells = {std::to_string(source.id(each.location.element)),
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

StressOutcome stress_of_run(const StressRequest& request,
                            const ResultInput& input,
                            Diagnostics& diagnostics,
                            Progress& progress) {
  if (request.output && request.histories.empty() && !request.gauges)
    throw UsageError("usage",
                     "--output holds histories, and none are asked for",
                     {},
                     "add --history ELEMENTS or --gauges FILE");
  durability::RunStressOptions options;
  options.threads = request.threads;
  if (request.curve) options.damage = damage_rule(request);
  const Loaded<tools::ResultSeries> run = load(input, diagnostics);
  const std::string name = tools::flexible_body_of(*run, request.body);
  const auto* path = std::get_if<std::filesystem::path>(&input);
  const std::filesystem::path beside = path == nullptr ? name_of(input) : path->string();
  const BodyInput flex =
      request.flex ? *request.flex : BodyInput(tools::flex_file_of(*run, beside, name));
  const Loaded<FlexBody> body = load(flex, request.units, diagnostics, progress);
  const Loaded<FeModel> model = model_for(request, *body, folder_of(flex), diagnostics, progress);
  const ShapeSet shapes = durability::shapes_of(*body);
  const Eigen::MatrixXd zeta = tools::modal_coordinates(*run, *body, name).transpose();

  const Recovery recovery = recovery_of(request, *model, shapes, request.elements);
  const StressSource& source = *recovery.source;
  tell_left_out(source, diagnostics);
  StressOutcome out;
  out.document = subject_json(recovery, "run");
  out.text = recovery.text();
  out.document["body"] = name;
  out.document["instants"] = run->time.size();
  Histories histories(name, run->time, zeta);
  histories.add_elements(*model, shapes, request);
  histories.add_gauges(*model, shapes, request, out.document);
  out.series = histories.finish(request.provenance);

  progress.begin("stress", static_cast<double>(source.size()), "elements");
  const durability::RunStress found =
      durability::stress_over_run(source, run->time, zeta, options, progress);
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
  show_hot_spots(source, found, request, out);
  if (request.output) tools::write_results(*out.series, *request.output, request.provenance);
  return out;
}

// --- plain signals

/// The columns of a table that are to be counted.
std::vector<Eigen::Index> columns_of(const tools::ResultSeries& table,
                                     const std::vector<std::string>& wanted) {
  std::vector<Eigen::Index> out;
  std::vector<std::string> known;
  for (const mbd_solver::Channel& channel : table.channels)
    known.push_back(channel.name);
  for (const std::string& name : wanted.empty() ? known : wanted) {
    const Eigen::Index column = table.find(name);
    if (column < 0)
      throw UsageError("no-such-channel",
                       fmt::format("there is no column '{}'", name),
                       {},
                       tools::suggestion(name, known));
    out.push_back(column);
  }
  return out;
}

StressOutcome cycles_of_signals(const StressRequest& request) {
  const tools::ResultSeries table = tools::read_csv(*request.signals);
  std::optional<tools::CurveFile> curve;
  if (request.curve) curve = tools::read_curve(*request.curve);
  const std::string unit = curve ? curve->unit_name : "";
  StressOutcome out;
  out.document["subject"] = "signals";
  out.document["unit"] = unit;
  if (curve) out.document["curve"] = curve->curve.name;
  std::string csv = "signal,unit,range,mean,count\n";
  Json signals = Json::list();
  std::vector<std::string> heads = {"signal", "cycles", "largest range"};
  if (curve) heads.emplace_back("damage");
  tools::TextTable shown(heads);
  for (const Eigen::Index column : columns_of(table, request.channels)) {
    const std::string& name = table.channels[static_cast<std::size_t>(column)].name;
    const Eigen::VectorXd values = table.values.col(column);
    if (!values.allFinite())
      throw UsageError("not-finite",
                       fmt::format("signal '{}' has a value that is not finite", name),
                       {request.signals->string()},
                       "leave it out: --channels");
    std::vector<durability::Cycle> cycles = durability::rainflow(
        {values.data(), static_cast<std::size_t>(values.size())}, request.residue);
    const std::vector<durability::Cycle> rows = durability::collected(cycles);
    csv += tools::cycles_csv_rows(name, unit, rows);
    double count = 0.0;
    for (const durability::Cycle& cycle : cycles)
      count += cycle.count;
    const double largest = rows.empty() ? 0.0 : rows.back().range;
    Json item = Json::object();
    item["name"] = name;
    item["cycles"] = count;
    item["largest_range"] = largest;
    std::vector<std::string> cells = {name, tools::readable(count), tools::readable(largest)};
    if (curve) {
      for (durability::Cycle& cycle : cycles) {
        cycle.range *= curve->unit;
        cycle.mean *= curve->unit;
      }
      const double damage = durability::damage_of(cycles, curve->curve);
      item["damage"] = damage;
      cells.push_back(tools::readable(damage));
    }
    Json largest_rows = Json::list();
    for (auto row = rows.rbegin();
         row != rows.rend() && row - rows.rbegin() < static_cast<std::ptrdiff_t>(request.top);
         ++row) {
      Json cycle = Json::object();
      cycle["range"] = row->range;
      cycle["mean"] = row->mean;
      cycle["count"] = row->count;
      largest_rows.push_back(std::move(cycle));
    }
    item["largest"] = std::move(largest_rows);
    signals.push_back(std::move(item));
    shown.add(std::move(cells));
  }
  out.document["signals"] = std::move(signals);
  out.text = shown.text();
  if (request.csv) io::write_file(*request.csv, csv);
  return out;
}

/// Stresses of the model's own shapes: those of its file if all shapes have some, or as asked.
StressOutcome stress_of_model(const StressRequest& request,
                              const FeModel& model,
                              Diagnostics& diagnostics,
                              Progress& progress) {
  const std::vector<std::int64_t>& read = model.stresses.stress.shapes;
  const bool all_read = !read.empty() && std::cmp_equal(read.size(), model.modes.count());
  const bool may_read =
      !read.empty() && request.places != durability::StressPlaces::integration_points;
  const bool is_computed =
      request.source == StressWay::computed ||
      (request.source == StressWay::automatic && (!may_read || (!all_read && has_sections(model))));
  const ShapeSet shapes = durability::shapes_of(model);
  std::vector<std::string> labels;
  if (is_computed) {
    for (const ModeInfo& mode : model.modes.modes)
      labels.push_back(label_of(mode));
    const Recovery recovery = computed_recovery(request, model, shapes, request.elements);
    return stress_of_shapes(request, recovery, std::move(labels), diagnostics, progress);
  }
  Recovery recovery;
  recovery.sources = model.stresses.stress.sources;
  recovery.source =
      std::make_unique<durability::ReadStress>(model, request.places, request.elements);
  for (const std::int64_t k : read)
    labels.push_back(label_of(model.modes.modes[static_cast<std::size_t>(k)]));
  if (!all_read)
    diagnostics.warn("no-stress",
                     fmt::format("{} of {} shapes have no stresses in the FE code's file",
                                 model.modes.count() - std::ssize(read),
                                 model.modes.count()));
  return stress_of_shapes(request, recovery, std::move(labels), diagnostics, progress);
}

}  // namespace

StressOutcome stress(const StressRequest& request, Diagnostics& diagnostics, Progress& progress) {
  if (request.subject.has_value() == request.signals.has_value())
    throw UsageError("usage",
                     "stress takes either a model, body or run, or signals",
                     {},
                     "name one file, or --rainflow TABLE.csv");
  if (request.signals) return cycles_of_signals(request);
  if (!std::holds_alternative<ResultInput>(*request.subject)) refuse_run_options(request);
  if (const auto* input = std::get_if<ModelInput>(&*request.subject)) {
    const Loaded<FeModel> model = load(*input, request.units, diagnostics, progress);
    return stress_of_model(request, *model, diagnostics, progress);
  }
  if (const auto* input = std::get_if<BodyInput>(&*request.subject)) {
    const Loaded<FlexBody> body = load(*input, request.units, diagnostics, progress);
    const Loaded<FeModel> model =
        model_for(request, *body, folder_of(*input), diagnostics, progress);
    std::vector<std::string> labels;
    for (std::size_t k = 0; k < body->modes.size(); ++k)
      labels.push_back(std::to_string(k + 1));
    const ShapeSet shapes = durability::shapes_of(*body);
    return stress_of_shapes(request,
                            recovery_of(request, *model, shapes, request.elements),
                            std::move(labels),
                            diagnostics,
                            progress);
  }
  return stress_of_run(request, std::get<ResultInput>(*request.subject), diagnostics, progress);
}

}  // namespace femflex::verbs
