// Tests the matrices A, B, C, D of a system, sampled and with fewer states. Truth: transfer
// functions in closed form, the matrix exponential, Hankel singular values by hand and the bound of
// their tail.
#include "femflex/mbd_solver/linear_system.h"

#include <cmath>
#include <complex>

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/mbd_solver/statics.h"
#include "femflex/mbd_solver/time_driven.h"
#include "femflex/progress.h"

#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using testing::joint;
using testing::rigid;
using testing::tolerance;

/// Two sliding masses in a row: a spring and damper connect the ground to the first mass, and the
/// first mass to the second. The output of a block pushes the second mass.
System two_masses() {
  System s;
  s.bodies = {rigid("first", 2.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Constant(1.0)),
              rigid("second", 3.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Constant(1.0))};
  s.bodies[1].position = {1.0, 0.0, 0.0};
  s.joints = {joint("a", JointType::prismatic, "ground", "first"),
              joint("b", JointType::prismatic, "first", "second")};
  for (Joint& each : s.joints)
    each.axis = Eigen::Vector3d::UnitX();
  s.ground_markers["wall"].position = {-1.0, 0.0, 0.0};
  for (const auto& [name, from, to] :
       {std::array{"one", "ground/wall", "first"}, std::array{"two", "first", "second"}}) {
    SpringDamper spring;
    spring.a = from;
    spring.b = to;
    spring.stiffness = Value(500.0);
    spring.damping = Value(8.0);
    s.forces.push_back({name, spring});
  }
  PointForce push;
  push.on = "second";
  push.value = {Value("[valve]"), Value(0.0), Value(0.0)};
  s.forces.push_back({"push", push});
  s.blocks = {{"command", "", {Value(0.0)}, gain()},
              {"valve", "", {Value("[command]")}, first_order_lag(0.05, 10.0)}};
  s.outputs = {"first/position/x", "second/velocity/x", "second/acceleration/x", "a/reaction/y"};
  return s;
}

/// Displacements of the two masses under the forces `load`, at the Laplace variable s.
Eigen::Vector2cd moved_at(std::complex<double> s, const Eigen::Vector2d& load) {
  Eigen::Matrix2d M = Eigen::Vector2d(2.0, 3.0).asDiagonal(), K;
  K << 2.0, -1.0, -1.0, 1.0;
  const Eigen::Matrix2cd Z = s * s * M + (s * 8.0 + 500.0) * K;
  return Z.lu().solve(load.cast<std::complex<double>>());
}

Eigen::MatrixXcd transfer_at(const LinearSystem& system, std::complex<double> s) {
  const Eigen::Index n = system.A.rows();
  const Eigen::MatrixXcd Z = s * Eigen::MatrixXcd::Identity(n, n) - system.A;
  return system.C * Z.lu().solve(Eigen::MatrixXcd(system.B)) + system.D;
}

LinearSystem system_of(const System& s, const std::vector<std::string>& inputs) {
  Diagnostics diagnostics;
  AssemblyReport report;
  return linear_system(s, assemble(s, report, diagnostics), inputs, diagnostics);
}

TEST(LinearSystem, HasTheTransferFunctionsOfForcesAndBlocks) {
  const LinearSystem system = system_of(two_masses(), {"first/position/x", "command"});
  EXPECT_EQ(system.states,
            (std::vector<std::string>{
                "mode/1", "mode/2", "mode/1/rate", "mode/2/rate", "valve/state/1"}));
  ASSERT_EQ(system.outputs.size(), 4U);
  for (const double w : {0.0, 3.0, 16.0, 70.0}) {
    const std::complex<double> s(0.0, w);
    const Eigen::MatrixXcd found = transfer_at(system, s);
    const Eigen::Vector2cd force = moved_at(s, {1.0, 0.0});
    const Eigen::Vector2cd valve = moved_at(s, {0.0, 10.0}) / (1.0 + 0.05 * s);
    const double error = tolerance(1e-8);
    EXPECT_LT(std::abs(found(0, 0) - force(0)), error * std::abs(force(0))) << w;
    EXPECT_LT(std::abs(found(1, 0) - s * force(1)), error * (1.0 + w) * std::abs(force(1))) << w;
    EXPECT_LT(std::abs(found(2, 0) - s * s * force(1)), error * (1.0 + w * w) * std::abs(force(1)));
    EXPECT_LT(std::abs(found(0, 1) - valve(0)), error * std::abs(valve(0))) << w;
    EXPECT_LT(std::abs(found(2, 1) - s * s * valve(1)), error * (1.0 + w * w) * std::abs(valve(1)));
    EXPECT_LT(std::abs(found(3, 0)), error);
  }
}

