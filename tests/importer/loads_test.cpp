// Tests load cards and load cases.
#include <map>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::TemporaryFolder;
using testing::tolerance;
using testing::write_text;

std::filesystem::path dms_file(const std::string& name) {
  return data("double_mass_spring/" + name);
}

/// The double mass-spring on all 18 DOFs of its three grids, with the load cards of `loads`.
FeModel with_loads(const std::string& loads, Diagnostics& diagnostics) {
  const TemporaryFolder folder;
  write_text(folder / "loads.bdf", loads);
  return import_model({.files = {dms_file("dms.bdf"), folder / "loads.bdf"},
                       .stiffness = MatrixPick{dms_file("dms.ou1.op4"), "KGG"},
                       .mass = MatrixPick{dms_file("dms.ou1.op4"), "MGG"}},
                      diagnostics)
      .model;
}

Eigen::VectorXd vector_of(const FeModel& model,
                          const std::vector<std::pair<Dof, double>>& entries) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(model.dofs.size());
  for (const auto& [dof, value] : entries)
    out(model.dofs.find(dof)) = value;
  return out;
}

bool warned(const Diagnostics& diagnostics, const std::string& words) {
  for (const Warning& one : diagnostics.warnings())
    if (one.message.find(words) != std::string::npos) return true;
  return false;
}

// Truth: the sum by hand. LOAD 100 is 2 (3 set21 + 0.5 set22); grids 2 and 3 are on z, so FORCE1
// from 2 to 3 is along +z.
TEST(Loads, ALoadCardSumsItsSetsWithItsFactors) {
  Diagnostics diagnostics;
  const FeModel model = with_loads(
      "FORCE,21,3,0,2.0,0.,0.,1.5\n"
      "MOMENT,21,2,0,4.0,1.,0.,0.\n"
      "FORCE1,22,2,6.0,2,3\n"
      "LOAD,100,2.0,3.0,21,0.5,22\n",
      diagnostics);
  ASSERT_EQ(model.loads.size(), 1U);
  EXPECT_EQ(model.loads[0].id, 100);
  const Eigen::VectorXd expected =
      vector_of(model, {{{3, 3}, 18.0}, {{2, 4}, 24.0}, {{2, 3}, 6.0}});
  EXPECT_LT((model.loads[0].load - expected).norm(), tolerance(1e-14));
}

// Truth: geometry. The axis of system 7 runs through (0, -1, 0) along z, so `radial` at grid 3 is
// +y and `tangential` is -x.
TEST(Loads, AForceInACylindricalSystemActsAlongTheAxesAtItsGrid) {
  Diagnostics diagnostics;
  const FeModel model = with_loads(
      "CORD2C,7,0,0.,-1.,0.,0.,-1.,1.\n"
      ",1.,-1.,0.\n"
      "FORCE,5,3,7,10.,1.,0.5,0.\n",
      diagnostics);
  ASSERT_EQ(model.loads.size(), 1U);
  const Eigen::VectorXd expected = vector_of(model, {{{3, 2}, 10.0}, {{3, 1}, -5.0}});
  EXPECT_LT((model.loads[0].load - expected).norm(), tolerance(1e-14));
}

// Truth: weight = mass times acceleration, 5 kg on each of grids 2 and 3.
TEST(Loads, GravityLoadsEveryMass) {
  Diagnostics diagnostics;
  const FeModel model = with_loads("GRAV,23,0,9.81,0.,0.,-1.\n", diagnostics);
  ASSERT_EQ(model.loads.size(), 1U);
  const Eigen::VectorXd expected = vector_of(model, {{{2, 3}, -49.05}, {{3, 3}, -49.05}});
  EXPECT_LT((model.loads[0].load - expected).norm(), tolerance(1e-13));
}

// A part of a load is not a load: static modes of half a load case come with a warning.
TEST(Loads, ASetWithACardThatIsNotReadIsLeftOutByName) {
  Diagnostics diagnostics;
  const FeModel model = with_loads(
      "FORCE,24,3,0,1.,0.,0.,1.\n"
      "PLOAD1,24,1,FY,FR,0.,1.,1.,1.\n"
      "FORCE,25,3,0,1.,0.,0.,1.\n",
      diagnostics);
  ASSERT_EQ(model.loads.size(), 1U);
  EXPECT_EQ(model.loads[0].id, 25);
  EXPECT_TRUE(warned(diagnostics, "PLOAD1"));
}

