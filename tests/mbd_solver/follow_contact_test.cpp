// Tests contacts with cylinders, lines and surfaces that move and deform, and loads that move along
// a line. Truth: closed forms, momentum, energy, and the same contact with a plane.
#include <cmath>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/statics.h"

#include "benchmarks.h"
#include "flex_bodies.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using testing::accurate;
using testing::at;
using testing::bound;
using testing::joint;
using testing::methods;
using testing::point;
using testing::rigid;
using testing::run;
using testing::tolerance;

constexpr double kPi = std::numbers::pi;

double last_of(const Results& r, const std::string& channel) {
  return r.series(channel)(r.rows() - 1);
}

// --- cylinders -----------------------------------------------------------------------------------

/// A mass of 0.5 kg that moves on a circle in a bore of radius 0.2 m, 3 mm deep in its wall.
System circling(const std::optional<ContactFriction>& friction, double stiffness, double v) {
  System s;
  const double m = 0.5, R = 0.2;
  // k d = m v^2 / (R + d)
  const double d = 0.5 * (-R + std::sqrt(R * R + 4.0 * m * v * v / stiffness));
  s.bodies = {point("ball", m, Vector3d(0.3, R + d, 0.0), Vector3d(0.0, 0.0, v))};
  Contact bore;
  bore.on = "ball";
  bore.cylinder = "ground";
  bore.cylinder_radius = R;
  bore.is_inside = true;
  bore.axis = Vector3d::UnitX();
  bore.stiffness = stiffness;
  bore.friction = friction;
  s.forces = {{"bore", bore}};
  s.outputs = {"ball/position", "ball/velocity", "bore"};
  return s;
}

// Truth: without friction the mass stays on its circle.
TEST(CylinderContact, AMassCirclesInABore) {
  const System s = circling({}, 1e5, 4.0);
  const double radius = s.bodies[0].position.y();
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, 0.5, 0.05, 2e-5), r);
    for (Index k = 0; k < r.rows(); ++k)
      EXPECT_NEAR(std::hypot(r.series("ball/position/y")(k), r.series("ball/position/z")(k)),
                  radius,
                  bound(method, tolerance(1e-8), tolerance(1e-7)))
          << name_of(method);
    EXPECT_NEAR(last_of(r, "ball/position/x"), 0.3, 1e-12);
  }
}

// Truth: with N = m v^2 / r, dv/dt = -mu v^2 / r: v = v0 / (1 + mu v0 t / r).
TEST(CylinderContact, FrictionSlowsTheMassInTheBore) {
  ContactFriction friction;
  friction.level.sliding = friction.level.sticking = 0.3;
  const double v0 = 4.0, t = 0.4;
  System s = circling(friction, 1e7, v0);
  std::get<Contact>(s.forces[0].law).damping = 2e3;  // damps the oscillation of the penetration
                                                     // depth
  Results r;
  run(s, accurate(Integrator::runge_kutta, t, 0.1, 1e-5), r);
  const double v = std::hypot(last_of(r, "ball/velocity/y"), last_of(r, "ball/velocity/z"));
  EXPECT_NEAR(v, v0 / (1.0 + 0.3 * v0 * t / 0.2), tolerance(1e-3) * v0);
}

// Truth: a mass dropped on the top of a drum has the same contact as on a plane at that place.
TEST(CylinderContact, OnTopOfADrumItIsThatOfAPlane) {
  System drum;
  drum.gravity[2] = Value(-9.81);
  drum.bodies = {point("ball", 2.0, Vector3d(0.0, 0.1, 0.65))};
  Contact on_drum;
  on_drum.on = "ball";
  on_drum.radius = 0.1;
  on_drum.cylinder = "ground";
  on_drum.cylinder_radius = 0.5;
  on_drum.axis = Vector3d::UnitY();
  on_drum.stiffness = 1e5;
  on_drum.damping = 300.0;
  drum.forces = {{"touch", on_drum}};
  drum.outputs = {"ball/position", "touch/value"};
  System plane = drum;
  Contact on_plane = on_drum;
  on_plane.cylinder.clear();
  on_plane.plane = "ground/top";
  plane.ground_markers["top"] = at(0.0, 0.0, 0.5);
  plane.forces = {{"touch", on_plane}};
  for (const Integrator method : methods()) {
    Results a, b;
    run(drum, accurate(method, 0.5, 0.05, 1e-4), a);
    run(plane, accurate(method, 0.5, 0.05, 1e-4), b);
    for (Index k = 0; k < a.rows(); ++k)
      EXPECT_NEAR(a.series("ball/position/z")(k), b.series("ball/position/z")(k), 1e-8);
    EXPECT_NEAR(last_of(a, "ball/position/y"), 0.1, 1e-12);
  }
}

