// Tests stress recovery of bars, beams, rods and springs against closed forms from textbooks. F is
// the force at the free end, and L the length, of a cantilever along x that is fixed at x = 0.
#include <cmath>

#include <gtest/gtest.h>

#include "femflex/dense.h"

#include "samples.h"
#include "support/support.h"

namespace femflex::elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using testing::tolerance;

constexpr double kLength = 2.0;
const std::vector<Vector2d> kCorners = {{0.03, 0.02}, {-0.03, 0.02}, {-0.03, -0.02}, {0.03, -0.02}};

/// A beam between x = from and x = to of the cantilever, rotated by R, with nodes beside the beam
/// axis.
Element beam_sample(double from, double to, const Matrix3d& R, Random& random) {
  BeamSection section{.area = 2.4e-3,
                      .I1 = 7.2e-7,
                      .I2 = 3.2e-7,
                      .I12 = 2.1e-7,
                      .J = 5e-7,
                      .K1 = 0.8,
                      .K2 = 0.6,
                      .recovery_points = kCorners,
                      .torsion_radius = 0.021};
  section.orientation = R * Vector3d(0.3, 1.0, 0.0);
  Element out{.shape = ElementShape::bar2, .positions = {}, .material = kSteel, .section = {}};
  out.positions.resize(2, 3);
  for (const int end : {0, 1}) {
    section.offsets[static_cast<std::size_t>(end)] = 0.2 * random.vector(3);
    out.positions.row(end) = (R * Vector3d(end == 0 ? from : to, 0.0, 0.0) -
                              section.offsets[static_cast<std::size_t>(end)])
                                 .transpose();
  }
  out.section = section;
  return out;
}

/// Displacements of the nodes from those of the beam ends (x, y, z, rx, ry, rz in beam axes).
Eigen::VectorXd node_displacements(const Element& element,
                                   const Matrix3d& R,
                                   const Eigen::Matrix<double, 6, 2>& ends) {
  const auto& section = std::get<BeamSection>(element.section);
  Eigen::VectorXd u(12);
  for (const int end : {0, 1}) {
    const Vector3d turn = R * ends.col(end).tail<3>();
    const Vector3d& arm = section.offsets[static_cast<std::size_t>(end)];
    u.segment<3>(6 * end) = R * ends.col(end).head<3>() - turn.cross(arm);
    u.segment<3>(6 * end + 3) = turn;
  }
  return u;
}

// Truth: Timoshenko's cantilever under tip forces N, Fy, Fz and torque T: E I w'' = F (L - x), w =
// (E I)^-1 F x² (3 L - x) / 6 + F x / (K G A); u = N x / (E A), rx = T x / (G J); stress N / A -
// (y, z) I^-1 M.
TEST(Beam, IsExactInACantileverWithTipLoadsOfAnUnsymmetricSection) {
  Random random(21);
  const Matrix3d R = random.rotation();
  const Element element = beam_sample(0.4, 1.3, R, random);
  const auto& s = std::get<BeamSection>(element.section);
  const double N = 3e4;
  const double T = 150.0;
  const Vector2d F(800.0, -500.0);
  Eigen::Matrix2d I;
  I << s.I1, s.I12, s.I12, s.I2;
  const Vector2d bend = (kSteel.E * I).inverse() * F;
  const Vector2d shear = F.cwiseQuotient(kSteel.G * s.area * Vector2d(s.K1.value(), s.K2.value()));
  const double ends_x[2] = {0.4, 1.3};
  Eigen::Matrix<double, 6, 2> ends;
  for (const int end : {0, 1}) {
    const double x = ends_x[end];
    const Vector2d w = bend * x * x * (3.0 * kLength - x) / 6.0 + shear * x;
    const Vector2d slope = bend * x * (2.0 * kLength - x) / 2.0;
    ends.col(end) << N * x / (kSteel.E * s.area), w(0), w(1), T * x / (kSteel.G * s.J), -slope(1),
        slope(0);
  }
  const Eigen::VectorXd u = node_displacements(element, R, ends);

  const StressMap stress = stress_map(element);
  const Eigen::VectorXd found = stress.matrix * u;
  ASSERT_EQ(found.size(), 10);
  for (int end = 0; end < 2; ++end)
    for (int k = 0; k < 4; ++k) {
      const Vector2d M = F * (kLength - ends_x[end]);
      const Vector2d& point = kCorners[static_cast<std::size_t>(k)];
      const double expected = N / s.area - point.dot(I.inverse() * M);
      EXPECT_NEAR(found(4 * end + k), expected, tolerance(1e-10) * 1e8);
      EXPECT_EQ(stress.points[static_cast<std::size_t>(4 * end + k)].fibre, k);
      const Vector3d at = R * Vector3d(ends_x[end], point.x(), point.y());
      EXPECT_LT((stress.points[static_cast<std::size_t>(4 * end + k)].position - at).norm(),
                tolerance(1e-13));
    }
  EXPECT_NEAR(found(8), T * 0.021 / s.J, tolerance(1e-10) * found(8));

  const Eigen::VectorXd force = stress_map(element, {.quantity = Quantity::force}).matrix * u;
  for (int end = 0; end < 2; ++end) {
    const Vector2d M = F * (kLength - ends_x[end]);
    Eigen::VectorXd expected(6);
    expected << N, F(0), F(1), T, M(0), M(1);
    EXPECT_LT((force.segment<6>(6 * end) - expected).norm(), tolerance(1e-10) * N);
  }
}