// Cards of NX Nastran, OptiStruct and MSC Nastran that load a static case.
TEST(Loads, CardsOfOtherProgramsLeaveTheirSetOutToo) {
  for (const std::string card : {"RFORCE1,24,3,0,1.,0.,0.,1.,1",
                                 "PLOADSF,24,1,NORMAL,2.",
                                 "PLOAD3,24,2.,1,3,4",
                                 "PLOADE1,24,1,2.,2.",
                                 "TEMPP1,24,1,20.,3.",
                                 "TEMPF,24,1",
                                 "FORCEAX,24,1,2,1,1.",
                                 "PRESAX,24,1.,1,2",
                                 "ACCEL2,24,1,0,1.,0.,0.,1."}) {
    Diagnostics diagnostics;
    const FeModel model = with_loads(
        "FORCE,24,3,0,1.,0.,0.,1.\nFORCE,25,3,0,1.,0.,0.,1.\n" + card + "\n", diagnostics);
    const std::string name = card.substr(0, card.find(','));
    EXPECT_EQ(model.loads.size(), 1U) << name;
    EXPECT_TRUE(warned(diagnostics, name)) << name;
  }
}

// Truth: OptiStruct's manual: LOADADD is LOAD.
TEST(Loads, LoadaddIsALoadCard) {
  Diagnostics diagnostics;
  const FeModel model = with_loads("FORCE,24,3,0,1.,0.,0.,1.\nLOADADD,7,2.,3.,24\n", diagnostics);
  ASSERT_EQ(model.loads.size(), 1U);
  EXPECT_EQ(model.loads[0].id, 7);
  EXPECT_LT((model.loads[0].load - vector_of(model, {{{3, 3}, 6.0}})).norm(), tolerance(1e-14));
}

TEST(Loads, ALoadOnARowThatTheMatricesLackLeavesTheCaseOut) {
  Diagnostics diagnostics;
  const TemporaryFolder folder;
  write_text(folder / "loads.bdf", "FORCE,1,3,0,1.,1.,0.,0.\nFORCE,2,99,0,1.,0.,0.,1.\n");
  const FeModel model =
      import_model({.files = {dms_file("dms.bdf"), dms_file("dms.ou1.op4"), folder / "loads.bdf"}},
                   diagnostics)
          .model;
  // x of grid 3 is held: its support takes the load up, nothing acts on the two z DOFs
  ASSERT_EQ(model.loads.size(), 1U);
  EXPECT_EQ(model.loads[0].load.norm(), 0.0);
  EXPECT_TRUE(warned(diagnostics, "grid 99"));
}

// Case control names the cases: one per subcase, with its label.
TEST(Loads, TheCaseControlChoosesAndNamesTheCases) {
  const TemporaryFolder folder;
  write_text(
      folder / "run.bdf",
      "SOL 101\nCEND\nSUBCASE 1\n  LABEL = braking\n  LOAD = 21\nSUBCASE 7\n  LOAD = 22\n"
      "  SUBTITLE = turning\nBEGIN BULK\nFORCE,21,3,0,1.,0.,0.,1.\nFORCE,22,3,0,2.,0.,0.,1.\n"
      "FORCE,23,3,0,2.,0.,0.,1.\nENDDATA\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.bdf", {}, diagnostics);
  ASSERT_EQ(contents.loads.chosen.size(), 2U);
  EXPECT_EQ(contents.loads.chosen[0].subcase, 1);
  EXPECT_EQ(contents.loads.chosen[0].set, 21);
  EXPECT_EQ(contents.loads.chosen[0].label, "braking");
  EXPECT_EQ(contents.loads.chosen[1].subcase, 7);
  EXPECT_EQ(contents.loads.chosen[1].label, "turning");
}

// Truth: what stands above the first subcase counts for all of them; a subcase has its own.
TEST(Loads, ATemperatureAboveTheSubcasesIsChosenInAll) {
  const TemporaryFolder folder;
  write_text(
      folder / "run.bdf",
      "SOL 101\nCEND\nTEMP(LOAD) = 5\nSUBCASE 1\n  LOAD = 21\nSUBCASE 2\n  DEFORM = 6\n"
      "  LOAD = 21\nSUBCASE 3\n  LOAD = 21\nBEGIN BULK\nFORCE,21,3,0,1.,0.,0.,1.\nENDDATA\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.bdf", {}, diagnostics);
  ASSERT_EQ(contents.loads.chosen.size(), 3U);
  EXPECT_EQ(contents.loads.chosen[0].unread, "TEMP(LOAD)");
  EXPECT_EQ(contents.loads.chosen[1].unread, "DEFORM");
  EXPECT_EQ(contents.loads.chosen[2].unread, "TEMP(LOAD)");
}

