// Builds the mechanisms with the data of their publications, which are cited in the files of the
// shared benchmarks.
#include "mechanisms.h"

#include <array>
#include <cmath>

#include <Eigen/Geometry>

namespace femflex::testing {

using namespace mbd_solver;  // NOLINT(google-build-using-namespace): this file builds its systems
using Eigen::Vector3d;

Eigen::Matrix3d turn_z(double angle) {
  return Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
}

Marker at(double x, double y, double z) {
  return {Vector3d(x, y, z), Eigen::Matrix3d::Identity(), {}};
}

Body rigid(const std::string& name, double mass, const Vector3d& com, const Vector3d& inertia) {
  Body body;
  body.name = name;
  body.kind = RigidInertia{mass, com, inertia.asDiagonal()};
  return body;
}

Body point(const std::string& name,
           double mass,
           const Vector3d& position,
           const Vector3d& velocity) {
  Body body;
  body.name = name;
  body.kind = PointMass{mass};
  body.position = position;
  body.velocity = velocity;
  return body;
}

Joint joint(const std::string& name, JointType type, const std::string& a, const std::string& b) {
  Joint j;
  j.name = name;
  j.type = type;
  j.a = a;
  j.b = b;
  return j;
}

System planar_under_gravity() {
  System system;
  system.planar = true;
  system.gravity = {Value(0.0), Value(-9.81), Value(0.0)};
  return system;
}

System simple_pendulum() {
  System system = planar_under_gravity();
  system.bodies.push_back(point("m", 1.0, {-1.0, 0.0, 0.0}));
  Joint rod = joint("rod", JointType::distance, "ground", "m");
  rod.length = 1.0;
  system.joints.push_back(rod);
  return system;
}

System four_bars(int n) {
  System system = planar_under_gravity();
  const double inertia = 1.0 / 12.0;
  for (int i = 0; i <= n; ++i) {
    Body link = rigid("v" + std::to_string(i), 1.0, {0.5, 0, 0}, {inertia, inertia, inertia});
    link.position = {static_cast<double>(i), 0, 0};
    link.orientation = turn_z(M_PI / 2);
    link.angular_velocity = {0, 0, -1};
    link.markers["tip"] = at(1, 0);
    system.bodies.push_back(link);
    system.joints.push_back(
        joint("g" + std::to_string(i), JointType::revolute, "ground", link.name));
    system.joints.back().at = link.position;
  }
  for (int i = 0; i < n; ++i) {
    Body bar = rigid("h" + std::to_string(i), 1.0, {0.5, 0, 0}, {inertia, inertia, inertia});
    bar.position = {static_cast<double>(i), 1, 0};
    bar.velocity = {1, 0, 0};
    system.bodies.push_back(bar);
    for (const int side : {0, 1}) {
      system.joints.push_back(joint("p" + std::to_string(2 * i + side),
                                    JointType::revolute,
                                    "v" + std::to_string(i + side),
                                    bar.name));
      system.joints.back().at = Vector3d(i + side, 1, 0);
    }
  }
  system.outputs = {"v0/tip/position", "v0/tip/velocity", "energy"};
  return system;
}

System squeezer() {
  System system;
  system.planar = true;
  const double beta = -0.06171389001427645, gamma = 0.45527981916307037, Phi = 0.22266839016588588,
               delta = 0.48736497954384256, epsilon = 1.2305474445498212;
  const auto body = [&](const char* name,
                        double mass,
                        double inertia,
                        double angle,
                        const Vector3d& origin,
                        double cx,
                        double cy) {
    Body b = rigid(name, mass, {cx, cy, 0}, {inertia, inertia, inertia});
    b.position = origin;
    b.orientation = turn_z(angle);
    system.bodies.push_back(b);
    return &system.bodies.back();
  };
  system.bodies.reserve(8);
  const Vector3d A(-0.06934, -0.00227, 0), B(-0.03635, 0.03273, 0), O(0, 0, 0);
  Body* k1 = body("k1", 0.04325, 2.194e-6, beta, O, 0.00092, 0);
  k1->markers["F"] = at(0.007, 0);
  const Vector3d F = k1->orientation * Vector3d(0.007, 0, 0);
  body("k2", 0.00365, 4.41e-7, beta, F, -0.0115, 0)->markers["E"] = at(-0.028, 0);
  Body* k3 = body("k3", 0.02373, 5.255e-6, gamma, B, 0.01043, -0.01874);
  k3->markers["E"] = at(0, -0.035);
  k3->markers["D"] = at(0.02, -0.018);
  Body* k5 = body("k5", 0.0705, 1.169e-5, delta, A, 0.02308, 0.00916);
  k5->markers["G"] = at(0.04, 0);
  const Vector3d G = A + k5->orientation * Vector3d(0.04, 0, 0);
  body("k4", 0.00706, 5.667e-7, Phi + delta, G, 0, -(0.02 - 0.01421))->markers["E"] = at(0, -0.02);
  Body* k7 = body("k7", 0.05498, 1.912e-5, epsilon, A, -0.00449, -0.01228);
  k7->markers["H"] = at(0, -0.04);
  const Vector3d H = A + k7->orientation * Vector3d(0, -0.04, 0);
  body("k6", 0.00706, 5.667e-7, -Phi + epsilon, H, 0.02 - 0.01421, 0)->markers["E"] = at(0.02, 0);
  for (Body& b : system.bodies)
    b.markers["o"] = at(0, 0);
  system.ground_markers["O"] = at(0, 0);
  system.ground_markers["A"] = {A, Eigen::Matrix3d::Identity(), {}};
  system.ground_markers["B"] = {B, Eigen::Matrix3d::Identity(), {}};
  system.ground_markers["C"] = at(0.014, 0.072);
  const char* pins[10][3] = {{"beta", "ground/O", "k1/o"},
                             {"Theta", "k1/F", "k2/o"},
                             {"gamma", "ground/B", "k3/o"},
                             {"Phi", "k5/G", "k4/o"},
                             {"delta", "ground/A", "k5/o"},
                             {"Omega", "k7/H", "k6/o"},
                             {"epsilon", "ground/A", "k7/o"},
                             {"e2", "k3/E", "k2/E"},
                             {"e4", "k3/E", "k4/E"},
                             {"e6", "k3/E", "k6/E"}};
  for (const auto& pin : pins)
    system.joints.push_back(joint(pin[0], JointType::revolute, pin[1], pin[2]));
  SpringDamper spring;
  spring.a = "ground/C";
  spring.b = "k3/D";
  spring.stiffness = 4530.0;
  spring.length = 0.07785;
  system.forces.push_back({"spring", spring});
  PointTorque drive;
  drive.on = "k1";
  drive.value = {Value(0.0), Value(0.0), Value(0.033)};
  system.forces.push_back({"drive", drive});
  for (const char* name : {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"}) {
    system.outputs.push_back(std::string(name) + "/angle");
    system.outputs.push_back(std::string(name) + "/angle_rate");
  }
  for (const char* name : {"k1", "k2", "k3", "k4", "k5", "k6", "k7"})
    system.outputs.push_back(std::string(name) + "/angular_acceleration/z");
  system.outputs.insert(system.outputs.end(), {"k1/F/position", "energy"});
  return system;
}

// The axle is a massless body with prescribed motion.
System car_axis() {
  System system;
  system.planar = true;
  system.gravity = {Value(0.0), Value(-1.0), Value(0.0)};
  const double mass = 10.0 * 0.01 * 0.01 / 2.0;
  system.bodies.push_back(rigid("axle", 0.0, Vector3d::Zero(), Vector3d::Zero()));
  system.bodies.back().markers["right"] = at(1, 0);
  system.bodies.push_back(point("l", mass, {0, 0.5, 0}, {-0.5, 0, 0}));
  system.bodies.push_back(point("r", mass, {1, 0.5, 0}, {-0.5, 0, 0}));
  system.joints.push_back(joint("hub", JointType::revolute, "ground", "axle"));
  system.joints.back().axis = Vector3d::UnitZ();
  system.motions.push_back(
      {"road", Motion::Coordinate::angle, "hub", "", Value("asin(0.1*sin(10*t))")});
  system.joints.push_back(joint("upright", JointType::point_on_plane, "axle", "l"));
  system.joints.back().at = Vector3d::Zero();
  system.joints.back().axis = Vector3d::UnitX();
  // the plane belongs to the axle and is perpendicular to it at its left end; the point is the mass
  // l
  system.bodies[0].markers["plane"] = {
      Vector3d::Zero(), Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY()).toRotationMatrix(), {}};
  system.joints.back().at.reset();
  system.joints.back().axis.reset();
  system.joints.back().a = "axle/plane";
  system.joints.push_back(joint("bar", JointType::distance, "l", "r"));
  for (const auto& [name, a, b] :
       {std::array<const char*, 3>{"left", "ground", "l"}, {"right", "axle/right", "r"}}) {
    SpringDamper spring;
    spring.a = a;
    spring.b = b;
    spring.stiffness = 1.0;
    spring.length = 0.5;
    system.forces.push_back({name, spring});
  }
  return system;
}

System crane_crab() {
  System system = planar_under_gravity();
  system.bodies.push_back(rigid("trolley", 1.0, Vector3d::Zero(), {0.1, 0.1, 0.1}));
  Body bob = rigid("bob", 0.5, {0, -1, 0}, {0.1, 0.1, 0.1});
  bob.orientation = turn_z(2.6179938779915);
  system.bodies.push_back(bob);
  system.joints.push_back(joint("rail", JointType::prismatic, "ground", "trolley"));
  system.joints.back().axis = Vector3d::UnitX();
  system.joints.push_back(joint("pin", JointType::revolute, "trolley", "bob"));
  system.joints.back().axis = Vector3d::UnitZ();
  system.ground_markers["wall"] = at(-50, 0);
  SpringDamper damper;
  damper.a = "ground/wall";
  damper.b = "trolley";
  damper.damping = 10.0;
  system.forces.push_back({"damper", damper});
  system.outputs = {
      "rail/displacement", "rail/displacement_rate", "pin/angle", "pin/angle_rate", "energy"};
  return system;
}

System double_pendulum(bool planar) {
  System system = planar_under_gravity();
  system.planar = planar;
  system.bodies.push_back(rigid("one", 1.0, {1, 0, 0}, {0.1, 0.1, 0.1}));
  system.bodies.push_back(rigid("two", 0.2, {0.4, 0, 0}, {0.01, 0.01, 0.01}));
  system.bodies[1].position = {1, 0, 0};
  system.joints.push_back(joint("phi1", JointType::revolute, "ground", "one"));
  system.joints.back().axis = Vector3d::UnitZ();
  system.joints.push_back(joint("phi2", JointType::revolute, "one", "two"));
  system.joints.back().at = Vector3d(1, 0, 0);
  system.joints.back().axis = Vector3d::UnitZ();
  system.outputs = {"phi1/angle", "phi2/angle", "phi1/angle_rate", "phi2/angle_rate", "energy"};
  return system;
}

System spatial_slider_crank() {
  System system;
  system.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  const Vector3d A(0, 0.1, 0.12), B(0, 0.1, 0.2), C(0.2, 0, 0);
  Body crank = rigid("crank", 0.12, {0, 0, 0.04}, {1e-4, 1e-4, 1e-5});
  crank.position = A;
  crank.angular_velocity = {6, 0, 0};
  Body rod = rigid("rod", 0.5, {0.15, 0, 0}, {4e-4, 4e-3, 4e-3});
  rod.position = B;
  rod.orientation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), C - B).toRotationMatrix();
  rod.velocity = {0, -0.48, 0};
  rod.angular_velocity = {1.92, -0.96, 0.48};
  Body slider = rigid("slider", 2.0, Vector3d::Zero(), {1e-4, 1e-4, 1e-4});
  slider.position = C;
  slider.velocity = {0.24, 0, 0};
  system.bodies = {crank, rod, slider};
  system.joints.push_back(joint("hinge", JointType::revolute, "ground", "crank"));
  system.joints.back().at = A;
  system.joints.back().axis = Vector3d::UnitX();
  system.joints.push_back(joint("ball", JointType::spherical, "crank", "rod"));
  system.joints.back().at = B;
  system.joints.push_back(joint("cardan", JointType::universal, "slider", "rod"));
  system.joints.back().at = C;
  system.joints.back().axis = Vector3d::UnitX();
  system.joints.back().axis_b = Vector3d::UnitX().cross(C - B);
  system.joints.push_back(joint("guide", JointType::prismatic, "ground", "slider"));
  system.joints.back().at = C;
  system.joints.back().axis = Vector3d::UnitX();
  system.outputs = {"hinge/angle", "hinge/angle_rate", "slider/position/x", "energy"};
  return system;
}

