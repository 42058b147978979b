// Builds flexible beams: integrates mass, stiffness and geometric stiffness by Gauss-Legendre
// quadrature with 24 points. L is the length, EI and EA are stiffnesses, rhoA is the mass per
// length.
#include "flexible_mechanisms.h"

#include <memory>
#include <utility>

#include "flex_bodies.h"

namespace femflex::testing {

using namespace mbd_solver;  // NOLINT(google-build-using-namespace): this file builds its systems
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Shape power(int direction, int exponent, double L) {
  const double n = exponent;
  return {direction, [n, L](double x) {
            return Vector3d(std::pow(x / L, n),
                            n * std::pow(x / L, n - 1) / L,
                            n < 1.5 ? 0.0 : n * (n - 1) * std::pow(x / L, n - 2) / (L * L));
          }};
}

FlexBody beam(double L,
              double EI,
              double EA,
              double rhoA,
              const std::vector<Shape>& shapes,
              double hub,
              bool stiffened) {
  const Quadrature gauss(24);
  const Index points = gauss.x.size() + 2;
  const auto n = static_cast<Index>(shapes.size());
  Eigen::Matrix3Xd positions = Eigen::Matrix3Xd::Zero(3, points);
  MatrixXd lumped = MatrixXd::Zero(points, 6), U = MatrixXd::Zero(6 * points, n),
           k = MatrixXd::Zero(n, n), spin = MatrixXd::Zero(n, n);
  const auto place = [&](Index node) {
    return node == 0 ? 0.0 : (node == points - 1 ? L : L * gauss.x(node - 1));
  };
  for (Index node = 0; node < points; ++node) {
    const double x = place(node);
    positions(0, node) = hub + x;
    const bool massive = node > 0 && node < points - 1;
    const double dx = massive ? L * gauss.w(node - 1) : 0.0;
    lumped.row(node).head(3).setConstant(rhoA * dx);
    for (Index j = 0; j < n; ++j) {
      const Shape& s = shapes[static_cast<std::size_t>(j)];
      const Vector3d w = s.at(x);
      U(6 * node + s.direction, j) = w(0);
      if (s.direction == 1) U(6 * node + 5, j) = w(1);
      if (s.direction == 2) U(6 * node + 4, j) = -w(1);
      for (Index i = 0; i < n; ++i) {
        const Shape& o = shapes[static_cast<std::size_t>(i)];
        if (o.direction != s.direction) continue;
        const Vector3d v = o.at(x);
        k(i, j) += dx * (s.direction == 0 ? EA * v(1) * w(1) : EI * v(2) * w(2));
        // tension at x for unit spin about a transverse axis: the integral of rhoA (hub + x) from x
        // to L
        if (s.direction > 0)
          spin(i, j) += dx * rhoA * (hub * (L - x) + 0.5 * (L * L - x * x)) * v(1) * w(1);
      }
    }
  }
  FlexBody body = testing::lumped_flex_body(positions, lumped, U, k);
  if (stiffened)
    for (const auto cause :
         {GeometricStiffness::Cause::spin_yy, GeometricStiffness::Cause::spin_zz})
      body.geometric.push_back({cause, 0, 0, spin});
  return make_flex_body(std::move(body));
}

System on_a_hub(FlexBody flex_body, const Value& angle) {
  System system;
  Flexible flexible;
  flexible.body = std::make_shared<FlexBody>(std::move(flex_body));
  Body body;
  body.name = "arm";
  body.kind = flexible;
  system.bodies = {body};
  Joint hub;
  hub.name = "hub";
  hub.type = JointType::revolute;
  hub.a = "ground";
  hub.b = "arm";
  hub.axis = Vector3d::UnitZ();
  system.joints = {hub};
  system.motions = {{"drive", Motion::Coordinate::angle, "hub", "", angle}};
  system.outputs = {"arm/zeta", "energy"};
  return system;
}

System flexible_slider_crank() {
  const double L1 = 0.1, L2 = 0.4, b = 0.02, h = 0.006, E = 7e10, rho = 2700.0, Omega = 40.0;
  std::vector<Shape> shapes;
  for (const double n : {1.0, 2.0})
    shapes.push_back({1, [n, L2](double x) {
                        const double c = n * M_PI / L2;
                        return Vector3d(
                            std::sin(c * x), c * std::cos(c * x), -c * c * std::sin(c * x));
                      }});
  shapes.push_back({0, [L2](double x) {
                      return Vector3d(4 * x / L2 * (1 - x / L2), 4 / L2 * (1 - 2 * x / L2), 0);
                    }});
  shapes.push_back({0, [L2](double x) {
                      return Vector3d(x / L2 * (2 * x / L2 - 1), (4 * x / L2 - 1) / L2, 0);
                    }});
  FlexBody rod_body =
      beam(L2, E * b * h * h * h / 12.0, E * b * h, rho * b * h, shapes, 0.0, false);
  System system;
  system.planar = true;
  Body crank;
  crank.name = "crank";
  crank.kind =
      RigidInertia{1.0, Vector3d::Zero(), Vector3d::Constant(0.0013333333333333337).asDiagonal()};
  crank.angular_velocity = {0, 0, Omega};
  Body rod;
  rod.name = "rod";
  Flexible flexible;
  const Index tip = rod_body.node_count();
  flexible.body = std::make_shared<FlexBody>(std::move(rod_body));
  rod.kind = flexible;
  rod.position = {L1, 0, 0};
  rod.velocity = {0, Omega * L1, 0};
  rod.angular_velocity = {0, 0, -Omega * L1 / L2};
  Body slider;
  slider.name = "slider";
  slider.kind = RigidInertia{0.3, Vector3d::Zero(), Vector3d::Constant(1e-3).asDiagonal()};
  slider.position = {L1 + L2, 0, 0};
  system.bodies = {crank, rod, slider};
  const auto pin =
      [&](const char* name, const std::string& one, const std::string& two, const Vector3d& at) {
        Joint j;
        j.name = name;
        j.type = JointType::revolute;
        j.a = one;
        j.b = two;
        j.at = at;
        j.axis = Vector3d::UnitZ();
        system.joints.push_back(j);
      };
  pin("main", "ground", "crank", Vector3d::Zero());
  pin("crankpin", "crank", "rod", rod.position);
  pin("gudgeon", "slider", "rod/" + std::to_string(tip), slider.position);
  Joint guide;
  guide.name = "guide";
  guide.type = JointType::prismatic;
  guide.a = "ground";
  guide.b = "slider";
  guide.at = slider.position;
  guide.axis = Vector3d::UnitX();
  system.joints.push_back(guide);
  system.motions = {{"drive", Motion::Coordinate::angle, "main", "", Value("40*t")}};
  system.outputs = {"rod/zeta", "rod/orientation", "slider/position/x"};
  return system;
}

System cut_beam(int pieces, double load) {
  System system;
  const double L = 1.0 / pieces;
  const auto body = std::make_shared<FlexBody>(
      beam(L, 1.0, 1e5, 1.0, {power(1, 2, L), power(1, 3, L)}, 0.0, false));
  const std::string tip = "/" + std::to_string(body->node_count());
  system.planar = true;
  for (int k = 0; k < pieces; ++k) {
    Body piece;
    piece.name = "p" + std::to_string(k);
    Flexible flexible;
    flexible.body = body;
    piece.kind = flexible;
    piece.position = {k * L, 0, 0};
    system.bodies.push_back(piece);
    Joint weld;
    weld.name = "w" + std::to_string(k);
    weld.type = JointType::fixed;
    weld.a = k == 0 ? "ground" : "p" + std::to_string(k - 1) + tip;
    weld.b = piece.name;
    weld.at = piece.position;
    system.joints.push_back(weld);
  }
  PointForce push;
  push.on = "p" + std::to_string(pieces - 1) + tip;
  push.value = {Value(0.0), Value(load), Value(0.0)};
  system.forces.push_back({"push", push});
  system.outputs = {push.on + "/position", push.on + "/orientation"};
  return system;
}

}  // namespace femflex::testing
