// Measures speed models R1 (open chains) and R2 (closed loops) of rigid bodies, and how the cost of
// a step grows with the number of bodies. Prints the error of the tip and the largest error of a
// mass centre. The reference is Runge-Kutta with tolerance 1e-10, which takes chains in the
// coordinates of their joints. Its accuracy is shown by a second algorithm: generalised-alpha with
// two step lengths and Richardson extrapolation. Not measured: memory and output.
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

constexpr double kStep = 1e-3;

struct Measured {
  double steps_per_second = 0.0, cpu = 0.0, iterations = 0.0, factorisations = 0.0;
  Vector3d tip = Vector3d::Zero();
  Eigen::VectorXd position;  // positions of all bodies
};

DynamicOptions generalised_alpha(double end, double step, double newton_tolerance) {
  DynamicOptions options;
  options.end = options.output_step = end;
  options.step = step;
  options.newton_tolerance = newton_tolerance;
  return options;
}

DynamicOptions runge_kutta(double end, double tolerance) {
  DynamicOptions options;
  options.end = options.output_step = end;
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = options.absolute_tolerance = tolerance;
  return options;
}

Measured run(const System& system, const DynamicOptions& options) {
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
  m.position = s.final_state.position;
  return m;
}

Measured median(const System& system, const DynamicOptions& options) {
  std::vector<Measured> all;
  for (int repeat = 0; repeat < 3; ++repeat)
    all.push_back(run(system, options));
  std::sort(
      all.begin(), all.end(), [](const Measured& a, const Measured& b) { return a.cpu < b.cpu; });
  return all[1];
}

// positions contain a mass centre and a quaternion for each body
double farthest(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  double largest = 0.0;
  for (Eigen::Index k = 0; k + 7 <= a.size(); k += 7)
    largest = std::max(largest, (a.segment<3>(k) - b.segment<3>(k)).norm());
  return largest;
}

struct Case {
  const char* name;
  int bodies;
  System system;
  double end;
  double peer_steps;  // steps per CPU second of the fastest code with multipliers at fixed steps
  double peer_cpu;    // CPU time of the whole run of the fastest other program
};

struct Reference {
  Measured truth;
  double known_to = 0.0;  // accuracy of the reference [m]
};

Reference reference(const Case& c) {
  Reference r;
  r.truth = run(c.system, runge_kutta(c.end, 1e-10));
  const Measured coarse = run(c.system, generalised_alpha(c.end, kStep, 1e-9));
  const Measured fine = run(c.system, generalised_alpha(c.end, 0.5 * kStep, 1e-9));
  r.known_to = farthest((4.0 * fine.position - coarse.position) / 3.0, r.truth.position);
  return r;
}

}  // namespace

int main() {
  std::vector<Case> cases;
  cases.push_back({"R1", 10, chain(10), 1.0, 12141.0, 0.0093});
  cases.push_back({"R1", 100, chain(100), 1.0, 854.0, 0.053});
  cases.push_back({"R1", 1000, chain(1000), 0.2, 69.0, 0.105});
  cases.push_back({"R2", 11, loops(5), 1.0, 19125.0, 0.019});
  cases.push_back({"R2", 101, loops(50), 1.0, 1373.0, 0.73});
  cases.push_back({"R2", 1001, loops(500), 1.0, 76.0, 2.65});
  std::vector<Reference> references;
  fmt::print("published converged tips: R1 N = 10 (-1.7618186, 0.1245821, -0.8936418), ");
  fmt::print("R2 N = 11 (4.5138674, 0.0857183, -0.8696709)\n");
  fmt::print(
      "model  bodies  reference tip                               other algorithm off by m\n");
  for (const Case& c : cases) {
    references.push_back(reference(c));
    const Reference& r = references.back();
    fmt::print("{:5} {:7}  {:13.8f} {:13.8f} {:13.8f}   {:.1e}\n",
               c.name,
               c.bodies,
               r.truth.tip.x(),
               r.truth.tip.y(),
               r.truth.tip.z(),
               r.known_to);
  }
  fmt::print("\nfixed steps of 1e-3 s, generalised-alpha\n");
  fmt::print(
      "model  bodies  steps/CPU s  x peer speed  its/step  fact/step  cpu s     tip error m  max "
      "error "
      "m\n");
  std::vector<double> x, y;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& c = cases[k];
    const Measured m = median(c.system, generalised_alpha(c.end, kStep, 3e-4));
    fmt::print("{:5} {:7} {:12.0f} {:10.2f} {:9.2f} {:9.2f} {:9.4f}   {:.2e}     {:.2e}\n",
               c.name,
               c.bodies,
               m.steps_per_second,
               m.steps_per_second / c.peer_steps,
               m.iterations,
               m.factorisations,
               m.cpu,
               (m.tip - references[k].truth.tip).norm(),
               farthest(m.position, references[k].truth.position));
    if (std::string(c.name) == "R1") {
      x.push_back(std::log(c.bodies));
      y.push_back(-std::log(m.steps_per_second));
    }
  }
  fmt::print("log-log slope of the cost of a step, chain of 10 to 1000 bodies: {:.3f}\n",
             (y[2] - y[0]) / (x[2] - x[0]));
  fmt::print("\nwhole runs, Runge-Kutta at a tolerance of 3e-4\n");
  fmt::print("model  bodies   steps  cpu s    best peer  peer/own  tip error m  max error m\n");
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& c = cases[k];
    const Measured m = median(c.system, runge_kutta(c.end, 3e-4));
    fmt::print("{:5} {:7} {:7.0f} {:8.4f} {:9.4f} {:8.2f}    {:.2e}     {:.2e}\n",
               c.name,
               c.bodies,
               m.steps_per_second * m.cpu,
               m.cpu,
               c.peer_cpu,
               c.peer_cpu / m.cpu,
               (m.tip - references[k].truth.tip).norm(),
               farthest(m.position, references[k].truth.position));
  }
  return 0;
}
