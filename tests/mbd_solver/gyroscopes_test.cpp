// Tests spinning bodies. Truth: closed forms or first integrals.
#include <array>
#include <cmath>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::accurate;
using testing::at;
using testing::bound;
using testing::joint;
using testing::methods;
using testing::rigid;
using testing::run;
using testing::tolerance;

struct Top {
  double mass = 0.8, length = 0.15, transverse = 0.004, axial = 0.006, theta = 0.5, spin = 60.0;
  double about_pivot() const { return transverse + mass * length * length; }
  /// Rate of steady precession: the smaller root Omega of A cos(theta) Omega^2 - C w3 Omega + m g l
  /// = 0.
  double precession() const {
    const double a = about_pivot() * std::cos(theta), b = axial * spin, c = mass * 9.81 * length;
    return 2.0 * c / (b + std::sqrt(b * b - 4.0 * a * c));
  }
  /// Frequency of small nutation; its square is ((C w3 - 2 A Omega cos) / A)^2 + (Omega sin)^2.
  double nutation() const {
    const double rate = precession();
    return std::hypot(axial * spin / about_pivot() - 2.0 * rate * std::cos(theta),
                      rate * std::sin(theta));
  }
  /// A top in steady precession, with an additional initial rate of theta.
  System system(double theta_rate) const {
    System s;
    s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
    Body top = rigid("top", mass, {0, 0, length}, {transverse, transverse, axial});
    top.orientation = Eigen::AngleAxisd(theta, Vector3d::UnitY()).toRotationMatrix();
    const Vector3d axis = top.orientation.col(2);
    const double rate = precession();
    top.angular_velocity = rate * Vector3d::UnitZ() + (spin - rate * std::cos(theta)) * axis +
                           theta_rate * Vector3d::UnitY();
    top.markers["tip"] = at(0, 0, length);
    s.bodies = {top};
    s.joints = {joint("pivot", JointType::spherical, "ground", "top")};
    s.joints[0].at = Vector3d::Zero();
    s.outputs = {"top/tip/position", "pivot/reaction"};
    return s;
  }
};

// Truth: the steady precession of the heavy symmetric top. The pivot force is the sum of weight and
// centripetal force.
TEST(HeavyTop, PrecessesSteadilyAtTheRateOfTheClosedForm) {
  const Top top;
  const double rate = top.precession(), radius = top.length * std::sin(top.theta);
  for (const Integrator method : methods()) {
    Results r;
    run(top.system(0.0), accurate(method, 1.0, 0.05, 5e-5), r);
    const double position = bound(method, 1e-8, 1e-6), force = bound(method, 1e-5, 1e-3);
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      const double angle = rate * r.time()[static_cast<std::size_t>(row)];
      const double pull = top.mass * rate * rate * radius;
      EXPECT_NEAR(r.value(row, 0), radius * std::cos(angle), position);
      EXPECT_NEAR(r.value(row, 1), radius * std::sin(angle), position);
      EXPECT_NEAR(r.value(row, 2), top.length * std::cos(top.theta), position);
      EXPECT_NEAR(std::hypot(r.value(row, 3), r.value(row, 4)), pull, force);
      EXPECT_NEAR(std::abs(r.value(row, 5)), top.mass * 9.81, force);
    }
  }
}

// Truth: the second derivative of the effective potential of theta.
TEST(HeavyTop, NutatesWithTheFrequencyOfItsEffectivePotential) {
  Top top;
  top.spin = 150.0;
  const double push = 1e-2, frequency = top.nutation();
  const double size = push / frequency * top.length * std::sin(top.theta);
  // approximation for a fast top
  EXPECT_NEAR(frequency, top.axial * top.spin / top.about_pivot(), 0.2 * frequency);
  for (const Integrator method : methods()) {
    Results r;
    run(top.system(push), accurate(method, 0.3, 0.01, 2e-5), r);
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      const double t = r.time()[static_cast<std::size_t>(row)];
      const double fall = top.length * std::cos(top.theta) - r.value(row, 2);
      EXPECT_NEAR(fall, size * std::sin(frequency * t), bound(method, 1e-3, 1e-2) * size);
    }
  }
}