TEST(CylinderContact, WrongNumbersAreRefused) {
  for (const int fault : {0, 1, 2, 3}) {
    System s = circling({}, 1e5, 4.0);
    auto& bore = std::get<Contact>(s.forces[0].law);
    if (fault == 0) bore.cylinder_radius = 0.0;
    if (fault == 1) bore.radius = 0.3;  // does not fit into the bore
    if (fault == 2) bore.axis = Vector3d::Zero();
    if (fault == 3) bore.sphere = "ground";
    Results r;
    EXPECT_THROW(run(s, {}, r), ModelError) << fault;
  }
}

// --- lines ---------------------------------------------------------------------------------------

constexpr double kSpan = 10.0, kMassPerLength = 60.0, kBending = 2e6;
constexpr Index kRailModes = 8;

double rail_frequency(Index n) {
  return std::pow(static_cast<double>(n) * kPi / kSpan, 2.0) * std::sqrt(kBending / kMassPerLength);
}

/// A beam between supports with its exact shapes sin(n pi x / L) and 41 nodes along x, which moves
/// in z. Its reference frame is fixed.
System rail() {
  constexpr Index kNodes = 41;
  const double a = kSpan / static_cast<double>(kNodes - 1);
  Eigen::Matrix3Xd positions = Eigen::Matrix3Xd::Zero(3, kNodes);
  MatrixXd lumped = MatrixXd::Zero(kNodes, 6), shapes = MatrixXd::Zero(6 * kNodes, kRailModes);
  MatrixXd stiffness = MatrixXd::Zero(kRailModes, kRailModes);
  for (Index k = 0; k < kNodes; ++k) {
    const double x = a * static_cast<double>(k);
    positions(0, k) = x;
    // half a mass at each end, so that sums over the nodes are the integrals of sines
    lumped.row(k).head<3>().setConstant(kMassPerLength * a *
                                        (k == 0 || k == kNodes - 1 ? 0.5 : 1.0));
    for (Index n = 0; n < kRailModes; ++n) {
      const double wave = static_cast<double>(n + 1) * kPi / kSpan;
      shapes(6 * k + 2, n) = std::sin(wave * x);
      shapes(6 * k + 4, n) = -wave * std::cos(wave * x);  // a positive rotation about y lowers z
    }
  }
  for (Index n = 0; n < kRailModes; ++n)
    stiffness(n, n) = 0.5 * kMassPerLength * kSpan * std::pow(rail_frequency(n + 1), 2.0);
  System s;
  Flexible flexible;
  flexible.body =
      std::make_shared<FlexBody>(testing::lumped_flex_body(positions, lumped, shapes, stiffness));
  Body body;
  body.name = "rail";
  body.kind = flexible;
  s.bodies = {body};
  s.joints = {joint("support", JointType::fixed, "ground", "rail")};
  return s;
}

std::vector<std::string> rail_nodes() {
  std::vector<std::string> path;
  for (int k = 1; k <= 41; ++k)
    path.push_back("rail/" + std::to_string(k));
  return path;
}

