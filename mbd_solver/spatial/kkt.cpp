// KktMatrix: assembles, regularises and solves the block matrix [M G'; G 0] of a step.
// docs/theory/multibody.md §6.
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

constexpr double kRedundant = 1e-7;  // a row with a pivot this small is redundant
constexpr double kRegular = 1e-4;    // if all pivots are above this, at most four digits are lost

bool is_augmented(const Model& model, const JointModel& joint) {
  return std::any_of(
      joint.legs.begin(), joint.legs.end(), [&](int leg) { return body_of(model, leg).augmented; });
}

void add(const BlockFactor::Block& block, int r, int c, double value) {
  block(r, c) += value;
}

}  // namespace

namespace {

/// Collects the block nodes of a model and the blocks that are not zero.
class BlockPattern {
 public:
  explicit BlockPattern(const Model& model) : model_(model) {
    add_bodies();
    for (const JointModel& j : model.joints) {
      nodes.push_back({j.m, true, false, false});
      for (const int leg : j.legs)
        for (const int n : nodes_of(leg))
          connect(n, j.node);
      if (is_augmented(model, j)) connect_all(j.legs);
    }
    for (const ForceModel& f : model.forces)
      if (f.base().is_stiff) connect_all(f.markers());
  }

  std::vector<BlockNode> nodes;
  std::set<std::pair<int, int>> edges;

 private:
  void add_bodies() {
    std::vector<bool> dense(model_.bodies.size(), false);
    for (std::size_t k = 0; k < model_.bodies.size(); ++k)
      dense[k] = model_.bodies[k].dense_modes;
    for (const JointModel& j : model_.joints)
      if (is_augmented(model_, j))
        for (const int leg : j.legs)
          dense[static_cast<std::size_t>(model_.markers[static_cast<std::size_t>(leg)].body)] =
              true;
    for (std::size_t k = 0; k + 1 < model_.bodies.size(); ++k) {
      const BodyModel& b = model_.bodies[k];
      nodes.push_back({b.nr, false, false, b.massless && b.n == 0, b.node});
      if (b.n > 0) {
        nodes.push_back({b.n, false, !dense[k], false, b.node});
        connect(b.node, b.node + 1);
      }
    }
  }
  std::vector<int> nodes_of(int marker) const {
    std::vector<int> list;
    const BodyModel& b = body_of(model_, marker);
    if (b.kind == BodyModel::Kind::ground) return list;
    list.push_back(b.node);
    if (b.n > 0 && model_.markers[static_cast<std::size_t>(marker)].on_node)
      list.push_back(b.node + 1);
    return list;
  }
  void connect(int i, int j) {
    if (i != j) edges.insert({std::min(i, j), std::max(i, j)});
  }
  void connect_all(const std::vector<int>& markers) {
    std::vector<int> touched;
    for (const int marker : markers)
      for (const int n : nodes_of(marker))
        touched.push_back(n);
    for (const int n : touched)
      for (const int o : touched)
        connect(n, o);
  }

  const Model& model_;
};

}  // namespace