TEST(LinearSystem, SampledItIsTheMatrixExponential) {
  const LinearSystem system = system_of(two_masses(), {"second/position/x"});
  for (const double h : {1e-3, 0.5}) {
    const LinearSystem discrete = sampled(system, h);
    const Eigen::MatrixXd truth = (h * system.A).exp();
    EXPECT_LT((discrete.A - truth).norm(), tolerance(1e-12) * truth.norm());
    const Eigen::MatrixXd held =
        system.A.lu().solve(Eigen::MatrixXd((truth - Eigen::MatrixXd::Identity(5, 5)) * system.B));
    EXPECT_LT((discrete.B - held).norm(), tolerance(1e-10) * held.norm());
    EXPECT_EQ(discrete.step, h);
  }
  EXPECT_THROW(sampled(system, 0.0), UsageError);
  EXPECT_THROW(sampled(sampled(system, 1.0), 1.0), UsageError);
}

// Truth: the Hankel singular value of one lag is b c / (2 a). The largest gain of the error over
// all frequencies does not exceed the bound.
TEST(LinearSystem, BalancedTruncationKeepsItsBound) {
  LinearSystem lag;
  lag.A = Eigen::MatrixXd::Constant(1, 1, -4.0);
  lag.B = Eigen::MatrixXd::Constant(1, 1, 3.0);
  lag.C = Eigen::MatrixXd::Constant(1, 1, 2.0);
  lag.D = Eigen::MatrixXd::Zero(1, 1);
  EXPECT_NEAR(balanced(lag, 1).hankel(0), 3.0 * 2.0 / 8.0, 1e-14);
  const LinearSystem full = system_of(two_masses(), {"first/position/x", "command"});
  for (int order = 1; order <= 5; ++order) {
    const BalancedSystem less = balanced(full, order);
    EXPECT_EQ(less.system.A.rows(), order);
    double worst = 0.0, size = 0.0;
    for (double w = 0.01; w < 1e3; w *= 1.05) {
      const std::complex<double> s(0.0, w);
      const Eigen::MatrixXcd exact = transfer_at(full, s);
      const Eigen::MatrixXcd error = transfer_at(less.system, s) - exact;
      worst = std::max(worst, error.jacobiSvd().singularValues()(0));
      size = std::max(size, exact.jacobiSvd().singularValues()(0));
    }
    EXPECT_LE(worst, less.bound * (1.0 + 1e-6) + tolerance(1e-9) * size) << order;
    if (order == 5) {
      EXPECT_LT(worst, tolerance(1e-7) * size);
    }
  }
  EXPECT_THROW(balanced(full, 6), UsageError);
  System free = two_masses();
  free.forces.erase(free.forces.begin());
  EXPECT_THROW(balanced(system_of(free, {"command"}), 2), NumericalError);
}

/// Outputs after a time t without inputs: x' = rates0 + A x, by one matrix exponential.
Eigen::VectorXd outputs_after(const LinearSystem& system, double t) {
  const Eigen::Index n = system.A.rows();
  Eigen::MatrixXd both = Eigen::MatrixXd::Zero(n + 1, n + 1);
  both.topLeftCorner(n, n) = t * system.A;
  both.topRightCorner(n, 1) = t * system.rates0;
  return system.y0 + system.C * both.exp().topRightCorner(n, 1);
}

