// Follows the equilibrium path of a lattice under growing load by steps of arc length.
// docs/theory/hamiltonian.md eq. (16).
#include "statics/path.h"

#include <algorithm>
#include <cmath>

namespace femflex::hamiltonian {
namespace {

constexpr double kInitialChange = 1e-3;  // change of the springs in the first arc
constexpr double kMaxChange = 0.2;       // the same in any arc
constexpr double kMaxBend = 0.3;  // largest angle between the tangents of successive points [rad]
constexpr double kWantedBend = 0.15;
// largest distance of a point from the prediction along the tangent, relative to the arc
constexpr double kMaxOffset = 0.1;  // at the end of the arc; in its middle:
constexpr double kMaxOffsetMiddle = 0.02;
// unbalanced force relative to the largest force, in addition to its rounding
constexpr double kBalanced = 1e-10;
// least change of the springs; a smaller arc may cross a corner, where a spring goes slack
constexpr double kNoChange = 1e-9;
// arcs shorter than this share of the first one may cross a corner
constexpr double kCornerArc = 1e-6;
// largest change of load in an arc, relative to the largest load factor
constexpr double kMaxLoadChange = 0.05;
constexpr double kStraightPath = 1e-3;  // [rad]: a smaller bend does not limit the next arc
// if a correction takes more iterations, the next arc is shorter
constexpr int kManyIterations = 9;
constexpr double kShorterArc = 0.7;        // factor of such a shorter arc
constexpr int kMaxInverseIterations = 40;  // maximum number of inverse iterations
constexpr double kInverseSettled = 1e-10;  // relative change of the eigenvalue at convergence
// largest last correction of a point that is already in balance, relative to the arc
constexpr double kMaxPolish = 1e-6;

}  // namespace

Path::Path(const LatticeSystem& system,
           const State& start,
           const BranchOptions& options,
           Progress& progress)
    : balance_(system, start, options.time), options_(options), progress_(progress) {}

PathPoint Path::origin() {
  PathPoint point;
  point.q = balance_.start();
  const auto in_balance = [&] {
    return largest(balance_.force(point.q, 0.0)) <=
           kBalanced * std::max(balance_.force_scale(point.q, 0.0), kTinySize) +
               balance_.noise(point.q);
  };
  (void)balance_.factor(point.q, 0.0);
  if (!in_balance() || balance_.margin(point.q) < 0.0) {
    EquilibriumOptions unloaded;
    unloaded.time = options_.time;
    unloaded.load_factor = 0.0;
    const Equilibrium rest =
        find_equilibrium(balance_.system(), balance_.state(point.q), unloaded, progress_);
    if (!rest.converged) return point;
    balance_.restore(rest.state);
    point.q = balance_.start();
  }
  if (!balance_.factor(point.q, 0.0)) return point;
  const Eigen::VectorXd a = balance_.solve(balance_.load());
  psi_ = std::max(a.norm(), kTinySize);  // load and displacement have equal weight at the start
  point.negative = balance_.negative();
  set_direction(point, a, nullptr);
  point.good = point.q_dir.allFinite();
  const double turn = change(point.q, point.q_dir);
  const double whole = options_.largest_factor * psi_ / point.lambda_dir;
  first_ = turn > 0.0 ? kInitialChange / turn : 0.01 * whole;
  arc_ = first_;
  return point;
}

double Path::change(const Eigen::VectorXd& q, const Eigen::VectorXd& dq) const {
  const Lattice& lattice = balance_.system().lattice();
  const Eigen::Index dim = lattice.dimension;
  double most = 0.0;
  for (const Spring& spring : lattice.springs) {
    const Eigen::Index a = spring.a * dim;
    const Eigen::Index b = spring.b * dim;
    const double moved = (dq.segment(b, dim) - dq.segment(a, dim)).norm();
    if (moved == 0.0) continue;
    const double now = (q.segment(b, dim) - q.segment(a, dim)).norm();
    most = std::max(most, moved / std::max({now, spring.rest_length, kTinySize}));
  }
  return most;
}

double Path::length(const Eigen::VectorXd& dq, double d_lambda) const {
  return std::sqrt(dq.squaredNorm() + psi_ * psi_ * d_lambda * d_lambda);
}

double Path::bend(const PathPoint& from, const PathPoint& to) const {
  return 2.0 * std::asin(std::min(1.0,
                                  0.5 * std::hypot((to.q_dir - from.q_dir).norm(),
                                                   to.lambda_dir - from.lambda_dir)));
}

bool Path::factor_near(const Eigen::VectorXd& q) {
  return balance_.factor(q, 0.0, 0.0) || balance_.factor(q, 1e-15 * balance_.tangent_size(), 0.0);
}

void Path::set_direction(PathPoint& point, const Eigen::VectorXd& a, const PathPoint* from) const {
  const double size = length(a, 1.0);
  point.q_dir = a / size;
  point.lambda_dir = psi_ / size;
  if (from == nullptr) return;
  if (from->q_dir.dot(point.q_dir) + from->lambda_dir * point.lambda_dir < 0.0) {
    point.q_dir = -point.q_dir;
    point.lambda_dir = -point.lambda_dir;
  }
}

PathPoint Path::advance(const PathPoint& from, double arc) {
  PathPoint to = from;
  to.good = false;
  to.q += arc * from.q_dir;
  to.lambda += arc * from.lambda_dir / psi_;
  // the bordered system keeps the point in the plane normal to the direction at `from`
  Eigen::VectorXd a;
  Eigen::VectorXd dq;
  double d_lambda = 0.0;
  const auto correction = [&](const Eigen::VectorXd& f) {
    a = balance_.solve(balance_.load());
    const Eigen::VectorXd b = balance_.solve(f);
    const double gap =
        from.q_dir.dot(to.q - from.q) + psi_ * from.lambda_dir * (to.lambda - from.lambda) - arc;
    const double under = from.q_dir.dot(a) + psi_ * from.lambda_dir;
    if (under == 0.0) return false;
    d_lambda = -(gap + from.q_dir.dot(b)) / under;
    dq = b + d_lambda * a;
    return dq.allFinite() && std::isfinite(d_lambda);
  };
  constexpr int kMaxPathIterations = 15;
  bool balanced = false;
  for (to.iterations = 0; to.iterations < kMaxPathIterations && !balanced; ++to.iterations) {
    progress_.step(to.iterations);
    const Eigen::VectorXd f = balance_.force(to.q, to.lambda);
    const double scale = std::max(balance_.force_scale(to.q, to.lambda), kTinySize);
    if (!f.allFinite() || !factor_near(to.q)) return to;
    balanced = largest(f) <= kBalanced * scale + balance_.noise(to.q);
    if (!correction(f)) return to;
    // the last correction improves the point unless it is noise along a singular shape
    if (balanced) {
      if (length(dq, d_lambda) > kMaxPolish * arc && shape_.size() == dq.size())
        dq -= shape_.dot(dq) * shape_;
      if (length(dq, d_lambda) > kMaxPolish * arc) break;
    }
    to.q += dq;
    to.lambda += d_lambda;
  }
  if (!balanced || !factor_near(to.q)) return to;
  to.good = true;
  to.negative = balance_.negative();
  set_direction(to, balance_.solve(balance_.load()), &from);
  return to;
}

bool Path::is_smooth(const PathPoint& from, const PathPoint& to, double arc) {
  const Eigen::VectorXd off = to.q - from.q - arc * from.q_dir;
  const double off_lambda = to.lambda - from.lambda - arc * from.lambda_dir / psi_;
  const double step_change = change(from.q, arc * from.q_dir);
  if (length(off, off_lambda) > kMaxOffset * arc) return false;
  if (change(from.q, off) > 2.0 * kMaxOffset * step_change) return false;
  if (bend(from, to) > kMaxBend) return false;
  // halfway along the cubic through both ends and their tangents
  PathPoint middle;
  middle.q = 0.5 * (from.q + to.q) + 0.125 * arc * (from.q_dir - to.q_dir);
  middle.lambda =
      0.5 * (from.lambda + to.lambda) + 0.125 * arc * (from.lambda_dir - to.lambda_dir) / psi_;
  const Eigen::VectorXd f = balance_.force(middle.q, middle.lambda);
  if (!f.allFinite() || !factor_near(middle.q)) return false;
  const auto [least, most] = std::minmax(from.negative, to.negative);
  if (balance_.negative() < least || balance_.negative() > most) return false;
  const Eigen::VectorXd a = balance_.solve(balance_.load());
  const Eigen::VectorXd b = balance_.solve(f);
  const double under = from.q_dir.dot(a) + psi_ * from.lambda_dir;
  const double d_lambda = -from.q_dir.dot(b) / under;
  const Eigen::VectorXd dq = b + d_lambda * a;
  return length(dq, d_lambda) <= kMaxOffsetMiddle * arc &&
         change(from.q, dq) <= 2.0 * kMaxOffsetMiddle * step_change;
}

// If a spring goes slack, the path has a corner there, which is not smooth for any arc length.
bool Path::is_small(const PathPoint& from, double arc) const {
  return change(from.q, arc * from.q_dir) <= kNoChange && arc <= kCornerArc * first_;
}

double Path::longest_arc(const PathPoint& from) const {
  const double turn = change(from.q, from.q_dir);
  double most = turn > 0.0 ? kMaxChange / turn : HUGE_VAL;
  if (from.lambda_dir != 0.0)
    most =
        std::min(most, kMaxLoadChange * options_.largest_factor * psi_ / std::abs(from.lambda_dir));
  return most;
}

double Path::next_arc(const PathPoint& from, const PathPoint& to, double arc) const {
  const double wanted = kWantedBend / std::max(bend(from, to), kStraightPath);
  double factor = std::clamp(wanted, 0.5, 2.0);
  if (to.iterations > kManyIterations) factor = std::min(factor, kShorterArc);
  return arc * factor;
}

SmoothArc Path::follow_arc(const PathPoint& from) {
  SmoothArc smooth;
  double arc = std::min(arc_, longest_arc(from));
  while (true) {
    smooth.to = advance(from, arc);
    const bool several = std::abs(smooth.to.negative - from.negative) > 1;
    if (smooth.to.good && (is_small(from, arc) || is_smooth(from, smooth.to, arc)) &&
        (!several || halvings_ >= options_.max_halvings))
      break;
    arc *= 0.5;
    if (smooth.to.good && several) ++halvings_;
    if (arc < options_.smallest_step * std::min(first_, longest_arc(from))) return smooth;
  }
  smooth.good = true;
  smooth.arc = arc;
  arc_ = next_arc(from, smooth.to, arc);
  locate_break(from, smooth);
  locate_critical(from, smooth);
  if (!smooth.critical.empty()) halvings_ = 0;
  balance_.follow(smooth.to.q);
  return smooth;
}

bool Path::break_and_balance(PathPoint& point) {
  if (!balance_.break_overloaded(point.q)) return true;
  EquilibriumOptions loaded;
  loaded.time = options_.time;
  loaded.load_factor = point.lambda;
  loaded.stable = point.negative == 0;
  const Equilibrium rest =
      find_equilibrium(balance_.system(), balance_.state(point.q), loaded, progress_);
  if (!rest.converged) return false;
  balance_.restore(rest.state);
  point.q = balance_.start();
  if (!balance_.factor(point.q, 0.0)) return false;
  const bool falls = point.lambda_dir < 0.0;
  point.negative = balance_.negative();
  set_direction(point, balance_.solve(balance_.load()), nullptr);
  if (falls) {
    point.q_dir = -point.q_dir;
    point.lambda_dir = -point.lambda_dir;
  }
  const double turn = change(point.q, point.q_dir);
  arc_ = turn > 0.0 ? kInitialChange / turn : first_;
  return true;
}

Eigen::VectorXd Path::weakest_shape(const PathPoint& point) {
  (void)nearest_to_zero(point);
  Eigen::Index at = 0;
  shape_.cwiseAbs().maxCoeff(&at);
  return shape_ / shape_(at);
}

double Path::nearest_to_zero(const PathPoint& point) {
  // inverse iteration
  if (shape_.size() != point.q.size()) {
    shape_ = balance_.free();
    for (Eigen::Index i = 0; i < shape_.size(); ++i)
      shape_(i) *= 1.0 + 0.37 * static_cast<double>(i % 7);
    shape_.normalize();
  }
  if (!factor_near(point.q)) return 0.0;
  double value = 0.0;
  for (int i = 0; i < kMaxInverseIterations; ++i) {
    const Eigen::VectorXd w = balance_.solve(shape_).cwiseProduct(balance_.free());
    const double size = w.norm();
    if (!(size > 0.0) || !std::isfinite(size)) return 0.0;
    const double last = value;
    value = 1.0 / shape_.dot(w);
    shape_ = w / size;
    if (std::abs(value - last) <= kInverseSettled * std::abs(value)) break;
  }
  return std::abs(value);
}

}  // namespace femflex::hamiltonian
