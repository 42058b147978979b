// Motions that K does not resist, beside the soft ones of slender parts and soft supports.
#include <cmath>
#include <cstdlib>
#include <string>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"

#include "generated_structures.h"
#include "problems.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::generated_structure;
using testing::GeneratedStructure;

using Wide = long double;
using WideMatrix = Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic>;

/// Eigenvalues of the model by a dense solver with three more digits.
Eigen::Matrix<Wide, Eigen::Dynamic, 1> wide_eigenvalues(const FeModel& model) {
  std::vector<Eigen::Index> free;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (std::find(model.fixed.begin(), model.fixed.end(), model.dofs[row]) == model.fixed.end())
      free.push_back(row);
  const auto full = [&](const SparseMatrix& lower) -> WideMatrix {
    Eigen::MatrixXd a = lower;
    a.triangularView<Eigen::StrictlyUpper>() = a.transpose();
    return a(free, free).cast<Wide>();
  };
  return Eigen::GeneralizedSelfAdjointEigenSolver<WideMatrix>(
             full(*model.stiffness), full(*model.mass), Eigen::EigenvaluesOnly)
      .eigenvalues();
}

int generated_models() {
  const char* text = std::getenv("FEMFLEX_GENERATED_MODELS");
  return text == nullptr ? 40 : std::atoi(text);
}

void expect_as_counted_by_hand(const GeneratedStructure& made) {
  const auto truth = wide_eigenvalues(made.model);
  ModeRequest request;
  request.normal = made.zero_modes + 3;
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(made.model, request, diagnostics);
  EXPECT_EQ(modes.report.zero_modes, made.zero_modes);
  // what the last digits of K leave open: 1e-15 of the widest eigenvalue
  const auto round_off = static_cast<double>(1e-15L * truth(truth.size() - 1));
  for (std::int64_t k = made.zero_modes; k < modes.modes.count(); ++k) {
    const auto want = static_cast<double>(truth(k));
    EXPECT_NEAR(
        modes.modes.modes[static_cast<std::size_t>(k)].eigenvalue, want, 2e-6 * want + round_off)
        << "mode " << k + 1;
  }
}

TEST(ZeroModes, OfGeneratedStructuresAreThoseCountedByHand) {
  for (int seed = 1; seed <= generated_models(); ++seed) {
    const GeneratedStructure made = generated_structure(static_cast<std::uint32_t>(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + made.what);
    try {
      expect_as_counted_by_hand(made);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace
}  // namespace femflex::modal
