// Partition: a part under its supports, with its coordinates sorted into free and fixed ones, and
// the right and left sides of its transfer functions. Notation: R_ff is R(s) on the free
// coordinates, u_f their displacements.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "femflex/substructure/dynamic_stiffness.h"
#include "femflex/substructure/solve.h"

#include "matrix_polynomial.h"

namespace femflex::substructure {

/// A part with its ports sorted into free and fixed ones.
class Partition {
 public:
  /// @throws ModelError  no such port, a port fixed twice, or nothing is free
  Partition(const DynamicStiffness& part, const Supports& supports);

  const DynamicStiffness& part() const { return part_; }
  Eigen::Index free_count() const { return static_cast<Eigen::Index>(free_.size()); }
  /// Index in the part (from 0) of each free coordinate.
  const std::vector<Eigen::Index>& free() const { return free_; }
  /// Index of a port among the free coordinates, -1 if it is fixed. `port` counts from 1.
  Eigen::Index free_index(int port) const;
  bool is_fixed(int port) const { return free_index(port) < 0; }

  /// A_k on the free coordinates.
  const std::vector<SparseMatrix>& coefficients() const { return coefficients_; }
  /// R_ff(s), sparse or dense.
  ComplexSparse evaluate(std::complex<double> s) const;
  Eigen::MatrixXcd evaluate_dense(std::complex<double> s) const;

  /// @throws ModelError  no such port, a force at a fixed port, a motion of a port not prescribed
  void check(const Input& input) const;
  /// @throws ModelError  no such port, or a reaction at a free port
  void check(const Output& output) const;
  /// b(s) in R_ff u_f = b for a unit input.
  Eigen::VectorXcd right_side(const Input& input, std::complex<double> s) const;
  /// c(s) in  output = c' u_f + e.
  Eigen::VectorXcd left_side(const Output& output, std::complex<double> s) const;
  /// e in  output = c' u_f + e  for a unit input.
  std::complex<double> feed_through(const Input& input,
                                    const Output& output,
                                    std::complex<double> s) const;

 private:
  void check_port(int port) const;
  std::complex<double> entry(Eigen::Index row, Eigen::Index col, std::complex<double> s) const;

  const DynamicStiffness& part_;
  std::vector<Eigen::Index> free_;
  std::vector<Eigen::Index> index_;  // index of each coordinate among the free ones, or -1
  std::vector<bool> prescribed_;
  std::vector<SparseMatrix> coefficients_;
};

/// H(s) for one input and output, by a dense factorisation.
std::complex<double> evaluate_transfer(const Partition& partition,
                                       const Input& input,
                                       const Output& output,
                                       std::complex<double> s);

/// Sorts poles and expands shapes (free coordinates x poles) to the coordinates of the part.
Poles finished_poles(const Partition& partition,
                     const Eigen::VectorXcd& values,
                     const Eigen::MatrixXcd& vectors);

}  // namespace femflex::substructure
