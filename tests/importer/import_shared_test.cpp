// Tests imports of real, verified sets of files. Each import must find its row order, axes and
// mass, and pass its own checks.
#include <algorithm>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::tolerance;

class ImportShared : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::shared_folder().empty()) GTEST_SKIP() << "the folder ../shared is not there";
  }
  static ImportRequest request(const std::vector<std::string>& names) {
    ImportRequest out;
    for (const std::string& name : names)
      out.files.push_back(testing::shared_folder() / "data" / "nastran" / name);
    return out;
  }
  static ImportResult import(const std::vector<std::string>& names) {
    Diagnostics diagnostics;
    return import_model(request(names), diagnostics);
  }
  static double value_of(const ImportResult& result, const std::string& name) {
    for (const Proof& proof : result.proofs)
      if (proof.name == name) return proof.value;
    return 1e99;
  }
  static double mass_of(const FeModel& model) {
    const auto R = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
    const Eigen::VectorXd x = R.col(0);
    return x.dot(model.mass->selfadjointView<Eigen::Lower>() * x);
  }
};

// Truth: K R = 0 and the mass 410.712 kg that MYSTRAN prints. GRID cards are not in rising order,
// and MYSTRAN's rows follow the cards; eight nodes have their own displacement system.
TEST_F(ImportShared, UnsortedGridCardsAreFoundByTheStiffnessItself) {
  const ImportResult result = import({"mystran/framec.bdf",
                                      "mystran/framec_kgg_mgg_ascii.op4",
                                      "mystran/framec_eig.op4",
                                      "mystran/framec.op2"});
  EXPECT_LT(value_of(result, "rigid-body motion"), tolerance(1e-14));
  EXPECT_LT(value_of(result, "mass in all directions"), tolerance(1e-13));
  EXPECT_NEAR(mass_of(result.model), 410.712, tolerance(1e-9) * 410.712);
  ASSERT_EQ(result.model.modes.count(), 12);
  // OP4 carries more digits than OP2, so the shapes are its own
  EXPECT_LT(value_of(result, "mode dynamic:7"), tolerance(1e-9));
}

// Truth: a second way to the same model: OP2 lists points by rising id, OP4 by cards.
TEST_F(ImportShared, TheSameModelComesFromOp2AndFromDeckWithOp4) {
  const FeModel a = import({"mystran/framec.bdf", "mystran/framec_kgg_mgg_ascii.op4"}).model;
  const FeModel b = import({"op2/syn_framec_le64.op2"}).model;
  ASSERT_EQ(a.dofs.size(), b.dofs.size());
  const Eigen::VectorXd probe = Eigen::VectorXd::Random(b.dofs.size());
  Eigen::VectorXd moved(a.dofs.size());
  for (std::int64_t k = 0; k < a.dofs.size(); ++k)
    moved(k) = probe(b.dofs.find(a.dofs[k]));
  const Eigen::VectorXd fa = a.stiffness->selfadjointView<Eigen::Lower>() * moved;
  const Eigen::VectorXd fb = b.stiffness->selfadjointView<Eigen::Lower>() * probe;
  double worst = 0.0;
  for (std::int64_t k = 0; k < a.dofs.size(); ++k)
    worst = std::max(worst, std::abs(fa(k) - fb(b.dofs.find(a.dofs[k]))));
  EXPECT_LT(worst, tolerance(1e-12) * fa.cwiseAbs().maxCoeff());
}

// Truth: MYSTRAN's printed table of DOFs; modes satisfy the reduced pencil.
TEST_F(ImportShared, PrintedTableOfDofsNamesTheRowsOfTheLSet) {
  const ImportResult result = import({"mystran/framec.bdf",
                                      "mystran/framec_kll_mll_sparse.op4",
                                      "mystran/framec.f06",
                                      "mystran/framec.op2"});
  EXPECT_EQ(result.model.dofs.size(), 1078);
  EXPECT_LT(value_of(result, "mode dynamic:7"), tolerance(1e-6));
  EXPECT_LT(value_of(result, "mode dynamic:12"), tolerance(1e-6));
}

