// Tests trees of rigid bodies under runge-kutta, whose steps are made in the coordinates of the
// joints. A mass point beside a tree, which moves alone, makes the steps those of any other model:
// in the coordinates of all bodies, with constraints.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "benchmarks.h"
#include "flex_bodies.h"
#include "integrators/assembly.h"
#include "integrators/engine.h"
#include "mechanisms.h"
#include "recursive/tree_dynamics.h"
#include "spatial/rotation.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::at;
using testing::joint;
using testing::rigid;
using testing::run;
using testing::tolerance;

Vector3d random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> any(-size, size);
  return {any(random), any(random), any(random)};
}

Body random_body(std::mt19937& random, const std::string& name) {
  Body body = rigid(name, 1.0 + random_vector(random, 0.5).x(), random_vector(random, 0.3), {});
  const Eigen::Matrix3d R = exp_rotation(random_vector(random, 2.0));
  std::get<RigidInertia>(body.kind).inertia =
      R * Vector3d(0.02, 0.03, 0.04).asDiagonal() * R.transpose();
  body.position = random_vector(random, 1.0);
  body.orientation = exp_rotation(random_vector(random, 2.0));
  body.velocity = random_vector(random, 1.0);
  body.angular_velocity = random_vector(random, 2.0);
  body.markers["p"] = {random_vector(random, 0.2), exp_rotation(random_vector(random, 2.0)), {}};
  return body;
}

const std::vector<JointType> kTreeJoints = {JointType::fixed,
                                            JointType::revolute,
                                            JointType::prismatic,
                                            JointType::cylindrical,
                                            JointType::universal,
                                            JointType::spherical};

/// Bodies on joints of the given types, each on a body before it or on the ground; one moves
/// freely and carries others. Joints run in either direction.
System random_tree(const std::vector<JointType>& types, int count, unsigned seed) {
  std::mt19937 random(seed);
  System s;
  s.gravity = {Value(0.0), Value(1.0), Value(-9.81)};
  for (int i = 0; i < count; ++i) {
    s.bodies.push_back(random_body(random, "b" + std::to_string(i)));
    if (i == 3) continue;
    const int parent = static_cast<int>(random() % static_cast<unsigned>(i + 1)) - 1;
    Joint j = joint("j" + std::to_string(i),
                    types[static_cast<std::size_t>(i) % types.size()],
                    parent < 0 ? "ground" : "b" + std::to_string(parent),
                    s.bodies.back().name);
    if (random() % 2 == 0) std::swap(j.a, j.b);
    j.at = s.bodies.back().position + random_vector(random, 0.3);
    j.axis = random_vector(random, 1.0);
    if (j.type == JointType::universal) j.axis_b = j.axis->cross(random_vector(random, 1.0));
    s.joints.push_back(j);
  }
  SpringDamper spring;
  spring.a = "ground";
  spring.b = s.bodies.back().name + "/p";
  spring.stiffness = 30.0;
  spring.damping = 0.5;
  SpringDamper between = spring;
  between.a = s.bodies.front().name + "/p";
  PointForce force;
  force.on = "b1/p";
  force.value = {Value("2*sin(3*t)"), Value(1.0), Value(-0.5)};
  force.in_body_frame = true;
  s.forces = {{"spring", spring}, {"between", between}, {"force", force}};
  return s;
}

/// The same system with steps in the coordinates of all bodies.
System beside_a_point(System s) {
  s.bodies.push_back(testing::point("alone", 1.0, {50.0, 0.0, 0.0}));
  return s;
}

Model compiled(const System& system) {
  Diagnostics diagnostics;
  return compile(system, diagnostics);
}

Eigen::Index count_of(const Results& r) {
  return static_cast<Eigen::Index>(r.channels().size());
}

DynamicOptions exact(double end, double output) {
  DynamicOptions o;
  o.end = end;
  o.output_step = output;
  o.integrator = Integrator::runge_kutta;
  o.relative_tolerance = 1e-11;
  o.absolute_tolerance = 1e-11;
  return o;
}

