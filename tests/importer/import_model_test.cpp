// Tests the import of files into one FE model.
#include "femflex/importer/import_model.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "model/matrices.h"
#include "role_by_name.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::tolerance;

ImportResult import(const ImportRequest& request) {
  Diagnostics diagnostics;
  return import_model(request, diagnostics);
}

std::filesystem::path dms(const std::string& name) {
  return data("double_mass_spring/" + name);
}

const double kSmall = std::sqrt(2.0) - 1.0;

void expect_two_masses(const FeModel& model) {
  ASSERT_EQ(model.dofs.rows(), (std::vector<Dof>{{2, 3}, {3, 3}}));
  ASSERT_TRUE(model.stiffness && model.mass);
  const Eigen::Matrix2d K{{30.0, 0.0}, {-10.0, 10.0}};
  const Eigen::Matrix2d M{{5.0, 0.0}, {0.0, 5.0}};
  EXPECT_EQ(Eigen::Matrix2d(*model.stiffness), K);
  EXPECT_EQ(Eigen::Matrix2d(*model.mass), M);
}

// Truth: K and M by hand: k1 + k2 = 30, k2 = 10, m = 5. The 2 x 2 a-set is what SPC leaves of three
// grids; the files carry no row names.
TEST(ImportModel, FindsTheRowsOfTheDoubleMassSpringInEveryFormat) {
  for (const char* matrices :
       {"dms.ou1.op4", "dms_km_ascii.op4", "dms_km_binary.op4", "dms_km.pch"}) {
    SCOPED_TRACE(matrices);
    const ImportResult result = import({.files = {dms("dms.bdf"), dms(matrices)}});
    expect_two_masses(result.model);
    EXPECT_EQ(result.model.nodes.size(), 3U);
    EXPECT_EQ(result.model.nodes[2].position, Eigen::Vector3d(0, 0, 2));
    ASSERT_EQ(result.model.concentrated_masses.size(), 2U);
    EXPECT_EQ(result.model.concentrated_masses[0].mass, 5.0);
    for (const Proof& proof : result.proofs)
      EXPECT_TRUE(proof.passed) << proof.text;
    ASSERT_EQ(result.model.provenance.sources.size(), 2U);
    EXPECT_EQ(result.model.provenance.sources[0].file, "dms.bdf");
    EXPECT_EQ(result.model.provenance.sources[0].sha256.size(), 64U);
  }
}

// Truth: Abaqus puts _STIF1 or _MASS1 after whatever the user calls the job.
TEST(RoleOfFile, IsTheLastWordOfItsName) {
  EXPECT_EQ(role_of_file("jobs/stiff_frame_MASS1.mtx"), "MASS");
  EXPECT_EQ(role_of_file("mass_study_STIF2.mtx"), "STIFFNESS");
  EXPECT_EQ(role_of_file("frame_DMPV1.mtx.gz"), "DAMPING");
  EXPECT_EQ(role_of_file("frame.mtx"), "frame");
}

// Two files that name the same matrix and agree count as one; a difference is reported.
TEST(ImportModel, SaysThatAMatrixStandsInTwoFilesDifferently) {
  const testing::TemporaryFolder folder;
  const auto warnings = [&](const std::filesystem::path& second) {
    Diagnostics diagnostics;
    import_model({.files = {dms("dms.bdf"), dms("dms.ou1.op4"), second}}, diagnostics);
    std::vector<std::string> codes;
    for (const Warning& warning : diagnostics.warnings())
      codes.push_back(warning.code);
    return std::count(codes.begin(), codes.end(), "repeated-matrix");
  };
  std::string text = testing::read_text(dms("dms_km_ascii.op4"));
  testing::write_text(folder / "same.op4", text);
  EXPECT_EQ(warnings(folder / "same.op4"), 0);
  const std::size_t at = text.find("3.0");
  ASSERT_NE(at, std::string::npos);
  text[at] = '7';
  testing::write_text(folder / "other.op4", text);
  EXPECT_EQ(warnings(folder / "other.op4"), 1);
}

