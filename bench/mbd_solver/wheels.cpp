// Times a truck (a chassis of 20 modes on two axles) on four vertical tyre springs, then with one
// or four free-rolling wheels added that use all terms of the Magic Formula. The argument is the
// folder of sample tyres (data/tyres/valid). Runs alternate; the results are medians of five. A
// wheel that leaves the road, or a run that fails, ends the bench with an error.
#include "system/wheels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "femflex/diagnostics.h"
#include "femflex/inertia_invariants.h"
#include "femflex/laws/curve.h"
#include "femflex/mbd_solver/road.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/roads/road.h"

#include "system/wheel_files.h"

namespace {

using namespace femflex;
using namespace femflex::mbd_solver;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kSpeed = 15.0;   // [m/s]
constexpr char kRoadClass = 'B';  // on class C the wheels leave the road at times
constexpr double kSettled = 0.5;  // [s] after which the truck has come down on its tyres
constexpr std::uint64_t kRoadSeed = 1;
constexpr double kRoadLength = 200.0;  // [m]
constexpr double kStart = 5.0;         // x of the chassis, so that all axles are on the road [m]
constexpr double kHalfTrack = 0.9;     // [m]
constexpr double kFront = 3.5, kRear = -3.0;  // axles along the chassis [m]
constexpr int kModes = 20;
constexpr double kStep = 1e-3;  // [s]

/// A free beam of 900 kg and 9 m along x that bends in both directions and twists, reduced to its
/// modes.
FlexBody chassis() {
  constexpr int kNodes = 37;
  constexpr double kLength = 9.0, kMass = 900.0, kBending = 4e6, kTwist = 4e4, kArm = 0.4;
  const double a = kLength / (kNodes - 1), m = kMass / kNodes;
  FlexBody body;
  body.name = "chassis";
  MatrixXd K = MatrixXd::Zero(6 * kNodes, 6 * kNodes);
  VectorXd M(6 * kNodes);
  body.lumped_mass.resize(kNodes, 6);
  Eigen::Matrix3Xd positions(3, kNodes);
  for (int k = 0; k < kNodes; ++k) {
    positions.col(k) = Vector3d(a * k - 0.5 * kLength, 0.0, 0.0);
    body.nodes.push_back({k + 1, positions.col(k)});
    body.lumped_mass.row(k) << m, m, m, m * kArm * kArm, m * a * a / 12.0, m * a * a / 12.0;
    M.segment<6>(6 * k) = body.lumped_mass.row(k).transpose();
  }
  const double b = kBending / (a * a * a);
  Eigen::Matrix4d bending;
  bending << 12.0, 6.0 * a, -12.0, 6.0 * a, 6.0 * a, 4.0 * a * a, -6.0 * a, 2.0 * a * a, -12.0,
      -6.0 * a, 12.0, -6.0 * a, 6.0 * a, 2.0 * a * a, -6.0 * a, 4.0 * a * a;
  for (int k = 0; k + 1 < kNodes; ++k) {
    const std::array<int, 4> up = {2, 4, 8, 10}, across = {1, 5, 7, 11};
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t c = 0; c < 4; ++c) {
        const double sign = (r % 2 == c % 2) ? 1.0 : -1.0;  // a positive rotation about y lowers z
        const auto i = static_cast<Index>(r), j = static_cast<Index>(c);
        K(6 * k + up[r], 6 * k + up[c]) += sign * b * bending(i, j);
        K(6 * k + across[r], 6 * k + across[c]) += b * bending(i, j);
      }
    for (const auto& [dof, stiffness] : {std::pair{0, 1e8}, std::pair{3, kTwist}})
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c)
          K(6 * k + dof + 6 * r, 6 * k + dof + 6 * c) += (r == c ? 1.0 : -1.0) * stiffness / a;
  }
  const VectorXd root = M.cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> modes(
      MatrixXd(root.asDiagonal() * K * root.asDiagonal()));
  body.shapes = root.asDiagonal() * modes.eigenvectors().middleCols(6, kModes);
  const VectorXd k = modes.eigenvalues().segment(6, kModes);
  body.mass = MatrixXd::Identity(kModes, kModes);
  body.stiffness = k.asDiagonal();
  body.damping = MatrixXd((0.04 * k.cwiseSqrt()).asDiagonal());
  body.modes.resize(kModes);
  body.invariants = invariants_from_lumped(positions, body.shapes, body.lumped_mass);
  return make_flex_body(std::move(body));
}

