// Tests SID files of bodies whose mass matrix is not lumped.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/flexfile/flexfile.h"
#include "femflex/frames.h"

#include "bodies.h"
#include "equations.h"
#include "support/kinetic_energy.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::BodyMotion;
using testing::relative_difference;
using testing::tolerance;

/// Invariants as a mass matrix that couples everything gives them: 5 has both halves, 8 and 9 are
/// tied to neither 4 nor 5.
FlexBody dense_body(unsigned seed, Index modes) {
  testing::RandomBodyOptions options;
  options.modes = modes;
  options.rotary_inertia = false;
  options.with_everything = false;
  FlexBody body = testing::random_body(seed, options);
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto draw = [&] { return number(engine); };
  InertiaInvariants& i = body.invariants;
  i.rotation += MatrixXd::NullaryExpr(3, modes, draw);
  i.translation_rate += MatrixXd::NullaryExpr(3, modes * modes, draw);
  i.inertia_rate += MatrixXd::NullaryExpr(3, 3 * modes, draw);
  const MatrixXd nine = MatrixXd::NullaryExpr(3 * modes, 3 * modes, draw);
  i.inertia_curvature += nine + nine.transpose();  // block (k, j) is block (j, k) transposed
  body.stiffness *= 1e-4;                          // so that no term is hidden by k q
  return body;
}

void stiffen(FlexBody& body, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const Index n = body.mode_count();
  for (int cause = 0; cause < static_cast<int>(GeometricStiffness::Cause::force); ++cause) {
    const MatrixXd a = MatrixXd::NullaryExpr(n, n, [&] { return number(engine); });
    body.geometric.push_back(
        {static_cast<GeometricStiffness::Cause>(cause), 0, 0, a + a.transpose()});
  }
}

/// Blocks (a, b) plus their transposes: what a kinetic energy sees of 8 and 9.
MatrixXd symmetric_blocks(const MatrixXd& blocks) {
  MatrixXd out = blocks;
  for (Index r = 0; r < blocks.rows(); r += 3)
    for (Index c = 0; c < blocks.cols(); c += 3)
      out.block<3, 3>(r, c) += blocks.block<3, 3>(r, c).transpose();
  return out;
}

FlexBody there_and_back(FlexBody body) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  body.initial_zeta.setZero();  // SID has no place for it
  body.initial_zeta_dot.setZero();
  write_body(body, folder / "b.sid", {}, diagnostics);
  FlexBody again = read_body(folder / "b.sid", {}, diagnostics);
  for (const Warning& warning : diagnostics.warnings())
    ADD_FAILURE() << warning.code << ": " << warning.message;
  return again;
}

// Truth: the body, in all that its kinetic energy is made of, to the 12 digits of the file.
TEST(SidOfDenseMass, KeepsWhatMotionDependsOn) {
  for (const bool stiffened : {false, true})
    for (const Index modes : {1, 4, 7}) {
      FlexBody body = dense_body(21, modes);
      if (stiffened) stiffen(body, 22);
      const FlexBody again = there_and_back(body);
      const InertiaInvariants& i = again.invariants;
      const InertiaInvariants& j = body.invariants;
      const double tol = tolerance(2e-11);
      EXPECT_LE(relative_difference(i.translation, j.translation), tol);
      EXPECT_LE(relative_difference(i.rotation, j.rotation), tol);
      EXPECT_LE(relative_difference(i.translation_rate, j.translation_rate), tol);
      EXPECT_LE(
          relative_difference(symmetric_blocks(i.inertia_rate), symmetric_blocks(j.inertia_rate)),
          tol);
      EXPECT_LE(relative_difference(symmetric_blocks(i.inertia_curvature),
                                    symmetric_blocks(j.inertia_curvature)),
                tol);
      ASSERT_EQ(again.geometric.size(), body.geometric.size());
      for (std::size_t k = 0; k < body.geometric.size(); ++k)
        EXPECT_LE(relative_difference(again.geometric[k].stiffness, body.geometric[k].stiffness),
                  tolerance(1e-9));
      // a second turn changes nothing any more, not even what no motion depends on
      const FlexBody third = there_and_back(again);
      EXPECT_LE(relative_difference(third.invariants.inertia_rate, i.inertia_rate), tol);
      EXPECT_LE(relative_difference(third.invariants.inertia_curvature, i.inertia_curvature), tol);
    }
}

