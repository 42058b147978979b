// Tests that every ill-posed request is refused by one error with the cause.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"

#include "double_mass_spring.h"
#include "problems.h"
#include "solve/projection.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::brick_block;
using testing::tolerance;

TEST(IllPosed, AFreePartHasNoStaticAnswerAndSaysSo) {
  FeModel model = testing::joined_block();
  model.loads = {{1, "", Eigen::VectorXd::Ones(model.dofs.size())}};
  ModeRequest request;
  request.static_loads = true;
  Diagnostics diagnostics;
  try {
    compute_modes(model, request, diagnostics);
    FAIL() << "the part is not held";
  } catch (const NumericalError& error) {
    EXPECT_EQ(error.code(), "mechanism");
    EXPECT_NE(error.message().find("rigid body"), std::string::npos) << error.message();
  }
}

// A node without stiffness in y: it is named, because a mass that nothing holds is a mistake.
TEST(IllPosed, AMechanismIsNamedByItsDofs) {
  FeModel model = testing::double_mass_spring();
  model.nodes.push_back({4, Eigen::Vector3d(0, 0, 3), 0});
  model.dofs = DofMap({{2, 3}, {3, 3}, {4, 3}});
  model.stiffness = assemble(3, 3, {{0, 0, 30.0}, {1, 0, -10.0}, {1, 1, 10.0}});
  model.mass = assemble(3, 3, {{0, 0, 5.0}, {1, 1, 5.0}, {2, 2, 1.0}});
  model.loads = {{1, "", Eigen::Vector3d(0, 1, 0)}};
  model.modes = {};
  ModeRequest request;
  request.static_loads = true;
  Diagnostics diagnostics;
  try {
    compute_modes(make_fe_model(model), request, diagnostics);
    FAIL() << "nothing holds node 4";
  } catch (const NumericalError& error) {
    EXPECT_NE(error.message().find("4/T3"), std::string::npos) << error.message();
  }
}