// Truth: the accelerations of the equations with constraints.
void expect_same_accelerations(const System& system) {
  const Model model = compiled(system);
  Engine engine(model);
  Diagnostics diagnostics;
  AssemblyReport report;
  const State state = assemble(engine, system, 0.2, report, diagnostics);
  const std::optional<Tree> tree = find_tree(model);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->n, report.degrees_of_freedom);
  VectorXd a = state.acceleration, lambda = state.multipliers;
  engine.ws.set_memory(state);
  engine.set_position(state.time, state.position);
  engine.set_velocity(state.velocity);
  ASSERT_TRUE(engine.accelerations(a, lambda));
  Workspace ws(model);
  ws.set_memory(state);
  ws.t = state.time;
  TreeDynamics dynamics(model, *tree);
  VectorXd s = VectorXd::Zero(dynamics.size()), s_dot = s;
  dynamics.begin(state, s);
  dynamics.move(VectorXd::Zero(dynamics.size()), s, ws.bodies, ws.q, ws.v);
  EXPECT_LT((ws.q - state.position).cwiseAbs().maxCoeff(), tolerance(1e-11));
  EXPECT_LT((ws.v - state.velocity).cwiseAbs().maxCoeff(), tolerance(1e-10));
  marker_positions(model, ws);
  marker_velocities(model, ws);
  residual(model, ws, VectorXd::Zero(model.nv), nullptr);
  ASSERT_TRUE(dynamics.accelerations(ws, s_dot));
  VectorXd by_tree = a;
  dynamics.copy_accelerations(ws, by_tree);
  EXPECT_LT((a - by_tree).cwiseAbs().maxCoeff(), tolerance(1e-10) * a.cwiseAbs().maxCoeff());
}

class TreeOf : public ::testing::TestWithParam<JointType> {};

TEST_P(TreeOf, HasTheAccelerationsOfTheEquationsWithConstraints) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    expect_same_accelerations(random_tree({GetParam()}, 9, seed));
}

TEST_P(TreeOf, MovesAsInTheCoordinatesOfAllBodies) {
  System s = random_tree({GetParam()}, 6, 7);
  s.outputs = {"b0/position",
               "b5/p/velocity",
               "b5/p/acceleration",
               "j5/reaction",
               "j5/reaction_torque",
               "j0/reaction"};
  Results by_tree, by_all;
  const SimulationSummary tree = run(s, exact(0.4, 0.1), by_tree);
  const SimulationSummary all = run(beside_a_point(s), exact(0.4, 0.1), by_all);
  EXPECT_LT(tree.factorisations, all.factorisations / 10);
  EXPECT_LT(tree.constraint_violation, tolerance(1e-12));
  for (Eigen::Index c = 0; c < count_of(by_tree); ++c)
    for (Eigen::Index row = 0; row < by_tree.rows(); ++row)
      EXPECT_NEAR(by_tree.value(row, c),
                  by_all.value(row, c),
                  tolerance(1e-8) * std::max(1.0, std::abs(by_all.value(row, c))))
          << by_tree.channels()[static_cast<std::size_t>(c)].name;
}

INSTANTIATE_TEST_SUITE_P(All, TreeOf, ::testing::ValuesIn(kTreeJoints), [](const auto& joint_case) {
  return std::string(name_of(joint_case.param));
});

TEST(Tree, OfAllJointsHasTheAccelerationsOfTheEquationsWithConstraints) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    expect_same_accelerations(random_tree(kTreeJoints, 30, seed));
}

System hanging_bar(const Vector3d& inertia) {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  s.bodies = {rigid("bar", 2.0, {0.3, 0.0, 0.0}, inertia)};
  s.joints = {joint("pin", JointType::revolute, "ground", "bar")};
  s.joints[0].axis = -Vector3d::UnitY();
  return s;
}

// Truth: a quarter period of a physical pendulum from rest at the level of its axis is
// K(1/2) sqrt(J / (m g c)).
TEST(Tree, APhysicalPendulumFallsInAQuarterOfItsPeriod) {
  System s = hanging_bar({0.01, 0.02, 0.02});
  s.outputs = {"pin/angle", "bar/position"};
  const double J = 0.02 + 2.0 * 0.3 * 0.3;
  const double quarter = std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt(J / (2.0 * 9.81 * 0.3));
  Results r;
  const SimulationSummary summary = run(s, exact(quarter, quarter), r);
  EXPECT_NEAR(std::abs(r.value(r.rows() - 1, 0)), 0.5 * M_PI, tolerance(1e-9));
  EXPECT_LT(summary.energy_drift, tolerance(1e-10));
}

