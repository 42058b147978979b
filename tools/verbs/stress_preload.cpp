// Loads the model of a preload, chooses its shape, checks that it is a model of the same part, and
// keeps its stresses.
#include "verbs/stress_preload.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::verbs {
namespace {

/// Positions of nodes of one part may differ by this share of its size; `.frd` files have six
/// digits.
constexpr double kSamePlace = 1e-5;

/// Index of the chosen shape.
Eigen::Index shape_of(const PreloadInput& preload, const FeModel& model, const std::string& name) {
  const std::int64_t count = model.modes.count();
  if (preload.shape == 0 && count == 1) return 0;
  if (preload.shape >= 1 && preload.shape <= count) return preload.shape - 1;
  const std::string found =
      preload.shape == 0 ? fmt::format("{} has {} shapes", name, count)
                         : fmt::format("{} has no shape {}, only {}", name, preload.shape, count);
  throw UsageError("preload",
                   fmt::format("--preload: {}", found),
                   {},
                   "name one by its number: --preload FILE:1; `femflex stress FILE` lists them");
}

/// Compares the nodes that two models have in common.
void check_same_part(const FeModel& preloaded, const FeModel& body, const std::string& name) {
  double size = 0.0;
  double distance = 0.0;
  std::int64_t common = 0;
  for (const Node& node : preloaded.nodes) {
    const Eigen::Vector3d at = preloaded.units->length * node.position;
    size = std::max(size, at.cwiseAbs().maxCoeff());
    const Node* same = find_node(body, node.id);
    if (same == nullptr) continue;
    ++common;
    distance = std::max(distance, (body.units->length * same->position - at).norm());
  }
  if (common > 0 && distance <= kSamePlace * size) return;
  throw ModelError(
      "wrong-model",
      common == 0 ? fmt::format("the preload {} has no node of the body's model", name)
                  : fmt::format("nodes of the preload {} lie up to {:.3g} m away from those of "
                                "the body's model",
                                name,
                                distance),
      {},
      "give a preload of the same mesh, and check --units");
}

}  // namespace

Preload::Preload(const StressRequest& request,
                 const FeModel& body_model,
                 Diagnostics& diagnostics,
                 Progress& progress)
    : body_model_(body_model) {
  if (!request.preload) return;
  name_ = name_of(request.preload->model);
  const Loaded<FeModel> model = load(request.preload->model, request.units, diagnostics, progress);
  const durability::ShapeSet shapes = durability::shapes_of(*model);  // checks units and modes
  const Eigen::Index shape = shape_of(*request.preload, *model, name_);
  shape_ = label_of(model->modes.modes[static_cast<std::size_t>(shape)]);
  check_same_part(*model, body_model, name_);
  StressRequest how = request;
  how.source = StressWay::automatic;  // --source is about the shapes of the body
  if (computes_own_shapes(how, *model)) {
    const Recovery recovery = computed_recovery(how, *model, shapes, {});
    state_ = std::make_unique<durability::StressState>(*recovery.source, shape);
    source_ = recovery.json();
    way_ = recovery.way();
    return;
  }
  const std::vector<std::int64_t>& read = model->stresses.stress.shapes;
  const auto found = std::find(read.begin(), read.end(), shape);
  if (found == read.end())
    throw ModelError("no-stress",
                     fmt::format("the preload {} has no stresses of its shape {}", name_, shape_),
                     {},
                     "ask for stresses in the FE run, or import the deck with its materials");
  const durability::ReadStress source(*model, request.places, {});
  state_ = std::make_unique<durability::StressState>(source, found - read.begin());
  Recovery recovery;
  recovery.sources = model->stresses.stress.sources;
  source_ = recovery.json();
  way_ = recovery.way();
}

void Preload::add_to(Recovery& recovery, Diagnostics& diagnostics) const {
  if (!state_) return;
  auto preloaded = std::make_unique<durability::PreloadedStress>(
      std::move(recovery.source), body_model_, *state_);
  const durability::PreloadedStress::Unknown unknown = preloaded->unknown();
  if (std::cmp_equal(unknown.count, preloaded->size()))
    throw ModelError(
        "no-preload",
        fmt::format("the preload {} has no stress at the places of the run", name_),
        {},
        "choose --at corners for a .frd with means at nodes, or import the deck of the "
        "preload with its materials and sections");
  if (unknown.count > 0)
    diagnostics.warn("no-preload",
                     fmt::format("{} elements have no stress of the preload, the first is {}: "
                                 "theirs are those of the run alone",
                                 unknown.count,
                                 unknown.first));
  recovery.source = std::move(preloaded);
}

Eigen::MatrixXd Preload::with_state(Eigen::MatrixXd zeta) const {
  if (!state_ || zeta.rows() == 0) return zeta;
  zeta.conservativeResize(Eigen::NoChange, zeta.cols() + 1);
  zeta.rightCols<1>().setOnes();
  return zeta;
}

void Preload::tell(StressOutcome& out) const {
  if (!state_) return;
  tools::Json told = tools::Json::object();
  told["model"] = name_;
  told["shape"] = shape_;
  told["places"] = state_->size();
  told["source"] = source_;
  out.document["preload"] = std::move(told);
  out.text += fmt::format("preload: shape {} of {}, {}\n", shape_, name_, way_);
}

}  // namespace femflex::verbs
