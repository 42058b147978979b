// SpinAxes: which bodies have an axis of symmetry, and which of them spin about it.
#include "spatial/spin.h"

#include <algorithm>
#include <cmath>

#include "femflex/dense.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

namespace {

/// Difference of two moments of inertia over their sum up to which they count as equal. A matrix
/// kept while the body spins has an error of at most twice this share, with which Newton's method
/// still converges.
constexpr double kUneven = 0.15;
/// Cosine of the angle between axis and angular velocity above which a body spins about the axis: a
/// wheel that is steered or a top that precesses fast still does, a rod that swings does not.
constexpr double kAlong = 0.8;
/// Angle [rad] per step below which axes that do not spin bring no advantage.
constexpr double kLeastAngle = 1e-3;

/// Distance from the axis, over the radius of gyration, up to which a joint lies on the axis. A
/// joint farther out moves around the axis with the body, like the hinges of a swinging bar.
constexpr double kOnAxis = 0.3;

bool are_equal(double a, double b) {
  return std::abs(a - b) <= kUneven * (a + b);
}

/// Largest distance of a joint's place on a body from an axis through its mass centre; from the
/// centre itself if the axis is zero.
double farthest_joint(const Model& model, int body, const Vector3d& axis) {
  double largest = 0.0;
  for (const JointModel& joint : model.joints)
    for (const int leg : joint.legs)
      if (const MarkerModel& marker = model.markers[static_cast<std::size_t>(leg)];
          marker.body == body)
        largest = std::max(largest, (marker.r - marker.r.dot(axis) * axis).norm());
  return largest;
}

}  // namespace

void Spin::set_angle(double angle) {
  cosine = std::cos(angle);
  sine = std::sin(angle);
}

SpinAxes::SpinAxes(const Model& model) {
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    if (b.kind != BodyModel::Kind::rigid || b.massless) continue;
    Candidate candidate;
    candidate.body = static_cast<int>(k);
    candidate.at = b.v0 + 3;
    if (b.nr == 3 && b.dof[2] == 5) {  // it turns about z, in the plane
      candidate.at = -1;
      candidate.axes.push_back(Vector3d::UnitZ());
    } else if (b.nr == 6) {
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(b.inertia);
      const Vector3d moments = principal.eigenvalues();
      int count = 0;
      for (int i = 0; i < 3; ++i)
        if (are_equal(moments((i + 1) % 3), moments((i + 2) % 3))) {
          candidate.axes.emplace_back(principal.eigenvectors().col(i));
          ++count;
        }
      candidate.is_round = count == 3;
    }
    const double near = kOnAxis * std::sqrt(b.inertia.trace() / (2.0 * b.mass));
    candidate.is_round =
        candidate.is_round && farthest_joint(model, candidate.body, Vector3d::Zero()) <= near;
    std::erase_if(candidate.axes, [&](const Vector3d& axis) {
      return farthest_joint(model, candidate.body, axis) > near;
    });
    if (!candidate.axes.empty()) candidates_.push_back(candidate);
  }
}

void SpinAxes::find(const Eigen::VectorXd& v, double h, std::vector<Spin>& spins) const {
  spins.reserve(candidates_.size());
  spins.clear();
  for (const Candidate& candidate : candidates_) {
    Spin spin;
    spin.body = candidate.body;
    spin.at = candidate.at;
    if (candidate.at < 0) {
      spin.axis = candidate.axes.front();
      spins.push_back(spin);
      continue;
    }
    const Vector3d w = v.segment<3>(candidate.at);
    const double rate = w.norm();
    if (!(rate * h > kLeastAngle)) continue;
    double best = 0.0;
    for (const Vector3d& axis : candidate.axes)
      if (const double share = std::abs(axis.dot(w)) / rate; share > best) {
        best = share;
        spin.axis = axis;
      }
    if (best < kAlong) {
      if (!candidate.is_round) continue;
      spin.axis = w / rate;
    }
    spins.push_back(spin);
  }
}

}  // namespace femflex::mbd_solver
