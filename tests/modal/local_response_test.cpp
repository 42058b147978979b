// Responses of a sparse model at one frequency. Truth: the dense inverse of K - s M.
#include "methods/local_response.h"

#include <complex>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "box_lattice.h"
#include "solve/projection.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::tolerance;

/// Forces on three points, one of them on two at once.
Eigen::MatrixXd forces_on(const BoxLattice& box) {
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(box.K.rows(), 3);
  B(3, 0) = 1.0;
  B(17, 1) = -2.0;
  B(30, 2) = 1.0;
  B(31, 2) = 1.0;
  return B;
}

Eigen::MatrixXcd response_of(const BoxLattice& box,
                             const Eigen::MatrixXd& B,
                             const Eigen::VectorXd& scale,
                             double w2,
                             std::complex<double> s) {
  ShiftedFactor factor(box.K, box.M, box.group, {});
  return local_response(factor, B, scale, w2, s);
}

// At rest, between two eigenvalues, on one, and above all of them.
TEST(LocalResponse, IsThatOfTheDenseMatrix) {
  const BoxLattice box({5, 4, 3}, true);
  const Eigen::MatrixXd B = forces_on(box);
  const std::vector<double> lambda = box.eigenvalues();
  for (const double w2 : {0.0, 0.5 * (lambda[0] + lambda[1]), lambda[2], 2.0 * lambda.back()}) {
    const std::complex<double> s = w2 / std::complex<double>(1.0, 0.02);
    Eigen::MatrixXcd Z = mirrored(box.K).cast<std::complex<double>>();
    Z -= s * mirrored(box.M);
    const Eigen::MatrixXcd b = B.cast<std::complex<double>>();
    const Eigen::MatrixXcd exact = b.transpose() * Z.partialPivLu().solve(b);
    const Eigen::MatrixXcd found = response_of(box, B, Eigen::Vector3d::Ones(), w2, s);
    EXPECT_LE((found - exact).norm(), tolerance(1e-9) * exact.norm()) << w2;
    // a row of scale zero is not judged, and the others are as exact
    const Eigen::MatrixXcd two = response_of(box, B, Eigen::Vector3d(1.0, 0.0, 1.0), w2, s);
    EXPECT_LE(std::abs(two(2, 0) - exact(2, 0)), tolerance(1e-9) * exact.norm()) << w2;
  }
}

// A part that can move has no response at rest, and one above rest.
TEST(LocalResponse, AtRestAPartThatCanMoveIsRefused) {
  const BoxLattice box({5, 4, 3}, false);
  const Eigen::MatrixXd B = forces_on(box);
  try {
    response_of(box, B, Eigen::Vector3d::Ones(), 0.0, 0.0);
    FAIL() << "the response is infinite";
  } catch (const NumericalError& error) {
    EXPECT_EQ(error.code(), "singular");
    EXPECT_NE(error.message().find("0 Hz"), std::string::npos) << error.message();
  }
  EXPECT_TRUE(response_of(box, B, Eigen::Vector3d::Ones(), 1e-4, {1e-4, -1e-6}).allFinite());
}

}  // namespace
}  // namespace femflex::modal
