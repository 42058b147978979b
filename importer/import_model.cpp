// Imports an FE model from several files: gathers their contents, chooses matrices and shapes,
// builds constraints and loads, and checks that all of these fit each other.
#include "femflex/importer/import_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"
#include "femflex/io/sha256.h"

#include "model/constraint_checks.h"
#include "model/constraints.h"
#include "model/doubtful_beams.h"
#include "model/element_matrices.h"
#include "model/element_sections.h"
#include "model/fit_proofs.h"
#include "model/gather.h"
#include "model/kept_rows.h"
#include "model/loads.h"
#include "model/matrices.h"
#include "model/missing_rotations.h"
#include "model/proofs.h"
#include "model/recovery.h"
#include "model/shapes.h"
#include "model/spiders.h"
#include "model/stresses.h"
#include "model/transformed_supports.h"

namespace femflex::importer {
namespace {

/// The units that the files declare, or else those of the request.
/// @throws UsageError  both are given and differ
std::optional<Units> units_of(const ImportRequest& request, const std::optional<Units>& declared) {
  if (!declared) return request.units;
  if (request.units && !is_same_scale(*request.units, *declared))
    throw UsageError(
        "units-contradict",
        fmt::format("the files declare {}, not {}", text_of(*declared), request.units->name),
        {},
        "leave --units out, or correct the units in the file");
  return declared;
}

/// A concentrated mass with its offset and inertia tensor in basic directions.
ConcentratedMass concentrated(const RawMass& raw, const Gathered& gathered) {
  ConcentratedMass out;
  out.node = raw.node;
  out.mass = raw.mass;
  out.offset = {raw.offset[0], raw.offset[1], raw.offset[2]};
  // products of inertia of the card are minus the off-diagonal terms of the tensor
  const auto& i = raw.inertia;
  out.inertia << i[0], -i[1], -i[3], -i[1], i[2], -i[4], -i[3], -i[4], i[5];
  const auto node = std::lower_bound(
      gathered.nodes.begin(), gathered.nodes.end(), raw.node, [](const Node& n, std::int64_t id) {
        return n.id < id;
      });
  if (node == gathered.nodes.end() || node->id != raw.node) return out;
  if (raw.system == -1) {
    out.offset -= node->position;  // the card gave a position in basic
    return out;
  }
  const auto system =
      std::lower_bound(gathered.systems.begin(),
                       gathered.systems.end(),
                       raw.system,
                       [](const CoordinateSystem& s, std::int64_t id) { return s.id < id; });
  if (raw.system == 0 || system == gathered.systems.end() || system->id != raw.system) return out;
  const Eigen::Matrix3d axes = system->axes_at(node->position);
  out.offset = (axes * out.offset).eval();
  out.inertia = (axes * out.inertia * axes.transpose()).eval();
  return out;
}

std::vector<std::int64_t> interface_nodes(const ImportRequest& request, const Gathered& gathered) {
  std::vector<std::int64_t> out = request.interface_nodes;
  const auto add = [&](std::int64_t node) {
    if (std::find(out.begin(), out.end(), node) == out.end()) out.push_back(node);
  };
  if (out.empty())
    for (const Dof& dof : gathered.geometry.interface)
      if (dof.component != 0) add(dof.node);
  for (const Spider& spider : request.spiders)
    add(spider.node);
  return out;
}

void add_provenance(const Gathered& gathered, FeModel& model) {
  for (const FileContents& file : gathered.files)
    model.provenance.sources.push_back({short_name(file.path), io::sha256_of_file(file.path)});
  model.provenance.program = gathered.geometry.program;
}

/// Warns of nodes without any row in the shapes, and of rotations that the shapes do not tell.
void warn_missing_shapes(const FeModel& model, Diagnostics& diagnostics) {
  if (model.modes.count() == 0) return;
  std::int64_t missing = 0;
  std::int64_t first = 0;
  for (const Node& node : model.nodes) {
    bool has_row = false;
    for (std::int8_t c = 1; c <= 6 && !has_row; ++c)
      has_row = model.modes.rows.find({node.id, c}) >= 0;
    if (!has_row && missing++ == 0) first = node.id;
  }
  if (missing > 0)
    diagnostics.warn("partial-shapes",
                     fmt::format("{} of {} nodes have no row in the shapes; the first is node {}",
                                 missing,
                                 model.nodes.size(),
                                 first));
  const std::vector<Dof> rotations = missing_rotations(model);
  if (!rotations.empty())
    diagnostics.warn("missing-rotations",
                     fmt::format("the shapes give translations alone, but the matrices have {} "
                                 "rotations at these nodes, the first is {}: they count as zero; "
                                 "give a file with rotations, or compute modes (femflex modes)",
                                 rotations.size(),
                                 to_string(rotations.front())));
}

/// Warns of rigid elements that act neither in the matrices nor by an equation.
void warn_unapplied(const FeModel& model,
                    const Dependence& dependence,
                    const Constraints& constraints,
                    Diagnostics& diagnostics) {
  for (const std::int64_t k : dependence.unapplied()) {
    const auto reason = constraints.refused.find(k);
    diagnostics.warn("unapplied-constraint",
                     fmt::format("{} is not applied to the matrices{}",
                                 card_of(model.rigid_elements[static_cast<std::size_t>(k)]),
                                 reason == constraints.refused.end() ? "" : ": " + reason->second));
  }
}

/// Warns of interface nodes that a reduction will refuse.
void warn_unsuitable_interface(const FeModel& model,
                               const Dependence& dependence,
                               Diagnostics& diagnostics) {
  if (!model.stiffness) return;
  for (const std::int64_t node : model.interface_nodes) {
    if (const Dependence::Follower* follower = dependence.find_node(node)) {
      const std::string leaders = leaders_of(model, *follower);
      diagnostics.warn(
          "dependent-interface",
          fmt::format("interface node {} depends on {} through {}: choose {} instead",
                      node,
                      leaders,
                      card_of(model.rigid_elements[static_cast<std::size_t>(follower->element)]),
                      leaders));
      continue;
    }
    bool has_row = false;
    for (std::int8_t c = 1; c <= 6 && !has_row; ++c)
      has_row = model.dofs.find({node, c}) >= 0;
    if (!has_row)
      diagnostics.warn("interface-without-rows",
                       fmt::format("interface node {} has no row in the matrices", node));
  }
}

/// Does nothing if all proofs have passed. @throws ModelError  lists those that have failed
void refuse_failed(const std::vector<Proof>& proofs) {
  std::string text;
  const Proof* first = nullptr;
  bool is_explained = true;
  for (const Proof& proof : proofs) {
    if (proof.passed) continue;
    text += fmt::format(
        "{}{}: {} (limit {:.1g})", text.empty() ? "" : "; ", proof.name, proof.text, proof.limit);
    is_explained = is_explained && !proof.remedy.empty();
    if (first == nullptr) first = &proof;
  }
  if (first != nullptr && is_explained)  // all by the same cause
    throw ModelError("proof-failed",
                     fmt::format("the stiffness matrix resists rigid motion: {} (limit {:.1g})",
                                 first->text,
                                 first->limit),
                     {},
                     first->remedy + "; --force accepts the model nevertheless");
  if (!text.empty())
    throw ModelError(
        "proof-failed",
        "the files do not fit each other: " + text,
        {},
        "give files of one model, or --dof-order; --force accepts the model nevertheless");
}

}  // namespace

ImportResult import_model(const ImportRequest& request,
                          Diagnostics& diagnostics,
                          Progress& progress) {
  Gathered gathered = gather(request, diagnostics, progress);
  assemble_element_matrices(gathered, diagnostics);
  Matrices matrices = choose_matrices(request, gathered, diagnostics);
  Shapes shapes = choose_shapes(request, gathered, matrices, diagnostics);
  add_spiders(request.spiders, gathered, matrices);
  const FileContents& geometry = gathered.geometry;
  choose_eliminated_dofs(matrices.dofs, gathered.geometry);

  ImportResult result;
  FeModel& model = result.model;
  model.name = geometry.title;
  model.units = units_of(request, geometry.units);
  model.nodes = gathered.nodes;
  model.systems = gathered.systems;
  model.elements = geometry.elements;
  model.properties = element_properties(gathered, diagnostics);
  model.rigid_elements.assign(geometry.rigid_elements.begin(), geometry.rigid_elements.end());
  Constraints constraints = constraint_equations(gathered);
  model.constraints = std::move(constraints.equations);
  model.rigid_elements.insert(
      model.rigid_elements.end(), constraints.supports.begin(), constraints.supports.end());
  model.fixed = std::move(constraints.fixed);
  warn_of_doubtful_beams(model, diagnostics);
  for (const RawMass& mass : geometry.masses)
    model.concentrated_masses.push_back(concentrated(mass, gathered));
  model.dofs = matrices.dofs;
  constrain_transformed_nodes(gathered, model, diagnostics);
  recover_inner_nodes(gathered, matrices, model, diagnostics);
  model.modes = std::move(shapes.modes);
  model.stresses = stresses_of(gathered, shapes.origins, diagnostics);
  model.interface_nodes = interface_nodes(request, gathered);
  add_provenance(gathered, model);
  if (matrices.stiffness) model.stiffness = lower_triangle(matrices.stiffness->full);
  if (matrices.mass) model.mass = lower_triangle(matrices.mass->full);
  if (matrices.damping) model.damping = lower_triangle(matrices.damping->full);
  const Dependence dependence(model);
  refuse_contradictions(gathered, matrices, constraints, model, request.force, diagnostics);
  model.loads = load_cases(gathered, matrices, dependence, diagnostics);
  if (model.nodes.empty() && model.dofs.size() == 0 && model.modes.count() == 0)
    throw ModelError("nothing-to-import",
                     "the files contain no nodes, no matrices and no shapes",
                     {gathered.files.front().path},
                     "`femflex info` shows their contents");
  model = make_fe_model(std::move(model));
  if (!request.keep_nodes) warn_missing_shapes(model, diagnostics);
  warn_unapplied(model, dependence, constraints, diagnostics);
  warn_unread_constraints(model, dependence, gathered, diagnostics);
  warn_unsuitable_interface(model, dependence, diagnostics);
  warn_indefinite(model, diagnostics);
  result.proofs = prove(model, matrices, shapes, gathered);
  if (!request.force) refuse_failed(result.proofs);
  if (request.keep_nodes) keep_rows(model, ids_to_keep(request, gathered.files), diagnostics);
  return result;
}

}  // namespace femflex::importer
