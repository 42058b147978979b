// Validates a reduced body against its FE model: compares inertia and frequencies with MAC. The
// interface is compared in interface_comparison.cpp; judge() applies the limits. Notation: R are
// the rigid modes.
#include "femflex/modal/validate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <fmt/format.h>

#include "femflex/acting_part.h"
#include "femflex/errors.h"
#include "femflex/frequency.h"
#include "femflex/modal/correlation.h"
#include "femflex/model_units.h"

#include "body_modes.h"
#include "interface_comparison.h"
#include "solve/dense_pairs.h"
#include "solve/parts.h"
#include "solve/projection.h"
#include "solve/rigid_columns.h"
#include "solve/scalar_rows.h"
#include "solve/system.h"

namespace femflex::modal {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void compare_inertia(const FlexBody& body, const FeModel& model, Validation& out) {
  const InertiaInvariants full =
      body_invariants(model,
                      shapes_on_model(body, model, 1.0),
                      lumped_invariants(body.nodes, lumped_masses(model), body.shapes));
  out.full_mass = full.mass;
  out.reduced_mass = body.invariants.mass;
  if (full.mass > 0.0) out.full_centre = full.first_moment / full.mass;
  if (body.invariants.mass > 0.0) out.reduced_centre = body.centre_of_mass();
  out.full_inertia = full.inertia;
  out.reduced_inertia = body.invariants.inertia;
  out.invariants = difference(body.invariants, full);
}

void compare_frequencies(const FeModel& model,
                         const ModeSet& full,
                         std::int64_t full_rigid,
                         const BodyModes& reduced,
                         Validation& out) {
  // Frequencies that differ by less than ten times the error of the body count as equal, within
  // these limits: below, the digits of the eigensolver; above, modes too far apart to mix.
  constexpr double kSeparationInErrors = 10.0;
  constexpr double kMinSeparation = 1e-6;
  constexpr double kMaxSeparation = 1e-2;
  const double to_si = model.units->eigenvalue();
  const Eigen::Index elastic = full.count() - full_rigid;
  const Eigen::MatrixXd shapes = full.shapes.rightCols(elastic);
  const Eigen::MatrixXd agreement = mass_weighted_mac(shapes, reduced.shapes, *model.mass);
  std::vector<bool> is_paired(static_cast<std::size_t>(reduced.lambda.size()), false);
  for (Eigen::Index i = 0; i < elastic; ++i) {
    Validation::Frequency frequency;
    frequency.full_hz =
        frequency_hz(full.modes[static_cast<std::size_t>(full_rigid + i)].eigenvalue * to_si);
    frequency.reduced_hz = kNaN;
    frequency.error_percent = kNaN;
    // Modes of a multiple frequency mix, so their MAC is summed over all modes of the body with
    // that frequency. The errors of the body split equal frequencies.
    Eigen::Index best = -1;
    double share = 0.0;
    for (Eigen::Index j = 0; j < reduced.lambda.size(); ++j) {
      if (is_paired[static_cast<std::size_t>(j)]) continue;
      if (best < 0 || agreement(i, j) > agreement(i, best)) best = j;
    }
    if (best >= 0) {
      const double chosen = frequency_hz(reduced.lambda(best));
      const double equal = std::clamp(kSeparationInErrors * std::abs(chosen - frequency.full_hz),
                                      kMinSeparation * chosen,
                                      kMaxSeparation * chosen);
      for (Eigen::Index j = 0; j < reduced.lambda.size(); ++j)
        if (std::abs(frequency_hz(reduced.lambda(j)) - chosen) <= equal) share += agreement(i, j);
      is_paired[static_cast<std::size_t>(best)] = true;
      frequency.reduced_hz = chosen;
      frequency.error_percent = 100.0 * (chosen - frequency.full_hz) / frequency.full_hz;
      frequency.mac = std::min(1.0, share);
    }
    out.frequencies.push_back(frequency);
  }
  // twice as many columns as rows, so that a mode that is paired with none is visible
  const Eigen::Index shown = std::min(agreement.cols(), 2 * elastic);
  out.mac = agreement.leftCols(shown);
  out.plain_mac = mac(shapes, reduced.shapes.leftCols(shown));
}

/// Lists the limits that are exceeded in out.findings and decides out.pass; an error that is NaN
/// counts as exceeded.
void judge(const ValidateOptions& options, Validation& out) {
  const auto add_finding = [&](const std::string& text) { out.findings.push_back(text); };
  for (std::size_t k = 0; k < out.frequencies.size(); ++k) {
    Validation::Frequency& f = out.frequencies[k];
    const std::size_t findings = out.findings.size();
    if (!std::isfinite(f.reduced_hz))
      add_finding(fmt::format("mode {} at {:.6g} Hz is missing in the body", k + 1, f.full_hz));
    else if (!(std::abs(f.error_percent) <= options.frequency_limit))
      add_finding(fmt::format(
          "mode {} at {:.6g} Hz is off by {:.3g} %", k + 1, f.full_hz, f.error_percent));
    else if (!(f.mac >= options.mac_limit))
      add_finding(fmt::format("mode {} at {:.6g} Hz has a MAC of {:.4f}", k + 1, f.full_hz, f.mac));
    f.agrees = out.findings.size() == findings;
  }
  constexpr double kSameMass = 1e-6;  // six digits survive any body file
  if (!(std::abs(out.reduced_mass - out.full_mass) <= kSameMass * out.full_mass))
    add_finding(
        fmt::format("the mass is {:.9g} kg instead of {:.9g} kg", out.reduced_mass, out.full_mass));
  if (out.full_zero_modes != out.reduced_zero_modes)
    add_finding(
        fmt::format("{} zero modes instead of {}", out.reduced_zero_modes, out.full_zero_modes));
  if (!(out.static_error <= options.static_limit))
    add_finding(
        fmt::format("static displacements at the interface are off by {:.2e}", out.static_error));
  if (!(out.frf_error <= options.frf_limit))
    add_finding(fmt::format("the interface frequency response is off by {:.2e}", out.frf_error));
  out.pass = out.findings.empty();
}

/// @throws ModelError  the nodes of the body differ from those of the model
void check_nodes(const FlexBody& body, const FeModel& model) {
  std::string mismatch;
  for (const Node& node : model.nodes)
    if (mismatch.empty() && find_node(body, node.id) < 0)
      mismatch = fmt::format("has no node {}", node.id);
  for (const BodyNode& node : body.nodes)
    if (mismatch.empty() && find_node(model, node.id) == nullptr)
      mismatch = fmt::format("has node {}, which the model lacks", node.id);
  if (mismatch.empty()) return;
  throw ModelError(
      "wrong-model",
      fmt::format("the body was not made from this model: of {} nodes against {}, it {}",
                  body.nodes.size(),
                  model.nodes.size(),
                  mismatch),
      {},
      "validate against the model that the body was reduced from");
}

/// Warns if nodes of the body and of the model differ in position. A common shift changes neither
/// frequencies nor shapes.
void compare_positions(const FlexBody& body, const FeModel& model, Diagnostics& diagnostics) {
  constexpr double kSamePlace = 1e-5;  // of the largest coordinate; body files have seven digits
  double largest = 0.0;
  double farthest = 0.0;
  std::int64_t at = 0;
  for (const BodyNode& node : body.nodes) {
    const Eigen::Vector3d place = model.units->length * find_node(model, node.id)->position;
    largest = std::max(largest, place.cwiseAbs().maxCoeff());
    const double distance = (node.position - place).norm();
    if (distance > farthest) {
      farthest = distance;
      at = node.id;
    }
  }
  if (farthest <= kSamePlace * largest) return;
  diagnostics.warn("moved-nodes",
                   fmt::format("node {} of the body lies {:.3g} m from its place in the model: the "
                               "body was moved, or made from another model",
                               at,
                               farthest));
}

/// `count` of the interface nodes, spread over the interface: each next one is the node farthest
/// from those taken before. No node is taken twice, also if others are at its place.
std::vector<std::int64_t> spread_nodes(const FeModel& model, std::size_t count) {
  const std::vector<std::int64_t>& all = model.interface_nodes;
  std::vector<Eigen::Vector3d> at;
  for (const std::int64_t id : all) {
    const Node* node = find_node(model, id);
    at.push_back(node == nullptr ? Eigen::Vector3d::Zero() : node->position);
  }
  std::vector<double> distance(all.size(), std::numeric_limits<double>::infinity());
  std::vector<std::int64_t> out;
  std::size_t next = 0;
  while (out.size() < count) {
    out.push_back(all[next]);
    for (std::size_t k = 0; k < all.size(); ++k)
      distance[k] = std::min(distance[k], (at[k] - at[next]).squaredNorm());
    distance[next] = -1.0;  // taken
    next = static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) -
                                    distance.begin());
  }
  return out;
}

