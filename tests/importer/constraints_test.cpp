// Tests rigid elements and multipoint constraints as equations.
#include "femflex/constraints.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/importer/import_model.h"

#include "support/constrained_frame.h"

namespace femflex::importer {
namespace {

namespace frame = testing::spring_frame;
using testing::tolerance;

class Constraints : public ::testing::Test {
 protected:
  void SetUp() override { frame::write_g_set(folder_ / "g.op4"); }

  /// The frame with these cards.
  FeModel with(const std::string& cards, const std::string& case_control = "") {
    testing::write_text(folder_ / "job.bdf",
                        case_control + "BEGIN BULK\n" +
                            testing::read_text(testing::data("constraints/frame.inc")) + cards +
                            "ENDDATA\n");
    diagnostics_ = {};
    return import_model({.files = {folder_ / "job.bdf", folder_ / "g.op4"}}, diagnostics_).model;
  }
  /// The rows of the equations: u_dependent less what it depends on; zero on motions that obey
  /// them.
  static Eigen::MatrixXd rows_of(const FeModel& model) {
    const Dependence dependence(model);
    std::vector<Eigen::RowVectorXd> rows;
    for (const auto& [dof, follower] : dependence.followers()) {
      rows.push_back(frame::unit(static_cast<int>(dof.node), dof.component));
      for (const Dependence::RowTerm& term : follower.rows)
        rows.back()(term.row) -= term.factor;
    }
    return frame::stacked(rows);
  }
  /// Motions that obey one obey the other.
  static void expect_same(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    ASSERT_EQ(a.rows(), b.rows());
    const Eigen::MatrixXd left = a * frame::allowed(b);
    EXPECT_LT(left.cwiseAbs().maxCoeff(), tolerance(1e-12));
  }
  static Eigen::MatrixXd carried(int a, int b) {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 6 * frame::kNodes);
    J.middleCols<6>(frame::at(b, 1)).setIdentity();
    J.middleCols<6>(frame::at(a, 1)) = -frame::carried(a, b);
    return J;
  }
  std::string warnings() const {
    std::string all;
    for (const Warning& one : diagnostics_.warnings())
      all += one.message + "\n";
    return all;
  }

