#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "spatial/equations.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

constexpr double kRedundant = 1e-7;  // a pivot this small repeats other rows

const BodyModel& body_of(const Model& model, int marker) {
  return model
      .bodies[static_cast<std::size_t>(model.markers[static_cast<std::size_t>(marker)].body)];
}

bool is_augmented(const Model& model, const JointModel& joint) {
  return std::any_of(
      joint.legs.begin(), joint.legs.end(), [&](int leg) { return body_of(model, leg).augmented; });
}

void add(const BlockFactor::Block& block, int r, int c, double value) {
  block(r, c) += value;
}

/// Velocity and angular velocity of a marker in W per velocity coordinate of its body (6 x width,
/// by columns).
void marker_jacobian(const Model& model, const Workspace& ws, int marker, double* out) {
  const MarkerModel& m = model.markers[static_cast<std::size_t>(marker)];
  const BodyModel& b = body_of(model, marker);
  const BodyKinematics& body = ws.bodies[static_cast<std::size_t>(m.body)];
  const MarkerKinematics& kin = ws.markers[static_cast<std::size_t>(marker)];
  Matrix6d full = Matrix6d::Identity();
  full.topRightCorner<3, 3>() = -cross_matrix(kin.p - body.p) * body.R;
  full.bottomRightCorner<3, 3>() = body.R;
  for (int c = 0; c < b.nr; ++c)
    Eigen::Map<Vector6d>(out + 6 * c) = full.col(b.dof[static_cast<std::size_t>(c)]);
  if (!m.on_node) return;
  for (int c = 0; c < b.n; ++c) {
    Eigen::Map<Vector6d> column(out + 6 * (b.nr + c));
    column.head<3>() = body.R * kin.J_t.col(c);
    if (m.turns)
      column.tail<3>() = body.R * kin.J_r.col(c);
    else
      column.tail<3>().setZero();
  }
}

}  // namespace

KktMatrix::KktMatrix(const Model& model) {
  std::vector<BlockNode> nodes;
  std::set<std::pair<int, int>> edges;
  const auto connect = [&](int i, int j) {
    if (i != j) edges.insert({std::min(i, j), std::max(i, j)});
  };
  std::vector<bool> dense(model.bodies.size(), false);
  for (std::size_t k = 0; k < model.bodies.size(); ++k)
    dense[k] = model.bodies[k].dense_modes;
  for (const JointModel& j : model.joints)
    if (is_augmented(model, j))
      for (const int leg : j.legs)
        dense[static_cast<std::size_t>(model.markers[static_cast<std::size_t>(leg)].body)] = true;
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    nodes.push_back({b.nr, false, false, b.augmented && b.n == 0, b.node});
    if (b.n > 0) {
      nodes.push_back({b.n, false, !dense[k], false, b.node});
      connect(b.node, b.node + 1);
    }
  }
  const auto nodes_of = [&](int marker, bool all = false) {
    std::vector<int> list;
    const BodyModel& b = body_of(model, marker);
    if (b.kind == BodyModel::Kind::ground) return list;
    list.push_back(b.node);
    if (b.n > 0 && (all || model.markers[static_cast<std::size_t>(marker)].on_node))
      list.push_back(b.node + 1);
    return list;
  };
  for (const JointModel& j : model.joints) {
    nodes.push_back({j.m, true, false, false});
    for (const int leg : j.legs)
      for (const int n : nodes_of(leg))
        connect(n, j.node);
    if (is_augmented(model, j))
      for (const int leg : j.legs)
        for (const int other : j.legs)
          for (const int n : nodes_of(leg))
            for (const int o : nodes_of(other))
              connect(n, o);
  }
  for (const ForceModel& f : model.forces) {
    if (!f.stiff) continue;
    std::vector<int> touched;
    for (const int marker : {f.a, f.b})
      if (marker >= 0)
        for (const int n : nodes_of(marker))
          touched.push_back(n);
    for (const int n : touched)
      for (const int o : touched)
        connect(n, o);
  }
  std::vector<int> first(nodes.size());
  int at = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    first[k] = at;
    at += nodes[k].size;
  }
  order_v_.resize(static_cast<std::size_t>(model.nv));
  order_l_.resize(static_cast<std::size_t>(model.nl));
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    for (int c = 0; c < b.nr + b.n; ++c)
      order_v_[static_cast<std::size_t>(b.v0 + c)] =
          c < b.nr ? first[static_cast<std::size_t>(b.node)] + c
                   : first[static_cast<std::size_t>(b.node + 1)] + c - b.nr;
  }
  for (const JointModel& j : model.joints)
    for (int r = 0; r < j.m; ++r)
      order_l_[static_cast<std::size_t>(j.l0 + r)] = first[static_cast<std::size_t>(j.node)] + r;
  scale_.assign(static_cast<std::size_t>(model.nl), 1.0);
  x_.assign(static_cast<std::size_t>(at), 0.0);
  int widest = 6;
  double mass = 0.0;
  for (const BodyModel& b : model.bodies) {
    widest = std::max(widest, b.nr + b.n);
    mass = std::max(mass, b.mass);
  }
  if (mass > 0.0) reference_mass_ = mass;
  for (std::vector<double>& jacobian : jacobian_)
    jacobian.assign(static_cast<std::size_t>(6 * widest), 0.0);
  for (const JointModel& j : model.joints)
    augmented_.push_back(is_augmented(model, j));
  factor_ =
      BlockFactor(std::move(nodes), std::vector<std::pair<int, int>>(edges.begin(), edges.end()));
}

