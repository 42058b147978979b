// Names the DOFs that a mechanism moves: in the error of a singular K, in the warning of modes
// without stiffness, and in that of massless motions, which are held.
#include "solve/mechanism_messages.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/index.h"

#include "dense/symmetric_eigen.h"
#include "solve/mechanisms.h"
#include "solve/projection.h"
#include "solve/rigid_columns.h"
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
      rows.push_back(system.row_of[at(unknown)]);
    return name_dofs(names.model, rows);
  };
  std::vector<std::int64_t> of_system;
  for (const std::int64_t k : moved)
    of_system.push_back(names.unknowns[at(k)]);
  const SmallestPart part = smallest_part(system.K, system.group);
  std::string text = fmt::format("nothing holds {}", named(of_system));
  if (part.parts > 1)
    text +=
        fmt::format("; the model falls into {} parts that K does not connect, the smallest is {}",
                    part.parts,
                    named(part.unknowns));
  return text;
}

/// Modes that K does not resist, including the rigid ones, and the relative uncertainty of the
/// softest other frequency due to the last digits of K.
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
  out.zero.resize(at(modes.report.rigid_modes));
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

}  // namespace

void throw_mechanism(const ShiftedFactor& factor, const NamedUnknowns& names) {
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
          ? "hold it (interface nodes, constraints), make such soft supports stiffer or leave them "
            "out, or take free modes and attachment modes"
          : "hold these DOFs, or repair the elements there");
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
        unknown = part.i[at(unknown)];
    } else {
      mechanism = massless_mechanism(system.K, system.M, system.group);
    }
    if (mechanism.held.empty()) throw;
    std::vector<std::int64_t> rows;
    for (const std::int64_t unknown : mechanism.held)
      rows.push_back(system.row_of[at(unknown)]);
    std::sort(rows.begin(), rows.end());
    diagnostics.warn("massless-mechanism",
                     fmt::format("{} motions have neither stiffness nor mass; they are held at {}",
                                 mechanism.held.size(),
                                 name_dofs(model, rows)));
    system = hold_mechanism(system, mechanism);
  }
  work();
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
  const double percent = 100.0 * std::min(1.0, soft.uncertainty);
  if (soft.uncertainty > kReportedUncertainty)
    diagnostics.warn(
        "digits-of-k",
        fmt::format(
            "normal mode {} is so soft compared with the stiffest motions of the mesh "
            "that the last digits of K leave its frequency uncertain by {} %; a "
            "coarser mesh through its thickness, shells or beams are more exact",
            soft.softest + 1,
            percent < 1.0 ? fmt::format("{:.1g}", percent) : fmt::format("{:.0f}", percent)));
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

}  // namespace femflex::modal