// Truth: Krylov's solution for a constant force that moves with speed v over a beam between
// supports [Fryba 1999, chapter 1]: q_n = 2 F / (m L (w_n^2 - W^2)) (sin W t - W / w_n sin w_n t),
// W = n pi v / L.
TEST(MovingLoad, AConstantForceCrossesABeam) {
  const double F = 5e4, v = 25.0;
  System s = rail();
  MovingLoad load;
  load.path = rail_nodes();
  load.position = Value("25*t");
  load.value = {Value(0.0), Value(0.0), Value(-F)};
  s.forces = {{"axle", load}};
  s.outputs = {"rail/21/position/z", "rail/11/position/z", "axle"};
  for (const Integrator method : methods()) {
    Results r;
    const auto summary = run(s, accurate(method, 0.4, 0.01, 5e-5), r);
    for (Index k = 0; k < r.rows(); ++k) {
      const double t = r.time()[static_cast<std::size_t>(k)];
      double middle = 0.0, quarter = 0.0, largest = 0.0;
      for (Index n = 1; n <= kRailModes; ++n) {
        const double w = rail_frequency(n), W = static_cast<double>(n) * kPi * v / kSpan;
        const double q = -2.0 * F / (kMassPerLength * kSpan * (w * w - W * W)) *
                         (std::sin(W * t) - W / w * std::sin(w * t));
        middle += q * std::sin(static_cast<double>(n) * kPi / 2.0);
        quarter += q * std::sin(static_cast<double>(n) * kPi / 4.0);
      }
      largest = 2.0 * F / (kMassPerLength * kSpan * std::pow(rail_frequency(1), 2.0));
      const double allowed = bound(method, tolerance(2e-5), tolerance(1e-4)) * largest;
      EXPECT_NEAR(r.series("rail/21/position/z")(k), middle, allowed) << name_of(method) << t;
      EXPECT_NEAR(r.series("rail/11/position/z")(k), quarter, allowed) << name_of(method) << t;
    }
    EXPECT_LT(summary.energy_drift, bound(method, tolerance(1e-5), tolerance(1e-4)));
  }
}

// Truth: beyond the ends of the line the force is zero; a load at rest gives the static deflection.
TEST(MovingLoad, BeyondTheEndsItIsGone) {
  System s = rail();
  MovingLoad load;
  load.path = rail_nodes();
  load.value = {Value(0.0), Value(0.0), Value(-1e4)};
  s.outputs = {"rail/21/position/z"};
  for (const auto& [place, share] : {std::pair{5.0, 1.0}, {-0.1, 0.0}, {10.1, 0.0}}) {
    load.position = Value(place);
    s.forces = {{"axle", load}};
    Results r;
    Diagnostics diagnostics;
    Progress progress;
    ASSERT_TRUE(solve_statics(s, {}, r, diagnostics, progress).converged);
    double middle = 0.0;
    for (Index n = 1; n <= kRailModes; n += 2)
      middle -= share * 2e4 / (kMassPerLength * kSpan * std::pow(rail_frequency(n), 2.0));
    EXPECT_NEAR(r.series("rail/21/position/z")(0), middle, tolerance(1e-9));
  }
}

// A path may bend anywhere, also towards the direction across its beginning. Truth: momentum and
// angular momentum of a free body under a force at the place (1, 5, 0) of the path.
TEST(MovingLoad, FollowsAPathThatBends) {
  const double F = 7.0, m = 2.0, t = 1e-4;
  const Vector3d J(3.0, 4.0, 5.0), torque = Vector3d(1.0, 5.0, 0.0).cross(Vector3d(0.0, 0.0, F));
  for (const bool rises : {false, true}) {  // the last piece along z instead of y
    SCOPED_TRACE(rises);
    System s;
    Body arm = rigid("arm", m, Vector3d::Zero(), J);
    arm.markers["a"].position = Vector3d(0.0, 0.0, 0.0);
    arm.markers["b"].position = Vector3d(1.0, 0.0, 0.0);
    arm.markers["c"].position = Vector3d(1.0, 5.0, 0.0);
    arm.markers["d"].position = Vector3d(1.0, 5.0, 4.0);
    s.bodies = {arm};
    MovingLoad load;
    load.path = {"arm/a", "arm/b", "arm/c"};
    if (rises) load.path.emplace_back("arm/d");
    load.position = Value(6.0);
    load.value = {Value(0.0), Value(0.0), Value(F)};
    s.forces = {{"push", load}};
    s.outputs = {"arm/velocity/z", "arm/angular_velocity/x", "arm/angular_velocity/y"};
    Results r;
    (void)run(s, accurate(Integrator::generalised_alpha, t, t, t), r);
    const Index last = r.rows() - 1;
    EXPECT_NEAR(r.series("arm/velocity/z")(last), F / m * t, tolerance(1e-9));
    EXPECT_NEAR(r.series("arm/angular_velocity/x")(last), torque(0) / J(0) * t, tolerance(1e-9));
    EXPECT_NEAR(r.series("arm/angular_velocity/y")(last), torque(1) / J(1) * t, tolerance(1e-9));
  }
}