KktMatrix::KktMatrix(const Model& model) : spin_axes_(model) {
  BlockPattern pattern(model);
  std::vector<int> first(pattern.nodes.size());
  int at = 0;
  for (std::size_t k = 0; k < pattern.nodes.size(); ++k) {
    first[k] = at;
    at += pattern.nodes[k].size;
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
  if (model.grip_count > 0) idle_.assign(static_cast<std::size_t>(model.nl), 0);
  scale_.assign(static_cast<std::size_t>(model.nl), 1.0);
  mobility_.assign(6 * model.bodies.size(), 0.0);
  x_.assign(static_cast<std::size_t>(at), 0.0);
  int widest = 6;
  for (const BodyModel& b : model.bodies)
    widest = std::max(widest, b.nr + b.n);
  for (std::vector<double>& jacobian : jacobian_)
    jacobian.assign(static_cast<std::size_t>(6 * widest), 0.0);
  for (const JointModel& j : model.joints)
    augmented_.push_back(is_augmented(model, j));
  find_row_axes(model);
  factor_ =
      BlockFactor(std::move(pattern.nodes),
                  std::vector<std::pair<int, int>>(pattern.edges.begin(), pattern.edges.end()));
}

// Adds eq. (26): mass matrix at the state, gyroscopic terms of the frames, modal stiffness and
// damping.
void KktMatrix::add_inertia(const Model& model,
                            const Workspace& ws,
                            double velocity,
                            double position) {
  auto spin = spins_.begin();
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    const BodyKinematics& kin = ws.bodies[k];
    const BlockFactor::Block rigid = factor_.block(b.node, b.node);
    for (int c = 0; b.massless && substitute_mass_ > 0.0 && c < b.nr; ++c) {
      const double arm = b.dof[static_cast<std::size_t>(c)] < 3 ? 1.0 : b.reference_arm;
      add(rigid, c, c, substitute_mass_ * b.reference_mass * arm * arm);
    }
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
    if (spin != spins_.end() && spin->body == static_cast<int>(k)) {
      const Vector3d& u = spin->axis;
      M.bottomRightCorner<3, 3>() -=
          velocity * J * (kin.w.dot(u) * cross_matrix(u) + u.cross(kin.w) * u.transpose());
      ++spin;
    }
    if (flexible) {
      const Matrix3d coupling = kin.R * cross_matrix(I->s);
      M.topRightCorner<3, 3>() = -coupling;
      M.bottomLeftCorner<3, 3>() = -coupling.transpose();
    }
    for (int r = 0; r < b.nr; ++r)
      for (int c = 0; c < b.nr; ++c)
        add(rigid, r, c, M(b.dof[static_cast<std::size_t>(r)], b.dof[static_cast<std::size_t>(c)]));
    if (I == nullptr || b.n == 0) continue;
    const FlexModel& f = model.flexes[static_cast<std::size_t>(b.flex)];
    const BlockFactor::Block modal = factor_.block(b.node + 1, b.node + 1);
    const BlockFactor::Block across = factor_.block(b.node, b.node + 1);
    const BlockFactor::Block down = factor_.block(b.node + 1, b.node);
    for (int j = 0; j < b.n; ++j) {
      const Vector3d translation = kin.R * I->N3.col(j);
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
    // only a dense block can store the change of the modal stiffness due to spin
    if (modal.col_step != 0 && position != 0.0 && f.B.size() > 0) {
      for (int c = 0; c < 6; ++c) {
        const double pair = kin.w(kPairRow[c]) * kin.w(kPairCol[c]);
        const double amount = position * (kPairRow[c] == kPairCol[c] ? -1.0 : -2.0) * pair;
        for (int i = 0; i < b.n && amount != 0.0; ++i)
          for (int j = 0; j < b.n; ++j)
            add(modal, i, j, amount * f.B(c * b.n + i, j));
      }
    }
  }
}

// Computes the inverse mass of each body alone, for G M^-1 G' of each row, before forces and eq.
// (29) are added to the blocks. A massless or light body gets the mass of the heaviest body
// connected to it by joints.
void KktMatrix::find_mobilities(const Model& model) {
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    const BlockFactor::Block inertia = factor_.block(b.node, b.node);
    for (int c = 0; c < b.nr; ++c) {
      double m = inertia(c, c);
      if (b.augmented)
        m = std::max(m,
                     b.dof[static_cast<std::size_t>(c)] < 3
                         ? b.reference_mass
                         : b.reference_mass * b.reference_arm * b.reference_arm);
      mobility_[6 * k + static_cast<std::size_t>(c)] = m > 0.0 ? 1.0 / m : 0.0;
    }
  }
}

// eq. (29): adds G' S^-1 G to the bodies of each joint with a light or massless body
void KktMatrix::add_augmentation(const Model& model, const Workspace& ws, const JointModel& j) {
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
                if (is_used(j.l0 + row))
                  sum += ga[row * wa + (i == 0 ? 0 : A.nr) + r] *
                         gb[row * wb + (k == 0 ? 0 : B.nr) + c] /
                         scale_[static_cast<std::size_t>(j.l0 + row)];
              add(block, r, c, sum);
            }
        }
    }
}

