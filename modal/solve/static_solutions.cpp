// Solves K u = f by factoring K, or for a floating model by iterative refinement with a
// factorisation of K - sigma M. If K is singular, an error names the DOFs that nothing holds.
#include "solve/static_solutions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/index.h"

#include "dense/symmetric_eigen.h"
#include "solve/mechanisms.h"
#include "solve/normal_modes.h"
#include "solve/parts.h"
#include "solve/projection.h"
#include "solve/rigid_modes.h"
#include "solve/round_off.h"

namespace femflex::modal {
namespace {

Eigen::MatrixXd rigid_motions(const NamedUnknowns& names) {
  return rigid_columns(names.model, names.system)(names.unknowns, Eigen::all);
}

/// Text such as "nothing holds 17/T2, 17/T3" with the number of disconnected parts; empty if
/// `moved` is empty.
/// @param moved  positions in names.unknowns
std::string describe_mechanism(const NamedUnknowns& names, const std::vector<std::int64_t>& moved) {
  if (moved.empty()) return "";
  const System& system = names.system;
  const auto named = [&](const std::vector<std::int64_t>& unknowns) {
    std::vector<std::int64_t> rows;
    for (const std::int64_t unknown : unknowns)
      rows.push_back(system.row_of[static_cast<std::size_t>(unknown)]);
    return name_dofs(names.model, rows);
  };
  std::vector<std::int64_t> of_system;
  for (const std::int64_t k : moved)
    of_system.push_back(names.unknowns[static_cast<std::size_t>(k)]);
  const SmallestPart part = smallest_part(system.K, system.group);
  std::string text = fmt::format("nothing holds {}", named(of_system));
  if (part.parts > 1)
    text +=
        fmt::format("; the model falls into {} parts that K does not connect, the smallest is {}",
                    part.parts,
                    named(part.unknowns));
  return text;
}

/// Throws: K is singular; names the DOFs that nothing holds, or says that the part is free.
[[noreturn]] void throw_mechanism(const ShiftedFactor& factor, const NamedUnknowns& names) {
  const std::string description = describe_mechanism(
      names, mechanism_unknowns(factor.K(), factor.group(), rigid_motions(names)));
  const bool is_held = !names.model.interface_nodes.empty() &&
                       static_cast<Eigen::Index>(names.unknowns.size()) < names.system.size();
  if (description.empty() && is_held)
    throw NumericalError(
        "mechanism",
        "K is singular: with its interface nodes held the part can still move as a rigid body",
        {},
        "take three or more interface nodes that do not lie on one line, or a node with rotations "
        "(import --spider), or let the interface be free (--method craig-chang)");
  throw NumericalError(
      "mechanism",
      description.empty() ? std::string("K is singular: the part can move as a rigid body, or its "
                                        "supports are lost in the last digits of K")
                          : fmt::format("K is singular: {}", description),
      {},
      description.empty()
          ? "hold it (interface nodes, constraints), make so soft supports stiffer or leave them "
            "out, or take free modes and attachment modes"
          : "hold these DOFs, or repair the elements there");
}

/// Modes that K does not resist, including the rigid ones, and the relative uncertainty that the
/// last digits of K leave in the frequency of the softest other mode.
struct SoftModes {
  std::vector<Eigen::Index> zero;
  Eigen::Index softest = -1;
  double uncertainty = 0.0;
  std::int64_t negative = 0;  // number of eigenvalues below zero by more than those digits
};

/// True if x is one of the motions, which have already been judged by their forces.
bool is_among(const Eigen::VectorXd& x,
              const SparseMatrix& M,
              const std::vector<Eigen::MatrixXd>& motions) {
  constexpr double kMaxOutsideShare = 1e-6;  // largest share of its mass outside the motions
  const double mass = x.dot(symmetric_product(M, x).col(0));
  return std::any_of(motions.begin(), motions.end(), [&](const Eigen::MatrixXd& T) {
    const Eigen::VectorXd rest = without_rigid(x, T);
    return rest.dot(symmetric_product(M, rest).col(0)) < kMaxOutsideShare * mass;
  });
}

/// Finds the soft modes, which are the lowest ones. Eight modes are examined per pass over K, until
/// a group of eight contains none.
/// @param tested  rigid motions: modes among them are not separate zero-energy motions
SoftModes soft_modes(const ShiftedFactor& factor,
                     const NormalModes& modes,
                     const std::vector<Eigen::MatrixXd>& tested) {
  constexpr Eigen::Index kModesPerPass = 8;
  const SparseMatrix& K = factor.K();
  SoftModes out;
  out.zero.resize(static_cast<std::size_t>(modes.report.rigid_modes));
  std::iota(out.zero.begin(), out.zero.end(), 0);
  const RoundOff round_off(K);
  for (Eigen::Index first = modes.report.rigid_modes; first < modes.X.cols();
       first += kModesPerPass) {
    const Eigen::Index count = std::min(kModesPerPass, modes.X.cols() - first);
    const RoundOff::Resistance felt = round_off.resistance(modes.X.middleCols(first, count));
    const std::vector<Eigen::Index> found = round_off.zero_energy_columns(felt);
    for (Eigen::Index j = 0; j < count; ++j) {
      const bool is_zero = std::find(found.begin(), found.end(), j) != found.end() &&
                           !is_among(modes.X.col(first + j), factor.M(), tested);
      if (is_zero) out.zero.push_back(first + j);
      if (modes.lambda(first + j) < 0.0 &&
          felt.energy(j) > RoundOff::kRigid * round_off.precision())
        ++out.negative;
      if (is_zero || !(felt.energy(j) > 0.0)) continue;
      if (const double uncertainty = 0.5 * round_off.precision() / felt.energy(j);
          uncertainty > out.uncertainty) {
        out.softest = first + j;
        out.uncertainty = uncertainty;
      }
    }
    if (found.empty()) break;
  }
  return out;
}

/// True if the forces left of a solution u are no more than the rounding of u and of the sums of
/// K u: no further round can lower them.
bool is_round_off(const SparseMatrix& K, const Eigen::MatrixXd& u, double rest) {
  constexpr double kDigits = 10.0;  // units of the last digit of |K| |u|; a fine mesh leaves 1.5
  const SparseMatrix magnitudes = K.cwiseAbs();
  const double forces = symmetric_product(magnitudes, u.cwiseAbs()).norm();
  return rest <= kDigits * std::numeric_limits<double>::epsilon() * forces;
}

/// The displacements u of elastic_solutions(); absent if the refinement does not contract. The
/// forces left over bottom out at their rounding while u still gains digits in its softest motions,
/// whose error shrinks by |shift| / (lambda + |shift|) a round. From there on the steps decide.
std::optional<Eigen::MatrixXd> refined_solution(const ShiftedFactor& factor,
                                                const Eigen::MatrixXd& rigid,
                                                const Eigen::MatrixXd& f) {
  // largest |elastic share| / |f| of a load that only accelerates the component
  constexpr double kRigidLoad = 1e-12;
  constexpr int kMaxRounds = 300;  // at the slowest contraction accepted these gain 13 digits
  // converged when |step| / |u| is below this: a few last digits
  constexpr double kStepGoal = 1e-13;
  constexpr double kResidualGoal = 1e-14;  // converged when |rest| / |load| is below this
  // largest |rest| of a round relative to the previous one; above it the round gains less than a
  // bit
  constexpr double kStagnation = 0.5;
  // relative accuracy from which such a round is the last one
  constexpr double kStagnationAccuracy = 1e-8;
  // |rest| of a round divided by that of the previous round, above which the refinement gives up
  constexpr double kNoContraction = 0.9;
  constexpr int kFirstRounds = 3;  // number of first rounds, which may contract slowly
  Eigen::MatrixXd load = f;
  Eigen::MatrixXd M_rigid;
  if (rigid.cols() > 0) {
    M_rigid = symmetric_product(factor.M(), rigid);
    add_product(load, M_rigid, transposed_product(rigid, f), -1.0);
    for (Eigen::Index j = 0; j < load.cols(); ++j)  // loads without an elastic solution
      if (load.col(j).norm() < kRigidLoad * f.col(j).norm()) load.col(j).setZero();
  }
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(load.rows(), load.cols());
  Eigen::MatrixXd rest = load;
  double previous = load.norm();
  double previous_step = 0.0;
  const double goal = kResidualGoal * previous;
  for (int round = 0; round < kMaxRounds; ++round) {
    factor.solve(rest);
    u += rest;
    if (rigid.cols() > 0) add_product(u, rigid, transposed_product(M_rigid, u), -1.0);
    const double step = rest.norm();
    if (step <= kStepGoal * u.norm()) return u;
    rest = load - symmetric_product(factor.K(), u);
    // a K with few digits resists rigid motion slightly, which is not part of the solution
    if (rigid.cols() > 0) add_product(rest, M_rigid, transposed_product(rigid, rest), -1.0);
    const double now = rest.norm();
    const bool stagnates =
        round > 0 && now > kStagnation * previous && now < kStagnationAccuracy * load.norm();
    if (now <= goal || stagnates) return u;
    if (round > kFirstRounds && now > kNoContraction * previous) {
      const bool contracts = step < kNoContraction * previous_step;
      const bool is_close = step <= kStagnationAccuracy * u.norm();
      if (!is_round_off(factor.K(), u, now)) break;
      if (is_close || !contracts) return u;
    }
    previous = now;
    previous_step = step;
  }
  return std::nullopt;
}

[[noreturn]] void throw_indefinite(std::int64_t negative) {
  throw ModelError("indefinite-stiffness",
                   fmt::format("K is indefinite: {} eigenvalues lie below zero", negative),
                   {},
                   "check the export: signs, units, and which triangle it holds");
}

}  // namespace

Eigen::Vector3d middle(const FeModel& model) {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const Node& node : model.nodes)
    centre += node.position / static_cast<double>(model.nodes.size());
  return centre;
}