// Truth: the g-set of three grids has 18 rows; a spring along z lets every rigid motion go free.
TEST(ImportModel, TakesTheGSetWhenItIsPicked) {
  const ImportResult result = import({.files = {dms("dms.bdf")},
                                      .stiffness = MatrixPick{dms("dms.ou1.op4"), "KGG"},
                                      .mass = MatrixPick{dms("dms.ou1.op4"), "MGG"}});
  EXPECT_EQ(result.model.dofs.size(), 18);
  const auto rigid = std::find_if(result.proofs.begin(), result.proofs.end(), [](const Proof& p) {
    return p.name == "rigid-body motion";
  });
  ASSERT_NE(rigid, result.proofs.end());
  EXPECT_LT(rigid->value, tolerance(1e-14));
  const auto mass = std::find_if(result.proofs.begin(), result.proofs.end(), [](const Proof& p) {
    return p.name == "mass along z";
  });
  ASSERT_NE(mass, result.proofs.end());
  EXPECT_LT(mass->value, tolerance(1e-14));
}

// Truth: the request. The file of MGG holds KGG too, which nobody asked for.
TEST(ImportModel, APickTakesNothingElseFromItsFile) {
  const ImportResult result =
      import({.files = {dms("dms.bdf")}, .mass = MatrixPick{dms("dms.ou1.op4"), "MGG"}});
  EXPECT_TRUE(result.model.mass.has_value());
  EXPECT_FALSE(result.model.stiffness.has_value());
}

// 32-bit indices end at 2^31 - 1; the limit is lowered here, because a file beyond it has 12 GB.
TEST(ImportModel, RefusesMatricesWithMoreNonZerosThanIndicesCount) {
  RawMatrix raw;
  raw.name = "KGG";
  raw.rows = raw.cols = 2;
  raw.is_dense = true;
  raw.values = {1.0, 2.0, 2.0, 5.0};
  EXPECT_EQ(full_matrix(raw, 4).nonZeros(), 4);
  EXPECT_THROW(full_matrix(raw, 3), ModelError);
  RawMatrix half;
  half.name = "KGG";
  half.rows = half.cols = 2;
  half.triangle = RawMatrix::Triangle::lower;
  half.col = {0, 1};
  half.col_start = {0, 2, 3};
  half.row = {0, 1, 1};
  half.values = {1.0, 2.0, 5.0};
  EXPECT_EQ(full_matrix(half, 6).nonZeros(), 4);
  EXPECT_THROW(full_matrix(half, 5), ModelError);  // its mirror image may take twice as many
}

// Truth: closed form. Modes (sqrt2 - 1, 1) and (1, 1 - sqrt2), omega^2 = 4 -+ 2 sqrt2; the static
// displacement under (0, 1) is K^-1 (0, 1) = (0.05, 0.15).
TEST(ImportModel, TakesPickedModesWithTheirKinds) {
  const ImportResult result =
      import({.files = {dms("dms.bdf"), dms("dms_km_ascii.op4")},
              .modes = {{dms("dms_dynamic.op4"), ModeKind::dynamic, {}, ""},
                        {dms("dms_static.op4"), ModeKind::static_, {}, ""},
                        {dms("dms_constraint.op4"), ModeKind::constraint, {}, ""}}});
  const ModeSet& modes = result.model.modes;
  ASSERT_EQ(modes.count(), 4);
  EXPECT_EQ(label_of(modes.modes[1]), "dynamic:2");
  EXPECT_EQ(label_of(modes.modes[2]), "static:1");
  EXPECT_EQ(label_of(modes.modes[3]), "constraint:1");
  const Eigen::MatrixXd U = shapes_on(modes, result.model.dofs);
  const Eigen::MatrixXd expected{{kSmall, 1.0, 0.05, 0.0}, {1.0, -kSmall, 0.15, -0.1}};
  EXPECT_LT(testing::relative_difference(U, expected), tolerance(2e-16));
  EXPECT_NEAR(modes.modes[0].eigenvalue, 4.0 - 2.0 * std::sqrt(2.0), tolerance(1e-15));
}

