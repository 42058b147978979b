// Tests the comparison of two bodies field by field.
#include "femflex/flexfile/body_difference.h"

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "femflex/flexfile/flexfile.h"

#include "bodies.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kTolerance = 1e-6;

std::vector<BodyAspect> compared(const FlexBody& a,
                                 const FlexBody& b,
                                 const std::vector<std::string>& lacking = {}) {
  const bool has_ids = std::find(lacking.begin(), lacking.end(), "node ids") == lacking.end();
  return body_aspects(a, b, common_nodes(a, b, has_ids), lacking, kTolerance);
}

/// Names of the aspects with this verdict, "name, name".
std::string those(const std::vector<BodyAspect>& aspects, BodyAspect::Verdict verdict) {
  std::string out;
  for (const BodyAspect& aspect : aspects)
    if (aspect.verdict == verdict) out += (out.empty() ? "" : ", ") + aspect.name;
  return out;
}

TEST(BodyDifference, ABodyIsTheSameAsItself) {
  const FlexBody body = testing::random_body(5);
  const std::vector<BodyAspect> aspects = compared(body, body);
  EXPECT_EQ(those(aspects, BodyAspect::Verdict::same),
            "node positions, interface nodes, nodal masses, shapes, rotation shapes, invariant 1, "
            "invariant 2, invariant 3, "
            "invariant 4, invariant 5, invariant 6, invariant 7, invariant 8, invariant 9, "
            "damping, stiffening, initial state, acting modes, V, alpha, U");
  EXPECT_EQ(aspects.size(), 21U);
  for (const BodyAspect& aspect : aspects)
    EXPECT_EQ(aspect.difference, 0.0) << aspect.name;
}

// Each field alone, changed by more than the tolerance, is found and named; nothing else is.
TEST(BodyDifference, EachThingThatIsChangedIsNamed) {
  const FlexBody body = testing::random_body(6);
  const std::vector<std::pair<std::string, std::function<void(FlexBody&)>>> changes{
      {"damping", [](FlexBody& b) { *b.damping *= 10.0; }},
      {"damping", [](FlexBody& b) { (*b.damping)(0, 1) = (*b.damping)(1, 0) += 1e-3; }},
      {"damping",
       [](FlexBody& b) {
         b.damping.reset();
         for (auto& m : b.modes)
           m.damping_ratio = std::nan("");
       }},
      {"invariant 1", [](FlexBody& b) { b.invariants.mass *= 1.0 + 1e-5; }},
      {"invariant 2", [](FlexBody& b) { b.invariants.first_moment.x() += 1e-3; }},
      {"invariant 3", [](FlexBody& b) { b.invariants.translation.col(2) *= 3.0; }},
      {"invariant 4", [](FlexBody& b) { b.invariants.rotation(1, 3) += 1e-3; }},
      {"invariant 5", [](FlexBody& b) { b.invariants.translation_rate *= 1.001; }},
      {"invariant 7", [](FlexBody& b) { b.invariants.inertia(2, 2) *= 1.01; }},
      {"invariant 8", [](FlexBody& b) { b.invariants.inertia_rate *= 1.01; }},
      {"invariant 9", [](FlexBody& b) { b.invariants.inertia_curvature *= 1.01; }},
      {"node positions", [](FlexBody& b) { b.nodes[2].position.y() += 1e-4; }},
      {"interface nodes", [](FlexBody& b) { b.interface_nodes.pop_back(); }},
      {"interface nodes", [](FlexBody& b) { b.interface_nodes.clear(); }},
      {"interface nodes", [](FlexBody& b) { b.interface_nodes.push_back(4711); }},
      {"nodal masses", [](FlexBody& b) { b.lumped_mass(2, 1) *= 1.001; }},
      {"nodal masses", [](FlexBody& b) { b.lumped_mass.rightCols<3>() *= 1.001; }},
      {"nodal masses", [](FlexBody& b) { b.lumped_mass.setZero(); }},
      {"rotation shapes", [](FlexBody& b) { b.shapes(3, 1) += 1e-3; }},
      {"shapes", [](FlexBody& b) { b.shapes(7, 1) += 1e-5; }},
      {"stiffening", [](FlexBody& b) { b.geometric[1].stiffness *= 1.1; }},
      {"stiffening", [](FlexBody& b) { b.geometric.pop_back(); }},
      {"initial state", [](FlexBody& b) { b.initial_zeta_dot(1) += 0.1; }},
      {"acting modes", [](FlexBody& b) { b.modes[0].enabled = false; }},
      {"acting modes", [](FlexBody& b) { b.modes[1].enabled = true; }},
      {"V", [](FlexBody& b) { b.back->V *= 2.0; }},
      {"alpha", [](FlexBody& b) { b.back->alpha(1) *= -1.0; }},
      {"U", [](FlexBody& b) { b.back->chosen_shapes(4, 0) += 0.1; }},
      {"back-transformation", [](FlexBody& b) { b.back.reset(); }}};
  for (const auto& [name, change] : changes) {
    FlexBody other = body;
    change(other);
    EXPECT_EQ(those(compared(body, other), BodyAspect::Verdict::differs), name);
    EXPECT_EQ(those(compared(other, body), BodyAspect::Verdict::differs), name);
  }
}