Eigen::MatrixXd rigid_columns(const FeModel& model, const System& system) {
  return system.restrict_shape(rigid_body_shapes(model, model.dofs, middle(model)));
}

std::vector<Eigen::MatrixXd> rigid_columns_of_parts(const FeModel& model,
                                                    const System& system,
                                                    ShiftedFactor& factor,
                                                    const std::vector<std::int64_t>& interface) {
  const Eigen::MatrixXd T = rigid_columns(model, system);
  const std::vector<std::vector<std::int64_t>> parts = parts_of(system.K, system.group);
  if (parts.size() < 2 || parts.size() > kMaxLooseParts) return {T};
  std::vector<Eigen::MatrixXd> out;
  for (const std::vector<std::int64_t>& unknowns : parts) {
    Eigen::MatrixXd of_part = Eigen::MatrixXd::Zero(T.rows(), T.cols());
    of_part(unknowns, Eigen::all) = T(unknowns, Eigen::all);
    const bool is_joined =
        interface.empty() ||
        std::any_of(interface.begin(), interface.end(), [&](std::int64_t unknown) {
          return std::binary_search(unknowns.begin(), unknowns.end(), unknown);
        });
    if (is_joined)
      out.push_back(std::move(of_part));
    else if (rigid_modes(factor, {of_part}).cols() > 0)
      return {T};
  }
  return out;
}

