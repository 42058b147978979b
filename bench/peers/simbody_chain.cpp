// Compares an open chain of bars on hinges in femflex and in Simbody, alternately in one process:
// processor time of the whole run for an equal error of the tip. Both use adaptive Runge-Kutta
// methods with the loosest tolerance that satisfies the error bound, and work in relative
// coordinates, without constraints. Not measured: closed loops, contact, output.
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/mbd_solver/simulate.h"

#include "simbody_peer.h"

namespace {

using namespace femflex;
using namespace femflex::mbd_solver;
using Eigen::Vector3d;

constexpr double kLength = 0.2;      // length of a bar [m]
constexpr double kSide = 0.02;       // side of its square section [m]
constexpr double kDensity = 7850.0;  // [kg/m^3]
constexpr double kMass = kDensity * kLength * kSide * kSide;
constexpr double kEnd = 1.0;     // [s]
constexpr double kBound = 1e-4;  // largest allowed error of the tip at the end [m]
constexpr int kRepeats = 5;
const Vector3d kGravity(0.0, 3.0, -9.81);

/// Principal moments of inertia of a bar along x about its mass centre [kg m^2].
Vector3d moments() {
  const double along = kMass / 12.0 * 2.0 * kSide * kSide;
  const double across = kMass / 12.0 * (kLength * kLength + kSide * kSide);
  return {along, across, across};
}

System our_chain(int count) {
  System system;
  for (Eigen::Index k = 0; k < 3; ++k)
    system.gravity[static_cast<std::size_t>(k)] = Value(kGravity(k));
  for (int i = 0; i < count; ++i) {
    Body body;
    body.name = fmt::format("b{}", i);
    body.kind = RigidInertia{kMass, Vector3d(0.5 * kLength, 0.0, 0.0), moments().asDiagonal()};
    body.position = Vector3d(kLength * i, 0.0, 0.0);
    body.markers["end"] = Marker{Vector3d(kLength, 0.0, 0.0), Eigen::Matrix3d::Identity(), {}};
    Joint joint;
    joint.name = fmt::format("j{}", i);
    joint.type = JointType::revolute;
    joint.a = i == 0 ? "ground" : fmt::format("b{}", i - 1);
    joint.b = body.name;
    joint.at = body.position;
    joint.axis = i % 2 == 0 ? Vector3d::UnitY() : Vector3d::UnitZ();
    system.bodies.push_back(std::move(body));
    system.joints.push_back(std::move(joint));
  }
  system.outputs = {fmt::format("b{}/end/position", count - 1)};
  return system;
}

struct Run {
  double cpu = 0.0;  // [s]
  Vector3d tip = Vector3d::Zero();
};

double cpu_now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Run by_us(int count, double tolerance) {
  const double start = cpu_now();
  DynamicOptions options;
  options.end = options.output_step = kEnd;
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = options.absolute_tolerance = tolerance;
  Results results;
  Diagnostics diagnostics;
  simulate(our_chain(count), options, results, diagnostics, no_progress());
  Run out;
  for (Eigen::Index c = 0; c < 3; ++c)
    out.tip(c) = results.value(results.rows() - 1, c);
  out.cpu = cpu_now() - start;
  return out;
}

Run by_simbody(int count, double accuracy) {
  const double start = cpu_now();
  const std::array<double, 3> tip = bench::simbody_tip({count,
                                                        kLength,
                                                        kMass,
                                                        {moments()(0), moments()(1), moments()(2)},
                                                        {kGravity(0), kGravity(1), kGravity(2)},
                                                        kEnd},
                                                       accuracy);
  return {cpu_now() - start, Vector3d(tip[0], tip[1], tip[2])};
}

struct Best {
  double tolerance = 0.0, cpu = 0.0, error = 0.0;
};

/// The loosest tolerance at which a method satisfies the error bound, and its median time.
Best best_of(const std::function<Run(double)>& run, const Vector3d& truth) {
  for (double tolerance = 1e-2; tolerance > 1e-12; tolerance /= std::sqrt(10.0)) {
    const Run once = run(tolerance);
    const double error = (once.tip - truth).norm();
    if (!(error <= kBound)) continue;
    std::vector<double> times;
    for (int k = 0; k < kRepeats; ++k)
      times.push_back(run(tolerance).cpu);
    std::sort(times.begin(), times.end());
    return {tolerance, times[kRepeats / 2], error};
  }
  return {};
}

}  // namespace

int main() {
  fmt::print("chain on hinges, 1 s, tip within {:.0e} m of the reference; medians of {} runs\n",
             kBound,
             kRepeats);
  fmt::print(
      "bodies   program: tolerance, CPU s, error m     Simbody: accuracy, CPU s, error m     "
      "ratio\n");
  for (const int count : {10, 100, 1000}) {
    const Vector3d truth = by_us(count, 1e-10).tip;
    const double agree = (by_simbody(count, 1e-10).tip - truth).norm();
    const Best us = best_of([&](double t) { return by_us(count, t); }, truth);
    const Best peer = best_of([&](double t) { return by_simbody(count, t); }, truth);
    fmt::print(
        "{:6}   {:.1e} {:9.4f} {:.1e}   {:.1e} {:9.4f} {:.1e}   {:.2f} (references agree to {:.1e} "
        "m)\n",
        count,
        us.tolerance,
        us.cpu,
        us.error,
        peer.tolerance,
        peer.cpu,
        peer.error,
        peer.cpu / us.cpu,
        agree);
  }
  return 0;
}