// Invariants change by in_basis(), damping by T' b T: the same body in other coordinates.
TEST(BodyDifference, OtherCoordinatesOfTheSameMotionsAreTheSameBody) {
  const FlexBody body = testing::random_body(7);
  const Index n = body.mode_count();
  MatrixXd T = MatrixXd::Identity(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      T(i, j) += 0.3 * std::sin(static_cast<double>(1 + 3 * i + 7 * j));
  FlexBody other = body;
  other.shapes = body.shapes * T;
  other.mass = T.transpose() * body.mass * T;
  other.stiffness = T.transpose() * body.stiffness * T;
  other.damping = T.transpose() * *body.damping * T;
  other.invariants = in_basis(body.invariants, T);
  other.initial_zeta = T.inverse() * body.initial_zeta;
  other.initial_zeta_dot = T.inverse() * body.initial_zeta_dot;
  for (GeometricStiffness& g : other.geometric)
    g.stiffness = T.transpose() * g.stiffness * T;
  const std::vector<BodyAspect> aspects = compared(body, other);
  EXPECT_EQ(those(aspects, BodyAspect::Verdict::differs), "");
  EXPECT_EQ(those(aspects, BodyAspect::Verdict::not_compared), "acting modes, back-transformation");
  *other.damping *= 1.01;
  EXPECT_EQ(those(compared(body, other), BodyAspect::Verdict::differs), "damping");
}

// Eight modes in the six translations of two nodes: rotations tell them apart. Truth: the order and
// the signs of the modes, which are no property of a body.
TEST(BodyDifference, RotationsTellModesApartWhereTranslationsAreTooFew) {
  testing::RandomBodyOptions options;
  options.nodes = 2;
  options.modes = 8;
  options.with_everything = false;
  const FlexBody body = testing::random_body(11, options);
  const Index n = body.mode_count();
  const MatrixXd T = -MatrixXd(MatrixXd::Identity(n, n).rowwise().reverse());
  FlexBody other = body;
  other.shapes = body.shapes * T;
  other.mass = T.transpose() * body.mass * T;
  other.stiffness = T.transpose() * body.stiffness * T;
  if (body.damping) other.damping = T.transpose() * *body.damping * T;
  other.invariants = in_basis(body.invariants, T);
  if (body.initial_zeta.size() == n) other.initial_zeta = T.inverse() * body.initial_zeta;
  if (body.initial_zeta_dot.size() == n)
    other.initial_zeta_dot = T.inverse() * body.initial_zeta_dot;
  EXPECT_EQ(those(compared(body, other), BodyAspect::Verdict::differs), "");
  other.shapes(9, 0) *= 1.01;  // a rotation
  EXPECT_NE(those(compared(body, other), BodyAspect::Verdict::differs), "");
}

// Content that a format cannot hold is reported and is not a failure; content that it can hold but
// lacks is one.
TEST(BodyDifference, WhatAFormatCannotHoldIsToldAndNoFailure) {
  const testing::TemporaryFolder folder;
  const FlexBody body = testing::random_body(8);
  const std::vector<std::pair<std::string, std::string>> not_stored{
      {"a.fbm", ""},
      {"a.SID_FEM",
       "interface nodes, nodal masses, initial state, acting modes, back-transformation"},
      {"a.fem", "interface nodes, stiffening, acting modes, back-transformation"},
      {"a.npz",
       "interface nodes, nodal masses, rotation shapes, damping, stiffening, initial state, acting "
       "modes, back-transformation"},
      {"a.hdf5",
       "interface nodes, nodal masses, rotation shapes, damping, stiffening, initial state, acting "
       "modes, back-transformation"}};
  for (const auto& [name, names] : not_stored) {
    Diagnostics diagnostics;
    write_body(body, folder / name, {}, diagnostics);
    const FlexBody again = read_body(folder / name, {}, diagnostics);
    const std::vector<BodyAspect> aspects =
        compared(body, again, aspects_lacking_in(folder / name));
    EXPECT_EQ(those(aspects, BodyAspect::Verdict::not_stored), names) << name;
    EXPECT_EQ(those(aspects, BodyAspect::Verdict::differs), "") << name;
  }
  Diagnostics diagnostics;
  write_body(body, folder / "b.flex", {}, diagnostics);
  EXPECT_EQ(aspects_lacking_in(folder / "b.flex"), std::vector<std::string>{"nodal masses"});
  std::filesystem::remove(folder / "b.flex.h5");
  EXPECT_EQ(aspects_lacking_in(folder / "b.flex").size(), 6U);
}

// What changes the motion of a body is not left out in silence. Truth: the contents of the body.
TEST(BodyDifference, WhatIsLeftOutOfAFileIsTold) {
  const testing::TemporaryFolder folder;
  FlexBody body = testing::random_body(8);
  const auto told = [&](const char* name) {
    Diagnostics diagnostics;
    write_body(body, folder / name, {}, diagnostics);
    for (const Warning& warning : diagnostics.warnings())
      if (warning.code == "left-out") return warning.message;
    return std::string();
  };
  for (const char* name : {"a.SID_FEM", "a.fem", "a.npz", "a.hdf5"})
    EXPECT_NE(told(name).find("do not act"), std::string::npos) << name;
  for (BodyMode& mode : body.modes)
    mode.enabled = true;
  EXPECT_EQ(told("a.fbm"), "");
  EXPECT_EQ(told("a.flex"), "");
  EXPECT_EQ(told("a.SID_FEM"),
            "SID (Simpack, Modelica) has no place for the initial state of the modes: left out");
  EXPECT_EQ(told("a.fem"),
            "MBDyn modal joint has no place for stiffening (geometric stiffness): left out");
  for (const char* name : {"a.npz", "a.hdf5"}) {
    EXPECT_NE(told(name).find("damping"), std::string::npos);
    EXPECT_NE(told(name).find("stiffening"), std::string::npos);
    EXPECT_NE(told(name).find("initial state"), std::string::npos);
  }
  body.damping.reset();
  body.geometric.clear();
  body.initial_zeta.setZero();
  body.initial_zeta_dot.setZero();
  for (BodyMode& mode : body.modes)
    mode.damping_ratio = std::nan("");
  for (const char* name : {"a.SID_FEM", "a.fem", "a.npz", "a.hdf5"})
    EXPECT_EQ(told(name), "") << name;
}

// Truth: the body. A file without the masses of a condensed body holds fitted ones.
TEST(BodyDifference, MassesThatAFileHoldsInPlaceOfOthersAreNoDifference) {
  FlexBody body = testing::random_body(10);
  FlexBody other = body;
  other.lumped_mass.col(0) *= 1.1;
  EXPECT_EQ(those(compared(body, other), BodyAspect::Verdict::differs), "nodal masses");
  EXPECT_EQ(those(compared(body, other, {"nodal masses"}), BodyAspect::Verdict::differs), "");
  std::swap(other.interface_nodes.front(), other.interface_nodes.back());
  EXPECT_EQ(those(compared(body, other, {"nodal masses"}), BodyAspect::Verdict::differs), "");
  other.interface_nodes.pop_back();
  EXPECT_EQ(those(compared(body, other, {"interface nodes"}), BodyAspect::Verdict::differs),
            "interface nodes, nodal masses");
}

// Truth: the permutation that was made. Ids 1, 2, ... of a file without ids are not node numbers.
TEST(BodyDifference, NodesWithoutIdsAreMatchedByPosition) {
  const FlexBody body = testing::random_body(9);
  FlexBody other = body;
  const Index nodes = body.node_count();
  for (Index k = 0; k < nodes; ++k) {
    const Index from = (k + 3) % nodes;
    other.nodes[static_cast<std::size_t>(k)] = body.nodes[static_cast<std::size_t>(from)];
    other.nodes[static_cast<std::size_t>(k)].id = k + 1;
    other.shapes.middleRows(6 * k, 6) = body.shapes.middleRows(6 * from, 6);
    other.lumped_mass.row(k) = body.lumped_mass.row(from);
    other.back->chosen_shapes.middleRows(6 * k, 6) =
        body.back->chosen_shapes.middleRows(6 * from, 6);
  }
  const CommonNodes common = common_nodes(body, other, false);
  ASSERT_EQ(common.a.size(), body.nodes.size());
  for (std::size_t k = 0; k < common.a.size(); ++k)
    EXPECT_EQ(common.b[k], (common.a[k] + nodes - 3) % nodes);
  EXPECT_EQ(those(body_aspects(body, other, common, {"node ids"}, kTolerance),
                  BodyAspect::Verdict::differs),
            "");
}

}  // namespace
}  // namespace femflex::flexfile