// Truth: a wheel that turns at a constant rate w has the angle w t.
TEST(Tree, CountsTheTurnsOfAWheel) {
  System s;
  s.bodies = {rigid("wheel", 2.0, Vector3d::Zero(), {0.02, 0.02, 0.03})};
  s.bodies[0].angular_velocity = {0.0, 0.0, 40.0};
  s.joints = {joint("axle", JointType::revolute, "ground", "wheel")};
  s.outputs = {"axle/angle"};
  Results r;
  run(s, exact(2.0, 0.5), r);
  EXPECT_NEAR(r.value(r.rows() - 1, 0), 80.0, tolerance(1e-8));
}

// Truth: the run without the pause.
TEST(Tree, GoesOnFromAStateOfARow) {
  System s = random_tree(kTreeJoints, 8, 11);
  s.outputs = {"b7/position", "j7/reaction"};
  Results whole, first, rest;
  run(s, exact(0.4, 0.2), whole);
  DynamicOptions o = exact(0.4, 0.2);
  o.restart = run(s, exact(0.2, 0.2), first).final_state;
  run(s, o, rest);
  for (Eigen::Index c = 0; c < count_of(whole); ++c)
    EXPECT_NEAR(rest.value(rest.rows() - 1, c),
                whole.value(whole.rows() - 1, c),
                tolerance(1e-8) * std::max(1.0, std::abs(whole.value(whole.rows() - 1, c))));
}

/// An open chain of bars, with every other hinge about y or z.
System chain(int count) {
  System s;
  s.gravity = {Value(0.0), Value(3.0), Value(-9.81)};
  for (int i = 0; i < count; ++i) {
    const std::string name = "b" + std::to_string(i);
    s.bodies.push_back(rigid(name, 0.6, {0.1, 0.0, 0.0}, {4e-5, 2e-3, 2e-3}));
    s.bodies.back().position = {0.2 * i, 0.0, 0.0};
    s.joints.push_back(joint("j" + std::to_string(i),
                             JointType::revolute,
                             i == 0 ? "ground" : "b" + std::to_string(i - 1),
                             name));
    s.joints.back().at = s.bodies.back().position;
    s.joints.back().axis = i % 2 == 0 ? Vector3d::UnitY() : Vector3d::UnitZ();
    s.outputs.push_back(name + "/position");
  }
  return s;
}

/// Largest error of a place at the end of a run of a chain.
double worst_error(const System& system, double tolerance, const Results& truth) {
  DynamicOptions o = exact(1.0, 1.0);
  o.relative_tolerance = o.absolute_tolerance = tolerance;
  Results r;
  run(system, o, r);
  double worst = 0.0;
  for (Eigen::Index c = 0; c < count_of(truth); ++c)
    worst = std::max(worst, std::abs(r.value(r.rows() - 1, c) - truth.value(truth.rows() - 1, c)));
  return worst;
}

// Truth: a run of high accuracy, and the errors that the same tolerance leaves with constraints.
TEST(Tree, ErrsAboutAsMuchAsTheSameToleranceLeavesInTheCoordinatesOfAllBodies) {
  const System s = chain(30);
  Results truth;
  run(s, exact(1.0, 1.0), truth);
  for (const double each : {1e-3, 1e-4, 1e-6}) {
    const double by_tree = worst_error(s, each, truth);
    const double by_all = worst_error(beside_a_point(s), each, truth);
    EXPECT_LT(by_tree, 2.0 * by_all) << each;
  }
}

