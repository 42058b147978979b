// Tests rigid elements and multipoint constraints, from a deck and matrices to modes and bodies.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "femflex/flexfile/flexfile.h"
#include "femflex/importer/fe_model_file.h"

#include "program.h"
#include "support/constrained_frame.h"

namespace femflex::testing {
namespace {

namespace frame = spring_frame;
using tools::Json;

std::string deck(const std::string& name) {
  return "'" + data("constraints/" + name).string() + "'";
}

FlexBody body_of(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  return flexfile::read_body(path, {}, diagnostics);
}

/// Checks that the g-set of the frame with the rigid elements of a deck has the eigenvalues under
/// the constraints J u = 0.
void expect_eigenvalues(const std::string& name,
                        const Eigen::MatrixXd& J,
                        const std::string& options = "") {
  SCOPED_TRACE(name);
  const Program femflex;
  frame::write_g_set(femflex.file("g.op4"));
  const CommandResult made = femflex(
      "import " + deck(name) + " g.op4 --units m-kg-s --interface 1 " + options + " -o g.fe.h5");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Eigen::VectorXd truth = frame::eigenvalues(J);
  const Json modes = femflex.json("modes g.fe.h5 --normal 20 -o m.fe.h5");
  const auto& list = modes.find("modes")->items();
  ASSERT_EQ(list.size(), 20U);
  for (std::size_t k = 0; k < 20; ++k)
    EXPECT_NEAR(list[k].find("eigenvalue")->number(),
                truth(static_cast<Eigen::Index>(k)),
                tolerance(1e-9) * std::max(truth(static_cast<Eigen::Index>(k)), truth(6)))
        << k;
  const Json check = femflex.json("check g.fe.h5");
  EXPECT_EQ(check.find("verdict")->text(), "pass");
  // every shape of a body satisfies the constraints
  const CommandResult reduced =
      femflex("reduce g.fe.h5 --method craig-bampton --normal 6 -o b.fbm");
  ASSERT_EQ(reduced.exit_code, 0) << reduced.err;
  const Eigen::MatrixXd shapes = body_of(femflex.file("b.fbm")).shapes;
  if (J.rows() > 0) {
    EXPECT_LT((J * shapes).cwiseAbs().maxCoeff(), tolerance(1e-12) * shapes.cwiseAbs().maxCoeff());
  }
}

// Truth: dense elimination with the null space of the Jacobian, which the test builds itself.
TEST(Constraints, RigidElementsOfTheSameMotionHaveTheSameEigenvalues) {
  expect_eigenvalues("plain.bdf", frame::stacked({}));
  for (const char* name : {"rbe2.bdf", "rbar.bdf", "rbar_mixed.bdf", "rbe1.bdf"})
    expect_eigenvalues(name, frame::seven_on_three());
}

TEST(Constraints, MultipointConstraintsHoldAsTheCaseControlOrTheUserSays) {
  const auto u = [](int id, int c) { return frame::unit(id, c); };
  const Eigen::MatrixXd J = frame::stacked({2.0 * u(7, 2) - u(2, 2) - u(6, 2)});
  expect_eigenvalues("mpc.bdf", J);
  expect_eigenvalues("mpc.bdf", frame::stacked({u(7, 1) - u(1, 1)}), "--mpc 8");
  expect_eigenvalues("mpc_unchosen.bdf", frame::stacked({}));
  expect_eigenvalues("mpc_unchosen.bdf", J, "--mpc 7");
}

// The displacements of node 8 are along inclined axes; one of the equations contains two of them.
TEST(Constraints, MultipointConstraintsSpeakAlongTheAxesOfTheirNodes) {
  const auto u = [](int id, int c) { return frame::local(id, c); };
  expect_eigenvalues("mpc_askew.bdf",
                     frame::stacked({u(8, 1) - 0.5 * u(2, 2) - 0.5 * u(6, 3),
                                     2.0 * u(8, 3) + u(8, 2) - 0.3 * u(4, 5)}));
}

// Node 8 is constrained along inclined axes by equations with zero right-hand side. One MPC
// contains two axes of the node, and an SPC constrains the third.
TEST(Constraints, SinglePointConstraintsHoldAlongTheAxesOfTheirNodes) {
  const auto u = [](int id, int c) { return frame::local(id, c); };
  expect_eigenvalues("spc_askew.bdf", frame::stacked({u(8, 1), u(8, 6)}));
  expect_eigenvalues("spc_mpc_askew.bdf",
                     frame::stacked({u(8, 2), u(8, 1) - 0.5 * u(2, 2) - 5.0 * u(8, 3)}));
  Eigen::MatrixXd J(8, 6 * frame::kNodes);
  J << frame::hanging(8, 7), u(8, 1), u(8, 4);
  expect_eigenvalues("spc_turn.bdf", J);
}

// Truth: the closed form of a weighted mean about the weighted centre.
TEST(Constraints, AnInterpolationElementFollowsTheWeightedMean) {
  const Eigen::MatrixXd J = frame::mean_at_seven();
  expect_eigenvalues("rbe3.bdf", J);
  expect_eigenvalues("rbe3_um.bdf", J.topRows(3));
}

// Truth: normal equations of the best rigid-body fit about node 7. Rotations have the weight w L^2,
// where L is the mean distance of the four points for any number of DOFs per point.
TEST(Constraints, AnInterpolationElementMeasuresItsLengthByPoints) {
  expect_eigenvalues(
      "rbe3_mixed.bdf",
      frame::best_fit_at_seven({{1, 1.0, 3}, {2, 1.0, 3}, {5, 2.5, 6}, {6, 0.3, 4}}));
}

TEST(Constraints, ARodKeepsItsLength) {
  const Eigen::Vector3d e = (frame::position(7) - frame::position(8)).normalized();
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(1, 6 * frame::kNodes);
  J.block<1, 3>(0, frame::at(7, 1)) = e.transpose();
  J.block<1, 3>(0, frame::at(8, 1)) = -e.transpose();
  expect_eigenvalues("rrod.bdf", J);
}

TEST(Constraints, WhatIsNotWorkedInIsNamed) {
  const Program femflex;
  frame::write_g_set(femflex.file("g.op4"));
  CommandResult told =
      femflex("import " + deck("rspline.bdf") + " g.op4 --units m-kg-s -o g.fe.h5");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_NE(told.err.find("RSPLINE 5 is not applied to"), std::string::npos) << told.err;
  const Json check = femflex.json("check g.fe.h5");
  EXPECT_EQ(check.find("verdict")->text(), "fail");
  EXPECT_EQ(check.find("findings")->items().at(0).find("code")->text(), "unapplied-constraints");
  told = femflex("modes g.fe.h5 --normal 8 -o m.fe.h5");
  EXPECT_NE(told.err.find("RSPLINE 5"), std::string::npos) << told.err;
  told = femflex("import " + deck("lost_grid.bdf") + " g.op4 --units m-kg-s -o g.fe.h5");
  EXPECT_NE(told.err.find("RBE2 101 names grid 99, which does not exist"), std::string::npos)
      << told.err;
  told = femflex("import " + deck("mpc_unchosen.bdf") + " g.op4 --units m-kg-s -o g.fe.h5");
  EXPECT_NE(told.err.find("any of the MPC sets 7"), std::string::npos) << told.err;
  told = femflex("import " + deck("mpc.bdf") + " g.op4 --mpc 9 --units m-kg-s -o g.fe.h5");
  EXPECT_NE(told.exit_code, 0);
  EXPECT_NE(told.err.find("the files have the sets 7, 8"), std::string::npos) << told.err;
}

// The matrices of the n-set do not contain node 7. In every shape its motion follows from that of
// node 3, and the constraint is not applied a second time.
TEST(Constraints, ANodeThatLeftTheMatricesMovesWithItsLeader) {
  const Program femflex;
  frame::write_n_set(femflex.file("n.op4"));
  for (const char* name : {"rbe2.bdf", "rbar.bdf"}) {
    SCOPED_TRACE(name);
    const CommandResult made =
        femflex("import " + deck(name) + " n.op4 --units m-kg-s --interface 1,3 -o n.fe.h5");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_EQ(importer::read_fe_model(femflex.file("n.fe.h5")).dofs.size(), 42);
    const Eigen::VectorXd truth = frame::eigenvalues(frame::seven_on_three());
    const Json modes = femflex.json("modes n.fe.h5 --normal 20 -o m.fe.h5");
    for (std::size_t k = 6; k < 20; ++k)
      EXPECT_NEAR(modes.find("modes")->items().at(k).find("eigenvalue")->number() /
                      truth(static_cast<Eigen::Index>(k)),
                  1.0,
                  tolerance(1e-9));
    ASSERT_EQ(femflex("reduce n.fe.h5 --method craig-bampton --normal 4 -o n.fbm").exit_code, 0);
    const FlexBody body = body_of(femflex.file("n.fbm"));
    EXPECT_EQ(body.mode_count(), 16);
    EXPECT_LT((frame::seven_on_three() * body.shapes).cwiseAbs().maxCoeff(),
              tolerance(1e-12) * body.shapes.cwiseAbs().maxCoeff());
    EXPECT_GT(body.shapes.middleRows<6>(frame::at(7, 1)).cwiseAbs().maxCoeff(), 0.5);
  }
}

// Node 7 is refused as an interface node; the message states the node to use instead.
TEST(Constraints, ANodeThatFollowsIsNoInterface) {
  const Program femflex;
  frame::write_n_set(femflex.file("n.op4"));
  frame::write_g_set(femflex.file("g.op4"));
  for (const char* set : {"n", "g"}) {
    const CommandResult made = femflex("import " + deck("rbe2.bdf") + " " + set +
                                       ".op4 --units m-kg-s --interface 1,7 -o i.fe.h5");
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_NE(
        made.err.find("interface node 7 depends on node 3 through RBE2 101: choose node 3 instead"),
        std::string::npos)
        << made.err;
    const CommandResult told = femflex("reduce i.fe.h5 --method craig-bampton -o i.fbm");
    EXPECT_NE(told.exit_code, 0);
    EXPECT_NE(told.err.find("interface node 7 depends on node 3 by RBE2 101"), std::string::npos)
        << told.err;
    EXPECT_NE(told.err.find("name node 3 instead"), std::string::npos) << told.err;
  }
  // without the rigid element the motion of node 7 is undetermined
  const CommandResult made = femflex("import " + deck("plain.bdf") + " n.op4 --dof-order " + [] {
    std::string order;
    for (const int id : {1, 2, 3, 4, 5, 6, 8})
      for (const char* c : {"T1", "T2", "T3", "R1", "R2", "R3"})
        order += (order.empty() ? "" : ",") + std::to_string(id) + "/" + c;
    return order;
  }() + " --units m-kg-s --interface 1,7 -o i.fe.h5");
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(made.err.find("interface node 7 has no row in the matrices"), std::string::npos);
  const CommandResult told = femflex("reduce i.fe.h5 --method craig-bampton -o i.fbm");
  EXPECT_NE(told.exit_code, 0);
  EXPECT_NE(told.err.find("interface node 7 has no row in the matrices"), std::string::npos)
      << told.err;
}

// CalculiX writes no matrix rows for the nodes of a rigid body.
TEST(Constraints, NodesOfARigidBodyOfCalculixMoveWithItsReference) {
  if (shared_folder().empty()) GTEST_SKIP() << "no folder of sample data beside the project";
  const Program femflex;
  const std::string at = shared_folder() / "data" / "nastran" / "calculix" / "rigid_ms";
  const std::string files = at + ".inp " + at + ".sti " + at + ".mas " + at + ".dof";
  ASSERT_EQ(femflex("import " + files + " --units m-kg-s --interface 9001 -o r.fe.h5").exit_code,
            0);
  ASSERT_EQ(femflex("reduce r.fe.h5 --method guyan -o r.fbm").exit_code, 0);
  const FlexBody body = body_of(femflex.file("r.fbm"));
  const auto from = find_node(body, 9001);
  const auto to = find_node(body, 109);
  const Eigen::Vector3d arm = body.nodes[static_cast<std::size_t>(to)].position -
                              body.nodes[static_cast<std::size_t>(from)].position;
  const Eigen::MatrixXd truth = body.shapes.middleRows<3>(6 * from) -
                                cross_matrix(arm) * body.shapes.middleRows<3>(6 * from + 3);
  EXPECT_LT((body.shapes.middleRows<3>(6 * to) - truth).cwiseAbs().maxCoeff(), tolerance(1e-14));
  EXPECT_NEAR(body.shapes(6 * to, 0), 1.0, tolerance(1e-12));
  ASSERT_EQ(
      femflex("import " + files + " --units m-kg-s --interface 109,9001 -o r.fe.h5").exit_code, 0);
  const CommandResult told = femflex("reduce r.fe.h5 --method guyan -o r.fbm");
  EXPECT_NE(told.err.find("interface node 109 depends on node 9001"), std::string::npos)
      << told.err;
}

}  // namespace
}  // namespace femflex::testing
