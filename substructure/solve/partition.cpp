// Sorts the coordinates of a part into free and fixed ones, and evaluates at a given s the matrices
// of its transfer functions: R(s), the right side b(s) of an input, and the factors c(s) and e of
// an output.
#include "partition.h"

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex::substructure {

using Complex = std::complex<double>;
using Eigen::Index;

Partition::Partition(const DynamicStiffness& part, const Supports& supports)
    : part_(part),
      index_(static_cast<std::size_t>(part.size()), 0),
      prescribed_(static_cast<std::size_t>(part.size()), false) {
  const auto fix = [&](int port, bool is_prescribed) {
    check_port(port);
    Index& index = index_[static_cast<std::size_t>(port) - 1];
    if (index < 0) {
      throw ModelError("port-twice",
                       fmt::format("port {} of '{}' is fixed twice", port, part.name));
    }
    index = -1;
    prescribed_[static_cast<std::size_t>(port) - 1] = is_prescribed;
  };
  for (const int port : supports.fixed)
    fix(port, false);
  for (const int port : supports.prescribed)
    fix(port, true);
  for (std::size_t i = 0; i < index_.size(); ++i) {
    if (index_[i] < 0) continue;
    index_[i] = free_count();
    free_.push_back(static_cast<Index>(i));
  }
  if (free_.empty()) {
    throw ModelError(
        "all-fixed",
        fmt::format("every DOF of '{}' is fixed; nothing is left to solve", part.name));
  }
  for (const SparseMatrix& a : part.coefficients) {
    std::vector<Entry> entries;
    for (Index j = 0; j < a.outerSize(); ++j) {
      const Index col = index_[static_cast<std::size_t>(j)];
      if (col < 0) continue;
      for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
        const Index row = index_[static_cast<std::size_t>(it.row())];
        if (row >= 0) entries.push_back({row, col, it.value()});
      }
    }
    coefficients_.push_back(assemble(free_count(), free_count(), entries));
  }
  while (coefficients_.size() > 1 && coefficients_.back().nonZeros() == 0)
    coefficients_.pop_back();
}

void Partition::check_port(int port) const {
  if (port < 1 || port > part_.port_count()) {
    throw ModelError(
        "unknown-port",
        fmt::format(
            "'{}' has ports 1 to {}; there is no port {}", part_.name, part_.port_count(), port));
  }
}

Index Partition::free_index(int port) const {
  check_port(port);
  return index_[static_cast<std::size_t>(port) - 1];
}

ComplexSparse Partition::evaluate(Complex s) const {
  return sparse_value(coefficients_, s);
}

Eigen::MatrixXcd Partition::evaluate_dense(Complex s) const {
  return dense_value(coefficients_, s);
}

void Partition::check(const Input& input) const {
  const bool is_port_fixed = is_fixed(input.port);
  if (input.kind == Input::Kind::motion && !prescribed_[static_cast<std::size_t>(input.port) - 1]) {
    throw ModelError(
        "not-prescribed",
        fmt::format("an input moves port {}, which is not among the prescribed ports", input.port));
  }
  if (input.kind == Input::Kind::force && is_port_fixed) {
    throw ModelError("held-port",
                     fmt::format("a force acts at port {}, which is fixed", input.port));
  }
}

void Partition::check(const Output& output) const {
  const bool is_port_fixed = is_fixed(output.port);
  if (output.kind == Output::Kind::reaction && !is_port_fixed) {
    throw ModelError("free-port",
                     fmt::format("a reaction is requested at port {}, which is free", output.port));
  }
}

Complex Partition::entry(Index row, Index col, Complex s) const {
  Complex value = 0.0;
  Complex power = 1.0;
  for (const SparseMatrix& a : part_.coefficients) {
    value += power * a.coeff(row, col);
    power *= s;
  }
  return value;
}

Eigen::VectorXcd Partition::right_side(const Input& input, Complex s) const {
  Eigen::VectorXcd b = Eigen::VectorXcd::Zero(free_count());
  if (input.kind == Input::Kind::force) {
    b(free_index(input.port)) = 1.0;
    return b;
  }
  Complex power = 1.0;
  for (const SparseMatrix& a : part_.coefficients) {
    for (SparseMatrix::InnerIterator it(a, input.port - 1); it; ++it) {
      const Index row = index_[static_cast<std::size_t>(it.row())];
      if (row >= 0) b(row) -= power * it.value();
    }
    power *= s;
  }
  return b;
}

Eigen::VectorXcd Partition::left_side(const Output& output, Complex s) const {
  Eigen::VectorXcd c = Eigen::VectorXcd::Zero(free_count());
  if (output.kind == Output::Kind::displacement) {
    if (!is_fixed(output.port)) c(free_index(output.port)) = 1.0;
    return c;
  }
  Complex power = 1.0;
  for (const SparseMatrix& a : part_.coefficients) {
    for (Index k = 0; k < free_count(); ++k) {
      c(k) += power * a.coeff(output.port - 1, free_[static_cast<std::size_t>(k)]);
    }
    power *= s;
  }
  return c;
}

Complex Partition::feed_through(const Input& input, const Output& output, Complex s) const {
  if (input.kind != Input::Kind::motion) return 0.0;
  if (output.kind == Output::Kind::reaction) return entry(output.port - 1, input.port - 1, s);
  return input.port == output.port ? 1.0 : 0.0;
}

Complex evaluate_transfer(const Partition& partition,
                          const Input& input,
                          const Output& output,
                          Complex s) {
  const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(partition.evaluate_dense(s));
  const Eigen::VectorXcd u = lu.solve(partition.right_side(input, s));
  return (partition.left_side(output, s).transpose() * u).value() +
         partition.feed_through(input, output, s);
}

}  // namespace femflex::substructure
