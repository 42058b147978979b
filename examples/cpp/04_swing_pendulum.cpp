// Runs:  04_swing_pendulum
//
// A pendulum released at rest from 60 degrees: a massless rod of 1 m, hinged to the ground, with a
// mass of 2 kg at its end. Its period is 4 sqrt(l / g) K(sin 30 deg), K the complete elliptic
// integral of the first kind. A system is a value: bodies, joints, forces. simulate() sends rows of
// channels to a sink.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "femflex/mbd_solver/simulate.h"

int main() {
  using namespace femflex;
  namespace mbd = femflex::mbd_solver;
  constexpr double kLength = 1.0;    // [m]
  constexpr double kGravity = 9.81;  // [m/s^2]
  const double start = std::numbers::pi / 3.0;

  // 1. The system. z is up, the hinge is at the origin, its axis is y.
  mbd::Body bob;
  bob.name = "bob";
  bob.kind = mbd::RigidInertia{.mass = 2.0, .inertia = 1e-9 * Eigen::Matrix3d::Identity()};
  bob.position = {kLength * std::sin(start), 0.0, -kLength * std::cos(start)};
  mbd::Joint hinge;
  hinge.name = "hinge";
  hinge.type = mbd::JointType::revolute;
  hinge.a = "ground";
  hinge.b = "bob";
  hinge.at = Eigen::Vector3d::Zero();
  hinge.axis = Eigen::Vector3d::UnitY();
  mbd::System system;
  system.name = "pendulum";
  system.gravity = {0.0, 0.0, -kGravity};
  system.bodies = {bob};
  system.joints = {hinge};

  // 2. One period by theory, then the motion over it.
  const double period =
      4.0 * std::sqrt(kLength / kGravity) * std::comp_ellint_1(std::sin(start / 2.0));
  mbd::DynamicOptions options;
  options.integrator = mbd::Integrator::runge_kutta;
  options.relative_tolerance = 1e-10;
  options.end = period;
  options.output_step = period / 8.0;
  mbd::Results results;
  Diagnostics notes;
  const mbd::SimulationSummary summary =
      mbd::simulate(system, options, results, notes, no_progress());

  // 3. The results.
  std::printf("period %.6f s\n", period);
  std::printf("   t [s]     x [m]     z [m]\n");
  for (Eigen::Index row = 0; row < results.rows(); ++row) {
    const auto value = [&](const char* name) { return results.value(row, results.find(name)); };
    // + 0.0: avoids a minus sign before zero
    std::printf("%8.4f  %8.4f  %8.4f\n",
                results.time()[static_cast<std::size_t>(row)],
                std::round(1e4 * value("bob/position/x")) / 1e4 + 0.0,
                value("bob/position/z"));
  }
  std::printf("energy drift below 1e-8: %s\n", summary.energy_drift < 1e-8 ? "yes" : "no");
}