// Truth: a rigid motion causes no strain.
TEST(Beam, HasNoStressInRigidMotion) {
  Random random(22);
  const Element element = beam_sample(0.0, 1.0, random.rotation(), random);
  const Eigen::VectorXd u = rigid_motion(element, random.vector(3), random.vector(3));
  const StressMap map = stress_map(element);
  EXPECT_LT((map.matrix * u).norm(), tolerance(1e-12) * map.matrix.norm() * u.norm());
}

// Truth: the element of a solid with linear displacements: V = K G A (w / L - mean psi), mean
// moment E I (psi_B - psi_A) / L, dM/dx = -V.
TEST(Beam, WithInternalModesHasTheForceOfItsMeanShearStrain) {
  Random random(26);
  Element element = beam_sample(0.0, kLength, Matrix3d::Identity(), random);
  element.integration = Integration::internal_modes;
  auto& s = std::get<BeamSection>(element.section);
  s.I12 = 0.0;
  Eigen::Matrix<double, 6, 2> ends = Eigen::Matrix<double, 6, 2>::Zero();
  ends(1, 1) = 3e-3;  // w along y
  ends(5, 0) = 1e-3;  // psi at A
  ends(5, 1) = 5e-3;  // psi at B
  const double V = *s.K1 * kSteel.G * s.area * (3e-3 / kLength - 3e-3);
  const double M = kSteel.E * s.I1 * 4e-3 / kLength;
  Eigen::VectorXd expected(12);
  expected << 0, V, 0, 0, M + 0.5 * V * kLength, 0, 0, V, 0, 0, M - 0.5 * V * kLength, 0;
  const StressRequest request = {.quantity = Quantity::force};
  const Eigen::VectorXd force =
      stress_map(element, request).matrix * node_displacements(element, Matrix3d::Identity(), ends);
  EXPECT_LT((force - expected).norm(), tolerance(1e-10) * expected.norm());
  s.K1 = std::nullopt;
  EXPECT_EQ(testing::code_of([&] { (void)stress_map(element, request); }), "bad-section");
}

// Truth: the extension of the line of centroids. The beam ends are on the axis of shear centres, so
// a rotation of an end also moves the centroid, which is beside this axis.
TEST(Beam, ExtensionIsThatOfTheCentroid) {
  Random random(23);
  Element element = beam_sample(0.0, 1.0, Matrix3d::Identity(), random);
  auto& section = std::get<BeamSection>(element.section);
  section.centroid = {0.05, -0.02};
  section.recovery_points.clear();
  Eigen::Matrix<double, 6, 2> ends = Eigen::Matrix<double, 6, 2>::Zero();
  ends(0, 1) = 1e-3;
  ends(4, 1) = 2e-3;  // about y: moves the centroid at z = -0.02 backwards
  ends(5, 1) = 3e-3;  // about z: moves the centroid at y = 0.05 backwards
  const double strain = 1e-3 + 2e-3 * -0.02 - 3e-3 * 0.05;
  const Eigen::VectorXd found = stress_map(element, {.quantity = Quantity::strain}).matrix *
                                node_displacements(element, Matrix3d::Identity(), ends);
  EXPECT_NEAR(found(0), strain, tolerance(1e-15));
  EXPECT_NEAR(found(1), strain, tolerance(1e-15));
}

// Truth: a fixed-pinned beam whose pinned end moves sideways by d has the moment 3 E I d / L² at
// the fixed end and no moment at the pin. A beam with a sliding end has no axial force.
TEST(Beam, ReleasedDofsTransmitNothing) {
  Random random(24);
  Element element = beam_sample(0.0, kLength, Matrix3d::Identity(), random);
  auto& section = std::get<BeamSection>(element.section);
  section.I12 = 0.0;
  section.K1 = section.K2 = std::nullopt;
  section.released = {0b001000U, 0b101001U};  // A: rx; B: x, rx, rz
  Eigen::Matrix<double, 6, 2> ends = Eigen::Matrix<double, 6, 2>::Zero();
  ends.col(1) << 0.3, 1e-3, 0.0, 0.2, 0.0, 0.7;
  const Eigen::VectorXd force = stress_map(element, {.quantity = Quantity::force}).matrix *
                                node_displacements(element, Matrix3d::Identity(), ends);
  const double M = 3.0 * kSteel.E * section.I1 * 1e-3 / (kLength * kLength);
  Eigen::VectorXd expected(12);
  expected << 0, M / kLength, 0, 0, M, 0, 0, M / kLength, 0, 0, 0, 0;
  EXPECT_LT((force - expected).norm(), tolerance(1e-10) * M);
}

