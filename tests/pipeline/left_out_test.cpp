// Tests the estimate of the error that modal reduction causes in a run. Truth: runs with full FE
// models, for five systems with few and with many modes.
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/acting_part.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/modal/reduce.h"

#include "problems.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

using namespace mbd_solver;
using modal::Method;
using modal::ReduceOptions;

/// A system whose body `part` is a block of bricks, and the nodes whose displacements are compared.
struct Case {
  std::string name;
  FeModel model;
  std::vector<std::int64_t> joints;  ///< nodes of joints, which are the interface
  std::vector<std::int64_t> nodes;
  DynamicOptions options;
  std::function<void(System&)> complete;  ///< adds everything except `part`
};

void PrintTo(const Case& c, std::ostream* out) {  // NOLINT: GoogleTest looks for this name
  *out << c.name;
}

FeModel block(std::array<int, 3> bricks, std::array<double, 3> size) {
  FeModel model = brick_block(bricks[0], bricks[1], bricks[2], size[0], size[1], size[2]);
  model.units = parse_units("m-kg-s");
  return model;
}

Body rigid(const char* name,
           double mass,
           const Eigen::Vector3d& inertia,
           const Eigen::Vector3d& at) {
  Body body;
  body.name = name;
  body.kind = RigidInertia{mass, Eigen::Vector3d::Zero(), inertia.asDiagonal()};
  body.position = at;
  return body;
}

Joint joint(
    const char* name, JointType type, const char* a, const char* b, const Eigen::Vector3d& axis) {
  Joint out;
  out.name = name;
  out.type = type;
  out.a = a;
  out.b = b;
  if (!axis.isZero()) out.axis = axis;
  return out;
}

Force bushing(const std::string& name,
              const char* a,
              const std::string& b,
              const Eigen::Matrix<double, 6, 1>& k,
              double damping_time) {
  Bushing law;
  law.a = a;
  law.b = b;
  law.stiffness = k.asDiagonal();
  law.damping = damping_time * law.stiffness;
  return {name, law};
}

Eigen::Matrix<double, 6, 1> six(double force, double moment) {
  Eigen::Matrix<double, 6, 1> out;
  out << force, force, force, moment, moment, moment;
  return out;
}

DynamicOptions steps(double end, double step, double rows) {
  DynamicOptions out;
  out.end = end;
  out.step = step;
  out.output_step = rows;
  return out;
}

const Eigen::Vector3d kAcross = Eigen::Vector3d::UnitY();

/// A bar that swings under gravity from a horizontal position. Its bending modes come in pairs of
/// equal frequency, so that which are kept depends on the processor.
Case pendulum() {
  Case c{
      "pendulum", block({12, 1, 1}, {1.0, 0.03, 0.03}), {1}, {7, 13}, steps(0.2, 1e-4, 5e-4), {}};
  c.complete = [](System& s) {
    s.gravity[2] = -9.81;
    s.joints.push_back(joint("pin", JointType::revolute, "ground", "part/1", kAcross));
  };
  return c;
}

/// The rod of a crank that accelerates from rest to 40 rad/s.
Case slider_crank() {
  Case c{"slider-crank",
         block({12, 1, 1}, {0.6, 0.02, 0.02}),
         {1, 13},
         {7, 10},
         steps(0.2, 1e-4, 5e-4),
         {}};
  c.complete = [](System& s) {
    s.bodies.front().position = Eigen::Vector3d(0.15, 0, 0);
    s.bodies.push_back(rigid("crank", 2.0, {0.01, 0.01, 0.01}, Eigen::Vector3d::Zero()));
    s.bodies.push_back(rigid("piston", 1.0, {0.01, 0.01, 0.01}, {0.75, 0, 0}));
    s.joints.push_back(joint("main", JointType::revolute, "ground", "crank", kAcross));
    s.joints.push_back(joint("big", JointType::revolute, "crank", "part/1", kAcross));
    s.joints.push_back(
        joint("small", JointType::spherical, "part/13", "piston", Eigen::Vector3d::Zero()));
    s.joints.push_back(
        joint("bore", JointType::prismatic, "ground", "piston", Eigen::Vector3d::UnitX()));
    Motion drive;
    drive.name = "drive";
    drive.joint = "main";
    drive.value = Value("100*t^2");
    s.motions.push_back(drive);
  };
  return c;
}