// Truth: 860.712 kg and K R = 0 of the finer frame.
TEST_F(ImportShared, FrameWithConcentratedMassIsProved) {
  const ImportResult result =
      import({"mystran/frame.bdf", "mystran/frame_kgg_mgg_sparse.op4", "mystran/frame.ou1.op4"});
  EXPECT_LT(value_of(result, "rigid-body motion"), tolerance(1e-14));
  EXPECT_NEAR(mass_of(result.model), 860.712, tolerance(1e-6) * 860.712);
  EXPECT_EQ(result.model.modes.count(), 20);
}

// Truth: K R = 0 on the 48 boundary DOFs with the 20 modal ones at rest, and the same mass.
TEST_F(ImportShared, CraigBamptonMatricesHaveBoundaryRowsAndModalRows) {
  const ImportResult result = import({"mystran/framecb.bdf", "mystran/framecb.ou1.op4"});
  const FeModel& model = result.model;
  ASSERT_EQ(model.dofs.size(), 68);
  const auto R = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
  const Eigen::MatrixXd force =
      model.stiffness->selfadjointView<Eigen::Lower>() * Eigen::MatrixXd(R);
  EXPECT_LT(force.cwiseAbs().maxCoeff(), tolerance(1e-10) * 3.8e9);
  EXPECT_NEAR(mass_of(model), 860.712, tolerance(1e-6) * 860.712);
}

// Truth: 16 elements of three incompatible modes with three directions each; the rotation node 9002
// of the rigid body carries the rotations of 9001.
TEST_F(ImportShared, InternalNodesOfCalculixBecomeScalarPoints) {
  const ImportResult result = import({"calculix/rigid_ms.inp",
                                      "calculix/rigid_ms.sti",
                                      "calculix/rigid_ms.mas",
                                      "calculix/rigid_ms.dof"});
  const FeModel& model = result.model;
  EXPECT_EQ(model.dofs.size(), 276);
  std::int64_t scalar = 0;
  for (const Dof& dof : model.dofs.rows())
    scalar += dof.component == 0 ? 1 : 0;
  EXPECT_EQ(scalar, 16 * 3 * 3);
  for (std::int8_t c = 1; c <= 6; ++c)
    EXPECT_GE(model.dofs.find({9001, c}), 0);
  EXPECT_LT(model.dofs.find({9002, 1}), 0);
}

// Truth: K of a free body, and the rotor's mass of 77.96605 kg.
TEST_F(ImportShared, AbaqusAndAnsysRotorsAgree) {
  const FeModel abaqus = import({"abaqus/rotorDiscTest.inp",
                                 "abaqus/rotorDiscTestMASS1.mtx",
                                 "abaqus/rotorDiscTestSTIF1.mtx"})
                             .model;
  const FeModel ansys = import({"ansys/rotor_hbmat_stiff.matrix",
                                "ansys/rotor_hbmat_mass.matrix",
                                "ansys/rotor_hbmat.mapping",
                                "ansys/rotorAnsysNodalCoordinates.txt"})
                            .model;
  const FeModel exported = import({"ansys/rotorAnsysMassMatrixSparse.txt",
                                   "ansys/rotorAnsysStiffnessMatrixSparse.txt",
                                   "ansys/rotorAnsysMatrixDofMappingVector.txt",
                                   "ansys/rotorAnsysNodalCoordinates.txt"})
                               .model;
  for (const FeModel* model : {&abaqus, &ansys, &exported})
    EXPECT_NEAR(mass_of(*model), 77.96605, tolerance(1e-6) * 77.96605);
}

// Truth: the placement of this external superelement was edited by hand after the run, and its K
// and M no longer fit its grids: the proof must see it.
TEST_F(ImportShared, SuperelementWhoseGridsWereMovedIsRefused) {
  try {
    import({"punch/se_test_n11.pch", "op4/se_test_n11.op4"});
    FAIL() << "a misplaced superelement was taken";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "proof-failed");
  }
}

}  // namespace
}  // namespace femflex::importer