// eq. (26): mass of the state, gyroscopic terms of the frames, modal stiffness and damping
void KktMatrix::add_inertia(const Model& model,
                            const Workspace& ws,
                            double velocity,
                            double position) {
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    const BodyKinematics& kin = ws.bodies[k];
    const BlockFactor::Block rigid = factor_.block(b.node, b.node);
    if (b.kind == BodyModel::Kind::point) {
      for (int c = 0; c < b.nr; ++c)
        add(rigid, c, c, b.mass);
      continue;
    }
    Matrix6d M = Matrix6d::Zero();
    M.diagonal().head<3>().setConstant(b.mass);
    const bool flexible = b.kind == BodyModel::Kind::flexible;
    const FlexInertia* I = flexible ? &ws.flexes[static_cast<std::size_t>(b.flex)] : nullptr;
    const Matrix3d& J = flexible ? I->J : b.inertia;
    M.bottomRightCorner<3, 3>() = J;
    if (velocity != 0.0)
      M.bottomRightCorner<3, 3>() += velocity * (cross_matrix(kin.w) * J - cross_matrix(J * kin.w));
    if (flexible) {
      const Matrix3d coupling = kin.R * cross_matrix(I->s);
      M.topRightCorner<3, 3>() = -coupling;
      M.bottomLeftCorner<3, 3>() = -coupling.transpose();
    }
    for (int r = 0; r < b.nr; ++r)
      for (int c = 0; c < b.nr; ++c)
        add(rigid, r, c, M(b.dof[static_cast<std::size_t>(r)], b.dof[static_cast<std::size_t>(c)]));
    if (b.n == 0) continue;
    const FlexModel& f = model.flexes[static_cast<std::size_t>(b.flex)];
    const BlockFactor::Block modal = factor_.block(b.node + 1, b.node + 1);
    const BlockFactor::Block across = factor_.block(b.node, b.node + 1);
    const BlockFactor::Block down = factor_.block(b.node + 1, b.node);
    for (int j = 0; j < b.n; ++j) {
      const Vector3d translation = kin.R * f.N3.col(j);
      const double full[6] = {
          translation.x(), translation.y(), translation.z(), I->H(0, j), I->H(1, j), I->H(2, j)};
      for (int c = 0; c < b.nr; ++c) {
        const double value = full[b.dof[static_cast<std::size_t>(c)]];
        add(across, c, j, value);
        add(down, j, c, value);
      }
      add(modal, j, j, f.m_diagonal(j) + velocity * f.b(j, j) + position * f.k_diagonal(j));
    }
    if (!f.diagonal && velocity != 0.0)
      for (int i = 0; i < b.n; ++i)
        for (int j = 0; j < b.n; ++j)
          if (i != j) add(modal, i, j, velocity * f.b(i, j));
    if (modal.col_step != 0 && position != 0.0)  // a dense block has room for the stiffening
      for (const FlexModel::Geometric& g : f.geometric) {
        using Cause = GeometricStiffness::Cause;
        double amount = 0.0;
        if (g.cause == Cause::spin_xx) amount = kin.w.x() * kin.w.x();
        if (g.cause == Cause::spin_yy) amount = kin.w.y() * kin.w.y();
        if (g.cause == Cause::spin_zz) amount = kin.w.z() * kin.w.z();
        if (amount == 0.0) continue;
        for (int i = 0; i < b.n; ++i)
          for (int j = 0; j < b.n; ++j)
            add(modal, i, j, position * amount * g.stiffness(i, j));
      }
  }
}

