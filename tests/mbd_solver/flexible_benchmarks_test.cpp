// Flexible bodies against published solutions. Truth: the shared benchmarks, whose references are
// other formulations (geometrically nonlinear beams, Ritz series, minimal coordinates).
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/statics.h"

#include "benchmarks.h"
#include "flex_bodies.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::expect_entry;
using testing::expect_series;
using testing::expected_of;
using testing::run;

#define NEEDS_SHARED(expected) \
  if ((expected).empty()) GTEST_SKIP() << "the shared benchmarks are not here"

/// Gauss-Legendre points and weights on [0, 1].
struct Quadrature {
  VectorXd x, w;
  explicit Quadrature(Index n) : x(n), w(n) {
    for (Index k = 0; k < n; ++k) {
      double z = std::cos(M_PI * (static_cast<double>(k) + 0.75) / (static_cast<double>(n) + 0.5)),
             slope = 1.0;
      for (int it = 0; it < 50; ++it) {
        double p0 = 1.0, p1 = z;
        for (Index j = 2; j <= n; ++j) {
          const auto d = static_cast<double>(j);
          const double p2 = ((2.0 * d - 1.0) * z * p1 - (d - 1.0) * p0) / d;
          p0 = p1;
          p1 = p2;
        }
        slope = static_cast<double>(n) * (z * p1 - p0) / (z * z - 1.0);
        z -= p1 / slope;
      }
      x(n - 1 - k) = 0.5 * (1.0 + z);
      w(n - 1 - k) = 1.0 / ((1.0 - z * z) * slope * slope);
    }
  }
};

/// A shape over s = x / L: value, slope and curvature over x.
struct Shape {
  int direction = 1;  // 0 axial, 1 y, 2 z
  std::function<Vector3d(double)> at;
};
Shape power(int direction, int exponent, double L) {
  const double n = exponent;
  return {direction, [n, L](double x) {
            return Vector3d(std::pow(x / L, n),
                            n * std::pow(x / L, n - 1) / L,
                            n < 1.5 ? 0.0 : n * (n - 1) * std::pow(x / L, n - 2) / (L * L));
          }};
}

/// A beam along x from `hub` to hub + L by quadrature: mass points at Gauss points, massless end
/// nodes; node 1 at the root, the last node at the tip.
FlexBody beam(double L,
              double EI,
              double EA,
              double rhoA,
              const std::vector<Shape>& shapes,
              double hub,
              bool stiffened) {
  const Quadrature gauss(24);
  const Index points = gauss.x.size() + 2;
  const auto n = static_cast<Index>(shapes.size());
  Eigen::Matrix3Xd positions = Eigen::Matrix3Xd::Zero(3, points);
  MatrixXd lumped = MatrixXd::Zero(points, 6), U = MatrixXd::Zero(6 * points, n),
           k = MatrixXd::Zero(n, n), spin = MatrixXd::Zero(n, n);
  const auto place = [&](Index node) {
    return node == 0 ? 0.0 : (node == points - 1 ? L : L * gauss.x(node - 1));
  };
  for (Index node = 0; node < points; ++node) {
    const double x = place(node);
    positions(0, node) = hub + x;
    const bool massive = node > 0 && node < points - 1;
    const double dx = massive ? L * gauss.w(node - 1) : 0.0;
    lumped.row(node).head(3).setConstant(rhoA * dx);
    for (Index j = 0; j < n; ++j) {
      const Shape& s = shapes[static_cast<std::size_t>(j)];
      const Vector3d w = s.at(x);
      U(6 * node + s.direction, j) = w(0);
      if (s.direction == 1) U(6 * node + 5, j) = w(1);
      if (s.direction == 2) U(6 * node + 4, j) = -w(1);
      for (Index i = 0; i < n; ++i) {
        const Shape& o = shapes[static_cast<std::size_t>(i)];
        if (o.direction != s.direction) continue;
        const Vector3d v = o.at(x);
        k(i, j) += dx * (s.direction == 0 ? EA * v(1) * w(1) : EI * v(2) * w(2));
        // tension of a unit spin about an axis across the beam: integral of rhoA (hub + x) outboard
        if (s.direction > 0)
          spin(i, j) += dx * rhoA * (hub * (L - x) + 0.5 * (L * L - x * x)) * v(1) * w(1);
      }
    }
  }
  FlexBody body = testing::lumped_flex_body(positions, lumped, U, k);
  if (stiffened)
    for (const auto cause :
         {GeometricStiffness::Cause::spin_yy, GeometricStiffness::Cause::spin_zz})
      body.geometric.push_back({cause, 0, 0, spin});
  return make_flex_body(std::move(body));
}

