// Writes the deck of enforced shapes, starts CalculiX on request, and combines the stresses of the
// results with the shapes at full precision.
#include "verbs/stress_deck.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/element_shape.h"
#include "femflex/errors.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/importer/import_model.h"
#include "femflex/io/atomic_file.h"
#include "femflex/text.h"

#include "body/model_of_body.h"
#include "results/enforced_shapes.h"
#include "results/load_cases.h"
#include "verbs/outside_program.h"

namespace femflex::verbs {
namespace {

using tools::EnforcedShapes;

// results have at least six digits; a larger difference indicates other shapes
constexpr double kOtherShapes = 1e-3;

constexpr std::array<std::int8_t, 3> kRotations{4, 5, 6};

/// The model, and the shapes in its units.
struct Subject {
  FeModel model;
  EnforcedShapes shapes;
  std::vector<ModeInfo> modes;
};

/// @throws ModelError  the shapes are translations alone at nodes of shells or beams: with
/// rotations of zero, these would have other stresses
void check_rotations(const FeModel& model) {
  const std::set<Dof> fixed(model.fixed.begin(), model.fixed.end());
  const auto lacks_rotations = [&](std::int64_t node) {
    const DofMap& rows = model.modes.rows;
    for (const std::int8_t c : kRotations)
      if (rows.find({node, c}) >= 0 || fixed.contains({node, c})) return false;
    return rows.find({node, 1}) >= 0;
  };
  for (const ElementBlock& block : model.elements) {
    const ElementShape shape = shape_of(block.type, static_cast<int>(block.nodes_per_element));
    if (topology_of(shape).dimension != 2 && block.type != "CBAR" && block.type != "CBEAM")
      continue;
    const auto found =
        std::find_if(block.connectivity.begin(), block.connectivity.end(), lacks_rotations);
    if (found != block.connectivity.end())
      throw ModelError(
          "no-rotations",
          fmt::format(
              "the shapes give translations alone, but node {} of {} turns", *found, block.type),
          {},
          "give shapes with rotations, or compute modes (femflex modes)");
  }
}

Subject model_subject(FeModel model) {
  check_rotations(model);
  Subject out{std::move(model), {}, {}};
  const ModeSet& set = out.model.modes;
  for (const Node& node : out.model.nodes)
    out.shapes.nodes.push_back(node.id);
  out.shapes.displacement.setZero(6 * static_cast<Eigen::Index>(out.model.nodes.size()),
                                  set.shapes.cols());
  for (std::int64_t row = 0; row < set.rows.size(); ++row) {
    const Dof& dof = set.rows[row];
    const auto node = std::lower_bound(out.shapes.nodes.begin(), out.shapes.nodes.end(), dof.node);
    if (node == out.shapes.nodes.end() || *node != dof.node || dof.component < 1) continue;
    out.shapes.displacement.row(6 * (node - out.shapes.nodes.begin()) + dof.component - 1) =
        set.shapes.row(row);
  }
  out.modes = set.modes;
  return out;
}

Subject body_subject(FeModel model, const FlexBody& body) {
  if (!model.units)
    throw UsageError("no-units",
                     "the model does not tell its units, in which the shapes are to be written",
                     {},
                     "give --units");
  Subject out{std::move(model), {}, {}};
  for (const BodyNode& node : body.nodes)
    out.shapes.nodes.push_back(node.id);
  out.shapes.displacement = body.shapes;
  for (Eigen::Index row = 0; row < body.shapes.rows(); ++row)
    if (row % 6 < 3) out.shapes.displacement.row(row) /= out.model.units->length;
  for (std::size_t k = 0; k < body.modes.size(); ++k) {
    ModeInfo mode;
    mode.number = static_cast<std::int64_t>(k) + 1;
    mode.source = "shape of body " + body.name;
    out.modes.push_back(mode);
  }
  return out;
}

Subject subject_of(const StressDeckRequest& request, Diagnostics& diagnostics, Progress& progress) {
  if (const auto* model = std::get_if<ModelInput>(&request.shapes))
    return model_subject(load(*model, request.units, diagnostics, progress).take());
  const auto& input = std::get<BodyInput>(request.shapes);
  const Loaded<FlexBody> body = load(input, request.units, diagnostics, progress);
  const auto* path = std::get_if<std::filesystem::path>(&input);
  const ModelInput model =
      request.model ? *request.model
                    : ModelInput(tools::model_file_of(
                          *body, path == nullptr ? std::filesystem::path() : path->parent_path()));
  Loaded<FeModel> found = load(model, request.units, diagnostics, progress);
  tools::check_model_of_body(*found, *body);
  return body_subject(std::move(found).take(), *body);
}

bool is_calculix_file(const std::filesystem::path& path) {
  return lower_case(path.extension().string()) == ".inp";
}

void check_request(const StressDeckRequest& request) {
  if (!tools::is_load_file(request.output) ||
      is_calculix_file(request.output) != is_calculix_file(request.deck))
    throw UsageError("deck-format",
                     fmt::format("--output {} is not a deck of the same kind as {}",
                                 request.output.filename().string(),
                                 request.deck.filename().string()),
                     {},
                     "give the same ending as the deck has");
  std::error_code unused;
  if (std::filesystem::equivalent(request.deck, request.output, unused))
    throw UsageError("deck-format", "--output is the deck itself", {}, "give another name");
  if (request.run && !is_calculix_file(request.output))
    throw UsageError("run",
                     "--run starts CalculiX, and the deck is one of NASTRAN",
                     {},
                     "run it, then give its results with --results");
  if (request.run && request.results)
    throw UsageError("run", "--run and --results exclude each other", {}, "give one of them");
  if (request.stresses && !request.run && !request.results)
    throw UsageError("run",
                     "--stresses needs the results of the deck",
                     {},
                     "give --run, or --results FILE of a run made elsewhere");
}

/// Runs CalculiX on a deck in its folder; what it prints goes to NAME.log.
void run_calculix(const std::string& program,
                  const std::filesystem::path& deck,
                  const Progress& progress) {
  const std::filesystem::path full = std::filesystem::absolute(deck);
  const std::string job = full.stem().string();
  const std::string folder = full.parent_path().string();
  const std::string log = (full.parent_path() / (job + ".log")).string();
  std::filesystem::remove(full.parent_path() / (job + ".frd"));
  const bool is_done = run_outside({program, {job}, folder, log}, progress);
  const bool has_results = std::filesystem::exists(full.parent_path() / (job + ".frd"));
  if (!is_done || !has_results)
    throw NumericalError("program-failed",
                         fmt::format("{} failed on {}", program, deck.filename().string()),
                         {},
                         fmt::format("see {}", log));
}

/// @throws ModelError  a node of the results has another position than in the model
void check_nodes(const FeModel& read, const FeModel& model, const std::string& name) {
  constexpr double kSamePlace = 1e-4;  // relative to the size of the model, because results have at
                                       // least six digits
  Eigen::AlignedBox3d box;
  for (const Node& node : model.nodes)
    box.extend(node.position);
  for (const Node& node : read.nodes) {
    const Node* same = find_node(model, node.id);
    if (same != nullptr &&
        (same->position - node.position).norm() <= kSamePlace * box.diagonal().norm())
      continue;
    throw ModelError("other-deck",
                     fmt::format("node {} of {} is {}",
                                 node.id,
                                 name,
                                 same == nullptr ? "not in the model" : "elsewhere in the model"),
                     {},
                     "give the deck from which the model was imported");
  }
}

/// Reads results, checks that they belong to these shapes, and adds their stresses to the model.
void take_stresses(const std::filesystem::path& results,
                   Subject& subject,
                   StressDeckOutcome& out,
                   Progress& progress) {
  Diagnostics unused;  // warnings about results without matrices and materials
  importer::ImportRequest request;
  request.files = {results};
  request.force = true;
  FeModel read = importer::import_model(request, unused, progress).model;
  const Eigen::MatrixXd& u = subject.shapes.displacement;
  const std::string name = results.filename().string();
  check_nodes(read, subject.model, name);
  if (read.modes.count() != u.cols())
    throw ModelError(
        "other-shapes",
        fmt::format(
            "{} has {} results, and the deck has {} shapes", name, read.modes.count(), u.cols()),
        {},
        "give the results of the deck that was written last");
  if (static_cast<Eigen::Index>(read.stresses.stress.shapes.size()) != u.cols())
    throw ModelError("no-stress",
                     fmt::format("{} has no stresses of all shapes", name),
                     {},
                     "ask for stresses of all elements");
  Eigen::VectorXd difference = Eigen::VectorXd::Zero(u.cols());
  for (std::int64_t row = 0; row < read.modes.rows.size(); ++row) {
    const Dof& dof = read.modes.rows[row];
    const auto node =
        std::lower_bound(subject.shapes.nodes.begin(), subject.shapes.nodes.end(), dof.node);
    if (node == subject.shapes.nodes.end() || *node != dof.node || dof.component < 1 ||
        dof.component > 3)
      continue;
    const Eigen::Index at = 6 * (node - subject.shapes.nodes.begin()) + dof.component - 1;
    difference =
        difference.cwiseMax((read.modes.shapes.row(row) - u.row(at)).transpose().cwiseAbs());
  }
  for (Eigen::Index j = 0; j < u.cols(); ++j) {
    double largest = 0.0;
    for (Eigen::Index row = 0; row < u.rows(); ++row)
      if (row % 6 < 3) largest = std::max(largest, std::abs(u(row, j)));
    if (largest > 0.0) out.difference = std::max(out.difference, difference(j) / largest);
  }
  if (!(out.difference < kOtherShapes))
    throw ModelError(
        "other-shapes",
        fmt::format("the displacements of {} differ from the shapes by {:.1e} of their "
                    "largest",
                    name,
                    out.difference),
        {},
        "give the results of the deck that was written last");
  subject.model.stresses = std::move(read.stresses);
  out.places = static_cast<std::int64_t>(subject.model.stresses.stress.places.size());
}

/// The model with the shapes as its modes.
FeModel model_with_shapes(Subject subject) {
  std::vector<Dof> rows;
  for (const std::int64_t node : subject.shapes.nodes)
    for (std::int8_t c = 1; c <= 6; ++c)
      rows.push_back({node, c});
  subject.model.modes = make_mode_set(
      DofMap(std::move(rows)), std::move(subject.shapes.displacement), std::move(subject.modes));
  return std::move(subject.model);
}

}  // namespace

StressDeckOutcome stress_deck(const StressDeckRequest& request,
                              Diagnostics& diagnostics,
                              Progress& progress) {
  check_request(request);
  Subject subject = subject_of(request, diagnostics, progress);
  StressDeckOutcome out;
  out.shapes = subject.shapes.displacement.cols();
  if (out.shapes == 0)
    throw ModelError(
        "no-shapes", "there are no shapes to enforce", {}, "give a body, or a model with modes");
  for (const ModeInfo& mode : subject.modes)
    subject.shapes.labels.push_back(label_of(mode));
  const tools::EnforcedDeck deck =
      tools::enforced_deck(request.deck, subject.model, subject.shapes);
  out.nodes = deck.enforced;
  out.dropped = deck.dropped;
  std::filesystem::path results;
  if (request.results) {
    results = *request.results;
  } else {
    io::write_file(request.output, deck.text);
    out.outputs.push_back(request.output.string());
  }
  if (request.run) {
    run_calculix(request.program, request.output, progress);
    results = std::filesystem::path(request.output).replace_extension(".frd");
    out.outputs.push_back(results.string());
  }
  if (results.empty()) return out;
  take_stresses(results, subject, out, progress);
  const std::filesystem::path target =
      request.stresses ? *request.stresses
                       : std::filesystem::path(request.output).replace_extension(".fe.h5");
  importer::write_fe_model(model_with_shapes(std::move(subject)), target);
  out.outputs.push_back(target.string());
  return out;
}

}  // namespace femflex::verbs