// Truth: Jacobi's elliptic functions for I1 < I2 < I3 and L^2 > 2 E I2: w1, w2, w3 are proportional
// to cn, sn, dn. After half a period w1 and w2 have the opposite sign: the body has flipped over.
TEST(FreeBody, FlipsAboutItsMiddleAxisWithThePeriodOfTheEllipticIntegral) {
  const Vector3d I(1.0, 2.0, 3.0), w(0.03, 2.0, 0.04);
  const double energy2 = I.dot(w.cwiseAbs2()), momentum2 = I.cwiseProduct(w).squaredNorm();
  ASSERT_GT(momentum2, energy2 * I(1));
  const double rate = std::sqrt((I(2) - I(1)) * (momentum2 - energy2 * I(0)) / I.prod());
  const double k = std::sqrt((I(1) - I(0)) * (energy2 * I(2) - momentum2) /
                             ((I(2) - I(1)) * (momentum2 - energy2 * I(0))));
  const double period = 4.0 * std::comp_ellint_1(k) / rate;
  System s;
  s.bodies = {rigid("body", 5.0, Vector3d::Zero(), I)};
  s.bodies[0].angular_velocity = w;
  s.outputs = {"body/orientation", "body/angular_velocity"};
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, period, period / 8.0, 1e-3), r);
    const auto body_rate = [&](Eigen::Index row) -> Vector3d {
      const Eigen::Quaterniond turn(
          r.value(row, 0), r.value(row, 1), r.value(row, 2), r.value(row, 3));
      return turn.conjugate() * Vector3d(r.value(row, 4), r.value(row, 5), r.value(row, 6));
    };
    const double off = bound(method, 1e-6, 2e-3);
    EXPECT_LT((body_rate(4) - Vector3d(-w(0), -w(1), w(2))).norm(), off);
    EXPECT_LT((body_rate(8) - w).norm(), 2.0 * off);
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      const Eigen::Quaterniond turn(
          r.value(row, 0), r.value(row, 1), r.value(row, 2), r.value(row, 3));
      const Vector3d momentum = turn * I.cwiseProduct(body_rate(row));
      EXPECT_LT((momentum - I.cwiseProduct(w)).norm(), bound(method, 1e-7, 1e-5));
      EXPECT_NEAR(I.dot(body_rate(row).cwiseAbs2()), energy2, bound(method, 1e-7, 1e-5));
    }
  }
}

// Truth: a motion turns an eccentric mass about a hub on springs and dampers that differ in x and
// y. The amplitude in each direction is X = m e W^2 / (k - M W^2 + i c W). The run starts on this
// orbit.
TEST(UnbalancedRotor, WhirlsOnItsEllipse) {
  const double hub_mass = 3.0, mass = 0.5, e = 0.02, rate = 40.0, all = hub_mass + mass;
  const std::array<double, 2> k = {9000.0, 4000.0}, c = {20.0, 35.0};
  std::array<double, 2> size{}, lag{};
  for (std::size_t d = 0; d < 2; ++d) {
    size[d] = mass * e * rate * rate / std::hypot(k[d] - all * rate * rate, c[d] * rate);
    lag[d] = std::atan2(c[d] * rate, k[d] - all * rate * rate);
  }
  const auto x = [&](double t) { return size[0] * std::cos(rate * t - lag[0]); };
  const auto y = [&](double t) { return size[1] * std::sin(rate * t - lag[1]); };
  System s;
  s.planar = true;
  s.bodies = {rigid("hub", hub_mass, Vector3d::Zero(), Vector3d::Constant(0.01)),
              rigid("rotor", mass, {e, 0, 0}, Vector3d::Constant(0.002))};
  for (Body& b : s.bodies) {
    b.position = {x(0.0), y(0.0), 0.0};
    b.velocity = {-size[0] * rate * std::sin(-lag[0]), size[1] * rate * std::cos(-lag[1]), 0.0};
  }
  s.bodies[1].angular_velocity = {0, 0, rate};
  s.joints = {joint("upright", JointType::orientation, "ground", "hub"),
              joint("shaft", JointType::revolute, "hub", "rotor")};
  s.joints[1].at = s.bodies[0].position;
  s.joints[1].axis = Vector3d::UnitZ();
  s.motions = {
      {"drive", Motion::Coordinate::angle, "shaft", "", Value(std::to_string(rate) + "*t")}};
  for (std::size_t d = 0; d < 2; ++d) {  // along x and y
    PointForce spring;
    spring.on = "hub";
    const char axis = d == 0 ? 'x' : 'y';
    spring.value[d] = Value("-" + std::to_string(k[d]) + "*[hub/position/" + axis + "]-" +
                            std::to_string(c[d]) + "*[hub/velocity/" + axis + "]");
    s.forces.push_back({std::string("spring_") + axis, spring});
  }
  s.outputs = {"hub/position"};
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, 1.0, 0.05, 1e-4), r);
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      const double t = r.time()[static_cast<std::size_t>(row)];
      EXPECT_NEAR(r.value(row, 0), x(t), bound(method, 1e-6, 1e-4) * size[0]);
      EXPECT_NEAR(r.value(row, 1), y(t), bound(method, 1e-6, 1e-4) * size[1]);
    }
  }
}