System on_a_hub(FlexBody flex_body, const Value& angle) {
  System system;
  Flexible flexible;
  flexible.body = std::make_shared<FlexBody>(std::move(flex_body));
  Body body;
  body.name = "arm";
  body.kind = flexible;
  system.bodies = {body};
  Joint hub;
  hub.name = "hub";
  hub.type = JointType::revolute;
  hub.a = "ground";
  hub.b = "arm";
  hub.axis = Vector3d::UnitZ();
  system.joints = {hub};
  system.motions = {{"drive", Motion::Coordinate::angle, "hub", "", angle}};
  system.outputs = {"arm/zeta", "energy"};
  return system;
}

TEST(RotatingBeam, HasTheFrequenciesOfTheSouthwellEffect) {
  const auto expected = expected_of("rotating_beam_frequencies");
  NEEDS_SHARED(expected);
  int count = 0;
  for (const auto& [hub, spins] : std::vector<std::pair<int, std::vector<int>>>{
           {0, {0, 1, 2, 3, 4, 5, 6, 8, 10, 12}}, {1, {2, 10}}, {5, {2, 10}}})
    for (const int spin : spins)
      for (const int direction : {1, 2}) {
        std::vector<Shape> shapes;
        for (int e = 2; e <= 8; ++e)
          shapes.push_back(power(direction, e, 1.0));
        System system = on_a_hub(beam(1.0, 1.0, 1e6, 1.0, shapes, hub, true),
                                 Value(std::to_string(spin) + "*t"));
        Diagnostics diagnostics;
        AssemblyReport report;
        const Linearisation lin =
            linearise(system, assemble(system, report, diagnostics), diagnostics);
        for (int mode = 1; mode <= (hub == 0 ? 3 : 2); ++mode, ++count)
          expect_entry(expected,
                       std::string(direction == 1 ? "lag" : "flap") + " mode " +
                           std::to_string(mode) + " delta=" + std::to_string(hub) +
                           ",gamma=" + std::to_string(spin),
                       lin.modes.at(static_cast<std::size_t>(mode - 1)).eigenvalue.imag());
      }
  EXPECT_EQ(count, 76);
}

void spin_up(
    const std::string& name, double L, double EA, double EI, double rhoA, double ws, double end) {
  const auto expected = expected_of(name);
  NEEDS_SHARED(expected);
  const std::vector<Shape> shapes = {power(1, 2, L),
                                     power(1, 3, L),
                                     power(1, 4, L),
                                     power(1, 5, L),
                                     power(0, 1, L),
                                     power(0, 3, L)};
  const std::string law = "if(t<15, (W/15)*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15)-1)), W*(t-7.5))";
  std::string angle = law;
  for (std::size_t at = angle.find('W'); at != std::string::npos; at = angle.find('W'))
    angle.replace(at, 1, ws == 6.0 ? "6" : "2");
  const System system = on_a_hub(beam(L, EI, EA, rhoA, shapes, 0.0, true), Value(angle));
  DynamicOptions options;
  options.end = end;
  options.step = 5e-3;
  options.output_step = 0.02;
  testing::Expected unused;
  Results r;
  run(system, options, r);
  // u of the tip: stretch less the foreshortening of the bent beam, which linear shapes leave out
  const Quadrature gauss(12);
  VectorXd u(r.rows()), v(r.rows());
  for (Index row = 0; row < r.rows(); ++row) {
    u(row) = r.value(row, 4) + r.value(row, 5);
    v(row) = r.value(row, 0) + r.value(row, 1) + r.value(row, 2) + r.value(row, 3);
    for (Index k = 0; k < gauss.x.size(); ++k) {
      double slope = 0.0;
      for (int j = 0; j < 4; ++j)
        slope += r.value(row, j) * shapes[static_cast<std::size_t>(j)].at(L * gauss.x(k))(1);
      u(row) -= 0.5 * L * gauss.w(k) * slope * slope;
    }
  }
  const auto read = [&](const VectorXd& series) {
    return [&](double t) { return series(static_cast<Index>(std::lround(t / 0.02))); };
  };
  EXPECT_EQ(expect_series(expected, {{"v_tip", read(v)}, {"u_tip", read(u)}}), 14);
  Index lowest = 0;
  expect_entry(expected, "v_tip_min", v.minCoeff(&lowest));
  expect_entry(expected, "time_of_v_tip_min", 0.02 * static_cast<double>(lowest));
  const Index from = static_cast<Index>(15.0 / 0.02);
  expect_entry(expected, "u_tip_mean_after_spin_up", u.tail(r.rows() - from).mean());
  expect_entry(expected, "residual_vibration_v_max_after_t=15", v.tail(r.rows() - from).maxCoeff());
  expect_entry(expected, "residual_vibration_v_min_after_t=15", v.tail(r.rows() - from).minCoeff());
}

