// Tests scalars of random stress states against the eigenvalues of the stress tensor.
#include "femflex/durability/invariants.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"

#include "support/support.h"

namespace femflex::durability {
namespace {

using testing::tolerance;

struct Scalars {
  double signed_von_mises, largest, smallest, tresca;
};

Scalars by_eigenvalues(const Eigen::Matrix<double, 6, 1>& s, bool is_plane) {
  Eigen::Matrix3d t;
  t << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  const Eigen::Vector3d e = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(t).eigenvalues();
  const Eigen::Matrix3d dev = t - t.trace() / 3.0 * Eigen::Matrix3d::Identity();
  const double sign = e[0] + e[2] < 0.0 ? -1.0 : 1.0;
  Scalars out{sign * std::sqrt(1.5) * dev.norm(), e[2], e[0], e[2] - e[0]};
  if (is_plane) {
    const Eigen::Vector2d p =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(t.topLeftCorner<2, 2>()).eigenvalues();
    out.largest = p[1];
    out.smallest = p[0];
  }
  return out;
}

// Truth: eigenvalues of the tensor.
TEST(Invariants, AreThoseOfTheTensor) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  constexpr Eigen::Index kCount = 500;
  for (const bool is_plane : {true, false}) {
    Eigen::MatrixXd s = Eigen::MatrixXd::NullaryExpr(kCount, 6, [&] { return number(engine); });
    s.row(0).setZero();
    s.row(1) << 1, 1, is_plane ? 0 : 1, 0, 0, 0;
    s.row(2) << -1, 0, 0, 0, 0, 0;
    SixHistories histories{};
    for (std::size_t c = 0; c < 6; ++c)
      if (!is_plane || c == 0 || c == 1 || c == 3)
        histories[c] = s.col(static_cast<Eigen::Index>(c)).data();
      else
        s.col(static_cast<Eigen::Index>(c)).setZero();
    Invariants found;
    compute_invariants(histories, kCount, found);
    for (Eigen::Index k = 0; k < kCount; ++k) {
      const Scalars expected = by_eigenvalues(s.row(k).transpose(), is_plane);
      EXPECT_NEAR(found.signed_von_mises[k], expected.signed_von_mises, tolerance(1e-13)) << k;
      EXPECT_NEAR(found.principal_max[k], expected.largest, tolerance(3e-8)) << k;
      EXPECT_NEAR(found.principal_min[k], expected.smallest, tolerance(3e-8)) << k;
      EXPECT_NEAR(found.tresca[k], expected.tresca, tolerance(3e-8)) << k;
    }
  }
}

// Truth: the signed von Mises stress of a bar is its axial stress.
TEST(Invariants, OfOneAxis) {
  const std::vector<double> xx = {2.0, -3.0};
  Invariants found;
  compute_invariants({xx.data(), nullptr, nullptr, nullptr, nullptr, nullptr}, 2, found);
  EXPECT_NEAR(found.signed_von_mises[0], 2.0, tolerance(1e-15));
  EXPECT_NEAR(found.signed_von_mises[1], -3.0, tolerance(1e-15));
  EXPECT_NEAR(found.tresca[1], 3.0, tolerance(1e-15));
}

}  // namespace
}  // namespace femflex::durability