/// An arm on a tower that turns and stops; a strut supports it, and it carries a load at its end.
Case robot_arm() {
  Case c{"robot arm",
         block({12, 1, 1}, {0.8, 0.03, 0.04}),
         {1, 13},
         {4, 7},
         steps(0.4, 5e-4, 1e-3),
         {}};
  c.complete = [](System& s) {
    s.gravity[2] = -9.81;
    s.bodies.push_back(rigid("base", 5.0, {0.1, 0.1, 0.1}, Eigen::Vector3d::Zero()));
    s.bodies.push_back(rigid("load", 3.0, {0.02, 0.02, 0.02}, {0.8, 0, 0}));
    s.joints.push_back(
        joint("tower", JointType::revolute, "ground", "base", Eigen::Vector3d::UnitZ()));
    s.joints.push_back(joint("shoulder", JointType::revolute, "base", "part/1", kAcross));
    s.joints.push_back(
        joint("hand", JointType::spherical, "part/13", "load", Eigen::Vector3d::Zero()));
    s.bodies[1].markers["foot"].position = Eigen::Vector3d(0, 0, -0.3);
    SpringDamper strut;
    strut.a = "base/foot";
    strut.b = "part/7";
    strut.stiffness = Value(5e5);
    strut.damping = Value(500.0);
    s.forces.push_back({"strut", strut});
    s.forces.push_back(bushing("wrist", "part/13", "load", six(0.0, 500.0), 0.01));
    Motion turn;
    turn.name = "turn";
    turn.joint = "tower";
    turn.value = Value("0.8*(t - sin(2*pi*t/0.4)*0.4/(2*pi))");
    s.motions.push_back(turn);
  };
  return c;
}

/// A plate on four feet under a force that moves along its middle line from node to node.
Case plate() {
  Case c{"plate",
         block({10, 6, 1}, {1.0, 0.6, 0.02}),
         {1, 77},
         {35, 39, 72},
         steps(0.2, 5e-4, 1e-3),
         {}};
  c.complete = [](System& s) {
    for (int i = 0; i <= 10; ++i) {
      PointForce push;
      push.on = fmt::format("part/{}", 77 + 34 + i);
      push.value = {
          Value(0.0), Value(0.0), Value(fmt::format("-1000*max(0, 1 - abs(t/0.02 - {}))", i))};
      s.forces.push_back({fmt::format("load_{}", i), push});
    }
    for (const int node : {1, 11, 67, 77})
      s.forces.push_back(bushing(fmt::format("foot_{}", node),
                                 "ground",
                                 fmt::format("part/{}", node),
                                 six(1e6, 0.0),
                                 1e-3));
  };
  return c;
}

/// A frame on four springs on a road, with a payload on mounts.
Case truck() {
  Case c{"truck",
         block({12, 3, 1}, {5.0, 0.9, 0.08}),
         {1, 52},
         {22, 20, 35},
         steps(0.6, 1e-3, 2e-3),
         {}};
  c.complete = [](System& s) {
    s.bodies.push_back(rigid("payload", 2000.0, {500, 1500, 1500}, {3, 0.3, 0.6}));
    double lag = 0.0;
    for (const int node : {1, 40, 13, 52}) {
      Eigen::Matrix<double, 6, 1> k = six(1e4, 0.0);
      k(2) = 1e5;
      s.forces.push_back(
          bushing(fmt::format("spring_{}", node), "ground", fmt::format("part/{}", node), k, 0.03));
      PointForce road;
      road.on = fmt::format("part/{}", node);
      road.value = {
          Value(0.0),
          Value(0.0),
          Value(fmt::format("(3000*sin(60*(t - {0})) + 1500*sin(170*(t - {0})))*(t > {0})", lag))};
      s.forces.push_back({fmt::format("road_{}", node), road});
      lag += 0.02;
    }
    s.forces.push_back(bushing("mount_front", "payload", "part/18", six(4e6, 1e3), 5e-3));
    s.forces.push_back(bushing("mount_rear", "payload", "part/23", six(4e6, 1e3), 5e-3));
  };
  return c;
}

std::shared_ptr<const FlexBody> full_body(const Case& c) {
  Diagnostics diagnostics;
  FeModel model = c.model;
  modal::ModeRequest request;
  request.all = true;
  model.modes = modal::compute_modes(model, request, diagnostics).modes;
  ReduceOptions options;
  options.rigid_modes = modal::RigidModes::drop;
  options.reject_above = std::numeric_limits<double>::infinity();
  return std::make_shared<FlexBody>(modal::reduce(model, options, diagnostics));
}