// Truth: E du / L and G J dphi / L.
TEST(Rod, HasTensionAndTorsion) {
  Element element{.shape = ElementShape::bar2,
                  .positions = {},
                  .material = kSteel,
                  .section = RodSection{.area = 2e-4, .J = 3e-9, .torsion_radius = 8e-3}};
  element.positions.resize(2, 3);
  element.positions << 1, 1, 1, 1, 3, 1;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(12);
  u(7) = 1e-4;
  u(10) = 2e-3;
  const Eigen::VectorXd stress = stress_map(element).matrix * u;
  EXPECT_NEAR(stress(0), 2.1e11 * 5e-5, tolerance(1e-12) * stress(0));
  EXPECT_NEAR(stress(1), kSteel.G * 1e-3 * 8e-3, tolerance(1e-12) * stress(1));
  const Eigen::VectorXd force = stress_map(element, {.quantity = Quantity::force}).matrix * u;
  EXPECT_NEAR(force(0), 2.1e11 * 5e-5 * 2e-4, tolerance(1e-12) * force(0));
  EXPECT_NEAR(force(1), kSteel.G * 1e-3 * 3e-9, tolerance(1e-12) * force(1));
}

// Truth: statics by hand. A rigid motion does not load a spring if its lever arms are taken into
// account.
TEST(Spring, ComparesTheNodesAtItsPoint) {
  Random random(25);
  const Matrix3d R = random.rotation();
  SpringSection section{.axes = R, .location = 0.25};
  section.stiffness << 1e3, 2e3, 3e3, 40.0, 50.0, 60.0;
  Element element{.shape = ElementShape::bar2, .positions = {}, .material = {}, .section = section};
  element.positions.resize(2, 3);
  element.positions.row(0) = random.vector(3).transpose();
  element.positions.row(1) = element.positions.row(0) + 4.0 * R.col(0).transpose();
  const StressMap map = stress_map(element, {.quantity = Quantity::force});
  const Eigen::VectorXd rigid = rigid_motion(element, random.vector(3), random.vector(3));
  EXPECT_LT((map.matrix * rigid).norm(), tolerance(1e-12) * map.matrix.norm());

  // B rotates about the spring axis z by 0.01; the spring's point, 3 m before B, moves by -0.03
  // along y
  Eigen::VectorXd u = Eigen::VectorXd::Zero(12);
  u.tail<3>() = 0.01 * R.col(2);
  Eigen::VectorXd expected(6);
  expected << 0, -60.0, 0, 0, 0, 0.6;
  EXPECT_LT((map.matrix * u - expected).norm(), tolerance(1e-11));
  section.location.reset();  // without lever arms
  element.section = section;
  expected(1) = 0.0;
  EXPECT_LT((stress_map(element, {.quantity = Quantity::force}).matrix * u - expected).norm(),
            tolerance(1e-11));
}

// Truth: E = 2 G (1 + nu), and the rules of MAT1 for empty fields.
TEST(Material, CompletesWhatMat1LeavesOut) {
  EXPECT_DOUBLE_EQ(make_isotropic(2.6, std::nullopt, 0.3).G, 1.0);
  EXPECT_DOUBLE_EQ(make_isotropic(std::nullopt, 1.0, 0.3).E, 2.6);
  EXPECT_NEAR(make_isotropic(2.6, 1.0, std::nullopt).nu, 0.3, tolerance(1e-15));
  EXPECT_EQ(make_isotropic(2.6, 5.0, 0.3).G, 5.0);
  EXPECT_EQ(make_isotropic(2.6, std::nullopt, std::nullopt).G, 0.0);
  EXPECT_EQ(make_isotropic(std::nullopt, 1.0, std::nullopt).E, 0.0);
  EXPECT_EQ(testing::code_of([] { (void)make_isotropic({}, {}, 0.3); }), "bad-material");
}

// Truth: the documented error codes.
TEST(Beam, RefusesWhatItCannotRecover) {
  Random random(26);
  const Element element = beam_sample(0.0, 1.0, Matrix3d::Identity(), random);
  const auto code = [](const Element& e, const StressRequest& request = {}) {
    return testing::code_of([&] { (void)stress_map(e, request); });
  };
  EXPECT_EQ(code(element), "no error");
  EXPECT_EQ(code(element, {.axes = Axes::basic}), "no-such-axes");
  const auto with = [&](const auto& change) {
    Element other = element;
    change(std::get<BeamSection>(other.section));
    return code(other);
  };
  EXPECT_EQ(with([](BeamSection& s) { s.orientation = 2.0 * Vector3d::UnitX(); }), "bad-section");
  EXPECT_EQ(with([](BeamSection& s) { s.orientation.setZero(); }), "bad-section");
  EXPECT_EQ(with([](BeamSection& s) { s.area = std::nan(""); }), "bad-section");
  EXPECT_EQ(with([](BeamSection& s) { s.I12 = 1.0; }), "bad-section");
  Element other = element;
  other.material = Isotropic{.E = 1.0};  // shear factors, but G = 0
  EXPECT_EQ(code(other), "bad-section");
  other.section = SpringSection{};
  EXPECT_EQ(code(other), "no-such-quantity");
  other.section = SolidSection{};
  EXPECT_EQ(code(other), "bad-section");
}

}  // namespace
}  // namespace femflex::elements