// Truth: the lines themselves; a set spreads a load over its nodes, each step is a case, and OP=NEW
// removes the forces of the steps before.
TEST(Loads, EachStepOfAnInpIsACase) {
  const TemporaryFolder folder;
  write_text(
      folder / "run.inp",
      "*NODE, NSET=TIP\n1, 0., 0., 0.\n2, 1., 0., 0.\n*STEP\n*CLOAD\nTIP, 3, -2.5\n*END STEP\n"
      "*STEP\n*CLOAD, OP=NEW\n2, 5, 4.\n*END STEP\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  ASSERT_EQ(contents.loads.forces.size(), 3U);
  EXPECT_EQ(contents.loads.forces[1].node, 2);
  EXPECT_EQ(contents.loads.forces[1].value[2], -2.5);
  EXPECT_EQ(contents.loads.forces[2].set, 2);
  EXPECT_TRUE(contents.loads.forces[2].is_moment);
  EXPECT_EQ(contents.loads.forces[2].value[1], 4.0);
}

// Truth: the manuals of both programs: forces stay until a step replaces them (same node and
// direction, also by 0), begins anew, or is a perturbation.
TEST(Loads, ForcesOfAnInpStayUntilTheyAreReplaced) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n*STEP\n*CLOAD\n1, 3, 5.\n2, 1, 7.\n*END STEP\n"
             "*STEP\n*CLOAD\n1, 3, 0.\n1, 2, 9.\n*END STEP\n*STEP\n*FREQUENCY\n2\n*END STEP\n"
             "*STEP, PERTURBATION\n*CLOAD\n2, 3, 1.\n*END STEP\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  std::map<std::int64_t, Eigen::Vector3d> on_node_1, on_node_2;  // total force of each step
  for (const RawForce& force : contents.loads.forces) {
    auto& total = (force.node == 1 ? on_node_1 : on_node_2)
                      .try_emplace(force.set, Eigen::Vector3d::Zero())
                      .first->second;
    total += Eigen::Vector3d(force.value[0], force.value[1], force.value[2]);
  }
  EXPECT_EQ(on_node_1.at(1), Eigen::Vector3d(0.0, 0.0, 5.0));
  EXPECT_EQ(on_node_2.at(1), Eigen::Vector3d(7.0, 0.0, 0.0));
  EXPECT_EQ(on_node_1.at(2), Eigen::Vector3d(0.0, 9.0, 0.0));
  EXPECT_EQ(on_node_2.at(2), Eigen::Vector3d(7.0, 0.0, 0.0));
  EXPECT_FALSE(on_node_1.contains(3) || on_node_2.contains(3));
  EXPECT_FALSE(on_node_1.contains(4));
  EXPECT_EQ(on_node_2.at(4), Eigen::Vector3d(0.0, 0.0, 1.0));
}

/// Forces of the steps of an .inp with nodes 5 and 7.
std::map<std::int64_t, Eigen::Vector3d> forces_of_steps(const std::string& steps) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp", "*NODE\n5, 0., 0., 0.\n7, 1., 0., 0.\n" + steps);
  Diagnostics diagnostics;
  std::map<std::int64_t, Eigen::Vector3d> out;
  for (const RawForce& force : read_contents(folder / "run.inp", {}, diagnostics).loads.forces)
    out.try_emplace(force.set, Eigen::Vector3d::Zero()).first->second +=
        Eigen::Vector3d(force.value[0], force.value[1], force.value[2]);
  return out;
}

// Truth: support forces that CalculiX 2.20 prints, (0, 1, 0) in the last step; Abaqus goes on from
// the step before the perturbation.
TEST(Loads, StepsWithoutForcesEndThoseBeforeThem) {
  const std::string first = "*STEP\n*CLOAD\n5,1,2.\n*END STEP\n";
  const std::string last = "*STEP\n*CLOAD\n7,2,1.\n*END STEP\n";
  const std::string modes = "*STEP,PERTURBATION\n*FREQUENCY\n2\n*END STEP\n";
  EXPECT_EQ(forces_of_steps(first + modes + last).at(3), Eigen::Vector3d(0, 1, 0));
  EXPECT_EQ(forces_of_steps("*ASSEMBLY,NAME=A\n*END ASSEMBLY\n" + first + modes + last).at(3),
            Eigen::Vector3d(2, 1, 0));
  EXPECT_EQ(forces_of_steps(first + "*STEP\n*CLOAD,OP=NEW\n*END STEP\n" + last).at(3),
            Eigen::Vector3d(0, 1, 0));
}

}  // namespace
}  // namespace femflex::importer