// Truth: a first-order lag with a constant input rises as 1 - e^(-t / T), and masses on springs
// come to rest where these carry the load. The state of linearisation is that of the start, in
// which the lag has not begun to rise.
TEST(LinearSystem, CarriesTheConstantRateOfABlock) {
  System s = two_masses();
  s.blocks[0].inputs = {Value(1.0)};
  s.outputs = {"valve", "first/position/x", "second/position/x"};
  const LinearSystem system = system_of(s, {"first/position/x"});
  ASSERT_EQ(system.movers.size(), 1U);
  EXPECT_NE(system.movers[0].find("valve/state/1"), std::string::npos) << system.movers[0];
  for (const double t : {0.01, 0.05, 0.3}) {
    EXPECT_NEAR(outputs_after(system, t)(0), 10.0 * (1.0 - std::exp(-t / 0.05)), tolerance(1e-9));
    const LinearSystem steps = sampled(system, t);
    const Eigen::VectorXd once = steps.y0 + steps.C * steps.rates0;
    EXPECT_LT((once - outputs_after(system, t)).norm(), tolerance(1e-10) * once.norm());
  }
  const Eigen::VectorXd rest = outputs_after(system, 100.0);
  EXPECT_NEAR(rest(1), 10.0 / 500.0, tolerance(1e-9));
  EXPECT_NEAR(rest(2), 1.0 + 2.0 * 10.0 / 500.0, tolerance(1e-8));
  Diagnostics told;
  warn_of_movers(system, "left out", told);
  ASSERT_EQ(told.warnings().size(), 1U);
  EXPECT_NE(told.warnings()[0].message.find("valve/state/1 changes by"), std::string::npos);
}

// Truth: statics. In equilibrium nothing moves, to the last bit.
TEST(LinearSystem, HasNoRatesInEquilibrium) {
  System s = two_masses();
  s.blocks[0].inputs = {Value(1.0)};
  Diagnostics diagnostics;
  Results row;
  Progress progress;
  const StaticSummary rest = solve_statics(s, {}, row, diagnostics, progress);
  ASSERT_TRUE(rest.converged);
  const LinearSystem system = linear_system(s, rest.state, {"command"}, diagnostics);
  EXPECT_TRUE(system.rates0.isZero(0.0));
  EXPECT_TRUE(system.movers.empty());
}

// Truth: the rest position under a constant force that no spring balances at the start, and free
// fall. A motion that only a constant load drives is not left out as free.
TEST(LinearSystem, CarriesAForceThatNothingBalances) {
  System s = two_masses();
  PointForce load;
  load.on = "second";
  load.value = {Value(5.0), Value(0.0), Value(0.0)};
  s.forces.push_back({"load", load});
  s.outputs = {"second/position/x"};
  const LinearSystem pulled = system_of(s, {"first/position/x"});
  EXPECT_NEAR(outputs_after(pulled, 100.0)(0), 1.0 + 2.0 * 5.0 / 500.0, tolerance(1e-8));
  ASSERT_EQ(pulled.movers.size(), 1U);
  EXPECT_NE(pulled.movers[0].find("body second accelerates by 1.667 m/s^2"), std::string::npos);

  System falling;
  falling.bodies = {rigid("held", 1.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Constant(1.0)),
                    rigid("free", 3.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Constant(1.0))};
  falling.joints = {joint("a", JointType::prismatic, "ground", "held"),
                    joint("b", JointType::prismatic, "ground", "free")};
  for (Joint& each : falling.joints)
    each.axis = Eigen::Vector3d::UnitX();
  SpringDamper spring;
  falling.ground_markers["wall"].position = {-1.0, 0.0, 0.0};
  spring.a = "ground/wall";
  spring.b = "held";
  spring.stiffness = Value(100.0);
  load.on = "free";
  falling.forces = {{"spring", spring}, {"load", load}};
  falling.outputs = {"free/position/x"};
  const LinearSystem free = system_of(falling, {"held/position/x"});
  EXPECT_NEAR(outputs_after(free, 2.0)(0), 0.5 * 5.0 / 3.0 * 4.0, tolerance(1e-9));
}