/// The code of the error that computing ends with; "" where it does not.
std::string failure(const FeModel& model, const ModeRequest& request) {
  Diagnostics diagnostics;
  try {
    compute_modes(model, request, diagnostics);
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

TEST(IllPosed, IndefiniteMatricesAreRefused) {
  FeModel model = testing::double_mass_spring();
  ModeRequest request;
  request.normal = 1;
  model.mass = assemble(2, 2, {{0, 0, 5.0}, {1, 0, 6.0}, {1, 1, 5.0}});
  EXPECT_EQ(failure(model, request), "indefinite-mass");
  model.mass = assemble(2, 2, {{0, 0, -5.0}, {1, 1, 5.0}});
  EXPECT_EQ(failure(model, request), "indefinite-mass");
  model = testing::double_mass_spring();
  model.stiffness = assemble(2, 2, {{0, 0, 30.0}, {1, 0, -20.0}, {1, 1, 10.0}});
  request = {};
  request.static_loads = true;
  EXPECT_EQ(failure(model, request), "indefinite-stiffness");
}

// Every pair of DOFs looks sound (|M_ij| <= mean of the diagonal); the whole is not:
// eigenvalues 1 - 2 * 0.9 and 1 + 0.9.
TEST(IllPosed, AMassThatIsIndefiniteAsAWholeIsRefusedToo) {
  FeModel model = testing::double_mass_spring();
  model.nodes.push_back({4, Eigen::Vector3d(0, 0, 3), 0});
  model.dofs = DofMap({{2, 3}, {3, 3}, {4, 3}});
  model.stiffness = assemble(3, 3, {{0, 0, 3.0}, {1, 1, 2.0}, {2, 2, 1.0}});
  model.mass = assemble(
      3, 3, {{0, 0, 1.0}, {1, 1, 1.0}, {2, 2, 1.0}, {1, 0, -0.9}, {2, 0, -0.9}, {2, 1, -0.9}});
  model.loads.clear();
  model.modes = {};
  ModeRequest request;
  request.normal = 3;
  EXPECT_EQ(failure(make_fe_model(model), request), "indefinite-mass");
}

// A spring to ground of negative stiffness: K has one negative eigenvalue whatever is asked for,
// and both the dense path (48 DOFs) and the sparse one (243) report it.
TEST(IllPosed, AnIndefiniteStiffnessIsRefusedBySmallAndLargeModels) {
  for (const int n : {3, 8}) {
    FeModel model = testing::brick_block(n, n > 3 ? 2 : 1, n > 3 ? 2 : 1, 1.0, 0.2, 0.15);
    model.interface_nodes = {1};
    *model.stiffness += assemble(model.dofs.size(), model.dofs.size(), {{30, 30, -1e9}});
    ModeRequest request;
    request.normal = 8;
    EXPECT_EQ(failure(model, request), "indefinite") << n;
    request = {};
    request.attachment = true;
    EXPECT_EQ(failure(model, request), "indefinite-stiffness") << n;
  }
}

// Two blocks side by side are not a mechanism inside a part, but static solutions of the pair do
// not exist: the message says that there are two parts, where the shift was blamed before.
TEST(IllPosed, PartsThatNothingConnectsAreNamed) {
  FeModel model = testing::copies(testing::brick_block(3, 1, 1, 1.0, 0.2, 0.15), 2);
  model.interface_nodes = {model.nodes.front().id};
  ModeRequest request;
  request.attachment = true;
  Diagnostics diagnostics;
  try {
    compute_modes(model, request, diagnostics);
    FAIL() << "the second block floats beside the first";
  } catch (const NumericalError& error) {
    EXPECT_EQ(error.code(), "mechanism");
    EXPECT_NE(error.message().find("2 parts"), std::string::npos) << error.message();
  }
  // normal modes do exist; twelve of them have zero energy, which is reported
  request = {};
  request.normal = 14;
  EXPECT_EQ(compute_modes(model, request, diagnostics).modes.count(), 14);
  ASSERT_EQ(diagnostics.warnings().size(), 1u);
  EXPECT_EQ(diagnostics.warnings().front().code, "mechanism");
  EXPECT_NE(diagnostics.warnings().front().message.find("6 modes in addition to the 6"),
            std::string::npos)
      << diagnostics.warnings().front().message;
}

// Two massless rotations joined by a spring, in addition to the double mass-spring: both together
// have no energy, so K - sigma M is singular for every sigma. One is held, with a warning, also
// where modes are counted up to a frequency first. Closed form: omega^2 = 4 -+ 2 sqrt 2.
TEST(IllPosed, MotionsWithoutStiffnessAndMassAreHeldWhenModesAreCountedToo) {
  FeModel model = testing::double_mass_spring();
  model.nodes.push_back({4, Eigen::Vector3d(0, 0, 3), 0});
  model.nodes.push_back({5, Eigen::Vector3d(0, 0, 4), 0});
  model.dofs = DofMap({{2, 3}, {3, 3}, {4, 4}, {5, 4}});
  model.stiffness = assemble(
      4, 4, {{0, 0, 30.0}, {1, 0, -10.0}, {1, 1, 10.0}, {2, 2, 7.0}, {3, 2, -7.0}, {3, 3, 7.0}});
  model.mass = assemble(4, 4, {{0, 0, 5.0}, {1, 1, 5.0}});
  model.loads.clear();
  model.modes = {};
  model = make_fe_model(model);
  ModeRequest request;
  request.fmax_hz = 100.0;
  request.solve.eigensolver = Eigensolver::block_lanczos;
  Diagnostics diagnostics;
  const ModeSet modes = compute_modes(model, request, diagnostics).modes;
  ASSERT_EQ(modes.count(), 2);
  EXPECT_NEAR(modes.modes[0].eigenvalue, 4.0 - 2.0 * std::sqrt(2.0), tolerance(1e-12));
  EXPECT_NEAR(modes.modes[1].eigenvalue, 4.0 + 2.0 * std::sqrt(2.0), tolerance(1e-12));
  EXPECT_TRUE(std::any_of(diagnostics.warnings().begin(),
                          diagnostics.warnings().end(),
                          [](const auto& w) { return w.code == "massless-mechanism"; }));
}

TEST(IllPosed, MoreModesThanExistAreRefused) {
  ModeRequest request;
  request.normal = 3;
  EXPECT_EQ(failure(testing::double_mass_spring(), request), "too-many-modes");
  FeModel model = testing::joined_block();
  request.normal = model.dofs.size() + 1;
  EXPECT_EQ(failure(model, request), "too-many-modes");
  request.fixed = ModeRequest::Boundary::interface;
  request.normal = model.dofs.size() - 11;  // twelve of them are held
  EXPECT_EQ(failure(model, request), "too-many-modes");
}

TEST(IllPosed, AnInterfaceThatDependsOrIsMissingIsRefused) {
  // RBE2 from node 1 to nodes 2 and 10 of a block whose node 1 has six DOFs
  FeModel model = testing::joined_block();
  std::vector<Dof> rows = model.dofs.rows();
  const std::int64_t n = model.dofs.size();
  for (std::int8_t c = 4; c <= 6; ++c)
    rows.push_back({1, c});
  model.dofs = DofMap(rows);
  model.stiffness->conservativeResize(n + 3, n + 3);
  model.mass->conservativeResize(n + 3, n + 3);
  model.rigid_elements = {{"RBE2", 1, {1}, {2, 10}, "123"}};
  model.interface_nodes = {2};
  ModeRequest request;
  request.constraint = true;
  EXPECT_EQ(failure(model, request), "dependent-interface");
  model.interface_nodes = {};
  EXPECT_EQ(failure(model, request), "no-interface");
  request.dofs = {{3, 5}};
  EXPECT_EQ(failure(model, request), "interface");
  request.dofs = {{3, 1}, {3, 1}};
  EXPECT_EQ(failure(model, request), "interface");
  model.interface_nodes = {1};
  request.dofs.clear();
  Diagnostics diagnostics;
  EXPECT_EQ(compute_modes(model, request, diagnostics).modes.count(), 6);
}

// One mass that no spring holds.
TEST(IllPosed, AStiffnessOfZerosIsAMechanismForEveryKindOfModes) {
  FeModel model;
  model.units = Units{};
  model.nodes = {{1, Eigen::Vector3d(0.1, 0.2, 0.3)}};
  model.interface_nodes = {1};
  std::vector<Dof> dofs;
  std::vector<Entry> M;
  for (std::int8_t c = 1; c <= 6; ++c) {
    dofs.push_back({1, c});
    M.push_back({c - 1, c - 1, 2.0});
  }
  model.dofs = DofMap(dofs);
  model.mass = assemble(6, 6, M);
  model.stiffness = assemble(6, 6, {});
  Diagnostics diagnostics;
  ModeRequest request;
  request.normal = 6;
  const ComputedModes modes = compute_modes(model, request, diagnostics);
  EXPECT_EQ(modes.report.rigid_modes, 6);
  EXPECT_LT((project(*model.mass, modes.modes.shapes) - Eigen::MatrixXd::Identity(6, 6)).norm(),
            tolerance(1e-14));
  request.normal = 0;
  request.attachment = true;  // loads that a free mass follows deform nothing
  EXPECT_EQ(compute_modes(model, request, diagnostics).modes.shapes.norm(), 0.0);
  request = {};
  request.static_loads = true;
  model.loads = {{1, "", Eigen::VectorXd::Ones(6)}};
  EXPECT_THROW(compute_modes(model, request, diagnostics), NumericalError);
}

}  // namespace
}  // namespace femflex::modal