// adds left' stiffness right to the blocks of the two markers' bodies
void KktMatrix::add_pair(const Model& model,
                         int a,
                         int b,
                         const Matrix6d& stiffness,
                         const double* left,
                         const double* right) {
  if (stiffness.isZero(0.0)) return;
  const BodyModel& A = body_of(model, a);
  const BodyModel& B = body_of(model, b);
  const bool modal_a = model.markers[static_cast<std::size_t>(a)].on_node;
  const bool modal_b = model.markers[static_cast<std::size_t>(b)].on_node;
  for (int j = 0; j < (modal_b ? 2 : 1); ++j) {
    const int cols = j == 0 ? B.nr : B.n;
    for (int i = 0; i < (modal_a ? 2 : 1); ++i) {
      const BlockFactor::Block block = factor_.block(A.node + i, B.node + j);
      const int rows = i == 0 ? A.nr : A.n;
      for (int c = 0; c < cols; ++c) {
        const Vector6d load =
            stiffness * Eigen::Map<const Vector6d>(right + 6 * (j == 0 ? c : B.nr + c));
        for (int r = 0; r < rows; ++r)
          block(r, c) += load.dot(Eigen::Map<const Vector6d>(left + 6 * (i == 0 ? r : A.nr + r)));
      }
    }
  }
}

