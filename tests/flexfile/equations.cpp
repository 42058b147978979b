// Evaluates the equations of motion of a flexible body in three ways; contains its own parser of
// SID files. Symbols: q modal coordinates, w angular velocity, m0 and m1 the orders of a Taylor
// object.
#include "equations.h"

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>
#include <vector>

#include "femflex/frames.h"

namespace femflex::testing {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

VectorXd elastic(const FlexBody& body, const Motion& s) {
  const Index n = body.mode_count();
  return body.stiffness * s.q + body.damping.value_or(MatrixXd::Zero(n, n)) * s.q_dot;
}

/// A Taylor object of a SID file: m0 and m1[l].
struct Object {
  MatrixXd m0;
  std::vector<MatrixXd> m1;
  MatrixXd at(const VectorXd& q) const {
    MatrixXd m = m0;
    for (std::size_t l = 0; l < m1.size(); ++l)
      m += m1[l] * q(static_cast<Index>(l));
    return m;
  }
};

std::map<std::string, Object> parse_sid(const std::filesystem::path& path, double& mass) {
  std::ifstream in(path);
  std::map<std::string, Object> objects;
  std::string line;
  std::string name;
  std::map<std::string, int> head;
  bool in_frame = false;
  while (std::getline(in, line)) {
    std::replace(line.begin(),
                 line.end(),
                 'D',
                 line.find("m0(") != std::string::npos || line.find("m1(") != std::string::npos ||
                         line.find("mass") != std::string::npos
                     ? 'E'
                     : 'D');
    for (char& c : line)
      if (c == '(' || c == ')' || c == ',' || c == '=') c = ' ';
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "frame") in_frame = true;
    if (word == "end") {
      words >> word;
      if (word == "frame") in_frame = false;
      name.clear();
      continue;
    }
    if (in_frame || word.empty()) continue;
    if (word == "mass") {
      words >> mass;
    } else if (word == "m0") {
      Index r = 0;
      Index c = 0;
      double value = 0.0;
      words >> r >> c >> value;
      objects[name].m0(r - 1, c - 1) = value;
    } else if (word == "m1") {
      Index r = 0;
      Index l = 0;
      Index c = 0;
      double value = 0.0;
      words >> r >> l >> c >> value;
      objects[name].m1[static_cast<std::size_t>(l - 1)](r - 1, c - 1) = value;
    } else if (word == "order" || word == "nrow" || word == "ncol" || word == "nq") {
      words >> head[word];
    } else if (word == "structure") {
      Object& object = objects[name];
      object.m0 = MatrixXd::Zero(head["nrow"], head["ncol"]);
      if (head["order"] == 1) object.m1.assign(static_cast<std::size_t>(head["nq"]), object.m0);
    } else if (word != "nqn") {
      name = word;
    }
  }
  return objects;
}

}  // namespace

Motion random_motion(unsigned seed, Index modes) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto draw = [&] { return number(engine); };
  return {Vector3d::NullaryExpr(3, draw),
          Vector3d::NullaryExpr(3, draw),
          Vector3d::NullaryExpr(3, draw),
          VectorXd::NullaryExpr(modes, draw),
          VectorXd::NullaryExpr(modes, draw),
          VectorXd::NullaryExpr(modes, draw)};
}

LeftHandSide direct_sum(const FlexBody& body, const Motion& s) {
  LeftHandSide out{Vector3d::Zero(), Vector3d::Zero(), elastic(body, s)};
  for (Index k = 0; k < body.node_count(); ++k) {
    const double m = body.lumped_mass(k, 0);
    const MatrixXd phi = body.shapes.middleRows(6 * k, 3);
    const Vector3d r = body.nodes[static_cast<std::size_t>(k)].position + phi * s.q;
    const Vector3d v = phi * s.q_dot;
    const Vector3d acceleration =
        s.a + s.w_dot.cross(r) + s.w.cross(s.w.cross(r)) + 2.0 * s.w.cross(v) + phi * s.q_ddot;
    out.translation += m * acceleration;
    out.rotation += m * r.cross(acceleration);
    out.modes += m * phi.transpose() * acceleration;
  }
  return out;
}

LeftHandSide direct_sum_first_order(const FlexBody& body, const Motion& s) {
  Motion none = s;
  none.q.setZero();
  Motion back = s;
  back.q = -s.q;
  LeftHandSide out = direct_sum(body, s);
  out.rotation =
      direct_sum(body, none).rotation + 0.5 * (out.rotation - direct_sum(body, back).rotation);
  for (Index k = 0; k < body.node_count(); ++k) {
    const MatrixXd phi = body.shapes.middleRows(6 * k, 3);
    const Vector3d u = phi * s.q;
    const Vector3d v = phi * s.q_dot;
    out.rotation -= body.lumped_mass(k, 0) * u.cross(2.0 * s.w.cross(v));
  }
  return out;
}