// Truth: Lagrange's equations of the kinetic energy to the first order in q, without the products
// of modal velocities that SID has no place for: those of the moment at w = 0.
TEST(SidOfDenseMass, EquationsBuiltFromTheFileAreLagranges) {
  const testing::TemporaryFolder folder;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Index n = 1 + seed % 5;
    const FlexBody body = dense_body(seed, n);
    Diagnostics diagnostics;
    write_body(body, folder / "b.sid", {}, diagnostics);
    const testing::Motion s = testing::random_motion(seed + 100, n);
    const Vector3d v(0.4, -0.3, 0.7);
    const auto inertia_at = [&](const VectorXd& q) {
      return testing::lagrange_inertia(
          body, {v, s.w, q, s.q_dot}, {s.a - s.w.cross(v), s.w_dot, s.q_dot, s.q_ddot});
    };
    VectorXd truth =
        inertia_at(VectorXd::Zero(n)) + 0.5 * (inertia_at(s.q) - inertia_at(VectorXd(-s.q)));
    const Vector3d none = Vector3d::Zero();
    truth -= testing::lagrange_inertia(
        body, {none, none, s.q, s.q_dot}, {none, none, s.q_dot, VectorXd::Zero(n)});
    truth.tail(n) += body.stiffness * s.q + *body.damping * s.q_dot;
    EXPECT_LE(testing::difference(testing::from_sid_file(folder / "b.sid", s),
                                  {truth.head<3>(), truth.segment<3>(3), truth.tail(n)}),
              tolerance(1e-9));
  }
}

// Files written before stored Ge = 2 Cr.m1 and no first order of Gr: their 5 is what Cr.m1 holds.
TEST(SidOfDenseMass, TakesTheSymmetricHalfOfCrForInertiaWhereGeHoldsIt) {
  const testing::TemporaryFolder folder;
  const Index n = 3;
  const FlexBody body = dense_body(31, n);
  Diagnostics diagnostics;
  write_body(body, folder / "b.sid", {}, diagnostics);
  std::string text = testing::read_text(folder / "b.sid");
  const auto replace_section = [&](const std::string& name, const std::string& lines) {
    const std::string end_word = "           end " + name + "\n";
    const std::size_t from = text.find("structure", text.find("           " + name + "\n"));
    const std::size_t at = text.find('\n', from) + 1;
    text.replace(at, text.find(end_word) - at, lines);
  };
  std::string ge;
  for (Index i = 0; i < n; ++i)
    for (Index l = 0; l < n; ++l)
      for (Index c = 0; c < 3; ++c)
        ge += fmt::format("              m0( {}, {})                     = {:.12E}\n",
                          i + 1,
                          3 * l + c + 1,
                          2.0 * body.invariants.translation_rate(c, n * l + i));
  replace_section("Ge", ge);
  const std::size_t gr = text.find("           Gr\n");
  const std::size_t first_m1 = text.find("m1(", gr);
  const std::size_t line = text.rfind('\n', first_m1) + 1;
  text.erase(line, text.find("           end Gr\n") - line);
  const std::size_t order = text.find('1', text.find("order", gr));
  text[order] = '0';
  testing::write_text(folder / "c.sid", text);
  Diagnostics none;
  const FlexBody again = read_body(folder / "c.sid", {}, none);
  EXPECT_LE(
      relative_difference(again.invariants.translation_rate, body.invariants.translation_rate),
      tolerance(2e-11));
  EXPECT_TRUE(again.geometric.empty());
}

}  // namespace
}  // namespace femflex::flexfile
