// DynamicStiffness: a part, described by a polynomial dynamic stiffness R(s) on named ports, and
// the functions that make and transform parts.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::substructure {

/// A part described by the dynamic stiffness at its ports:  R(s) u = f,  R(s) = A_0 + A_1 s + ... +
/// A_d s^d.
///
/// The first coordinates are the ports, displacements at which other parts may be joined. Inner
/// coordinates may follow; they cannot be joined, fixed or read, and no external force acts on
/// them. An assembly of parts is such a part again (docs/theory/substructures.md eq. 1). Ports
/// count from 1 in files and arguments; 0 then means "none".  SI units.
struct DynamicStiffness {
  std::string name;
  std::vector<std::string> ports;  ///< names, one per port
  /// A_k at index k, both triangles stored, symmetric or not
  std::vector<SparseMatrix> coefficients;
  /// All ports move along one axis, as those of a bar: the part cannot be rotated. Not known of
  /// assemblies, whose bars may stand for springs along x and y.
  bool is_axial = false;

  Eigen::Index port_count() const { return static_cast<Eigen::Index>(ports.size()); }
  Eigen::Index size() const { return coefficients.empty() ? 0 : coefficients.front().rows(); }
  Eigen::Index inner_count() const { return size() - port_count(); }
  int order() const { return static_cast<int>(coefficients.size()) - 1; }
};

/// Coefficients in descending powers of s, as in the text form and the polynomial tables: {a, b, c}
/// is a s^2 + b s + c.
using Polynomial = std::vector<double>;
/// Entries row by row.
using PolynomialMatrix = std::vector<std::vector<Polynomial>>;

/// Checks sizes and numbers, drops leading coefficients that are zero, names ports "1", "2", ... if
/// names are missing.
/// @throws ModelError  no port, coefficients of different size or not square, a number that is not
///                     finite, fewer coordinates than ports, a name twice
DynamicStiffness make_part(DynamicStiffness part);

/// The part R(s) = M s^2 + C s + K, in which all coordinates are ports.
DynamicStiffness from_matrices(const Eigen::Ref<const Eigen::MatrixXd>& M,
                               const Eigen::Ref<const Eigen::MatrixXd>& C,
                               const Eigen::Ref<const Eigen::MatrixXd>& K);

/// The part with these entries, of any order; the matrix must be square.
/// @throws ModelError  not square
DynamicStiffness from_polynomials(const PolynomialMatrix& entries);

/// The entries as polynomials; zero is {0}. The result is dense, so this is for small parts.
PolynomialMatrix to_polynomials(const DynamicStiffness& part);

/// One port with displacement / force = numerator / denominator.  For a constant numerator this is
/// the plain polynomial denominator / numerator; otherwise one inner coordinate is added (eq. 4).
/// @throws ModelError  an empty polynomial, or one that is zero
DynamicStiffness from_transfer_function(const Polynomial& numerator, const Polynomial& denominator);

/// The part x' = A x + B f, u = C x + D f with one force as input and one displacement as output
/// per port. The states and the port forces become inner coordinates (eq. 5). But if the states are
/// the displacements and velocities of the ports, in any coordinates, the part is M s^2 + C s + K
/// without inner coordinates (eq. 5b).
/// @throws ModelError  sizes do not match
DynamicStiffness from_state_space(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                  const Eigen::Ref<const Eigen::MatrixXd>& B,
                                  const Eigen::Ref<const Eigen::MatrixXd>& C,
                                  const Eigen::Ref<const Eigen::MatrixXd>& D);

/// R(s) at one s. The result is dense, so this is for small parts.
Eigen::MatrixXcd evaluate(const DynamicStiffness& part, std::complex<double> s);

/// T' R(s) T with new ports: columns of T are the new port coordinates; inner coordinates are
/// unchanged.
/// @throws ModelError  T does not have one row per port
DynamicStiffness transformed(const DynamicStiffness& part,
                             const Eigen::Ref<const Eigen::MatrixXd>& T);

/// Keeps `kept` (from 1) as ports, in that order; the other ports become inner coordinates.
/// @throws ModelError  there is no such port, or a port is listed twice
DynamicStiffness with_ports(const DynamicStiffness& part, const std::vector<int>& kept);

/// Whether every A_k equals its transpose to within `tolerance` times its largest entry.
bool is_symmetric(const DynamicStiffness& part, double tolerance = 1e-12);

}  // namespace femflex::substructure