Body rigid(const std::string& name, double mass, const Vector3d& inertia, const Vector3d& at) {
  Body body;
  body.name = name;
  body.kind = RigidInertia{mass, Vector3d::Zero(), inertia.asDiagonal()};
  body.position = at + kStart * Vector3d::UnitX();
  return body;
}

Bushing bushing(
    const std::string& a, const std::string& b, const Vector3d& at, double k, double c) {
  Bushing out;
  out.a = a;
  out.b = b;
  out.at = at + kStart * Vector3d::UnitX();
  out.stiffness.diagonal() << 2e6, 2e6, k, 0.0, 0.0, 0.0;
  out.damping.diagonal() << 2e4, 2e4, c, 0.0, 0.0, 0.0;
  return out;
}

/// The truck on vertical springs on a road by ISO 8608. With rolling wheels, of the radius of the
/// springs and on the same road, the truck drives; without them it stands and the road passes
/// below.
System truck(const std::shared_ptr<const FlexBody>& frame,
             const std::shared_ptr<const TyreCharacteristic>& tyre,
             int rolling) {
  const double radius = tyre->unloaded_radius();
  System s;
  s.outputs = {"cab/acceleration", "payload/position"};
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  Flexible flexible;
  flexible.body = frame;
  Body body;
  body.name = "chassis";
  body.kind = flexible;
  body.position = Vector3d(kStart, 0.0, 0.9);
  s.bodies = {body,
              rigid("front", 400.0, {150.0, 20.0, 150.0}, {kFront, 0.0, radius}),
              rigid("rear", 600.0, {220.0, 30.0, 220.0}, {kRear, 0.0, radius}),
              rigid("cab", 800.0, {500.0, 450.0, 450.0}, {3.5, 0.0, 1.9}),
              rigid("payload", 4000.0, {2000.0, 3500.0, 3800.0}, {-2.0, 0.0, 1.6})};
  for (const bool front : {true, false}) {
    const std::string axle = front ? "front" : "rear";
    const double x = front ? kFront : kRear;
    for (const double side : {1.0, -1.0}) {
      const std::string end = side > 0.0 ? "_left" : "_right";
      Body& on = s.bodies[front ? 1 : 2];
      on.markers["hub" + end].position = Vector3d(0.0, side * kHalfTrack, 0.0);
      for (const int eye : {-1, 1})
        s.forces.push_back({fmt::format("eye_{}{}_{}", axle, end, eye),
                            bushing(axle,
                                    fmt::format("chassis/{}", 19 + std::lround(4.0 * x) + 2 * eye),
                                    {x + 0.5 * eye, 0.5 * side, 0.7},
                                    1.2e5,
                                    5e3)});
      Tyre spring;
      spring.on = axle + "/hub" + end;
      spring.radius = radius;
      spring.stiffness = 8e5;
      spring.damping = 3e3;
      spring.speed = rolling > 0 ? 0.0 : kSpeed;
      spring.road.kind = Road::Kind::iso8608;
      spring.road.iso_class = kRoadClass;
      spring.road.seed = kRoadSeed;
      spring.road.length = kRoadLength;
      s.forces.push_back({"tyre_" + axle + end, spring});
    }
  }
  for (const double side : {0.4, -0.4}) {
    const std::string end = side > 0.0 ? "_left" : "_right";
    s.forces.push_back({"cab" + end, bushing("cab", "chassis/33", {3.5, side, 1.0}, 6e5, 8e3)});
    s.forces.push_back(
        {"load" + end, bushing("payload", "chassis/11", {-2.0, side, 1.0}, 4e6, 2e4)});
    s.forces.push_back(
        {"load_rear" + end, bushing("payload", "chassis/5", {-3.5, side, 1.0}, 4e6, 2e4)});
  }
  const Table heights = iso8608_profile(kRoadClass, kRoadSeed, kRoadLength);
  const std::vector<roads::Layer> layers = {roads::Tracks(
      laws::Curve(heights.x, heights.y, heights.interpolation, laws::Curve::Beyond::hold, "road"))};
  const auto road = tools::shared_wheel_road(
      std::make_shared<const roads::Road>(layers, 1.0, std::vector<roads::FrictionPatch>()));
  for (int k = 0; k < rolling; ++k) {
    const double x = k < 2 ? kFront : kRear, side = k % 2 == 0 ? 1.0 : -1.0;
    const std::string name = fmt::format("wheel_{}", k);
    Body wheel = rigid(name, 60.0, {3.0, 6.0, 3.0}, {x, side * kHalfTrack, radius});
    wheel.angular_velocity = kSpeed / radius * Vector3d::UnitY();
    s.bodies.push_back(wheel);
    Joint hub;
    hub.name = "bearing_" + std::to_string(k);
    hub.type = JointType::revolute;
    hub.a = fmt::format("{}/hub_{}", k < 2 ? "front" : "rear", k % 2 == 0 ? "left" : "right");
    hub.b = name;
    hub.axis = Vector3d::UnitY();
    s.joints.push_back(hub);
    RollingTyre law;
    law.on = name;
    law.axis = Vector3d::UnitY();
    law.tyre = tyre;
    law.road = road;
    s.forces.push_back({"contact_" + std::to_string(k), law});
    s.outputs.push_back(fmt::format("contact_{}/value", k));
  }
  if (rolling > 0)
    for (Body& each : s.bodies)
      each.velocity = kSpeed * Vector3d::UnitX();
  return s;
}