void factor_stiffness(ShiftedFactor& factor, const NamedUnknowns& names) {
  if (!factor.at(0.0)) throw_mechanism(factor, names);
  if (factor.inertia().negative == 0) {
    // A pivot that should be zero may be round-off instead. The solution is then wrong and leaves
    // a residual far larger than after a sound factorisation.
    constexpr double kTrusted = 1e-6;
    Eigen::MatrixXd y = factor.K().diagonal();
    const Eigen::MatrixXd load = y;
    factor.solve(y);
    const double left = (symmetric_product(factor.K(), y) - load).norm();
    if (!(left <= kTrusted * load.norm())) throw_mechanism(factor, names);
    return;
  }
  const double shift = factor.negative_shift();
  const std::int64_t below = factor.count_below(shift);
  if (below == 0) throw_mechanism(factor, names);  // negative by round-off only
  throw_indefinite(below);
}

void factor_shifted_stiffness(ShiftedFactor& factor, const NamedUnknowns& names) {
  if (factor.at_negative_shift()) return;
  if (factor.at(factor.negative_shift()) && factor.inertia().negative > 0)
    throw_indefinite(factor.inertia().negative);
  throw_mechanism(factor, names);
}

void with_mechanisms_held(const FeModel& model,
                          System& system,
                          const std::vector<Dof>* interface_held,
                          Diagnostics& diagnostics,
                          const std::function<void()>& work) {
  try {
    work();
    return;
  } catch (const NumericalError& error) {
    if (error.code() != "mechanism") throw;
    MasslessMechanism mechanism;
    if (interface_held != nullptr) {
      // only motions of the free unknowns; those that move the interface are treated separately
      const Partition part = partition(system, interface_unknowns(model, system, *interface_held));
      mechanism = massless_mechanism(part.K_ii, part.M_ii, part.group_i);
      mechanism.motions = scatter(part.i, mechanism.motions, system.size());
      for (std::int64_t& unknown : mechanism.held)
        unknown = part.i[static_cast<std::size_t>(unknown)];
    } else {
      mechanism = massless_mechanism(system.K, system.M, system.group);
    }
    if (mechanism.held.empty()) throw;
    std::vector<std::int64_t> rows;
    for (const std::int64_t unknown : mechanism.held)
      rows.push_back(system.row_of[static_cast<std::size_t>(unknown)]);
    std::sort(rows.begin(), rows.end());
    diagnostics.warn("massless-mechanism",
                     fmt::format("{} motions have neither stiffness nor mass; they are held at {}",
                                 mechanism.held.size(),
                                 name_dofs(model, rows)));
    system = hold_mechanism(system, mechanism);
  }
  work();
}

