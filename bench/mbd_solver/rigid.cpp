// Speed models R1 (open chains) and R2 (closed loops) of rigid bodies, and the growth of the cost
// of a step with the number of bodies. What the numbers do not tell: memory, and output.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/mbd_solver/simulate.h"

namespace {

using namespace femflex;
using namespace femflex::mbd_solver;
using Eigen::Vector3d;

constexpr double kDensity = 7850.0;

Eigen::Matrix3d box_inertia(double mass, const Vector3d& size) {
  const Vector3d s = size.cwiseAbs2();
  return (mass / 12.0 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())).asDiagonal();
}

Body bar(const std::string& name, const Vector3d& from, const Vector3d& to, double side) {
  const double length = (to - from).norm();
  const double mass = kDensity * length * side * side;
  Body body;
  body.name = name;
  body.kind =
      RigidInertia{mass, Vector3d(0.5 * length, 0.0, 0.0), box_inertia(mass, {length, side, side})};
  body.position = from;
  body.orientation =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), to - from).toRotationMatrix();
  body.markers["end"] = Marker{Vector3d(length, 0.0, 0.0), Eigen::Matrix3d::Identity(), {}};
  return body;
}

Joint joint(const std::string& name,
            JointType type,
            const std::string& a,
            const std::string& b,
            const Vector3d& at,
            const Vector3d& axis = Vector3d::UnitZ()) {
  Joint j;
  j.name = name;
  j.type = type;
  j.a = a;
  j.b = b;
  j.at = at;
  if (type == JointType::revolute) j.axis = axis;
  return j;
}

System chain(int n) {
  System system;
  system.gravity = {Value(0.0), Value(3.0), Value(-9.81)};
  for (int i = 0; i < n; ++i) {
    const Vector3d from(0.2 * i, 0.0, 0.0);
    system.bodies.push_back(bar(fmt::format("b{}", i), from, from + Vector3d(0.2, 0.0, 0.0), 0.02));
    system.joints.push_back(joint(fmt::format("j{}", i),
                                  JointType::revolute,
                                  i == 0 ? "ground" : fmt::format("b{}", i - 1),
                                  fmt::format("b{}", i),
                                  from,
                                  i % 2 == 0 ? Vector3d::UnitY() : Vector3d::UnitZ()));
  }
  system.outputs = {fmt::format("b{}/end/position", n - 1)};
  return system;
}

System loops(int m) {
  System system;
  system.gravity = {Value(0.0), Value(3.0), Value(-9.81)};
  std::vector<Vector3d> tips;
  const double degree = M_PI / 180.0;
  for (int i = 0; i <= m; ++i) {
    const Vector3d root(i, 0.0, 0.0);
    const Vector3d axis =
        Eigen::AngleAxisd((i % 2 == 0 ? 10.0 : -10.0) * degree, Vector3d::UnitZ()) *
        Vector3d::UnitY();
    const Vector3d tip = root + Eigen::AngleAxisd(-30.0 * degree, axis) * Vector3d(0.0, 0.0, -1.0);
    Body rocker = bar(fmt::format("r{}", i), root, tip, 0.05);
    // square section turned so that its sides follow the hinge
    system.bodies.push_back(rocker);
    system.joints.push_back(
        joint(fmt::format("h{}", i), JointType::revolute, "ground", rocker.name, root, axis));
    tips.push_back(tip);
  }
  for (int i = 0; i < m; ++i) {
    const auto u = static_cast<std::size_t>(i);
    system.bodies.push_back(bar(fmt::format("c{}", i), tips[u], tips[u + 1], 0.05));
    system.joints.push_back(joint(fmt::format("s{}", i),
                                  JointType::spherical,
                                  fmt::format("r{}", i),
                                  fmt::format("c{}", i),
                                  tips[u]));
    system.joints.push_back(joint(fmt::format("t{}", i),
                                  JointType::spherical,
                                  fmt::format("c{}", i),
                                  fmt::format("r{}", i + 1),
                                  tips[u + 1]));
  }
  system.outputs = {fmt::format("r{}/end/position", m)};
  return system;
}

struct Measured {
  double steps_per_second = 0.0, cpu = 0.0, iterations = 0.0, factorisations = 0.0;
  Vector3d tip = Vector3d::Zero();
};

Measured run(const System& system,
             double end,
             double step,
             Integrator integrator = Integrator::generalised_alpha) {
  std::vector<Measured> all;
  for (int repeat = 0; repeat < 3; ++repeat) {
    DynamicOptions options;
    options.end = end;
    options.step = step;
    options.output_step = end;
    options.integrator = integrator;
    options.newton_tolerance = 1e-3;
    Results results;
    Diagnostics diagnostics;
    const SimulationSummary s = simulate(system, options, results, diagnostics, no_progress());
    if (s.status != RunStatus::complete) fmt::print("failed: {}\n", s.reason);
    Measured m;
    m.cpu = s.cpu_seconds;
    m.steps_per_second = static_cast<double>(s.steps) / s.cpu_seconds;
    m.iterations = static_cast<double>(s.iterations) / static_cast<double>(s.steps);
    m.factorisations = static_cast<double>(s.factorisations) / static_cast<double>(s.steps);
    for (Eigen::Index c = 0; c < 3; ++c)
      m.tip(c) = results.value(results.rows() - 1, c);
    all.push_back(m);
  }
  std::sort(
      all.begin(), all.end(), [](const Measured& a, const Measured& b) { return a.cpu < b.cpu; });
  return all[1];
}

}  // namespace

int main() {
  struct Case {
    const char* name;
    int bodies;
    System system;
    double end, peer_steps;
    Vector3d truth;
  };
  const Vector3d unknown = Vector3d::Constant(NAN);
  std::vector<Case> cases;
  cases.push_back({"R1", 10, chain(10), 1.0, 12141.0, {-1.7618186, 0.1245821, -0.8936418}});
  cases.push_back({"R1", 100, chain(100), 1.0, 854.0, unknown});
  cases.push_back({"R1", 1000, chain(1000), 0.2, 69.0, unknown});
  cases.push_back({"R2", 11, loops(5), 1.0, 19125.0, {4.5138674, 0.0857183, -0.8696709}});
  cases.push_back({"R2", 101, loops(50), 1.0, 1373.0, unknown});
  cases.push_back({"R2", 1001, loops(500), 1.0, 76.0, unknown});
  fmt::print(
      "model  bodies  steps/CPU s   over peer  its/step  fact/step  cpu s     tip error m\n");
  std::vector<double> x, y;
  for (const Case& c : cases) {
    const Measured m = run(c.system, c.end, 1e-3);
    fmt::print("{:5} {:7} {:12.0f} {:10.2f} {:9.2f} {:9.2f} {:9.4f}   {:.2e}\n",
               c.name,
               c.bodies,
               m.steps_per_second,
               m.steps_per_second / c.peer_steps,
               m.iterations,
               m.factorisations,
               m.cpu,
               (m.tip - c.truth).norm());
    if (std::string(c.name) == "R1") {
      x.push_back(std::log(c.bodies));
      y.push_back(-std::log(m.steps_per_second));
    }
  }
  fmt::print("log-log slope of the cost of a step, chain of 10 to 1000 bodies: {:.3f}\n",
             (y[2] - y[0]) / (x[2] - x[0]));
  return 0;
}