  static constexpr const char* kHeld = "SPC = 3\n";
  testing::TemporaryFolder folder_;
  Diagnostics diagnostics_;
};

// Truth: one rigid body, u_b = u_a + theta_a x (b - a).
TEST_F(Constraints, EveryCardOfARigidBodySaysTheSame) {
  for (const char* cards : {"RBE2,1,3,123456,7\n",
                            "RBAR,1,3,7,123456\n",
                            "RBAR1,1,3,7,123456\n",
                            "RJOINT,1,3,7,123456\n",
                            "RBAR,1,3,7,,123456,123456\n",
                            "RBAR,1,3,7,12346,1,5,23456\n",
                            "RBE1,1,3,12346,7,1\n,UM,3,5,7,23456\n"}) {
    SCOPED_TRACE(cards);
    expect_same(rows_of(with(cards)), carried(3, 7));
    // the joint is for points at one place
    EXPECT_EQ(warnings().empty(), std::string(cards).find("RJOINT") != 0) << warnings();
  }
  // three points: the plate depends on the translations of all of them
  const FeModel plate = with("RTRPLT,1,2,4,7,123,23,3\n,456,1456,12456\n");
  Eigen::MatrixXd both(12, 6 * frame::kNodes);
  both << carried(2, 4), carried(2, 7);
  expect_same(rows_of(plate), both);
}

// A node that moves along axes inclined to basic: some or all of its DOFs depend on node 5.
TEST_F(Constraints, ComponentsAreThoseOfTheNodesAxes) {
  const Eigen::MatrixXd J = frame::turn().transpose().middleRows<6>(frame::at(8, 1));
  const Eigen::MatrixXd on_five = J.middleCols<6>(frame::at(8, 1)) * carried(5, 8);
  expect_same(rows_of(with("RBE2,1,5,123456,8\n")), on_five);
  expect_same(rows_of(with("RBE2,1,5,13,8\n")), on_five({0, 2}, Eigen::all));
  expect_same(rows_of(with("RBE2,1,5,1246,8\n")), on_five({0, 1, 3, 5}, Eigen::all));
  // node 8 leads: its six DOFs hold the rigid body along any axes
  expect_same(rows_of(with("RBE2,1,8,123456,7\n")), carried(8, 7));
  expect_same(rows_of(with("RBAR,1,8,7,123456\n")), carried(8, 7));
}

// Truths: a rigid motion of the independent points carries the reference point along; what they get
// of a unit force there has its sum and its moment.
TEST_F(Constraints, AnInterpolationElementKeepsRigidMotionsAndSharesForces) {
  for (const char* cards : {"RBE3,5,,7,123456,1.,123,2,4\n,2.,123,6\n",
                            "RBE3,5,,7,123456,1.5,123456,2,3\n,4,0.5,13,8,1\n"}) {
    SCOPED_TRACE(cards);
    const FeModel model = with(cards);
    const auto R = rigid_body_shapes(model, model.dofs, Eigen::Vector3d(0.3, 0.2, 0.1));
    EXPECT_LT((rows_of(model) * Eigen::MatrixXd(R)).cwiseAbs().maxCoeff(), tolerance(1e-13));
  }
  expect_same(rows_of(with("RBE3,5,,7,123456,1.,123,2,4\n,2.,123,6\n")), frame::mean_at_seven());
  const FeModel model = with("RBE3,5,,3,123,3.,123,1,2,5,8\n");
  const Eigen::MatrixXd shares = -rows_of(model);
  for (int c = 0; c < 3; ++c) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();  // forces of a unit force at the reference
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();
    for (const int id : {1, 2, 5, 8}) {
      const Eigen::Vector3d f = shares.block<1, 3>(c, frame::at(id, 1)).transpose();
      sum += f;
      moment += (frame::position(id) - frame::position(3)).cross(f);
    }
    EXPECT_LT((sum - Eigen::Vector3d::Unit(c)).norm(), tolerance(1e-13));
    EXPECT_LT(moment.norm(), tolerance(1e-13));
  }
}

// Axes of node 8: its y is basic y, x and z are inclined in the plane of basic x and z.
TEST_F(Constraints, SupportsAlongBasicDirectionsAreFixedDofsAndOthersAreEquations) {
  const FeModel one = with("SPC1,3,12,8\nSPC1,3,456,8\n", kHeld);
  EXPECT_EQ(one.fixed, (std::vector<Dof>{{8, 2}, {8, 4}, {8, 5}, {8, 6}}));
  expect_same(rows_of(one), frame::stacked({frame::local(8, 1)}));
  EXPECT_EQ(card_of(one.rigid_elements.at(0)), "SPC at node 8");
  EXPECT_EQ(Dependence(one).find_node(8), nullptr);  // the rest of it may be an interface
  const FeModel two = with("SPC1,3,13,8\n", kHeld);  // x and z together are basic x and z
  EXPECT_EQ(two.fixed, (std::vector<Dof>{{8, 1}, {8, 3}}));
  EXPECT_TRUE(two.constraints.empty());
  EXPECT_TRUE(two.rigid_elements.empty());
  EXPECT_EQ(warnings(), "");
}

// Truth: the same supports, each stated once. Three entries for two axes are not a fixed node.
TEST_F(Constraints, RepeatedSupportsCountOnce) {
  const FeModel once = with("SPC1,3,12,8\n", kHeld);
  for (const char* cards : {"SPC1,3,12,8\nSPC1,3,1,8\n",
                            "SPC1,3,12,8\nSPC,3,8,12,0.\n",
                            "SPC1,3,112,8\n",
                            "SPC1,3,1,8\nSPC1,3,2,7,THRU,8\nSPC1,3,12,8\n"}) {
    SCOPED_TRACE(cards);
    const FeModel again = with(cards, kHeld);
    expect_same(rows_of(again), rows_of(once));
    EXPECT_EQ(again.rigid_elements.size(), 1U);
  }
}

