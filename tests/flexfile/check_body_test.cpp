// Tests the checks of a body (sum rules, symmetry, mass) and files of shapes.
#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/flexfile/fbm_shapes.h"
#include "femflex/flexfile/flexfile.h"

#include "bodies.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

bool has(const std::vector<Finding>& findings, const std::string& code, bool is_error) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
    return f.code == code && f.is_error == is_error;
  });
}

FlexBody sound() {
  testing::RandomBodyOptions options;
  options.rotary_inertia = false;
  return testing::random_body(41, options);
}

TEST(CheckBody, FindsNothingInASoundBody) {
  for (const Finding& finding : check_body(sound()))
    ADD_FAILURE() << finding.code << ": " << finding.message;
}

TEST(CheckBody, FindsEachKindOfFault) {
  FlexBody body = sound();
  body.invariants.mass = -1.0;
  EXPECT_TRUE(has(check_body(body), "no-mass", true));
  body = sound();
  body.invariants.inertia(0, 0) *= 50.0;
  EXPECT_TRUE(has(check_body(body), "inertia", true));
  body = sound();
  body.stiffness = -body.stiffness;
  EXPECT_TRUE(has(check_body(body), "modal-stiffness", true));
  body = sound();
  body.shapes.col(1).setZero();
  EXPECT_TRUE(has(check_body(body), "zero-shape", true));
  body = sound();
  body.invariants.modal *= 2.0;
  EXPECT_TRUE(has(check_body(body), "invariant-6", true));
  body = sound();
  body.invariants.inertia_curvature(0, 4) *= -3.0;
  EXPECT_TRUE(has(check_body(body), "sum-rule", false));
  body = sound();
  body.lumped_mass *= 0.5;
  EXPECT_TRUE(has(check_body(body), "lumped-mass", false));
  body = sound();
  body.mass(0, 1) += 1.0 * body.mass(0, 0);
  EXPECT_TRUE(has(check_body(body), "not-symmetric", true));
}

TEST(CheckBody, NumbersThatAreNotFiniteAreFaults) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const std::vector<std::function<void(FlexBody&)>> faults = {
      [](FlexBody& b) { b.invariants.mass = kInfinite; },
      [](FlexBody& b) { b.invariants.first_moment(1) = kNaN; },
      [](FlexBody& b) { b.invariants.translation(0, 0) = kNaN; },
      [](FlexBody& b) { b.invariants.rotation(2, 1) = kNaN; },
      [](FlexBody& b) { b.invariants.translation_rate(0, 3) = kNaN; },
      [](FlexBody& b) { b.invariants.modal(0, 0) = kNaN; },
      [](FlexBody& b) { b.invariants.inertia(2, 2) = kNaN; },
      [](FlexBody& b) { b.invariants.inertia_rate(0, 0) = kInfinite; },
      [](FlexBody& b) { b.invariants.inertia_curvature(1, 1) = kNaN; },
      [](FlexBody& b) { b.nodes[1].position(0) = kNaN; },
      [](FlexBody& b) { b.initial_zeta(0) = kNaN; },
      [](FlexBody& b) { b.initial_zeta_dot(0) = kInfinite; },
  };
  for (std::size_t k = 0; k < faults.size(); ++k) {
    FlexBody body = sound();
    faults[k](body);
    EXPECT_TRUE(has(check_body(body), "not-finite", true)) << k;
  }
}

// A mode held at its interface nodes moves none of them, and the file may have only these.
TEST(CheckBody, AModeThatMovesOnlyNodesLeftOutIsANote) {
  FlexBody body = sound();
  body.shapes.col(1).setZero();
  body.lumped_mass *= 0.5;  // the other half is on nodes left out
  EXPECT_TRUE(has(check_body(body), "zero-shape", false));
  EXPECT_FALSE(has(check_body(body), "zero-shape", true));
}

TEST(CheckBody, AModeWithoutMassIsNotIndefinite) {
  FlexBody body = sound();
  body.mass.setZero();
  body.invariants.modal.setZero();
  EXPECT_FALSE(has(check_body(body), "modal-mass", true));
}

// Truth: the whole body in memory; one mode and one node from disk are its column and rows.
TEST(FbmShapes, ReadsOneModeAndOneNodeWithoutTheRest) {
  const testing::TemporaryFolder folder;
  testing::RandomBodyOptions options;
  options.nodes = 3000;
  options.modes = 20;
  options.with_everything = false;
  const FlexBody body = testing::random_body(1, options);
  Diagnostics diagnostics;
  for (const int deflate : {0, 1}) {
    WriteOptions write;
    write.deflate = deflate;
    write_body(body, folder / "b.fbm", write, diagnostics);
    const FbmShapes shapes(folder / "b.fbm");
    EXPECT_EQ(shapes.mode_count(), 20);
    EXPECT_EQ(shapes.node_count(), 3000);
    EXPECT_EQ(shapes.mode(11), body.shapes.col(11));
    EXPECT_EQ(shapes.node(2999), body.shapes.bottomRows(6));
    EXPECT_THROW(shapes.mode(20), UsageError);
    EXPECT_THROW(shapes.node(-1), UsageError);
  }
}

}  // namespace
}  // namespace femflex::flexfile