/// @throws ModelError, UsageError  the model or the options lack what a comparison needs
void check_request(const FeModel& model, const ValidateOptions& options) {
  if (!model.stiffness || !model.mass)
    throw ModelError("no-matrices", "the model holds no K and M to validate against");
  static_cast<void>(units_of(model));
  if (!(options.damping_ratio > 0.0))
    throw UsageError(
        "damping",
        fmt::format("the damping ratio of the frequency responses is {}", options.damping_ratio),
        {},
        "give a ratio above zero: without damping a response is infinite at resonance");
}

/// The modes of the full model that a validation compares with those of the body.
struct FullModes {
  ModeSet normal;  // rigid modes first, then at most options.modes elastic ones
  ModeSet attachment;
  std::int64_t rigid = 0;  // number of rigid modes
};

/// @throws ModelError  one of these parts floats: its rigid modes would be compared as elastic ones
void check_parts_are_held(const FeModel& model,
                          const System& system,
                          const std::vector<std::vector<std::int64_t>>& parts) {
  constexpr double kRoundOff = 1e-9;  // of the energy of DOFs that move alone
  const Eigen::MatrixXd T = rigid_columns(model, system);
  const Eigen::MatrixXd energy = T.cwiseProduct(symmetric_product(system.K, T));
  const Eigen::MatrixXd alone = system.K.diagonal().asDiagonal() * T.cwiseAbs2();
  std::size_t floating = 0;
  for (const std::vector<std::int64_t>& unknowns : parts) {
    const Eigen::RowVectorXd e = energy(unknowns, Eigen::all).colwise().sum();
    const Eigen::RowVectorXd of_dofs = alone(unknowns, Eigen::all).colwise().sum();
    if ((of_dofs.array() > 0.0 && e.array() <= kRoundOff * of_dofs.array()).any()) ++floating;
  }
  if (floating == 0) return;
  throw ModelError(
      "loose-parts",
      fmt::format("the model has {} parts that K does not connect, {} of which nothing holds: "
                  "rigid modes of more than {} parts are not told from elastic ones",
                  parts.size(),
                  floating,
                  kMaxLooseParts),
      {},
      "connect or hold the parts, or validate fewer of them at a time");
}

