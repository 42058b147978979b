// Condenses a part (a dynamic stiffness R(s) on ports) to its ports alone. The result is exact at
// one frequency, about one frequency, or at rest (Guyan). docs/theory/substructures.md eq. (15),
// (16).
#include <Eigen/SparseLU>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/substructure/condense.h"

#include "blocks.h"
#include "matrix_polynomial.h"

namespace femflex::substructure {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

namespace {

/// R condensed to the ports at one s, and the response of the inner coordinates to motions of the
/// ports, X = -R_ii^-1 R_ib.
struct Elimination {
  MatrixXcd condensed;
  MatrixXcd inner_response;
};

Elimination eliminated(const DynamicStiffness& part, Complex s) {
  const Index b = part.port_count();
  const Index i = part.inner_count();
  const ComplexSparse R = sparse_value(part.coefficients, s);
  Elimination out{MatrixXcd(ComplexSparse(R.block(0, 0, b, b))), MatrixXcd(i, b)};
  if (i == 0) return out;
  ComplexSparse inside = R.block(b, b, i, i);
  inside.makeCompressed();
  const Eigen::SparseLU<ComplexSparse, Eigen::COLAMDOrdering<std::int32_t>> lu(inside);
  const auto fail = [&]() {
    throw NumericalError(
        "singular",
        fmt::format("part '{}' with fixed ports has a resonance at {} rad/s", part.name, s.imag()),
        {},
        "take another frequency");
  };
  if (lu.info() != Eigen::Success) fail();
  out.inner_response = -lu.solve(MatrixXcd(ComplexSparse(R.block(b, 0, i, b))));
  if (!out.inner_response.allFinite()) fail();
  out.condensed += ComplexSparse(R.block(0, b, b, i)) * out.inner_response;
  return out;
}

}  // namespace

MatrixXcd condensed_at(const DynamicStiffness& part, double omega) {
  return eliminated(part, {0.0, omega}).condensed;
}

DynamicStiffness condensed_about(const DynamicStiffness& part, double omega) {
  if (!(omega > 0.0)) {
    throw ModelError(
        "frequency",
        fmt::format("the frequency of condensation is {} rad/s, but must be positive", omega),
        {},
        "at rest use guyan()");
  }
  blocks_of(part);  // checks that the part is symmetric and of order two
  const Complex s(0.0, omega);
  const Elimination at = eliminated(part, s);
  // the condensed R, D, has the derivative dD/ds = W' R'(s) W with W = [1; X]; with respect to
  // omega^2 it is d/d(omega^2) = (i / 2 omega) d/ds
  MatrixXcd W(part.size(), part.port_count());
  W << MatrixXcd::Identity(part.port_count(), part.port_count()), at.inner_response;
  MatrixXcd slope = MatrixXcd::Zero(part.size(), part.port_count());
  Complex power = 1.0;
  for (std::size_t k = 1; k < part.coefficients.size(); ++k) {
    const ComplexSparse a = part.coefficients[k].cast<Complex>();
    slope += static_cast<double>(k) * power * (a * W);
    power *= s;
  }
  const MatrixXcd over_square = Complex(0.0, 0.5 / omega) * (W.transpose() * slope);
  const MatrixXd M = -over_square.real();
  const MatrixXd K = at.condensed.real() + omega * omega * M;
  const MatrixXd C = at.condensed.imag() / omega;
  return part_like(part, {K, C, M});
}

DynamicStiffness guyan(const DynamicStiffness& part) {
  const StaticReduction reduced = static_reduction(blocks_of(part));
  return part_like(part, {reduced.K, reduced.C, reduced.M});
}

}  // namespace femflex::substructure
