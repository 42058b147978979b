// Tests MBDyn .fem files. Truth: the original body, and equations of motion from the file compared
// with sums over the nodes.
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"

#include "bodies.h"
#include "equations.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using testing::relative_difference;
using testing::tolerance;

FlexBody point_body(unsigned seed, Index modes = 4) {
  testing::RandomBodyOptions options;
  options.rotary_inertia = false;
  options.with_everything = false;
  options.modes = modes;
  FlexBody body = testing::random_body(seed, options);
  body.stiffness *= 1e-4;
  return body;
}

FlexBody through(const FlexBody& body, const std::filesystem::path& path, bool invariants) {
  Diagnostics diagnostics;
  WriteOptions options;
  options.mbdyn_invariants = invariants;
  write_body(body, path, options, diagnostics);
  return read_body(path, {}, diagnostics);
}

void expect_same_invariants(const InertiaInvariants& i, const InertiaInvariants& j, double tol) {
  EXPECT_NEAR(i.mass, j.mass, tol * j.mass);
  EXPECT_LE(relative_difference(i.first_moment, j.first_moment), tol);
  EXPECT_LE(relative_difference(i.translation, j.translation), tol);
  EXPECT_LE(relative_difference(i.rotation, j.rotation), tol);
  EXPECT_LE(relative_difference(i.translation_rate, j.translation_rate), tol);
  EXPECT_LE(relative_difference(i.inertia, j.inertia), tol);
  EXPECT_LE(relative_difference(i.inertia_rate, j.inertia_rate), tol);
  EXPECT_LE(relative_difference(i.inertia_curvature, j.inertia_curvature), tol);
}

// Truth: sum of mass times acceleration over the nodes. Once with the invariants of groups 14 to 18
// alone, once with those that follow from group 11: MBDyn adds the two, so that no file has both.
TEST(MbdynFem, EquationsOfMotionBuiltFromTheFileEqualTheSumOverNodes) {
  const testing::TemporaryFolder folder;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const FlexBody body = point_body(seed, 1 + seed % 5);
    const testing::Motion motion = testing::random_motion(seed + 100, body.mode_count());
    const testing::LeftHandSide truth = testing::direct_sum(body, motion);
    EXPECT_LE(testing::difference(
                  testing::from_invariants(through(body, folder / "b.fem", false), motion), truth),
              tolerance(1e-12));
    const FlexBody bare = through(body, folder / "c.fem", true);
    EXPECT_EQ(testing::read_text(folder / "c.fem").find("RECORD GROUP 11"), std::string::npos);
    EXPECT_TRUE(bare.lumped_mass.isZero(0.0));
    EXPECT_LE(testing::difference(testing::from_invariants(bare, motion), truth), tolerance(1e-12));
  }
}

// Truth: the body, to the last bit or, for the inertia about the centre, to round-off.
TEST(MbdynFem, KeepsNodesShapesMatricesAndInvariants) {
  const testing::TemporaryFolder folder;
  const FlexBody body = testing::random_body(21);
  for (const bool invariants : {false, true}) {
    const FlexBody again = through(body, folder / "b.fem", invariants);
    for (std::size_t k = 0; k < body.nodes.size(); ++k) {
      EXPECT_EQ(again.nodes[k].id, body.nodes[k].id);
      EXPECT_EQ(again.nodes[k].position, body.nodes[k].position);
    }
    EXPECT_EQ(again.shapes, body.shapes);
    EXPECT_LE(relative_difference(again.mass, body.mass), tolerance(1e-15));
    EXPECT_LE(relative_difference(again.stiffness, body.stiffness), tolerance(1e-15));
    EXPECT_LE(relative_difference(*again.damping, *body.damping), tolerance(1e-15));
    if (invariants)
      EXPECT_TRUE(again.lumped_mass.isZero(0.0));
    else
      EXPECT_EQ(again.lumped_mass, body.lumped_mass);
    EXPECT_EQ(again.initial_zeta, body.initial_zeta);
    EXPECT_EQ(again.initial_zeta_dot, body.initial_zeta_dot);
    expect_same_invariants(again.invariants, body.invariants, tolerance(1e-13));
  }
}