TEST(SpinUp, SimosArmLagsAsTheNonlinearBeamDoes) {
  spin_up("spinup_beam_simo", 10.0, 2.8e7, 1.4e4, 1.2, 6.0, 30.0);
}
TEST(SpinUp, WuAndHaugsBeamLagsAsTheNonlinearBeamDoes) {
  spin_up("spinup_beam_wuhaug_2rads",
          8.0,
          68952000000.0 * 7.2986e-05,
          68952000000.0 * 8.2189e-09,
          2766.7 * 7.2986e-05,
          2.0,
          20.0);
}

TEST(FlexibleSliderCrank, FollowsTheModalFloatingFrameReference) {
  const auto expected = expected_of("flexible_slider_crank");
  NEEDS_SHARED(expected);
  const double L1 = 0.1, L2 = 0.4, b = 0.02, h = 0.006, E = 7e10, rho = 2700.0, Omega = 40.0;
  std::vector<Shape> shapes;
  for (const double n : {1.0, 2.0})
    shapes.push_back({1, [n, L2](double x) {
                        const double c = n * M_PI / L2;
                        return Vector3d(
                            std::sin(c * x), c * std::cos(c * x), -c * c * std::sin(c * x));
                      }});
  shapes.push_back({0, [L2](double x) {
                      return Vector3d(4 * x / L2 * (1 - x / L2), 4 / L2 * (1 - 2 * x / L2), 0);
                    }});
  shapes.push_back({0, [L2](double x) {
                      return Vector3d(x / L2 * (2 * x / L2 - 1), (4 * x / L2 - 1) / L2, 0);
                    }});
  FlexBody rod_body =
      beam(L2, E * b * h * h * h / 12.0, E * b * h, rho * b * h, shapes, 0.0, false);
  System system;
  system.planar = true;
  Body crank;
  crank.name = "crank";
  crank.kind =
      RigidInertia{1.0, Vector3d::Zero(), Vector3d::Constant(0.0013333333333333337).asDiagonal()};
  crank.angular_velocity = {0, 0, Omega};
  Body rod;
  rod.name = "rod";
  Flexible flexible;
  const Index tip = rod_body.node_count();
  flexible.body = std::make_shared<FlexBody>(std::move(rod_body));
  rod.kind = flexible;
  rod.position = {L1, 0, 0};
  rod.velocity = {0, Omega * L1, 0};
  rod.angular_velocity = {0, 0, -Omega * L1 / L2};
  Body slider;
  slider.name = "slider";
  slider.kind = RigidInertia{0.3, Vector3d::Zero(), Vector3d::Constant(1e-3).asDiagonal()};
  slider.position = {L1 + L2, 0, 0};
  system.bodies = {crank, rod, slider};
  const auto pin =
      [&](const char* name, const std::string& one, const std::string& two, const Vector3d& at) {
        Joint j;
        j.name = name;
        j.type = JointType::revolute;
        j.a = one;
        j.b = two;
        j.at = at;
        j.axis = Vector3d::UnitZ();
        system.joints.push_back(j);
      };
  pin("main", "ground", "crank", Vector3d::Zero());
  pin("crankpin", "crank", "rod", rod.position);
  pin("gudgeon", "slider", "rod/" + std::to_string(tip), slider.position);
  Joint guide;
  guide.name = "guide";
  guide.type = JointType::prismatic;
  guide.a = "ground";
  guide.b = "slider";
  guide.at = slider.position;
  guide.axis = Vector3d::UnitX();
  system.joints.push_back(guide);
  system.motions = {{"drive", Motion::Coordinate::angle, "main", "", Value("40*t")}};
  system.outputs = {"rod/zeta", "rod/orientation", "slider/position/x"};
  DynamicOptions options;
  options.end = 0.3;
  options.output_step = 0.01;
  options.integrator = Integrator::runge_kutta;
  options.step = 1e-5;
  options.relative_tolerance = 1e-8;
  options.absolute_tolerance = 1e-10;
  Results r;
  run(system, options, r);
  const auto column = [&](Index k) {
    return [&r, k](double t) { return r.value(static_cast<Index>(std::lround(t / 0.01)), k); };
  };
  EXPECT_EQ(expect_series(expected,
                          {{"q1", column(0)},
                           {"q2", column(1)},
                           {"q3", column(2)},
                           {"q4", column(3)},
                           {"phi2", [&](double t) { return 2.0 * std::asin(column(7)(t)); }},
                           {"x3", column(8)}}),
            48);
}

