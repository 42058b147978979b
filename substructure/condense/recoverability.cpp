// Lists what a receiver can recover of a part from its condensed form, and what the form no longer
// contains: docs/theory/substructures.md §5.
#include <cmath>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/substructure/condense.h"
#include "femflex/substructure/solve.h"

#include "blocks.h"

namespace femflex::substructure {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

/// Number of non-zero entries in the lower triangles, or in the full matrices if R is not
/// symmetric.
Index numbers_in(const DynamicStiffness& part) {
  const bool symmetric = is_symmetric(part);
  Index count = 0;
  for (const SparseMatrix& a : part.coefficients) {
    for (Index j = 0; j < a.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
        if (it.value() != 0.0 && (!symmetric || it.row() >= j)) ++count;
      }
    }
  }
  return count;
}

}  // namespace

Recoverability recoverability(const DynamicStiffness& exported, const DynamicStiffness& full) {
  if (exported.ports != full.ports) {
    throw ModelError("mismatched-ports",
                     fmt::format("'{}' and '{}' have different ports", exported.name, full.name));
  }
  Recoverability out;
  out.ports = exported.port_count();
  out.hidden_coordinates = exported.inner_count();
  out.removed_coordinates = full.inner_count();
  out.numbers_given = numbers_in(exported);
  out.numbers_private = numbers_in(full);
  if (exported.inner_count() > 0) {
    Supports supports;
    for (int port = 1; port <= exported.port_count(); ++port)
      supports.fixed.push_back(port);
    const Poles resonances = poles(exported, supports);
    for (Index k = 0; k < resonances.values.size(); ++k) {
      if (resonances.values(k).imag() <= 0.0) continue;
      out.fixed_interface_hz.push_back(std::abs(resonances.values(k)) / (2.0 * M_PI));
    }
  }
  const Eigen::VectorXcd at_rest = [&]() -> Eigen::VectorXcd {
    const MatrixXd K = condensed_at(exported, 0.0).real();
    return K.eigenvalues();
  }();
  // smaller eigenvalues relative to the largest are round-off of the condensation
  constexpr double kRigidStiffness = 1e-9;
  const double stiffest = at_rest.cwiseAbs().maxCoeff();
  out.rigid_motions = (at_rest.cwiseAbs().array() <= kRigidStiffness * stiffest).count();

  out.findings.push_back(fmt::format(
      "stiffness of the {} ports at rest, and R(s) on them in the band of the part: known",
      out.ports));
  if (out.rigid_motions > 0) {
    out.findings.push_back(
        fmt::format("mass and inertia of {} rigid-body motions: known", out.rigid_motions));
  }
  out.findings.push_back(
      out.fixed_interface_hz.empty()
          ? std::string("resonances with held ports: not in the part")
          : fmt::format(
                "{} resonances with held ports and how strongly ports couple to them: known",
                out.fixed_interface_hz.size()));
  if (out.removed_coordinates > 0) {
    out.findings.push_back(fmt::format(
        "places, number and meaning of the {} inner DOFs: not in the part; every change of inner "
        "coordinates, with {} numbers to choose freely, gives the same R(s) on the ports",
        out.removed_coordinates,
        out.removed_coordinates * out.removed_coordinates));
  }
  out.findings.push_back(fmt::format("{} numbers are exported, of {} that describe the part",
                                     out.numbers_given,
                                     out.numbers_private));
  return out;
}

}  // namespace femflex::substructure
