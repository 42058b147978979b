// Tests flexible bodies against published solutions. Truth: the shared benchmarks, whose references
// are other formulations (geometrically nonlinear beams, Ritz series, minimal coordinates).
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/statics.h"

#include "benchmarks.h"
#include "flex_bodies.h"
#include "flexible_mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::beam;
using testing::cut_beam;
using testing::expect_entry;
using testing::expect_series;
using testing::expected_of;
using testing::on_a_hub;
using testing::power;
using testing::Quadrature;
using testing::run;
using testing::Shape;

#define NEEDS_SHARED(expected) \
  if ((expected).empty()) GTEST_SKIP() << "the shared benchmarks are not here"

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
  // u of the tip is the extension minus the shortening by bending, which linear shapes do not
  // contain
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

// Truth: the elastica theta'' = -P cos(theta), by shooting with the fourth-order Runge-Kutta
// method. The error of linear beam segments is proportional to the square of their length.
TEST(Elastica, PiecesFollowItBeyondTheTableInSquareOfTheirLength) {
  const double load = 30.0;
  const auto shoot = [&](double curvature) {
    const int steps = 2000;
    const double h = 1.0 / steps;
    const auto rate = [&](const Eigen::Vector4d& s) {
      return Eigen::Vector4d(s(1), -load * std::cos(s(0)), std::cos(s(0)), std::sin(s(0)));
    };
    Eigen::Vector4d s(0.0, curvature, 0.0, 0.0);  // theta, theta', x, y
    for (int k = 0; k < steps; ++k) {
      const Eigen::Vector4d a = rate(s), b = rate(s + 0.5 * h * a), c = rate(s + 0.5 * h * b),
                            d = rate(s + h * c);
      s += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
      // the curvature becomes zero before the end, so the start value is too small
      if (s(1) < -1e-9) break;
    }
    return s;
  };
  double low = 0.0, high = 1.0 + std::sqrt(2.0 * load);  // theta' at the tip increases with the
                                                         // curvature at the start
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (shoot(middle)(1) > 0.0 ? high : low) = middle;
  }
  const Eigen::Vector4d tip = shoot(high);
  double error[2] = {};
  for (const int half : {0, 1}) {
    Results r;
    Diagnostics diagnostics;
    const StaticSummary rest =
        solve_statics(cut_beam(half == 0 ? 12 : 24, load), {}, r, diagnostics, no_progress());
    ASSERT_TRUE(rest.converged) << rest.reason;
    EXPECT_LT(rest.iterations, 30);
    error[half] = std::hypot(r.value(0, 0) - tip(2), r.value(0, 1) - tip(3));
  }
  EXPECT_LT(error[1], 2e-3);  // relative to the length
  EXPECT_LT(error[1], 0.35 * error[0]);
}

// Truth: another basis of the same space of shapes gives the same motion.
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