// What SPC removed from the rows is not worked in again; what the rows still hold is.
TEST_F(Constraints, SupportsOfSmallerSetsAreNotAppliedTwice) {
  const std::string cards = "RBE2,1,3,123456,7\nSPC1,3,1,8\n";
  const FeModel whole = with(cards, kHeld);
  frame::write_n_set(folder_ / "g.op4");
  const FeModel n_set = with(cards, kHeld);
  EXPECT_EQ(n_set.dofs.size(), 42);
  ASSERT_EQ(n_set.constraints.size(), 1U);
  EXPECT_EQ(n_set.constraints[0].dependent, whole.constraints.back().dependent);
  frame::write_f_set(folder_ / "g.op4");
  const FeModel f_set = with("SPC1,3,123456,8\n", kHeld);
  EXPECT_EQ(f_set.dofs.size(), 42);
  EXPECT_TRUE(f_set.constraints.empty());
  EXPECT_EQ(f_set.fixed.size(), 6U);
  for (const Dof& dof : f_set.fixed)
    EXPECT_LT(f_set.dofs.find(dof), 0);
}

// Factors by elimination of the normal equations, outside of this program.
TEST_F(Constraints, RotationsOfAnInterpolationElementWeighByTheMeanDistanceOfItsPoints) {
  const FeModel model = with("RBE3,5,,7,123456,1.,123,1,2\n,2.5,123456,5,0.3,1234,6\n");
  const Eigen::MatrixXd rows = rows_of(model);
  ASSERT_EQ(rows.rows(), 6);
  EXPECT_NEAR(-rows(3, frame::at(5, 4)), 0.8729689805152188, tolerance(1e-13));
  EXPECT_NEAR(-rows(3, frame::at(6, 4)), 0.10475627766182623, tolerance(1e-13));
  EXPECT_NEAR(-rows(1, frame::at(5, 6)), -0.03618111445137959, tolerance(1e-13));
  EXPECT_NEAR(-rows(5, frame::at(1, 2)), -0.3897333087273281, tolerance(1e-13));
}

TEST_F(Constraints, WhatGivesNoEquationIsNamed) {
  const auto told = [&](const std::string& cards, const std::string& text) {
    const FeModel model = with(cards);
    EXPECT_NE(warnings().find(text), std::string::npos) << cards << warnings();
    return Dependence(model).unapplied().size();
  };
  EXPECT_EQ(
      told("RBAR,1,3,7,12345,,,123456\n", "RBAR 1 is not applied to the matrices: it names 5"), 1U);
  EXPECT_EQ(told("RBAR,1,3,7,123,123,456,456\n", "the rigid motion is not determined by its six"),
            1U);
  EXPECT_EQ(told("RBE3,5,,7,123456,1.,123,2\n", "do not determine the motion of 7/T1"), 1U);
  EXPECT_EQ(
      told("RBE3,5,,7,123,1.,123,2,4\n,6,,,,,,,\n,UM,6,12\n", "2 dependent DOFs but 3 equations"),
      1U);
  EXPECT_EQ(told("RBE3,5,,7,123,1.,123,2,4\n,99\n", "there is no grid 99"), 1U);
  EXPECT_EQ(told("MPC,7,7,2,0.,2,2,1.\n", "the factor of 7/T2 is zero"), 1U);
  EXPECT_EQ(told("RROD,5,3,1,,2\n", ""), 0U);
  EXPECT_EQ(told("RROD,5,8,8,,2\n", "its ends coincide"), 1U);
  EXPECT_EQ(told("MPC,7,7,2,1.,2,2,1.\nMPC,8,7,3,1.,2,3,1.\n", "MPC sets 7, 8 applies: none"), 2U);
  // without a case control the only set holds, or the sum of all
  EXPECT_EQ(told("MPC,7,7,2,1.,2,2,1.\n", ""), 0U);
  EXPECT_EQ(warnings(), "");
  EXPECT_EQ(told("MPCADD,9,7,8\nMPC,7,7,2,1.,2,2,1.\nMPC,8,7,3,1.,2,3,1.\n", ""), 0U);
  EXPECT_EQ(warnings(), "");
}