struct RunOutcome {
  Results results;
  SimulationSummary summary;
};

void simulate_with(const Case& c,
                   std::shared_ptr<const FlexBody> body,
                   bool tells,
                   RunOutcome& out) {
  System system;
  Body part;
  part.name = "part";
  Flexible flexible;
  flexible.body = std::move(body);
  // the same damping in every basis: 2 % at 100 Hz
  flexible.damping.kind = Damping::Kind::rayleigh;
  flexible.damping.rayleigh_stiffness = 6e-5;
  part.kind = flexible;
  system.bodies.push_back(part);
  c.complete(system);
  for (const std::int64_t node : c.nodes) {
    system.outputs.push_back(fmt::format("part/{}/displacement", node));
    if (tells) system.outputs.push_back(fmt::format("part/{}/left_out", node));
  }
  Diagnostics diagnostics;
  out.summary = simulate(system, c.options, out.results, diagnostics, no_progress());
}

/// x, y, z of a node in all rows.
Eigen::MatrixXd three(const Results& run, std::int64_t node, const char* quantity) {
  Eigen::MatrixXd out(run.rows(), 3);
  for (int axis = 0; axis < 3; ++axis)
    out.col(axis) = run.series(fmt::format("part/{}/{}/{}", node, quantity, "xyz"[axis]));
  return out;
}

class LeftOut : public ::testing::TestWithParam<Case> {};

/// Displacements at `rows`, out of those at every row of a finer run.
Eigen::MatrixXd at_times(const Eigen::MatrixXd& finer, Eigen::Index every, Eigen::Index rows) {
  Eigen::MatrixXd out(rows, finer.cols());
  for (Eigen::Index k = 0; k < rows; ++k)
    out.row(k) = finer.row(std::min(k * every, finer.rows() - 1));
  return out;
}

// Truth: the same system with every mode of the FE model, of 150 to 460 DOFs. Rows each step, at
// which differences of constraints grew once, and so far apart that they do not follow the acting
// modes, whose vibration then looked like a slow load.
TEST_P(LeftOut, EstimateHoldsWithRowsCloseTogetherAndFarApart) {
  Case c = GetParam();
  c.options.output_step = c.options.step;
  RunOutcome full;
  simulate_with(c, full_body(c), false, full);
  for (const int normal : {9, 18}) {
    ReduceOptions options;
    options.method = Method::dynamic;
    options.normal = normal;
    options.orthogonalise = true;
    options.left_out = 12;
    options.left_out_at = c.nodes;
    options.left_out_at.insert(options.left_out_at.end(), c.joints.begin(), c.joints.end());
    FeModel model = c.model;
    model.interface_nodes = c.joints;
    Diagnostics diagnostics;
    const auto body = std::make_shared<FlexBody>(modal::reduce(model, options, diagnostics));
    for (const int every : {1, 10, 17, 30, 50}) {
      c.options.output_step = every * c.options.step;
      RunOutcome run;
      simulate_with(c, body, true, run);
      for (const std::int64_t node : c.nodes) {
        const Eigen::MatrixXd acting = three(run.results, node, "displacement");
        const Eigen::MatrixXd truth =
            at_times(three(full.results, node, "displacement"), every, acting.rows()) - acting;
        const double ratio = three(run.results, node, "left_out").norm() / truth.norm();
        EXPECT_GT(ratio, 0.5) << normal << " modes, rows every " << every << ", node " << node;
        EXPECT_LT(ratio, 2.0) << normal << " modes, rows every " << every << ", node " << node;
      }
    }
  }
}