/// `pieces` flexible bodies in a row, each with one quadratic and one cubic shape, welded end to
/// end.
System cut_beam(int pieces, double load) {
  System system;
  const double L = 1.0 / pieces;
  const auto body = std::make_shared<FlexBody>(
      beam(L, 1.0, 1e5, 1.0, {power(1, 2, L), power(1, 3, L)}, 0.0, false));
  const std::string tip = "/" + std::to_string(body->node_count());
  system.planar = true;
  for (int k = 0; k < pieces; ++k) {
    Body piece;
    piece.name = "p" + std::to_string(k);
    Flexible flexible;
    flexible.body = body;
    piece.kind = flexible;
    piece.position = {k * L, 0, 0};
    system.bodies.push_back(piece);
    Joint weld;
    weld.name = "w" + std::to_string(k);
    weld.type = JointType::fixed;
    weld.a = k == 0 ? "ground" : "p" + std::to_string(k - 1) + tip;
    weld.b = piece.name;
    weld.at = piece.position;
    system.joints.push_back(weld);
  }
  PointForce push;
  push.on = "p" + std::to_string(pieces - 1) + tip;
  push.value = {Value(0.0), Value(load), Value(0.0)};
  system.forces.push_back({"push", push});
  system.outputs = {push.on + "/position", push.on + "/orientation"};
  return system;
}

TEST(Elastica, SixteenLinearPiecesBendAsTheElasticaDoes) {
  const auto expected = expected_of("elastica_cantilever");
  NEEDS_SHARED(expected);
  for (const auto& [load, text] : std::vector<std::pair<double, std::string>>{
           {0.25, "0.25"}, {1.0, "1.0"}, {2.0, "2.0"}, {5.0, "5.0"}, {10.0, "10.0"}}) {
    Results r;
    Diagnostics diagnostics;
    const StaticSummary rest = solve_statics(cut_beam(16, load), {}, r, diagnostics, no_progress());
    EXPECT_TRUE(rest.converged) << rest.reason;
    expect_entry(expected, "u/L PL2/EI=" + text, 1.0 - r.value(0, 0));
    expect_entry(expected, "v/L PL2/EI=" + text, r.value(0, 1));
    expect_entry(expected, "tip_angle_rad PL2/EI=" + text, 2.0 * std::asin(r.value(0, 6)));
  }
}

// Truth: the same body in another basis of the same space moves the same.
TEST(FlexibleBody, AllModesInAnyBasisGiveTheSameMotion) {
  Eigen::Matrix2d dynamic, raw;
  dynamic << 0.41421356237309515, 1.0, 1.0, -0.41421356237309515;
  raw << 0.05, 0.0, 0.15, -0.1;
  double tips[2] = {};
  int k = 0;
  for (const Eigen::Matrix2d& columns : {dynamic, raw}) {
    System system;
    Flexible flexible;
    flexible.body = std::make_shared<FlexBody>(testing::double_mass_spring(columns));
    Body body;
    body.name = "dms";
    body.kind = flexible;
    system.bodies = {body};
    Joint hinge;
    hinge.name = "hinge";
    hinge.type = JointType::revolute;
    hinge.a = "ground";
    hinge.b = "dms";
    hinge.axis = Vector3d::UnitY();
    system.joints = {hinge};
    system.gravity = {Value(9.81), Value(0.0), Value(-1.0)};
    system.outputs = {"dms/3/position"};
    DynamicOptions options;
    options.end = 1.0;
    options.output_step = 1.0;
    options.integrator = Integrator::runge_kutta;
    options.relative_tolerance = 1e-11;
    options.absolute_tolerance = 1e-12;
    Results r;
    run(system, options, r);
    tips[k++] = r.value(1, 0);
  }
  EXPECT_NEAR(tips[0], tips[1], testing::tolerance(1e-8));
}

}  // namespace
}  // namespace femflex::mbd_solver
