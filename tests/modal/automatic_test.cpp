// Tests frequency responses at the interface computed without modes, and the automatic selection of
// modes that uses them. Truth: the inverse of the full dynamic stiffness.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "methods/interface_response.h"
#include "problems.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::beam;
using testing::kLossFactor;
using testing::relative_difference;
using testing::square_of_hz;
using testing::tolerance;

/// Receptance of the interface, by (1 + i g) K - w^2 M of all DOFs.
Eigen::MatrixXcd direct_receptance(const FeModel& model, double w2) {
  const Eigen::MatrixXd K = mirrored(*model.stiffness);
  const Eigen::MatrixXd M = mirrored(*model.mass);
  std::vector<Eigen::Index> rows;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (std::find(model.interface_nodes.begin(),
                  model.interface_nodes.end(),
                  model.dofs[row].node) != model.interface_nodes.end())
      rows.push_back(row);
  const Eigen::MatrixXcd Z =
      std::complex<double>(1.0, kLossFactor) * K.cast<std::complex<double>>() -
      w2 * M.cast<std::complex<double>>();
  return Eigen::MatrixXcd(Z.inverse())(rows, rows);
}

std::vector<double> elastic_frequencies(const FeModel& model) {
  const Eigen::MatrixXd K = mirrored(*model.stiffness);
  const Eigen::MatrixXd M = mirrored(*model.mass);
  const Eigen::VectorXd lambda =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M).eigenvalues();
  std::vector<double> hz;
  for (const double value : lambda)
    if (value > 1.0) hz.push_back(std::sqrt(value) / (2.0 * std::numbers::pi));
  return hz;
}

// Second algorithm: the inverse of the full complex dynamic stiffness. A free-free and a
// clamped-clamped beam have the same frequencies, so that with both ends as interface each
// resonance lies beside one of the part with held interface, where the inner dynamic stiffness is
// nearly singular.
TEST(InterfaceResponse, EqualsTheFullModelsAtItsResonancesToo) {
  FeModel model = beam(12, "ff");
  for (const std::vector<std::int64_t>& interface :
       {std::vector<std::int64_t>{1}, {7}, {1, 13}, {1, 4, 7, 10, 13}}) {
    model.interface_nodes = interface;
    Diagnostics diagnostics;
    CraigBamptonSolver solver(model, {}, diagnostics);
    InterfaceSampler sampler(solver, kLossFactor);
    std::vector<double> frequencies = elastic_frequencies(model);
    frequencies.resize(5);
    frequencies.insert(frequencies.end(), {0.05, 1.0, 7.0, 20.0});
    for (const double hz : frequencies) {
      const Eigen::MatrixXcd expected = direct_receptance(model, square_of_hz(hz));
      const Eigen::MatrixXcd H = sampler.at(square_of_hz(hz)).Z.inverse();
      EXPECT_LT((H - expected).norm(), tolerance(1e-6) * expected.norm())
          << interface.size() << " nodes at " << hz << " Hz";
    }
  }
}

// With one interface node the condensed stiffness k_bb of a free part is zero, so that damping in
// proportion to it would not bound the resonances. The selection keeps its tolerance nevertheless,
// by direct solutions of the full model, and without taking all modes.
TEST(Automatic, OneNodeOfAFloatingPartIsInterfaceEnough) {
  FeModel model = beam(12, "ff");
  for (const std::int64_t node : {1, 7}) {
    model.interface_nodes = {node};
    for (const double asked : {1e-2, 1e-3}) {
      ReduceOptions options;
      options.method = Method::automatic;
      options.rigid_modes = RigidModes::keep;
      options.tolerance = asked;
      options.band = FrequencyBand{0.0, 20.0};
      Diagnostics diagnostics;
      const FlexBody body = reduce(model, options, diagnostics);
      EXPECT_LT(body.mode_count(), 20) << "of 26 DOFs";
      const Eigen::MatrixXd Phi_b = body.shapes(
          std::vector<Eigen::Index>{6 * (node - 1) + 1, 6 * (node - 1) + 5}, Eigen::all);
      std::vector<double> frequencies = elastic_frequencies(model);
      frequencies.resize(3);
      for (int k = 0; k <= 232; ++k)  // up to 20 Hz
        frequencies.push_back(0.2 * std::pow(1.02, k));
      for (const double hz : frequencies) {
        const double w2 = square_of_hz(hz);
        const Eigen::MatrixXcd full = direct_receptance(model, w2);
        const Eigen::MatrixXcd z =
            std::complex<double>(1.0, kLossFactor) * body.stiffness.cast<std::complex<double>>() -
            w2 * body.mass.cast<std::complex<double>>();
        const Eigen::MatrixXcd reduced = Phi_b * z.inverse() * Phi_b.transpose();
        // the selection weights errors by the rigid-body inertia about the node, as k_bb is zero
        const double x = model.nodes[static_cast<std::size_t>(node - 1)].position.x();
        const Eigen::Vector2d d(1.0, std::sqrt(1.0 / 12.0 + (x - 0.5) * (x - 0.5)));
        EXPECT_LT((d.asDiagonal() * (reduced - full) * d.asDiagonal()).norm(),
                  1.02 * asked * (d.asDiagonal() * full * d.asDiagonal()).norm())
            << hz << " Hz, node " << node;
      }
    }
  }
}

// Far below the first mode the four constraint modes (two nodes of two DOFs) are enough. The first
// normal mode lies at 4000 times the band, which must not end the selection with an error.
TEST(Automatic, ABandFarBelowTheFirstModeNeedsNoNormalModes) {
  FeModel model = beam(8, "ff");
  model.interface_nodes = {1, 9};
  ReduceOptions options;
  options.method = Method::automatic;
  options.band = FrequencyBand{0.0, 1e-3};
  Diagnostics diagnostics;
  EXPECT_EQ(reduce(model, options, diagnostics).mode_count(), 4);
}

}  // namespace
}  // namespace femflex::modal