// Truth: the same system with every mode of the FE model, of 150 to 460 DOFs.
TEST_P(LeftOut, EstimateIsTheErrorAgainstTheFullModel) {
  const Case& c = GetParam();
  RunOutcome full;
  simulate_with(c, full_body(c), false, full);
  ASSERT_EQ(full.summary.status, RunStatus::complete) << full.summary.reason;
  struct Choice {
    Method method;
    std::int64_t normal;
  };
  for (const Choice choice : {Choice{Method::dynamic, 9},
                              Choice{Method::dynamic, 18},
                              Choice{Method::dynamic, 36},
                              Choice{Method::craig_chang, 9},
                              Choice{Method::craig_chang, 18}}) {
    ReduceOptions options;
    options.method = choice.method;
    options.normal = choice.normal;
    options.orthogonalise = true;
    options.left_out = 12;
    options.left_out_at = c.nodes;
    options.left_out_at.insert(options.left_out_at.end(), c.joints.begin(), c.joints.end());
    FeModel model = c.model;
    model.interface_nodes = c.joints;
    Diagnostics diagnostics;
    RunOutcome run;
    simulate_with(
        c, std::make_shared<FlexBody>(modal::reduce(model, options, diagnostics)), true, run);
    ASSERT_EQ(run.summary.status, RunStatus::complete) << run.summary.reason;
    ASSERT_EQ(run.summary.left_out.size(), 1U);
    const LeftOutReport& report = run.summary.left_out.front();
    for (const std::int64_t node : c.nodes) {
      const Eigen::MatrixXd truth =
          three(full.results, node, "displacement") - three(run.results, node, "displacement");
      const Eigen::MatrixXd estimate = three(run.results, node, "left_out");
      const double ratio = estimate.norm() / truth.norm();
      // below this share of the displacement, the error of the time steps is larger
      constexpr double kFloor = 1e-3;
      const double floor = kFloor * three(full.results, node, "displacement").norm();
      if (truth.norm() < floor) {
        EXPECT_LT(estimate.norm(), floor) << name_of(choice.method) << " " << choice.normal;
        continue;
      }
      EXPECT_GT(ratio, 0.5) << name_of(choice.method) << " " << choice.normal << " " << node;
      EXPECT_LT(ratio, 2.0) << name_of(choice.method) << " " << choice.normal << " " << node;
    }
    EXPECT_GT(report.share, 0.0);
    EXPECT_LE(report.rest, report.worst.left_out);
    EXPECT_FALSE(report.cause.empty());
  }
}

// The same run with and without the shapes of the estimate: motion is equal, only the estimate is
// added.
TEST(LeftOutShapes, DoNotChangeTheRun) {
  const Case c = truck();
  ReduceOptions options;
  options.method = Method::dynamic;
  options.normal = 12;
  options.orthogonalise = true;
  Diagnostics diagnostics;
  RunOutcome without, with;
  simulate_with(
      c, std::make_shared<FlexBody>(modal::reduce(c.model, options, diagnostics)), false, without);
  EXPECT_TRUE(without.summary.left_out.empty());
  options.left_out = 4;
  options.left_out_at = c.nodes;
  const FlexBody body = modal::reduce(c.model, options, diagnostics);
  EXPECT_EQ(acting_part(body).mode_count(), 6);
  EXPECT_GE(body.mode_count(), 10);
  simulate_with(c, std::make_shared<FlexBody>(body), true, with);
  const double scale = three(without.results, c.nodes[0], "displacement").norm();
  EXPECT_LT((three(with.results, c.nodes[0], "displacement") -
             three(without.results, c.nodes[0], "displacement"))
                .norm(),
            tolerance(1e-9) * scale);
}

// Truth: as documented, these shapes are K-orthogonal to the shapes of the body and orthogonal to
// each other. A requested node that is not in the model causes an error with its number.
TEST(LeftOutShapes, AreOrthogonalToThoseOfTheBody) {
  const Case c = robot_arm();
  FeModel model = c.model;
  model.interface_nodes = c.joints;
  ReduceOptions options;
  options.method = Method::craig_chang;
  options.normal = 9;
  options.orthogonalise = true;
  options.left_out = 5;
  options.left_out_at = {7};
  Diagnostics diagnostics;
  const FlexBody body = modal::reduce(model, options, diagnostics);
  const auto n = acting_part(body).mode_count(), all = body.mode_count();
  ASSERT_GT(all, n);
  const Eigen::VectorXd root = body.stiffness.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd k = root.asDiagonal() * body.stiffness * root.asDiagonal();
  EXPECT_LT((k - Eigen::MatrixXd::Identity(all, all)).cwiseAbs().maxCoeff(), tolerance(1e-6));
  const Eigen::MatrixXd m = body.mass.bottomRightCorner(all - n, all - n);
  const Eigen::MatrixXd off = m - Eigen::MatrixXd(m.diagonal().asDiagonal());
  EXPECT_LT(off.cwiseAbs().maxCoeff(), tolerance(1e-8) * m.diagonal().maxCoeff());
  options.left_out_at = {4711};
  EXPECT_THROW(modal::reduce(model, options, diagnostics), ModelError);
}

INSTANTIATE_TEST_SUITE_P(
    FiveSystems,
    LeftOut,
    ::testing::Values(pendulum(), slider_crank(), robot_arm(), plate(), truck()));

}  // namespace
}  // namespace femflex::testing