FullModes full_modes(const FeModel& model,
                     const ValidateOptions& options,
                     Diagnostics& diagnostics,
                     Progress& progress) {
  ModeRequest request;
  request.solve = options.solve;
  {
    Diagnostics repeated_warnings;  // compute_modes() gives the same warnings
    const System system = build_system(model, repeated_warnings);
    const std::vector<std::vector<std::int64_t>> parts = parts_of(system.K, system.group);
    if (parts.size() > kMaxLooseParts) check_parts_are_held(model, system, parts);
    const std::size_t room = std::min(parts.size(), kMaxLooseParts);  // for rigid modes
    request.normal = std::min<std::int64_t>(options.modes + 6 * static_cast<std::int64_t>(room),
                                            dofs_with_mass(system.M));
  }
  request.attachment = !model.interface_nodes.empty();
  const ComputedModes computed = compute_modes(model, request, diagnostics, progress);
  FullModes out;
  out.rigid = computed.report.rigid_modes;
  out.normal.rows = out.attachment.rows = model.dofs;
  std::vector<Eigen::Index> normal_columns;
  std::vector<Eigen::Index> attachment_columns;
  std::int64_t elastic = 0;
  for (Eigen::Index col = 0; col < computed.modes.count(); ++col) {
    const ModeInfo& mode = computed.modes.modes[static_cast<std::size_t>(col)];
    if (mode.kind == ModeKind::attachment) {
      attachment_columns.push_back(col);
    } else if (mode.number <= out.rigid || elastic++ < options.modes) {
      normal_columns.push_back(col);
      out.normal.modes.push_back(mode);
    }
  }
  out.normal.shapes = computed.modes.shapes(Eigen::all, normal_columns);
  out.attachment.shapes = computed.modes.shapes(Eigen::all, attachment_columns);
  return out;
}

}  // namespace

Validation validate(const FlexBody& body,
                    const FeModel& model,
                    const ValidateOptions& options,
                    Diagnostics& diagnostics,
                    Progress& progress) {
  check_request(model, options);
  if (!has_only_acting_modes(body))
    return validate(acting_part(body), model, options, diagnostics, progress);
  // A response costs b^3 operations for b interface DOFs. Above kWideInterfaceNodes nodes,
  // kComparedNodes of them are compared.
  constexpr std::size_t kWideInterfaceNodes = 200;
  constexpr std::size_t kComparedNodes = 60;
  if (model.interface_nodes.size() > kWideInterfaceNodes) {
    diagnostics.warn(
        "wide-interface",
        fmt::format("the interface has {} nodes; {} of them, spread over it, are compared",
                    model.interface_nodes.size(),
                    kComparedNodes));
    FeModel sampled = model;
    sampled.interface_nodes = spread_nodes(model, kComparedNodes);
    return validate(body, sampled, options, diagnostics, progress);
  }
  Validation out;
  check_nodes(body, model);
  compare_positions(body, model, diagnostics);
  compare_inertia(body, model, out);
  const FullModes full = full_modes(model, options, diagnostics, progress);
  const Eigen::MatrixXd R =
      full.normal.shapes.leftCols(std::min<Eigen::Index>(full.rigid, full.normal.count()));
  out.full_zero_modes = full.rigid;
  const BodyModes body_modes = own_modes(body, model, full.normal, full.rigid, R);
  if (full.normal.count() > 0)
    warn_of_scalar_points(
        model,
        body_modes.shapes,
        body_modes.lambda.unaryExpr(&frequency_hz),
        frequency_hz(full.normal.modes.back().eigenvalue * model.units->eigenvalue()),
        1.0 - options.mac_limit,
        diagnostics);
  const BodyModes reduced =
      elastic_body_modes(body_modes, whole_rigid_modes(model, R), model, out.reduced_zero_modes);
  compare_frequencies(model, full.normal, full.rigid, reduced, out);
  if (!model.interface_nodes.empty()) {
    const double last_hz = out.frequencies.empty() ? 1.0 : out.frequencies.back().full_hz;
    compare_interface(
        {model, full.attachment, R, last_hz}, reduced, options, diagnostics, progress, out);
  }
  judge(options, out);
  return out;
}

}  // namespace femflex::modal