/// A mass of 800 kg at x on the rail.
System mass_on_rail(double x) {
  System s = rail();
  s.gravity[2] = Value(-9.81);
  s.bodies.push_back(point("trolley", 800.0, Vector3d(x, 0.0, 0.0)));
  FollowContact wheel;
  wheel.on = "trolley";
  wheel.path = rail_nodes();
  wheel.stiffness = 1e8;
  s.forces = {{"wheel", wheel}};
  s.joints.push_back(joint("guide", JointType::point_on_plane, "ground", "trolley"));
  s.joints.back().axis = Vector3d::UnitY();
  s.outputs = {"trolley/position", "trolley/velocity", "wheel/value"};
  return s;
}

// Truth: the static shape of a beam under the load and its own weight, between two nodes.
TEST(FollowContact, AMassBendsTheRailUnderIt) {
  const double x = 3.1;  // nodes are at 3.0 and 3.25
  System s = mass_on_rail(x);
  s.bodies.back() = testing::rigid("trolley", 800.0, Vector3d::Zero(), Vector3d::Constant(1.0));
  s.bodies.back().position.x() = x;
  s.joints.back().type = JointType::prismatic;
  s.joints.back().axis = Vector3d::UnitZ();
  Results r;
  Diagnostics diagnostics;
  Progress progress;
  ASSERT_TRUE(solve_statics(s, {}, r, diagnostics, progress).converged);
  double z = 0.0, slope = 0.0;
  for (Index n = 1; n <= kRailModes; ++n) {
    const double wave = static_cast<double>(n) * kPi / kSpan, w = rail_frequency(n);
    const double own = n % 2 == 1 ? 2.0 * kMassPerLength / wave : 0.0;
    const double q =
        -9.81 * (800.0 * std::sin(wave * x) + own) / (0.5 * kMassPerLength * kSpan * w * w);
    z += q * std::sin(wave * x);
    slope += q * wave * std::cos(wave * x);
  }
  const double normal = 800.0 * 9.81 * std::hypot(1.0, slope);  // perpendicular to the bent rail
  z -= normal / 1e8;
  EXPECT_NEAR(r.series("trolley/position/z")(0), z, tolerance(2e-4) * std::abs(z));
  EXPECT_NEAR(r.series("wheel/value")(0), normal, tolerance(1e-5) * normal);
}

// Truth: the energy balance while the mass rolls over all nodes and off the end.
TEST(FollowContact, AMassRollsAlongTheRailWithItsEnergyAccountClosed) {
  System s = mass_on_rail(0.3);
  s.bodies.back().velocity.x() = 20.0;
  for (const Integrator method : methods()) {
    Results r;
    const auto summary = run(s, accurate(method, 0.55, 0.01, 5e-5), r);
    EXPECT_LT(summary.energy_drift, bound(method, tolerance(1e-6), tolerance(1e-5)))
        << name_of(method);
    EXPECT_GT(last_of(r, "trolley/position/x"), kSpan);
    EXPECT_EQ(last_of(r, "wheel/value"), 0.0) << name_of(method);
  }
}