namespace {

UnknownPlaces places_of(const NamedUnknowns& names) {
  UnknownPlaces out;
  const std::size_t count = names.unknowns.size();
  out.positions = Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(count));
  out.components.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Dof& dof = names.model.dofs[names.system.row_of[at(names.unknowns[i])]];
    const Node* node = find_node(names.model, dof.node);
    if (node == nullptr) continue;  // a scalar point
    out.positions.col(static_cast<Eigen::Index>(i)) = node->position;
    out.components[i] = static_cast<std::int8_t>(dof.component);
  }
  return out;
}

}  // namespace

NormalModes normal_modes(ShiftedFactor& factor,
                         const NamedUnknowns& names,
                         const Eigen::MatrixXd& rigid,
                         const NormalRequest& request,
                         const SolveOptions& options,
                         Progress& progress) {
  NormalRequest placed = request;
  placed.places = [&] { return places_of(names); };
  try {
    return normal_modes(factor, rigid, placed, options, progress);
  } catch (const NumericalError& error) {
    if (error.code() != "singular") throw;
    throw_mechanism(factor, names);
  }
}

void warn_of_mechanisms(const ShiftedFactor& factor,
                        const NamedUnknowns& names,
                        const std::vector<Eigen::MatrixXd>& tested,
                        NormalModes& modes,
                        Diagnostics& diagnostics) {
  constexpr double kReportedUncertainty = 2e-4;  // of a frequency
  // share of a zero mode (unit mass) outside the rigid motions from which it is a mechanism
  constexpr double kNotOnlyRigid = 1e-6;
  const SoftModes soft = soft_modes(factor, modes, tested);
  modes.report.negative_modes = soft.negative;
  const Eigen::MatrixXd zero = modes.X(Eigen::all, soft.zero);
  modes.report.zero_modes = zero.cols();
  if (soft.uncertainty > kReportedUncertainty)
    diagnostics.warn(
        "digits-of-k",
        fmt::format("normal mode {} is so soft compared with the stiffest motions of the mesh "
                    "that the last digits of K leave its frequency uncertain by {:.1g} %; a "
                    "coarser mesh through its thickness, shells or beams are more exact",
                    soft.softest + 1,
                    100.0 * std::min(1.0, soft.uncertainty)));
  if (zero.cols() == 0) return;
  const Eigen::MatrixXd whole = rigid_motions(names);
  const DenseEigen left = symmetric_eigen(project(factor.M(), without_rigid(zero, whole)));
  const Eigen::Index more = (left.values.array() > kNotOnlyRigid).count();
  if (more == 0) return;
  const std::string description = describe_mechanism(names, moved_unknowns(zero, whole));
  if (description.empty()) return;
  diagnostics.warn(
      "mechanism",
      fmt::format("{} modes{} have no stiffness: {}",
                  more,
                  more < zero.cols()
                      ? fmt::format(" in addition to the {} of a rigid body", zero.cols() - more)
                      : "",
                  description));
}

Eigen::MatrixXd constraint_modes(const ShiftedFactor& factor, const Partition& part) {
  Eigen::MatrixXd psi = -Eigen::MatrixXd(part.K_ib);
  factor.solve(psi);
  return psi;
}

Eigen::MatrixXd elastic_solutions(const ShiftedFactor& factor,
                                  const NamedUnknowns& names,
                                  const Eigen::MatrixXd& rigid,
                                  const Eigen::MatrixXd& f) {
  // Loads of one size, so that what is left of a small one is seen beside a large one. Powers of
  // two change no digit.
  Eigen::VectorXd size = Eigen::VectorXd::Ones(f.cols());
  for (Eigen::Index j = 0; j < f.cols(); ++j)
    if (const double norm = f.col(j).norm(); norm > 0.0 && std::isfinite(norm))
      size(j) = std::ldexp(1.0, std::ilogb(norm));
  const Eigen::MatrixXd loads = f * size.cwiseInverse().asDiagonal();
  if (std::optional<Eigen::MatrixXd> u = refined_solution(factor, rigid, loads))
    return *u * size.asDiagonal();
  if (!mechanism_unknowns(factor.K(), factor.group(), rigid).empty())
    throw_mechanism(factor, names);
  if (rigid.cols() == 0)
    throw NumericalError("no-convergence",
                         "static solutions do not converge: the digits of K are too few for the "
                         "ratio of its largest to its smallest stiffness",
                         {},
                         "look for elements of extreme stiffness");
  throw NumericalError("no-convergence",
                       "static solutions of the floating part do not converge: the shift is not "
                       "small compared with the first elastic eigenvalue",
                       {},
                       "give a smaller shift");
}

}  // namespace femflex::modal