System slider_crank(bool driven) {
  System system = planar_under_gravity();
  const double L1 = 0.15, L2 = 0.3, m1 = 0.36, m2 = 0.151104;
  const double phi = driven ? 0.0 : M_PI / 4;
  const double swing = -std::asin(L1 * std::sin(phi) / L2);
  Body crank = rigid("crank", m1, {L1 / 2, 0, 0}, Vector3d::Constant(m1 * L1 * L1 / 12));
  crank.orientation = turn_z(phi);
  Body rod = rigid("rod", m2, {L2 / 2, 0, 0}, Vector3d::Constant(m2 * L2 * L2 / 12));
  rod.position = crank.orientation * Vector3d(L1, 0, 0);
  rod.orientation = turn_z(swing);
  Body slider = rigid("slider", 0.075552, Vector3d::Zero(), Vector3d::Constant(1e-5));
  slider.position = rod.position + rod.orientation * Vector3d(L2, 0, 0);
  slider.position.y() = 0.0;
  system.bodies = {crank, rod, slider};
  const auto pin = [&](const char* name, const char* a, const char* b, const Vector3d& where) {
    system.joints.push_back(joint(name, JointType::revolute, a, b));
    system.joints.back().at = where;
    system.joints.back().axis = Vector3d::UnitZ();
  };
  pin("main", "ground", "crank", Vector3d::Zero());
  pin("crankpin", "crank", "rod", rod.position);
  pin("gudgeon", "rod", "slider", slider.position);
  system.joints.push_back(joint("bore", JointType::prismatic, "ground", "slider"));
  system.joints.back().at = slider.position;
  system.joints.back().axis = Vector3d::UnitX();
  if (driven)
    system.motions.push_back({"drive", Motion::Coordinate::angle, "main", "", Value("150*t")});
  system.outputs = {"slider/position/x",
                    "slider/velocity/x",
                    "slider/acceleration/x",
                    "main/angle",
                    "main/angle_rate"};
  if (driven) system.outputs.emplace_back("drive/torque");
  return system;
}