// Truth: a point slides down a straight line with the acceleration g (sin - mu cos) and stays above
// it.
TEST(FollowContact, AMassSlidesDownALine) {
  const double angle = 0.5, mu = 0.2, m = 2.0, k = 1e6;
  System s;
  s.gravity[2] = Value(-9.81);
  const Vector3d down(std::cos(angle), 0.0, -std::sin(angle));
  const Vector3d up(std::sin(angle), 0.0, std::cos(angle));
  FollowContact slide;
  for (int n = 0; n < 4; ++n) {
    const std::string name = "p" + std::to_string(n);
    const Vector3d p = 2.0 * n * down;
    s.ground_markers[name] = at(p.x(), p.y(), p.z());
    slide.path.push_back("ground/" + name);
  }
  const double depth = m * 9.81 * std::cos(angle) / k;
  s.bodies = {point("block", m, 0.5 * down - depth * up)};
  slide.on = "block";
  slide.up = Vector3d::UnitZ();
  slide.stiffness = k;
  slide.friction = ContactFriction{};
  slide.friction->level.sliding = slide.friction->level.sticking = mu;
  slide.friction->transition_velocity = 1e-5;
  s.forces = {{"slide", slide}};
  s.outputs = {"block/position"};
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, 1.0, 1.0, 2e-4), r);
    const Vector3d p(last_of(r, "block/position/x"), 0.0, last_of(r, "block/position/z"));
    EXPECT_NEAR(p.dot(down),
                0.5 + 0.5 * 9.81 * (std::sin(angle) - mu * std::cos(angle)),
                bound(method, tolerance(2e-5), tolerance(2e-3)))
        << name_of(method);
    EXPECT_NEAR(p.dot(up), -depth, tolerance(1e-6)) << name_of(method);
  }
}

// --- surfaces ------------------------------------------------------------------------------------

constexpr double kBallInertia = 7e-4;  // [kg m^2]

/// A free plate of 4 nodes of 1 kg that can twist, and a ball above one of its points.
System plate_and_ball(bool as_path) {
  Eigen::Matrix3Xd positions(3, 4);
  positions << -0.5, 0.5, 0.5, -0.5, -0.5, -0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0;
  MatrixXd lumped = MatrixXd::Zero(4, 6);
  lumped.leftCols<3>().setConstant(1.0);
  MatrixXd shapes = MatrixXd::Zero(24, 1);
  shapes(2, 0) = shapes(14, 0) = 1.0;
  shapes(8, 0) = shapes(20, 0) = -1.0;
  Flexible flexible;
  flexible.body = std::make_shared<FlexBody>(
      testing::lumped_flex_body(positions, lumped, shapes, MatrixXd::Constant(1, 1, 2e4)));
  flexible.damping.kind = Damping::Kind::none;
  System s;
  Body plate;
  plate.name = "plate";
  plate.kind = flexible;
  Body ball = testing::rigid("ball", 0.7, Vector3d::Zero(), Vector3d::Constant(kBallInertia));
  ball.position = {0.2, 0.1, 0.3};
  ball.velocity = {0.4, -0.3, -3.0};
  s.bodies = {plate, ball};
  FollowContact touch;
  touch.on = "ball";
  touch.radius = 0.05;
  if (as_path)
    touch.path = {"plate/1", "plate/3"};
  else
    touch.faces = {{"plate/1", "plate/2", "plate/3"}, {"plate/1", "plate/3", "plate/4"}};
  touch.stiffness = 2e4;
  touch.friction = ContactFriction{};
  touch.friction->level.sliding = touch.friction->level.sticking = 0.3;
  s.forces = {{"touch", touch}};
  for (const std::string name : {"plate/1", "plate/2", "plate/3", "plate/4", "ball"})
    for (const std::string what : {"/position", "/velocity"})
      s.outputs.push_back(name + what);
  s.outputs.emplace_back("ball/angular_velocity");
  return s;
}

/// Linear and angular momentum of the four nodes and the ball.
Eigen::Matrix<double, 6, 1> momentum(const Results& r, Index row) {
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  for (const auto& [name, mass] : {std::pair{std::string("plate/1"), 1.0},
                                   {"plate/2", 1.0},
                                   {"plate/3", 1.0},
                                   {"plate/4", 1.0},
                                   {"ball", 0.7}}) {
    Vector3d p, v;
    for (int c = 0; c < 3; ++c) {
      const std::string axis(1, "xyz"[c]);
      p(c) = r.series(name + "/position/" + axis)(row);
      v(c) = r.series(name + "/velocity/" + axis)(row);
    }
    sum.head<3>() += mass * v;
    sum.tail<3>() += mass * p.cross(v);
  }
  for (int c = 0; c < 3; ++c)
    sum(3 + c) += kBallInertia * r.series(std::string("ball/angular_velocity/") + "xyz"[c])(row);
  return sum;
}