// Truth: the SID sample describes the same three masses.
TEST(MbdynFem, ReadsASampleOfAnotherHandLikeItsSidTwin) {
  if (testing::shared_folder().empty()) GTEST_SKIP() << "no folder of reference files";
  const auto examples = testing::shared_folder() / "formats/examples";
  Diagnostics diagnostics;
  const FlexBody fem = read_body(examples / "tiny.fem", {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  const FlexBody sid = read_body(examples / "tiny.SID_FEM", {}, diagnostics);
  EXPECT_EQ(fem.shapes, sid.shapes);
  EXPECT_EQ(fem.stiffness, sid.stiffness);
  expect_same_invariants(fem.invariants, sid.invariants, tolerance(1e-11));
}

// Other programs stop at unknown groups, so these are written on request only.
TEST(MbdynFem, WritesGroupsOfNewerVersionsOnlyWhenAsked) {
  const testing::TemporaryFolder folder;
  through(point_body(1), folder / "a.fem", false);
  EXPECT_EQ(testing::read_text(folder / "a.fem").find("GROUP 14"), std::string::npos);
  through(point_body(1), folder / "b.fem", true);
  EXPECT_NE(testing::read_text(folder / "b.fem").find("GROUP 18"), std::string::npos);
}

// Files of other programs may hold both forms.
TEST(MbdynFem, SaysThatMbdynAddsNodalMassesToInvariants) {
  const testing::TemporaryFolder folder;
  through(point_body(1), folder / "a.fem", false);
  through(point_body(1), folder / "b.fem", true);
  const std::string plain = testing::read_text(folder / "a.fem");
  std::string text = testing::read_text(folder / "b.fem");
  const std::size_t at = plain.find("** RECORD GROUP 11");
  text.insert(text.find("** RECORD GROUP 12"),
              plain.substr(at, plain.find("** RECORD GROUP 12") - at));
  testing::write_text(folder / "c.fem", text);
  Diagnostics diagnostics;
  read_body(folder / "c.fem", {}, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "doubled-coupling");
}

// The joint inverts the mass matrix of rigid and modal motion: random shapes of few nodes hold
// rigid motion only where one is put in.
TEST(MbdynFem, WarnsOfModesThatHoldRigidMotion) {
  const testing::TemporaryFolder folder;
  FlexBody body = point_body(2, 2);
  for (Index k = 0; k < body.node_count(); ++k)
    body.shapes.col(0).segment(6 * k, 3) << 1, 0, 0;
  Eigen::Matrix3Xd c(3, body.node_count());
  for (Index k = 0; k < body.node_count(); ++k)
    c.col(k) = body.nodes[static_cast<std::size_t>(k)].position;
  body.invariants = invariants_from_lumped(c, body.shapes, body.lumped_mass);
  Diagnostics diagnostics;
  write_body(body, folder / "b.fem", {}, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "rigid-content");
}

// A mode that is a translation and has no strain: every solver moves the body by itself as well.
// With strain in it a constraint may hold the body, as in the published FLEX files.
TEST(BodyFormats, OfSolversSayThatModesHoldRigidMotion) {
  const testing::TemporaryFolder folder;
  FlexBody body = point_body(2, 2);
  Eigen::Matrix3Xd c(3, body.node_count());
  for (Index k = 0; k < body.node_count(); ++k) {
    body.shapes.col(0).segment(6 * k, 6) << 1, 0, 0, 0, 0, 0;
    c.col(k) = body.nodes[static_cast<std::size_t>(k)].position;
  }
  body.invariants = invariants_from_lumped(c, body.shapes, body.lumped_mass);
  body.mass = body.invariants.modal =
      0.5 * (body.invariants.modal + Eigen::MatrixXd(body.invariants.modal.transpose()));
  const Eigen::MatrixXd stiffness = body.stiffness;
  for (const char* name :
       {"a.flex", "a.sid", "a.fem", "a.npz", "a.hdf5", "a.h5", "a.dads", "a.fbm"}) {
    for (const bool is_strainless : {false, true}) {
      body.stiffness = stiffness;
      if (is_strainless) {
        body.stiffness.row(0).setZero();
        body.stiffness.col(0).setZero();
      }
      Diagnostics diagnostics;
      write_body(body, folder / name, {}, diagnostics);
      int told = 0;
      for (const Warning& warning : diagnostics.warnings())
        told += warning.code == "rigid-content" ? 1 : 0;
      const bool is_ours = std::string(name) == "a.fbm";
      const bool is_mbdyn = std::string(name) == "a.fem";
      EXPECT_EQ(told, !is_ours && (is_strainless || is_mbdyn) ? 1 : 0) << name << is_strainless;
    }
  }
}

// Numbers in other units say so and come back as SI.
TEST(MbdynFem, ConvertsUnitsThatTheFileStates) {
  const testing::TemporaryFolder folder;
  const FlexBody body = point_body(3);
  Diagnostics diagnostics;
  WriteOptions options;
  options.units = "mm-t-s";
  write_body(body, folder / "b.fem", options, diagnostics);
  const std::string text = testing::read_text(folder / "b.fem");
  EXPECT_NE(text.find("numbers in mm-t-s"), std::string::npos);
  diagnostics = {};
  const FlexBody again = read_body(folder / "b.fem", {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_LE(relative_difference(again.stiffness, body.stiffness), tolerance(1e-14));
  expect_same_invariants(again.invariants, body.invariants, tolerance(1e-12));
  ReadOptions wrong;
  wrong.units = "m-kg-s";
  EXPECT_THROW(read_body(folder / "b.fem", wrong, diagnostics), UsageError);
}

std::string sample(const testing::TemporaryFolder& folder) {
  through(point_body(4, 2), folder / "s.fem", false);
  return testing::read_text(folder / "s.fem");
}

void expect_refused(const std::string& text, const std::string& record, std::int64_t column = -1) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "t.fem", text);
  ReadOptions options;
  options.format = "mbdyn";
  Diagnostics diagnostics;
  try {
    read_body(folder / "t.fem", options, diagnostics);
    ADD_FAILURE() << "accepted";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.where().record, record) << error.what();
    EXPECT_GT(error.where().line, 0);
    if (column > 0) {
      EXPECT_EQ(error.where().column, column);
    }
  }
}

TEST(MbdynFem, NamesRecordLineAndColumnOfAFault) {
  const testing::TemporaryFolder folder;
  const std::string text = sample(folder);
  std::string bad = text;
  bad.replace(bad.find('\n', bad.find("GROUP 10")) + 1, 3, "x.1");
  expect_refused(bad, "record group 10", 1);
  bad = text;
  bad.insert(bad.find("** RECORD GROUP 10"), "1.0 2.0\n");
  expect_refused(bad, "record group 9", 1);
  bad = text;
  bad.insert(bad.find("** END OF FILE"), text.substr(text.find("** RECORD GROUP 5"), 120) + "\n");
  expect_refused(bad, "record group 5");
  bad = text;
  bad.replace(bad.find("GROUP 12"), 8, "GROUP 77");
  expect_refused(bad, "record group 77");
}

}  // namespace
}  // namespace femflex::flexfile
