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

TEST(LinearSystem, RefusesWhatIsNoInput) {
  for (const char* wrong : {"second/velocity/x", "second", "nothing", "one/force/x"})
    EXPECT_THROW(system_of(two_masses(), {wrong}), ModelError) << wrong;
}

}  // namespace
}  // namespace femflex::mbd_solver