// Truth: a ball hits a free flexible plate with friction. The sums of linear and angular momentum
// are constant; the energy changes only by the work of friction.
TEST(FollowContact, ABallAndAFreePlateKeepTheirMomenta) {
  for (const bool as_path : {false, true})
    for (const Integrator method : methods()) {
      const System s = plate_and_ball(as_path);
      Results r;
      const auto summary = run(s, accurate(method, 0.3, 0.02, 2e-5), r);
      const auto before = momentum(r, 0), after = momentum(r, r.rows() - 1);
      EXPECT_LT((after - before).norm(), bound(method, tolerance(1e-7), tolerance(1e-5)))
          << name_of(method) << as_path;
      EXPECT_GT(last_of(r, "ball/velocity/z"), -2.0) << "it was hit";
      EXPECT_LT(summary.energy_drift, bound(method, tolerance(1e-6), tolerance(1e-5)))
          << name_of(method) << as_path;
    }
}

// Truth: flat faces act as a plane; outside of them there is no contact.
TEST(FollowContact, FlatFacesAreAPlaneThatEnds) {
  System s;
  s.gravity[2] = Value(-9.81);
  s.ground_markers = {
      {"a", at(0.0, 0.0)}, {"b", at(1.0, 0.0)}, {"c", at(1.0, 1.0)}, {"d", at(0.0, 1.0)}};
  FollowContact faces;
  faces.faces = {{"ground/a", "ground/b", "ground/c"}, {"ground/a", "ground/c", "ground/d"}};
  faces.stiffness = 2e4;
  faces.damping = 100.0;
  Contact plane;
  plane.stiffness = 2e4;
  plane.damping = 100.0;
  s.bodies = {point("ball", 0.5, Vector3d(0.5, 0.5, 0.2)),
              point("same", 0.5, Vector3d(0.5, 0.5, 0.2)),
              point("edge", 0.5, Vector3d(0.999, 0.3, 0.2)),
              point("lost", 0.5, Vector3d(1.001, 0.3, 0.2))};
  for (const std::string name : {"ball", "edge", "lost"}) {
    faces.on = name;
    s.forces.push_back({"on_" + name, faces});
  }
  plane.on = "same";
  s.forces.push_back({"on_plane", plane});
  s.outputs = {"ball/position", "same/position", "edge/position", "lost/position"};
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, 0.6, 0.02, 1e-4), r);
    for (Index k = 0; k < r.rows(); ++k) {
      const double t = r.time()[static_cast<std::size_t>(k)];
      EXPECT_NEAR(r.series("ball/position/z")(k), r.series("same/position/z")(k), 1e-9);
      EXPECT_NEAR(r.series("edge/position/z")(k), r.series("same/position/z")(k), 1e-9);
      EXPECT_NEAR(r.series("lost/position/z")(k), 0.2 - 0.5 * 9.81 * t * t, tolerance(1e-8));
    }
  }
}

TEST(FollowContact, WrongInputIsRefused) {
  for (const int fault : {0, 1, 2, 3, 4, 5, 6, 7, 8}) {
    System s = mass_on_rail(3.0);
    auto& wheel = std::get<FollowContact>(s.forces[0].law);
    if (fault == 0) wheel.path = {"rail/1"};
    if (fault == 1) wheel.path = {"rail/1", "rail/1"};
    if (fault == 2) wheel.up = Vector3d::UnitX();
    if (fault == 3) wheel.path.clear();
    if (fault == 4) wheel.path[3] = "rail/99";
    if (fault == 5) wheel.stiffness = -1.0;
    if (fault == 7) wheel.stiffness = 0.0;  // it would never push
    if (fault == 8) wheel.exponent = 0.0;
    if (fault == 6) {
      wheel.friction = ContactFriction{};
      wheel.friction->model = laws::FrictionModel::set_valued;
    }
    Results r;
    EXPECT_THROW(run(s, {}, r), Error) << fault;
  }
}

}  // namespace
}  // namespace femflex::mbd_solver