/// The mean and the least normal force of a wheel once the truck has settled [N].
struct WheelForce {
  double mean = 0.0, least = 0.0;
};

WheelForce force_of(const Results& results, int wheel) {
  const auto first = static_cast<Index>(kSettled / kStep);
  const VectorXd all = results.series(fmt::format("contact_{}/value", wheel));
  const VectorXd force = all.tail(all.size() - first);
  return {force.mean(), force.minCoeff()};
}

}  // namespace

int main(int count, char** arguments) {
  const std::string folder = count > 1 ? arguments[1] : "data/tyres/valid";
  Diagnostics notes;
  const auto tyre = tools::wheel_tyre(tools::read_tyre_file(folder + "/car_mf61.tir", notes).tyre,
                                      {.vertical_damping = 1e3});
  const auto frame = std::make_shared<FlexBody>(chassis());
  constexpr std::array<int, 3> kWheels = {0, 1, 4};
  std::array<std::vector<double>, 3> times;
  std::array<SimulationSummary, 3> last;
  constexpr int kRepeats = 5;
  for (int repeat = 0; repeat < kRepeats; ++repeat)
    for (std::size_t k = 0; k < kWheels.size(); ++k) {
      DynamicOptions options;
      options.end = 3.0;
      options.step = options.output_step = kStep;
      options.rho = 0.8;
      Results results;
      last[k] = simulate(truck(frame, tyre, kWheels[k]), options, results, notes, no_progress());
      if (last[k].status != RunStatus::complete) {
        fmt::print("failed: {}\n", last[k].reason);
        return 1;
      }
      for (int wheel = 0; wheel < kWheels[k]; ++wheel) {
        const WheelForce force = force_of(results, wheel);
        if (repeat == 0)
          fmt::print("  {} wheels, wheel {}: normal force {:.0f} N, at least {:.0f} N\n",
                     kWheels[k],
                     wheel,
                     force.mean,
                     force.least);
        if (!(force.least > 0.0)) {
          fmt::print("failed: wheel {} leaves the road\n", wheel);
          return 1;
        }
      }
      times[k].push_back(last[k].cpu_seconds);
    }
  for (std::vector<double>& each : times)
    std::sort(each.begin(), each.end());
  fmt::print("truck with {} modes, 3000 steps of 1e-3 s, generalised-alpha\n", kModes);
  for (std::size_t k = 0; k < kWheels.size(); ++k)
    fmt::print(
        "  {} rolling wheels: {:.4f} CPU s, {:.3f} of the truck without; {} iterations, {} "
        "factorisations, energy drift {:.1e}\n",
        kWheels[k],
        times[k][kRepeats / 2],
        times[k][kRepeats / 2] / times[0][kRepeats / 2],
        last[k].iterations,
        last[k].factorisations,
        last[k].energy_drift);
  return 0;
}