/// Flyball governor: two arms with balls, hinged to a vertical shaft that rotates freely.
struct Governor {
  double shaft = 0.02, mass = 0.7, length = 0.25, transverse = 0.003, axial = 0.001;
  double ball() const { return mass * length * length + transverse - axial; }
  /// Steady rate W: (m l^2 + It - Ia) W^2 cos(theta) = m g l.
  double rate(double theta) const {
    return std::sqrt(mass * 9.81 * length / (ball() * std::cos(theta)));
  }
  double momentum(double theta, double w) const {
    const double sine = std::sin(theta);
    return (shaft + 2.0 * (ball() * sine * sine + axial)) * w;
  }
  double energy(double theta, double theta_rate, double w) const {
    return 0.5 * momentum(theta, w) * w + (ball() + axial) * theta_rate * theta_rate -
           2.0 * mass * 9.81 * length * std::cos(theta);
  }
  System system(double theta, double w) const {
    System s;
    s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
    s.bodies = {rigid("shaft", 1.0, Vector3d::Zero(), {1.0, 1.0, shaft})};
    s.joints = {joint("bearing", JointType::revolute, "ground", "shaft")};
    s.joints[0].axis = Vector3d::UnitZ();
    s.bodies[0].angular_velocity = {0, 0, w};
    for (const int side : {1, -1}) {
      const std::string name = side > 0 ? "right" : "left";
      Body arm = rigid(name, mass, {0, 0, -length}, {transverse, transverse, axial});
      arm.orientation = Eigen::AngleAxisd(-side * theta, Vector3d::UnitY()).toRotationMatrix();
      arm.angular_velocity = {0, 0, w};
      s.bodies.push_back(arm);
      s.joints.push_back(joint("hinge_" + name, JointType::revolute, "shaft", name));
      s.joints.back().at = Vector3d::Zero();
      s.joints.back().axis = Vector3d(0, -side, 0);
    }
    s.outputs = {
        "hinge_right/angle", "hinge_left/angle", "hinge_right/angle_rate", "bearing/angle_rate"};
    return s;
  }
};

// Truth: the angle at which gravity and centrifugal force are in balance.
TEST(FlyballGovernor, StaysOpenAtTheAngleOfItsSpeed) {
  const Governor governor;
  const double theta = 0.9, w = governor.rate(theta);
  for (const Integrator method : methods()) {
    Results r;
    run(governor.system(theta, w), accurate(method, 2.0, 0.1, 5e-4), r);
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      EXPECT_NEAR(r.value(row, 0), 0.0, bound(method, 1e-7, 1e-5));
      EXPECT_NEAR(r.value(row, 1), 0.0, bound(method, 1e-7, 1e-5));
      EXPECT_NEAR(r.value(row, 3), w, bound(method, 1e-6, 1e-4));
    }
  }
}

// Truth: energy and angular momentum about the vertical as functions of the opening angle, derived
// by hand.
TEST(FlyballGovernor, KeepsEnergyAndMomentumWhileItSwings) {
  const Governor governor;
  const double theta = 0.4, w = 12.0;
  const double momentum = governor.momentum(theta, w), energy = governor.energy(theta, 0.0, w);
  for (const Integrator method : methods()) {
    Results r;
    run(governor.system(theta, w), accurate(method, 2.0, 0.05, 2e-4), r);
    double widest = 0.0;
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      const double open = theta + r.value(row, 0);
      EXPECT_NEAR(r.value(row, 0), r.value(row, 1), bound(method, 1e-7, 1e-6));
      EXPECT_NEAR(
          governor.momentum(open, r.value(row, 3)), momentum, bound(method, 1e-6, 1e-4) * momentum);
      EXPECT_NEAR(governor.energy(open, r.value(row, 2), r.value(row, 3)),
                  energy,
                  bound(method, 1e-6, 1e-4) * std::abs(energy));
      widest = std::max(widest, r.value(row, 0));
    }
    EXPECT_GT(widest, 0.3);
  }
}

}  // namespace
}  // namespace femflex::mbd_solver