// Truth: the same motion if the axes of the two places point in opposite directions.
TEST(Tree, AHingeWithOppositeAxesMovesAsOneWithEqualAxes) {
  System s = hanging_bar({0.01, 0.02, 0.02});
  s.outputs = {"bar/orientation"};
  Results equal, opposite;
  run(s, exact(0.7, 0.1), equal);
  s.ground_markers["at"] = {Vector3d::Zero(), exp_rotation({M_PI / 2, 0.0, 0.0}), {}};
  s.bodies[0].markers["at"] = {Vector3d::Zero(), exp_rotation({-M_PI / 2, 0.0, 0.0}), {}};
  s.joints[0].a = "ground/at";
  s.joints[0].b = "bar/at";
  s.joints[0].axis.reset();
  run(s, exact(0.7, 0.1), opposite);
  for (Eigen::Index c = 0; c < count_of(equal); ++c)
    EXPECT_NEAR(
        equal.value(equal.rows() - 1, c), opposite.value(equal.rows() - 1, c), tolerance(1e-8));
}

// Truth: the run in the coordinates of all bodies.
TEST(Tree, OfTwoBarsThatStrikesTheGroundMovesAsInTheCoordinatesOfAllBodies) {
  System s = hanging_bar({0.01, 0.02, 0.02});
  s.bodies.push_back(rigid("ball", 1.0, {0.2, 0.0, 0.0}, Vector3d::Constant(0.01)));
  s.bodies[1].position = {0.6, 0.0, 0.0};
  s.joints.push_back(joint("ball_joint", JointType::spherical, "bar", "ball"));
  s.joints[1].at = s.bodies[1].position;
  s.bodies[1].markers["centre"] = at(0.4, 0.0);
  Contact floor;
  floor.on = "ball/centre";
  floor.radius = 0.05;
  s.ground_markers["floor"] = at(0.0, 0.0, -0.7);
  floor.plane = "ground/floor";
  floor.normal = Vector3d::UnitZ();
  floor.stiffness = 1e4;
  floor.damping = 10.0;
  s.forces = {{"floor", floor}};
  s.outputs = {"ball/centre/position", "pin/angle", "floor/value"};
  DynamicOptions o = exact(0.8, 0.02);
  o.max_step = 1e-3;
  Results by_tree, by_all;
  run(s, o, by_tree);
  run(beside_a_point(s), o, by_all);
  EXPECT_GT(by_tree.series("floor/value").maxCoeff(), 10.0);
  for (Eigen::Index row = 0; row < by_tree.rows(); ++row)
    for (Eigen::Index c = 0; c < 4; ++c)
      EXPECT_NEAR(by_tree.value(row, c), by_all.value(row, c), tolerance(1e-7));
}

// Truth: the definition of a tree.
TEST(Tree, IsNotFoundInOtherModels) {
  const System bar = hanging_bar({0.01, 0.02, 0.02});
  EXPECT_TRUE(find_tree(compiled(bar)));
  EXPECT_FALSE(find_tree(compiled(beside_a_point(bar))));
  System s = bar;
  s.joints.push_back(joint("end", JointType::distance, "ground", "bar/end"));
  s.bodies[0].markers["end"] = at(0.6, 0.0, 0.2);
  EXPECT_FALSE(find_tree(compiled(s))) << "another joint";
  s.joints.back().type = JointType::spherical;
  s.joints.back().at = Vector3d::Zero();
  EXPECT_FALSE(find_tree(compiled(s))) << "loop";
  s = bar;
  s.motions = {{"m", Motion::Coordinate::angle, "pin", "", Value("t")}};
  EXPECT_FALSE(find_tree(compiled(s))) << "motion";
  s = bar;
  Friction rub;
  rub.joint = "pin";
  rub.sliding = Value("0.01*abs([pin/reaction/x])");
  s.forces = {{"rub", rub}};
  EXPECT_FALSE(find_tree(compiled(s))) << "friction by a reaction";
  EXPECT_FALSE(find_tree(compiled(testing::double_pendulum(true)))) << "planar";
  s = bar;
  Flexible soft;
  soft.body = std::make_shared<FlexBody>(testing::double_mass_spring(Eigen::Matrix2d::Identity()));
  s.bodies[0].kind = soft;
  EXPECT_FALSE(find_tree(compiled(s))) << "flexible";
}

}  // namespace
}  // namespace femflex::mbd_solver