bool KktMatrix::factor(
    const Model& model, Workspace& ws, double velocity, double position, double step) {
  ++factorisations_;
  failure_.clear();
  find_spins(ws, step);
  factor_.clear();
  add_inertia(model, ws, velocity, position);
  find_mobilities(model);
  for (const ForceModel& f : model.forces)
    if (f.base().is_stiff) add_force(model, ws, f, velocity, position);
  for (const JointModel& j : model.joints) {
    double* scale = scale_.data() + j.l0;
    if (j.grip >= 0) std::fill_n(idle_.begin() + j.l0, j.m, static_cast<char>(acts(ws, j) ? 0 : 1));
    std::fill(scale, scale + j.m, 0.0);
    for (std::size_t leg = 0; leg < j.legs.size(); ++leg) {
      const BodyModel& b = body_of(model, j.legs[leg]);
      if (b.nr == 0) continue;
      const int width = b.nr + b.n;
      const double* g = ws.g.data() + j.g[leg];
      const double* mobility =
          mobility_.data() + 6 * model.markers[static_cast<std::size_t>(j.legs[leg])].body;
      for (int r = 0; r < j.m; ++r)
        for (int c = 0; c < b.nr; ++c)
          scale[r] += g[r * width + c] * g[r * width + c] * mobility[c];
      const bool modal = model.markers[static_cast<std::size_t>(j.legs[leg])].on_node;
      for (int part = 0; part < (modal ? 2 : 1); ++part) {
        const BlockFactor::Block across = factor_.block(b.node + part, j.node);
        const BlockFactor::Block down = factor_.block(j.node, b.node + part);
        const int count = part == 0 ? b.nr : b.n;
        const int from = part == 0 ? 0 : b.nr;
        for (int r = 0; r < j.m; ++r)
          for (int c = 0; c < count && is_used(j.l0 + r); ++c) {
            const double value = g[r * width + from + c];
            across(c, r) += value;
            down(r, c) += value;
          }
      }
    }
    const BlockFactor::Block own = factor_.block(j.node, j.node);
    double largest = 0.0;
    for (int r = 0; r < j.m; ++r)
      largest = std::max(largest, scale[r]);
    for (int r = 0; r < j.m; ++r) {
      if (!(scale[r] > 0.0)) scale[r] = largest > 0.0 ? largest : 1.0;
      own(r, r) -= (is_used(j.l0 + r) ? regularisation_ : 1.0) * scale[r];
    }
    if (augmented_[static_cast<std::size_t>(&j - model.joints.data())])
      add_augmentation(model, ws, j);
  }
  if (factor_.factor()) {
    // self-equilibrated loads of redundant rows are computed once per matrix, so these rows must
    // not be turned
    if (rows_turn_ && !repeated_rows(model).empty()) rows_turn_ = false;
    return true;
  }
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
        is_used(static_cast<int>(k)) ? c(static_cast<Eigen::Index>(k)) : 0.0;
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    if (!augmented_[k]) continue;
    const JointModel& j = model.joints[k];
    for (std::size_t leg = 0; leg < j.legs.size(); ++leg) {
      const BodyModel& b = body_of(model, j.legs[leg]);
      const int width = b.nr + b.n;
      for (int r = 0; r < j.m; ++r)
        for (int i = 0; b.nr > 0 && i < width && is_used(j.l0 + r); ++i)
          x_[static_cast<std::size_t>(order_v_[static_cast<std::size_t>(b.v0 + i)])] +=
              ws.g[static_cast<std::size_t>(j.g[leg] + r * width + i)] * c(j.l0 + r) /
              scale_[static_cast<std::size_t>(j.l0 + r)];
    }
  }
  turn_spins(model, ws, false);
  factor_.solve(x_.data());
  turn_spins(model, ws, true);
  for (std::size_t k = 0; k < order_v_.size(); ++k)
    x(static_cast<Eigen::Index>(k)) = x_[static_cast<std::size_t>(order_v_[k])];
  for (std::size_t k = 0; k < order_l_.size(); ++k)
    y(static_cast<Eigen::Index>(k)) = x_[static_cast<std::size_t>(order_l_[k])];
}

// Finds groups of rows that are the components of one vector in the axes of marker a: displacements
// along x, y, z; rows that keep x and y perpendicular to an axis of b; rows that keep two frames
// parallel.
void KktMatrix::find_row_axes(const Model& model) {
  const auto is_along = [](const RowModel& row, int axis) {
    return row.kind == RowModel::Kind::along && row.ea == Vector3d::Unit(axis);
  };
  const auto is_dot = [](const RowModel& row, int a, int b) {
    return row.kind == RowModel::Kind::dot && row.dot_count == 1 &&
           row.dots[0].a == Vector3d::Unit(a) && row.dots[0].b == Vector3d::Unit(b);
  };
  for (const JointModel& j : model.joints) {
    if (j.legs.empty() || j.grip >= 0) continue;
    const MarkerModel& a = model.markers[static_cast<std::size_t>(j.legs[0])];
    for (int group = 0; group < 3; ++group) {
      RowAxes axes{a.body, {-1, -1, -1}, a.R};
      for (int r = 0; r < j.m; ++r) {
        const RowModel& row = j.rows[static_cast<std::size_t>(r)];
        for (int c = 0; c < 3; ++c) {
          const bool belongs = group == 0   ? is_along(row, c)
                               : group == 1 ? c < 2 && is_dot(row, c, 2)
                                            : is_dot(row, (c + 1) % 3, (c + 2) % 3);
          if (belongs) axes.rows[static_cast<std::size_t>(c)] = j.l0 + r;
        }
      }
      // the row y . z belongs to two groups; a group needs its x and y components
      if (axes.rows[0] >= 0 && axes.rows[1] >= 0) row_axes_.push_back(axes);
    }
  }
}