// eq. (27): the load's Jacobian by differences at its two markers, chained through theirs
void KktMatrix::add_force(
    const Model& model, Workspace& ws, const ForceModel& f, double velocity, double position) {
  const double largest = std::max(velocity, position);
  if (largest == 0.0) return;
  const double step = 1e-7 * model.length_scale / largest;
  const MarkerKinematics& B0 = ws.markers[static_cast<std::size_t>(f.b)];
  const MarkerKinematics& A0 = f.a >= 0 ? ws.markers[static_cast<std::size_t>(f.a)] : B0;
  const int markers[2] = {f.a, f.b};
  Matrix6d slope[2][2];
  Matrix3d by_position, by_velocity;
  const bool exact = spring_slopes(f, A0, B0, by_position, by_velocity);
  const PairLoad base = exact ? PairLoad{} : load_of(model, ws, f, A0, B0);
  for (int m = 0; m < 2; ++m) {
    if (markers[m] < 0 || body_of(model, markers[m]).nr == 0) continue;
    for (int i = 0; i < 2 && exact; ++i) {
      slope[i][m].setZero();
      slope[i][m].topLeftCorner<3, 3>() =
          (i == m ? 1.0 : -1.0) * (position * by_position + velocity * by_velocity);
    }
    for (int c = 0; c < 6 && !exact; ++c) {
      MarkerKinematics& moved = moved_;
      const MarkerKinematics& from = m == 0 ? A0 : B0;
      moved.p = from.p;
      moved.R = from.R;
      moved.v = from.v;
      moved.w = from.w;
      const Vector3d unit = Vector3d::Unit(c % 3);
      if (c < 3) {
        moved.p += position * step * unit;
        moved.v += velocity * step * unit;
      } else {
        moved.R = exp_rotation(position * step * unit) * moved.R;
        moved.w += velocity * step * unit;
      }
      const PairLoad load =
          m == 0 ? load_of(model, ws, f, moved, B0) : load_of(model, ws, f, A0, moved);
      const double scale = -1.0 / step;
      slope[0][m].col(c) << scale * (load.force_a - base.force_a),
          scale * (load.torque_a - base.torque_a);
      slope[1][m].col(c) << scale * (load.force_b - base.force_b),
          scale * (load.torque_b - base.torque_b);
    }
    marker_jacobian(model, ws, markers[m], jacobian_[m].data());
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      if (markers[i] >= 0 && markers[j] >= 0 && body_of(model, markers[i]).nr > 0 &&
          body_of(model, markers[j]).nr > 0)
        add_pair(
            model, markers[i], markers[j], slope[i][j], jacobian_[i].data(), jacobian_[j].data());
}

// G M^-1 G' of each row on the bodies' own masses: before forces and eq. (29) add to the blocks. A
// body without mass counts as one of the system's size.
void KktMatrix::scale_rows(const Model& model, const Workspace& ws) {
  for (const JointModel& j : model.joints) {
    for (int r = 0; r < j.m; ++r)
      scale_[static_cast<std::size_t>(j.l0 + r)] = 0.0;
    for (std::size_t leg = 0; leg < j.legs.size(); ++leg) {
      const BodyModel& b = body_of(model, j.legs[leg]);
      if (b.nr == 0) continue;
      const double* g = ws.g.data() + j.g[leg];
      const BlockFactor::Block inertia = factor_.block(b.node, b.node);
      for (int c = 0; c < b.nr; ++c) {
        double m = inertia(c, c);
        if (b.augmented)
          m = std::max(m,
                       b.dof[static_cast<std::size_t>(c)] < 3
                           ? reference_mass_
                           : reference_mass_ * model.length_scale * model.length_scale);
        if (!(m > 0.0)) continue;
        for (int r = 0; r < j.m; ++r) {
          const double value = g[r * (b.nr + b.n) + c];
          scale_[static_cast<std::size_t>(j.l0 + r)] += value * value / m;
        }
      }
    }
  }
}

bool KktMatrix::factor(const Model& model, Workspace& ws, double velocity, double position) {
  ++factorisations_;
  factor_.clear();
  add_inertia(model, ws, velocity, position);
  scale_rows(model, ws);
  for (const ForceModel& f : model.forces)
    if (f.stiff) add_force(model, ws, f, velocity, position);
  for (const JointModel& j : model.joints) {
    const bool augmented = is_augmented(model, j);
    for (std::size_t leg = 0; leg < j.legs.size(); ++leg) {
      const BodyModel& b = body_of(model, j.legs[leg]);
      if (b.nr == 0) continue;
      const int width = b.nr + b.n;
      const double* g = ws.g.data() + j.g[leg];
      const bool modal = model.markers[static_cast<std::size_t>(j.legs[leg])].on_node;
      for (int part = 0; part < (modal ? 2 : 1); ++part) {
        const BlockFactor::Block across = factor_.block(b.node + part, j.node);
        const BlockFactor::Block down = factor_.block(j.node, b.node + part);
        const int count = part == 0 ? b.nr : b.n;
        const int from = part == 0 ? 0 : b.nr;
        for (int r = 0; r < j.m; ++r)
          for (int c = 0; c < count && takes_part(j.l0 + r); ++c) {
            const double value = g[r * width + from + c];
            across(c, r) += value;
            down(r, c) += value;
          }
      }
    }
    const BlockFactor::Block own = factor_.block(j.node, j.node);
    double largest = 0.0;
    for (int r = 0; r < j.m; ++r)
      largest = std::max(largest, scale_[static_cast<std::size_t>(j.l0 + r)]);
    for (int r = 0; r < j.m; ++r) {
      double& scale = scale_[static_cast<std::size_t>(j.l0 + r)];
      if (!(scale > 0.0)) scale = largest > 0.0 ? largest : 1.0;
      own(r, r) -= (takes_part(j.l0 + r) ? regularisation_ : 1.0) * scale;
    }
    if (!augmented) continue;
    for (std::size_t p = 0; p < j.legs.size(); ++p)
      for (std::size_t q = 0; q < j.legs.size(); ++q) {
        const BodyModel& A = body_of(model, j.legs[p]);
        const BodyModel& B = body_of(model, j.legs[q]);
        if (A.nr == 0 || B.nr == 0) continue;
        const double* ga = ws.g.data() + j.g[p];
        const double* gb = ws.g.data() + j.g[q];
        const int wa = A.nr + A.n, wb = B.nr + B.n;
        const bool ma = model.markers[static_cast<std::size_t>(j.legs[p])].on_node;
        const bool mb = model.markers[static_cast<std::size_t>(j.legs[q])].on_node;
        for (int i = 0; i < (ma ? 2 : 1); ++i)
          for (int k = 0; k < (mb ? 2 : 1); ++k) {
            const BlockFactor::Block block = factor_.block(A.node + i, B.node + k);
            for (int r = 0; r < (i == 0 ? A.nr : A.n); ++r)
              for (int c = 0; c < (k == 0 ? B.nr : B.n); ++c) {
                double sum = 0.0;
                for (int row = 0; row < j.m; ++row)
                  if (takes_part(j.l0 + row))
                    sum += ga[row * wa + (i == 0 ? 0 : A.nr) + r] *
                           gb[row * wb + (k == 0 ? 0 : B.nr) + c] /
                           scale_[static_cast<std::size_t>(j.l0 + row)];
                add(block, r, c, sum);
              }
          }
      }
  }
  if (factor_.factor()) return true;
  failure_ = "a body without mass moves freely";
  for (const BodyModel& b : model.bodies)
    if (b.kind != BodyModel::Kind::ground &&
        (b.node == factor_.failed_node() || (b.n > 0 && b.node + 1 == factor_.failed_node())))
      failure_ = fmt::format("body {} has no mass in a direction that nothing holds", b.name);
  for (const JointModel& j : model.joints)
    if (j.node == factor_.failed_node())
      failure_ = fmt::format("the rows of joint {} cannot be solved", j.name);
  return false;
}

void KktMatrix::solve(const Model& model,
                      const Workspace& ws,
                      const Eigen::VectorXd& f,
                      const Eigen::VectorXd& c,
                      Eigen::VectorXd& x,
                      Eigen::VectorXd& y) {
  for (std::size_t k = 0; k < order_v_.size(); ++k)
    x_[static_cast<std::size_t>(order_v_[k])] = f(static_cast<Eigen::Index>(k));
  for (std::size_t k = 0; k < order_l_.size(); ++k)
    x_[static_cast<std::size_t>(order_l_[k])] =
        takes_part(static_cast<int>(k)) ? c(static_cast<Eigen::Index>(k)) : 0.0;
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    if (!augmented_[k]) continue;
    const JointModel& j = model.joints[k];
    for (std::size_t leg = 0; leg < j.legs.size(); ++leg) {
      const BodyModel& b = body_of(model, j.legs[leg]);
      const int width = b.nr + b.n;
      for (int r = 0; r < j.m; ++r)
        for (int i = 0; b.nr > 0 && i < width && takes_part(j.l0 + r); ++i)
          x_[static_cast<std::size_t>(order_v_[static_cast<std::size_t>(b.v0 + i)])] +=
              ws.g[static_cast<std::size_t>(j.g[leg] + r * width + i)] * c(j.l0 + r) /
              scale_[static_cast<std::size_t>(j.l0 + r)];
    }
  }
  factor_.solve(x_.data());
  for (std::size_t k = 0; k < order_v_.size(); ++k)
    x(static_cast<Eigen::Index>(k)) = x_[static_cast<std::size_t>(order_v_[k])];
  for (std::size_t k = 0; k < order_l_.size(); ++k)
    y(static_cast<Eigen::Index>(k)) = x_[static_cast<std::size_t>(order_l_[k])];
}

double KktMatrix::weakest_row(const Model& model) const {
  double weakest = 1.0;
  for (const JointModel& j : model.joints)
    for (int r = 0; r < j.m; ++r)
      if (takes_part(j.l0 + r))
        weakest = std::min(weakest,
                           factor_.pivot(j.node, r) / scale_[static_cast<std::size_t>(j.l0 + r)]);
  return weakest;
}

std::vector<std::string> KktMatrix::redundant_rows(const Model& model) const {
  std::vector<std::string> names;
  const std::vector<int> rows = repeated_rows(model);
  auto row = rows.begin();
  for (const JointModel& j : model.joints)
    for (; row != rows.end() && *row < j.l0 + j.m; ++row)
      names.push_back(j.name);
  return names;
}

std::vector<int> KktMatrix::repeated_rows(const Model& model) const {
  std::vector<int> rows;
  for (const JointModel& j : model.joints)
    for (int r = 0; r < j.m; ++r)
      if (factor_.pivot(j.node, r) < kRedundant * scale_[static_cast<std::size_t>(j.l0 + r)])
        rows.push_back(j.l0 + r);
  return rows;
}

}  // namespace femflex::mbd_solver