LeftHandSide from_invariants(const FlexBody& body, const Motion& s) {
  const InertiaInvariants& i = body.invariants;
  const Index n = body.mode_count();
  Vector3d S = i.first_moment + i.translation * s.q;
  Matrix3d J = i.inertia;
  Matrix3d coriolis = Matrix3d::Zero();  // sum m r~ phi_l~ q'_l
  Eigen::Matrix3Xd rotation = i.rotation;
  for (Index l = 0; l < n; ++l) {
    const Matrix3d B = i.inertia_rate.middleCols<3>(3 * l);
    J -= s.q(l) * (B + B.transpose());
    coriolis += s.q_dot(l) * B;
    rotation += s.q(l) * i.translation_rate.middleCols(n * l, n);
    for (Index k = 0; k < n; ++k) {
      const Matrix3d h = i.inertia_curvature.block<3, 3>(3 * l, 3 * k);
      J -= s.q(l) * s.q(k) * h;
      coriolis += s.q(l) * s.q_dot(k) * h;
    }
  }
  LeftHandSide out;
  out.translation = i.mass * s.a + s.w_dot.cross(S) + i.translation * s.q_ddot +
                    s.w.cross(s.w.cross(S)) + 2.0 * s.w.cross(i.translation * s.q_dot);
  out.rotation =
      S.cross(s.a) + J * s.w_dot + rotation * s.q_ddot + s.w.cross(J * s.w) - 2.0 * coriolis * s.w;
  out.modes = i.translation.transpose() * s.a + rotation.transpose() * s.w_dot +
              body.mass * s.q_ddot + elastic(body, s);
  for (Index k = 0; k < n; ++k) {
    Matrix3d A = i.inertia_rate.middleCols<3>(3 * k).transpose();
    for (Index l = 0; l < n; ++l) {
      A += s.q(l) * i.inertia_curvature.block<3, 3>(3 * k, 3 * l);
      out.modes(k) += 2.0 * s.q_dot(l) * i.translation_rate.col(n * l + k).dot(s.w);
    }
    out.modes(k) += s.w.dot(A * s.w);
  }
  return out;
}

LeftHandSide from_sid_file(const std::filesystem::path& path, const Motion& s) {
  double mass = 0.0;
  auto o = parse_sid(path, mass);
  const Index n = s.q.size();
  const Vector3d S = o["mdCM"].at(s.q);
  const VectorXd six = o["J"].at(s.q);
  Matrix3d J;
  J << six(0), six(3), six(4), six(3), six(1), six(5), six(4), six(5), six(2);
  const MatrixXd Ct = o["Ct"].at(s.q);
  const MatrixXd Cr = o["Cr"].at(s.q);
  Matrix3d gyroscopic = Matrix3d::Zero();
  const MatrixXd Gr = o["Gr"].at(s.q);
  MatrixXd Ge = MatrixXd::Zero(n, 3);
  for (Index l = 0; l < n; ++l) {
    gyroscopic += Gr.middleCols(3 * l, 3) * s.q_dot(l);
    Ge += o["Ge"].m0.middleCols(3 * l, 3) * s.q_dot(l);
  }
  VectorXd squares(6);
  squares << s.w.x() * s.w.x(), s.w.y() * s.w.y(), s.w.z() * s.w.z(), s.w.x() * s.w.y(),
      s.w.y() * s.w.z(), s.w.x() * s.w.z();
  LeftHandSide out;
  out.translation = mass * s.a + cross_matrix(S).transpose() * s.w_dot + Ct.transpose() * s.q_ddot +
                    s.w.cross(s.w.cross(S)) + 2.0 * s.w.cross(Vector3d(Ct.transpose() * s.q_dot));
  out.rotation = S.cross(s.a) + J * s.w_dot + Cr.transpose() * s.q_ddot + s.w.cross(J * s.w) +
                 gyroscopic * s.w;
  out.modes = Ct * s.a + Cr * s.w_dot + o["Me"].m0 * s.q_ddot + Ge * s.w +
              o["Oe"].at(s.q) * squares + o["Ke"].m0 * s.q + o["De"].m0 * s.q_dot + o["ksigma"].m0;
  return out;
}

double difference(const LeftHandSide& a, const LeftHandSide& b) {
  VectorXd x(6 + a.modes.size());
  VectorXd y(6 + b.modes.size());
  x << a.translation, a.rotation, a.modes;
  y << b.translation, b.rotation, b.modes;
  return (x - y).cwiseAbs().maxCoeff() / y.cwiseAbs().maxCoeff();
}

}  // namespace femflex::testing