void KktMatrix::find_spins(const Workspace& ws, double step) {
  spins_.clear();
  spin_attitudes_.clear();
  rows_turn_ = step > 0.0;
  if (step == 0.0) return;
  spin_axes_.find(ws.v, step, spins_);
  spin_attitudes_.reserve(spins_.capacity());
  for (const Spin& spin : spins_)
    spin_attitudes_.emplace_back(ws.bodies[static_cast<std::size_t>(spin.body)].R);
}

// The neighbours of a spinning wheel do not spin with it. Therefore the angular entries of the
// wheel are expressed in axes that follow the body except for its spin since the factorisation. In
// these axes the kept matrix stays valid.
void KktMatrix::turn_spins(const Model& model, const Workspace& ws, bool back) {
  // the spin angle is undefined after half a turn about an axis perpendicular to the spin axis
  constexpr double kHalfTurn = 1e-6;
  for (std::size_t k = 0; k < spins_.size(); ++k) {
    Spin& spin = spins_[k];
    const BodyModel& b = model.bodies[static_cast<std::size_t>(spin.body)];
    if (!back) {
      const Eigen::Quaterniond turn = spin_attitudes_[k].conjugate() * attitude(ws.q.data() + b.q0);
      const double c = turn.w(), s = turn.vec().dot(spin.axis), size = c * c + s * s;
      spin.cosine = size > kHalfTurn ? (c * c - s * s) / size : 1.0;
      spin.sine = size > kHalfTurn ? 2.0 * c * s / size : 0.0;
    }
    if (spin.at < 0) continue;
    Eigen::Map<Vector3d> entries(x_.data() + order_v_[static_cast<std::size_t>(spin.at)]);
    entries = back ? spin.to_body(entries) : spin.from_body(entries);
  }
  for (std::size_t k = 0; rows_turn_ && k < row_axes_.size(); ++k) {
    const RowAxes& axes = row_axes_[k];
    const auto spin = std::find_if(
        spins_.begin(), spins_.end(), [&](const Spin& s) { return s.body == axes.body; });
    if (spin == spins_.end()) continue;
    // cosine above which two axes count as equal; a group of two rows can turn only about the
    // marker's z axis
    constexpr double kOneAxis = 0.999;
    const bool is_full = axes.rows[2] >= 0;
    if (!is_full && std::abs(spin->axis.dot(axes.R.col(2))) < kOneAxis) continue;
    Vector3d values = Vector3d::Zero();
    const auto entry = [&](int c) -> double& {
      return x_[static_cast<std::size_t>(
          order_l_[static_cast<std::size_t>(axes.rows[static_cast<std::size_t>(c)])])];
    };
    for (int c = 0; c < (is_full ? 3 : 2); ++c)
      values(c) = entry(c);
    values = axes.R * values;
    values = axes.R.transpose() * (back ? spin->to_body(values) : spin->from_body(values));
    for (int c = 0; c < (is_full ? 3 : 2); ++c)
      entry(c) = values(c);
  }
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

double KktMatrix::weakest_row(const Model& model) const {
  double weakest = 1.0;
  for (const JointModel& j : model.joints)
    for (int r = 0; r < j.m; ++r)
      if (is_used(j.l0 + r))
        weakest = std::min(weakest,
                           factor_.pivot(j.node, r) / scale_[static_cast<std::size_t>(j.l0 + r)]);
  return weakest;
}

bool KktMatrix::is_regular(const Model& model) const {
  // eq. (29) reduces the accuracy of a light body's own motion
  return std::find(augmented_.begin(), augmented_.end(), true) == augmented_.end() &&
         weakest_row(model) >= kRegular;
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