// Truth: as above, to the seven digits of punch and the single precision of OP2.
TEST(ImportModel, TakesModesFromPunchWithoutBeingAsked) {
  const ImportResult result = import(
      {.files = {
           dms("dms.bdf"), dms("dms_km.pch"), dms("dms_dynamic.pch"), dms("dms_static.pch")}});
  const ModeSet& modes = result.model.modes;
  ASSERT_EQ(modes.count(), 3);
  const Eigen::MatrixXd U = shapes_on(modes, result.model.dofs);
  const Eigen::MatrixXd expected{{kSmall, 1.0, 0.05}, {1.0, -kSmall, 0.15}};
  EXPECT_LT(testing::relative_difference(U, expected), tolerance(5e-7));
  EXPECT_EQ(modes.modes[2].kind, ModeKind::static_);
  EXPECT_TRUE(std::isnan(modes.modes[2].eigenvalue));
}

// Truth: the contract: inconsistent input gives one clear error.
TEST(ImportModel, RefusesMatricesWhoseRowsNobodyNames) {
  try {
    import({.files = { dms("dms_km_ascii.op4") }});
    FAIL() << "a matrix without rows was taken";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "no-row-map");
  }
  const ImportResult named =
      import({.files = {dms("dms.bdf"), dms("dms_km_ascii.op4")}, .dof_order = "2/T3,3/T3"});
  expect_two_masses(named.model);
}

// Truth: phi' K phi = omega^2 phi' M phi does not hold for swapped eigenvalues.
TEST(ImportModel, RefusesModesThatAreNotOfTheMatricesUnlessForced) {
  const testing::TemporaryFolder folder;
  std::string text = testing::read_text(dms("dms_dynamic.pch"));
  const std::size_t at = text.find("1.1715729E+00");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 13, "1.2715729E+00");
  testing::write_text(folder / "wrong.pch", text);
  ImportRequest request{.files = {dms("dms.bdf"), dms("dms_km.pch"), folder / "wrong.pch"}};
  EXPECT_THROW(import(request), ModelError);
  request.force = true;
  const ImportResult result = import(request);
  EXPECT_TRUE(std::any_of(
      result.proofs.begin(), result.proofs.end(), [](const Proof& p) { return !p.passed; }));
}

// Truth: the keyword ties nodes in Abaqus, the card in NASTRAN; each has its own way out.
TEST(ImportModel, TellsOfConstraintsThatAreNotReadInTheWordsOfTheProgram) {
  const auto told = [](const std::string& name, const std::string& text) {
    const testing::TemporaryFolder folder;
    testing::write_text(folder / name, text);
    Diagnostics diagnostics;
    static_cast<void>(import_model({.files = {folder / name}, .force = true}, diagnostics));
    std::string out;
    for (const Warning& warning : diagnostics.warnings())
      if (warning.code == "unread-constraint") out += warning.message + "\n";
    return out;
  };
  const std::string nodes = "*NODE\n1,0,0,0\n2,1,0,0\n3,2,0,0\n*NSET,NSET=N\n2,3\n";
  const std::string kinematic = told("a.inp", nodes + "*KINEMATIC COUPLING, REF NODE=1\nN,1,3\n");
  EXPECT_NE(kinematic.find("*KINEMATICCOUPLING"), std::string::npos) << kinematic;
  EXPECT_NE(kinematic.find("*EQUATION"), std::string::npos) << kinematic;
  const std::string glued = told("a.bdf", "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nBGADD,1,2\n");
  EXPECT_NE(glued.find("BGADD"), std::string::npos) << glued;
  EXPECT_NE(glued.find("RBE2"), std::string::npos) << glued;
  EXPECT_EQ(glued.find('*'), std::string::npos) << glued;
  const std::string sets = told("b.bdf", "GRID,1,,0.,0.,0.\nBGADD,1,2\nBGSET,2,3,4\n");
  EXPECT_NE(sets.find("BGSET"), std::string::npos) << sets;
  EXPECT_EQ(sets.find("BGADD"), std::string::npos) << sets;
}

}  // namespace
}  // namespace femflex::importer