// No modes could be computed under them: the import reports this, with the file, the card and a
// remedy.
TEST_F(Constraints, CardsThatContradictEachOtherAreRefused) {
  const auto refused = [&](const std::string& cards, const std::string& case_control = "") {
    try {
      with(cards, case_control);
    } catch (const ModelError& error) {
      EXPECT_EQ(error.code(), "rigid-element");
      EXPECT_EQ(error.where().file, (folder_ / "job.bdf").string());
      EXPECT_FALSE(error.where().record.empty());
      EXPECT_FALSE(error.fix().empty());
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(refused("RBE2,1,3,123456,7\nRBE3,5,,7,123,1.,123,2,4\n,6\n"),
            "DOF 7/T1 depends on RBE2 1 and on RBE3 5");
  EXPECT_EQ(refused("MPC,7,7,2,1.,2,2,1.\nMPC,7,7,2,1.,3,2,1.\n"),
            "DOF 7/T2 depends on two equations of MPC 7");
  EXPECT_EQ(refused("RBE2,1,3,123456,7,7\n"), "RBE2 1 makes DOF 7/T1 dependent twice");
  EXPECT_EQ(refused("RBE2,1,3,123456,7\nRBE2,2,7,123456,3\n"),
            "rigid elements form a cycle at 3/T1: RBE2 2, RBE2 1");
  EXPECT_EQ(refused("RBE2,1,3,123456,7\nSPC1,3,2,7\n", kHeld),
            "DOF 7/T2 depends on RBE2 1 and is fixed by a single-point constraint");
  // along the axes of node 8
  EXPECT_EQ(refused("RBE2,1,5,13,8\nSPC1,3,1,8\n", kHeld),
            "DOF 8/T1 depends on RBE2 1 and is fixed by a single-point constraint");
  EXPECT_EQ(refused("RBE2,1,5,13,8\nMPC,7,8,3,1.,2,3,1.\n"),
            "DOF 8/T3 depends on RBE2 1 and on MPC 7");
  EXPECT_EQ(refused("RBE2,1,5,13,8\nSPC1,3,2,8\n", kHeld), "");
  // u1 = u2 and u2 = u1 along the axes of node 8; u2 = 2 u1 would hold both at 0
  EXPECT_EQ(refused("MPC,7,8,1,1.,8,2,-1.\nMPC,7,8,2,1.,8,1,-1.\n"),
            "the equations of node 8 do not determine 1 of its 2 dependent DOFs");
  EXPECT_EQ(refused("MPC,7,8,1,1.,8,2,-1.\nMPC,7,8,2,1.,8,1,-2.\n"), "");
  // sets without node 7 do not contain it
  frame::write_n_set(folder_ / "g.op4");
  EXPECT_EQ(refused("RBE2,1,3,123456,7\nSPC1,9,2,7\n", kHeld), "");
}

TEST_F(Constraints, OddCardsAreNamed) {
  expect_same(rows_of(with("RBE2,1,3,123456,3,7\n")), carried(3, 7));
  EXPECT_NE(warnings().find("RBE2 1 names its independent node 3"), std::string::npos);
  with("RJOINT,1,3,7,123\n");
  EXPECT_NE(warnings().find("RJOINT 1 joins nodes 3 and 7, at a distance of 0.2121"),
            std::string::npos)
      << warnings();
  with("RBAR,1,7,7,123456\n");
  EXPECT_NE(warnings().find("names 7/T1 as independent and as dependent"), std::string::npos);
  with("RBE3,5,,7,123,1.,123,2,4\n,6,7\n");
  EXPECT_NE(warnings().find("names 7/T1 as reference and as independent DOF"), std::string::npos);
  const std::string mpc = "MPC,7,7,2,1.,2,2,1.\nMPC,8,7,3,1.,2,3,1.\n";
  EXPECT_THROW(with(mpc + "MPCADD,9,7,10\nMPCADD,10,8\n", "MPC = 9\n"), ModelError);
  EXPECT_THROW(with(mpc + "MPCADD,9,7,9\n", "MPC = 9\n"), ModelError);
  with(mpc + "MPCADD,9,7,11\n", "MPC = 9\n");
  EXPECT_NE(warnings().find("MPCADD 9 names MPC set 11, which does not exist"), std::string::npos);
}

// Truth: OptiStruct, MPCADD, comment 2, and MPC, comment 4: an MPCADD takes precedence over the MPC
// of the same set; 0 is none.
TEST_F(Constraints, TheSetOfASubcaseIsASumOrItsOwnCards) {
  const std::string mpc = "MPC,7,7,2,1.,2,2,1.\nMPC,8,7,3,1.,2,3,1.\n";
  const FeModel seven = with(mpc, "MPC = 7\n");
  EXPECT_EQ(warnings(), "");
  const FeModel sum = with(mpc + "MPCADD,8,7\n", "MPC = 8\n");
  EXPECT_EQ(warnings(), "MPCADD 8 is used instead of the MPC of set 8\n");
  EXPECT_EQ(sum.constraints.size(), 1U);
  expect_same(rows_of(sum), rows_of(seven));
  expect_same(rows_of(with(mpc + "MPCADD,8,7\n")), rows_of(seven));
  EXPECT_TRUE(with(mpc, "MPC = 0\n").constraints.empty());
  EXPECT_EQ(warnings(), "");
  EXPECT_TRUE(with(mpc, "MPC = 7\nSUBCASE 1\n MPC = 0\n").constraints.empty());
  EXPECT_EQ(warnings(), "");
  expect_same(rows_of(with(mpc, "MPC = 9\nSUBCASE 1\n MPC = 7\nSUBCASE 2\n MPC = 8\nSUBCASE 3\n")),
              rows_of(seven));
  EXPECT_EQ(warnings(), "the subcases choose MPC sets 7, 8, 9: 7 is used; --mpc chooses another\n");
}

// A node that depends on other DOFs of its own is not named as the one to take instead.
TEST_F(Constraints, LeadersAreNamedWithoutTheNodeItself) {
  const auto leaders = [&](const std::string& cards) -> std::string {
    const FeModel model = with(cards);
    const Dependence dependence(model);
    const Dependence::Follower* follower = dependence.find_node(7);
    return follower == nullptr ? warnings() : leaders_of(model, *follower);
  };
  EXPECT_EQ(leaders("RBE3,5,,7,123456,1.,123,2,4\n,6\n,UM,7,456,6,123\n"), "nodes 2, 4");
  EXPECT_EQ(leaders("MPC,7,7,2,1.,7,1,1.\n,,7,6,0.5\n"), "DOFs 7/T1, 7/R3");
  EXPECT_EQ(leaders("MPC,7,7,2,1.,7,1,1.\n,,3,6,0.5\n"), "node 3");
}

TEST_F(Constraints, ALoadOnANodeThatLeftTheMatricesActsOnItsLeader) {
  const FeModel whole = with("RBE2,1,3,123456,7\nFORCE,1,7,,1.,2.,3.,4.\n");
  frame::write_n_set(folder_ / "g.op4");
  const FeModel small = with("RBE2,1,3,123456,7\nFORCE,1,7,,1.,2.,3.,4.\n");
  ASSERT_EQ(small.loads.size(), 1U);
  ASSERT_EQ(small.dofs.size(), 42);
  Eigen::MatrixXd N = Eigen::MatrixXd::Identity(48, 48);
  N.block<6, 6>(frame::at(7, 1), frame::at(3, 1)) = frame::carried(3, 7);
  const Eigen::VectorXd truth = N.transpose() * whole.loads.at(0).load;
  for (std::int64_t row = 0; row < 42; ++row)
    EXPECT_NEAR(small.loads[0].load(row),
                truth(frame::at(static_cast<int>(small.dofs[row].node), small.dofs[row].component)),
                tolerance(1e-14));
}

TEST_F(Constraints, ModelFilesKeepTheEquations) {
  const FeModel model = with("RBE3,5,,7,123456,1.,123,2,4\n,2.,123,6\nRBE2,6,3,123456,1\n");
  write_fe_model(model, folder_ / "m.fe.h5");
  const FeModel back = read_fe_model(folder_ / "m.fe.h5");
  EXPECT_EQ(model.constraints.size(), 6U);
  ASSERT_EQ(back.constraints.size(), 6U);
  EXPECT_EQ(back.constraints[2].element, model.constraints[2].element);
  EXPECT_TRUE(rows_of(back) == rows_of(model));
}

}  // namespace
}  // namespace femflex::importer