System bushed_block(bool gravity, bool damped) {
  System system;
  if (gravity) system.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  system.bodies.push_back(rigid("block", 120.0, Vector3d::Zero(), {6, 14, 17}));
  int k = 0;
  for (const auto& p : {Vector3d(0.8, 0.45, -0.12),
                        Vector3d(0.8, -0.45, -0.12),
                        Vector3d(-0.6, 0.45, -0.12),
                        Vector3d(-0.6, -0.45, -0.12)}) {
    Bushing bushing;
    bushing.a = "ground";
    bushing.b = "block";
    bushing.at = p;
    bushing.stiffness.diagonal() << 200000, 150000, 300000, 120, 80, 60;
    if (damped) bushing.damping.diagonal() << 300, 250, 450, 1.2, 0.8, 0.6;
    system.forces.push_back({"b" + std::to_string(++k), bushing});
  }
  system.outputs = {"block/position", "block/orientation"};
  return system;
}

// The car drives along +x. Heave is along y; a nose-down pitch is a rotation about -z.
System half_car(double road) {
  System system;
  system.planar = true;
  Body body = rigid("car", 580.0, Vector3d::Zero(), Vector3d::Constant(1100.0));
  body.markers["front"] = at(1.25, 0);
  body.markers["rear"] = at(-1.51, 0);
  system.bodies = {body,
                   rigid("wf", 40.0, Vector3d::Zero(), Vector3d::Constant(1.0)),
                   rigid("wr", 35.5, Vector3d::Zero(), Vector3d::Constant(1.0))};
  system.bodies[1].position = {1.25, -0.5, 0};
  system.bodies[2].position = {-1.51, -0.5, 0};
  system.ground_markers["front"] = at(1.25, -1.0);
  system.ground_markers["rear"] = at(-1.51, -1.0);
  for (const std::string wheel : {"wf", "wr"}) {
    system.joints.push_back(joint("g" + wheel, JointType::prismatic, "ground", wheel));
    system.joints.back().axis = Vector3d::UnitY();
  }
  system.motions.push_back({"hold", Motion::Coordinate::x, "", "car", Value(0.0)});
  const auto spring =
      [&](const char* name, const char* a, const char* b, double k, double c, double force) {
        SpringDamper s;
        s.a = a;
        s.b = b;
        s.stiffness = k;
        s.damping = c;
        s.force = force;
        system.forces.push_back({name, s});
      };
  spring("sf", "wf", "car/front", 23500, 1000, 0.0);
  spring("sr", "wr", "car/rear", 25500, 1100, 0.0);
  spring("tf", "ground/front", "wf", 190000, 0.0, -190000 * road);
  spring("tr", "ground/rear", "wr", 190000, 0.0, -190000 * road);
  system.outputs = {"car/position/y", "car/orientation/z", "wf/position/y", "wr/position/y"};
  return system;
}

System elastic_pendulum() {
  System system = planar_under_gravity();
  system.bodies.push_back(point("m", 1.0, {1.2, 0, 0}));
  SpringDamper spring;
  spring.a = "ground";
  spring.b = "m";
  spring.stiffness = 40.0;
  spring.length = 1.0;
  system.forces.push_back({"s", spring});
  return system;
}

System free_asymmetric_body() {
  System system;
  system.bodies.push_back(rigid("body", 5.0, Vector3d::Zero(), {1, 2, 3}));
  system.bodies[0].angular_velocity = {0.01, 2.0, 0.01};
  return system;
}

}  // namespace femflex::testing