/// The effect of an input of the system that the force law of the second mass reads.
InputEffect effect_of(const SpringDamper& spring, const std::string& force) {
  System s = two_masses();
  s.inputs = {{.name = "p", .value = 2.0}};
  s.forces.push_back({"tuned", spring});
  PointForce load;
  load.on = "second";
  load.value = {Value(force), Value(0.0), Value(0.0)};
  s.forces.push_back({"load", load});
  return system_of(s, {"p"}).effects.at(0);
}

// Truth: the forms of the loads. Only a load that is linear in an input and does not depend on a
// motion at the same time is followed for changes of any size.
TEST(LinearSystem, TellsWhichInputsActAsLoads) {
  SpringDamper spring;
  spring.a = "ground/wall";
  spring.b = "second";
  EXPECT_EQ(effect_of(spring, "3*[p] + 1"), InputEffect::load);
  EXPECT_EQ(effect_of(spring, "0"), InputEffect::load);
  EXPECT_EQ(effect_of(spring, "[p]^2"), InputEffect::to_first_order);
  EXPECT_EQ(effect_of(spring, "[p]*[second/velocity/x]"), InputEffect::none);
  spring.stiffness = Value("50*[p]");
  EXPECT_EQ(effect_of(spring, "0"), InputEffect::none);  // it is not stretched
  spring.length = 1.5;
  EXPECT_EQ(effect_of(spring, "0"), InputEffect::to_first_order);
  spring.stiffness = Value(50.0);
  spring.force = Value("[p]");
  EXPECT_EQ(effect_of(spring, "0"), InputEffect::load);
}

// Truth: a stop 0.5 mm away does not act at the state, so the acceleration follows the springs
// alone. The steps of the differences reach farther than the gap.
TEST(LinearSystem, DoesNotFeelAStopBesideTheState) {
  System s = two_masses();
  s.outputs = {"first/acceleration/x", "second/acceleration/x"};
  const LinearSystem alone = system_of(s, {"first/position/x", "command"});
  s.forces.push_back(
      {"stop", BumpStop{.a = "ground/wall", .b = "second", .max = 2.0005, .stiffness = 1e6}});
  const LinearSystem beside = system_of(s, {"first/position/x", "command"});
  EXPECT_LT((beside.A - alone.A).norm(), tolerance(1e-7) * alone.A.norm());
  EXPECT_LT((beside.C - alone.C).norm(), tolerance(1e-6) * alone.C.norm());
  EXPECT_LT((beside.D - alone.D).norm(), tolerance(1e-6) * alone.D.norm());
}

// Truth: the system itself, value by value.
TEST(TimeDriven, NamesWhatChangesWithTimeByItself) {
  System s = two_masses();
  EXPECT_TRUE(time_driven(s).empty());
  s.inputs = {{.name = "u", .value = "sin(t)"}};
  s.blocks[0].inputs = {Value("[u]")};
  EXPECT_TRUE(time_driven(s).empty());  // an input comes from outside
  s.blocks[0].inputs = {Value("2*t")};
  s.gravity[2] = Value("-9.81*step(t, 1)");
  std::get<PointForce>(s.forces.back().law).value[0] = Value("[valve] + cos(3*t)");
  Value late(1.0);
  late.from = 2.0;
  std::get<SpringDamper>(s.forces[0].law).force = late;
  Tyre tyre;
  tyre.on = "first";
  tyre.radius = 0.5;
  tyre.road.kind = Road::Kind::iso8608;
  tyre.speed = 20.0;
  s.forces.push_back({"wheel", tyre});
  std::vector<std::string> names;
  for (const TimeDriven& each : time_driven(s))
    names.push_back(each.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "gravity", "block command", "force one", "force push", "force wheel"}));
  EXPECT_NE(text_of(time_driven(s)).find("block command (2*t)"), std::string::npos);
  EXPECT_NE(text_of(time_driven(s)).find("and 2 more"), std::string::npos);
}

TEST(LinearSystem, RefusesWhatIsNoInput) {
  for (const char* wrong : {"second/velocity/x", "second", "nothing", "one/force/x"})
    EXPECT_THROW(system_of(two_masses(), {wrong}), ModelError) << wrong;
}

}  // namespace
}  // namespace femflex::mbd_solver
