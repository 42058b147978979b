// Determines which bodies have an axis of symmetry, and which of them spin about it.
#include "spatial/spin.h"

#include <algorithm>
#include <cmath>

#include "femflex/dense.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

namespace {

/// Two moments of inertia count as equal if their difference divided by their sum is below this. A
/// matrix kept while the body spins then has a relative error of at most twice this value, with
/// which Newton's method still converges.
constexpr double kUneven = 0.15;
/// A body spins about an axis if the cosine of the angle between axis and angular velocity exceeds
/// this. It does so for a steered wheel or a fast precessing top, but not for a swinging rod.
constexpr double kAlong = 0.8;
/// Angle [rad] per step below which axes that do not spin bring no advantage.
constexpr double kLeastAngle = 1e-3;

/// A joint is on the axis if its distance, divided by the radius of gyration, is below this. A
/// joint farther out moves around the axis with the body, as at a swinging bar.
constexpr double kOnAxis = 0.3;

bool are_equal(double a, double b) {
  return std::abs(a - b) <= kUneven * (a + b);
}

/// Largest distance of a joint of a body from an axis through the mass centre; from the mass centre
/// itself if `axis` is zero.
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
    if (b.nr == 3 && b.dof[2] == 5) {  // the body turns about z, in the plane
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
