// Makes, checks and transforms parts, which are described by their dynamic stiffness: R(s) u = f,
// R(s) = A_0 + A_1 s + ... + A_d s^d. Equation numbers are those of docs/theory/substructures.md.
#include "femflex/substructure/dynamic_stiffness.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

#include "matrix_polynomial.h"

namespace femflex::substructure {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

/// Whether every stored entry is zero.
bool vanishes(const SparseMatrix& a) {
  return std::all_of(a.valuePtr(), a.valuePtr() + a.nonZeros(), [](double v) { return v == 0.0; });
}

SparseMatrix sparse(const Eigen::Ref<const MatrixXd>& dense) {
  SparseMatrix a = dense.sparseView();
  a.makeCompressed();
  return a;
}

void check_square(const char* name, const Eigen::Ref<const MatrixXd>& a, Index n) {
  if (a.rows() != n || a.cols() != n) {
    throw ModelError(
        "not-square",
        fmt::format("{} is {} x {}, expected {} x {}", name, a.rows(), a.cols(), n, n));
  }
}

}  // namespace

DynamicStiffness make_part(DynamicStiffness part) {
  if (part.coefficients.empty() || part.coefficients.front().rows() == 0) {
    throw ModelError("no-ports", fmt::format("part '{}' has no port", part.name));
  }
  const Index n = part.coefficients.front().rows();
  for (SparseMatrix& a : part.coefficients) {
    if (a.rows() != a.cols()) {
      throw ModelError("not-square",
                       fmt::format("dynamic stiffness of part '{}' is {} x {}, not square",
                                   part.name,
                                   a.rows(),
                                   a.cols()));
    }
    if (a.rows() != n) {
      throw ModelError(
          "sizes-differ",
          fmt::format("coefficients of part '{}' are of size {} and {}", part.name, n, a.rows()));
    }
    a.makeCompressed();
    for (Index k = 0; k < a.nonZeros(); ++k) {
      if (!std::isfinite(a.valuePtr()[k])) {
        throw ModelError("not-finite",
                         fmt::format("part '{}' holds a number that is not finite", part.name));
      }
    }
  }
  while (part.coefficients.size() > 1 && vanishes(part.coefficients.back())) {
    part.coefficients.pop_back();
  }
  if (part.ports.empty()) {
    for (Index i = 1; i <= n; ++i)
      part.ports.push_back(fmt::format("{}", i));
  }
  if (part.port_count() > n) {
    throw ModelError(
        "sizes-differ",
        fmt::format(
            "part '{}' names {} ports but has {} coordinates", part.name, part.port_count(), n));
  }
  const std::set<std::string> names(part.ports.begin(), part.ports.end());
  if (names.size() != part.ports.size()) {
    throw ModelError("name-twice", fmt::format("two ports of part '{}' share a name", part.name));
  }
  return part;
}

DynamicStiffness from_matrices(const Eigen::Ref<const MatrixXd>& M,
                               const Eigen::Ref<const MatrixXd>& C,
                               const Eigen::Ref<const MatrixXd>& K) {
  check_square("K", K, K.rows());
  check_square("C", C, K.rows());
  check_square("M", M, K.rows());
  return make_part({.coefficients = {sparse(K), sparse(C), sparse(M)}});
}

DynamicStiffness from_polynomials(const PolynomialMatrix& entries) {
  const auto n = static_cast<Index>(entries.size());
  std::size_t terms = 1;
  for (const auto& row : entries) {
    if (static_cast<Index>(row.size()) != n) {
      throw ModelError(
          "not-square",
          fmt::format("the matrix has {} rows, but one of them has {} entries", n, row.size()));
    }
    for (const Polynomial& p : row)
      terms = std::max(terms, p.size());
  }
  std::vector<std::vector<Entry>> places(terms);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = 0; j < entries.size(); ++j) {
      const Polynomial& p = entries[i][j];
      for (std::size_t t = 0; t < p.size(); ++t) {
        places[p.size() - 1 - t].push_back(
            {static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), p[t]});
      }
    }
  }
  DynamicStiffness part;
  for (const auto& list : places)
    part.coefficients.push_back(assemble(n, n, list));
  return make_part(std::move(part));
}

PolynomialMatrix to_polynomials(const DynamicStiffness& part) {
  const auto n = static_cast<std::size_t>(part.size());
  PolynomialMatrix out(n, std::vector<Polynomial>(n, Polynomial(part.coefficients.size(), 0.0)));
  for (int power = 0; power <= part.order(); ++power) {
    const SparseMatrix& a = part.coefficients[static_cast<std::size_t>(power)];
    for (Index j = 0; j < a.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
        out[static_cast<std::size_t>(it.row())][static_cast<std::size_t>(j)]
           [static_cast<std::size_t>(part.order() - power)] = it.value();
      }
    }
  }
  for (auto& row : out) {
    for (Polynomial& p : row) {
      const auto first = std::find_if(p.begin(), p.end() - 1, [](double v) { return v != 0.0; });
      p.erase(p.begin(), first);
    }
  }
  return out;
}

DynamicStiffness from_transfer_function(const Polynomial& numerator,
                                        const Polynomial& denominator) {
  const auto trimmed = [](const Polynomial& p) {
    return Polynomial(std::find_if(p.begin(), p.end(), [](double v) { return v != 0.0; }), p.end());
  };
  const Polynomial N = trimmed(numerator);
  const Polynomial D = trimmed(denominator);
  if (N.empty() || D.empty()) {
    throw ModelError("zero-polynomial",
                     N.empty() ? "the numerator of the transfer function is zero"
                               : "the denominator of the transfer function is zero");
  }
  if (N.size() == 1) {
    Polynomial quotient = D;
    for (double& v : quotient)
      v /= N.front();
    return from_polynomials({{quotient}});
  }
  // u = N q, f = D q with one inner coordinate q
  DynamicStiffness part = from_polynomials({{{0.0}, D}, {{-1.0}, N}});
  part.ports = {"1"};
  return make_part(std::move(part));
}

namespace {

/// R(s) of a state space whose states are the displacements and velocities of its ports: with
/// W = [C; C A] and G = C A B, u'' = C A^2 W^-1 [u; u'] + G f. Empty for any other state space.
std::optional<DynamicStiffness> second_order(const Eigen::Ref<const MatrixXd>& A,
                                             const Eigen::Ref<const MatrixXd>& B,
                                             const Eigen::Ref<const MatrixXd>& C,
                                             const Eigen::Ref<const MatrixXd>& D) {
  // relative size up to which C B is round-off; above it, a force changes a velocity at once
  constexpr double kRoundOff = 1e-12;
  const Index ports = B.cols();
  if (A.rows() != 2 * ports || !D.isZero(0.0)) return {};
  const MatrixXd CA = C * A;
  if ((C * B).norm() > kRoundOff * C.norm() * B.norm()) return {};
  MatrixXd W(2 * ports, 2 * ports);
  W << C, CA;
  const Eigen::FullPivLU<MatrixXd> states(W);
  const Eigen::FullPivLU<MatrixXd> flexibility(CA * B);
  if (!states.isInvertible() || !flexibility.isInvertible()) return {};
  const MatrixXd rate = CA * A * states.inverse();
  const MatrixXd M = flexibility.inverse();
  return from_matrices(M, -M * rate.rightCols(ports), -M * rate.leftCols(ports));
}

}  // namespace

DynamicStiffness from_state_space(const Eigen::Ref<const MatrixXd>& A,
                                  const Eigen::Ref<const MatrixXd>& B,
                                  const Eigen::Ref<const MatrixXd>& C,
                                  const Eigen::Ref<const MatrixXd>& D) {
  const Index states = A.rows();
  const Index ports = B.cols();
  if (A.cols() != states || B.rows() != states || C.rows() != ports || C.cols() != states ||
      D.rows() != ports || D.cols() != ports) {
    throw ModelError("sizes-differ",
                     fmt::format("state space: A is {} x {}, B {} x {}, C {} x {}, D {} x {}; one "
                                 "force and one displacement per port are expected",
                                 A.rows(),
                                 A.cols(),
                                 B.rows(),
                                 B.cols(),
                                 C.rows(),
                                 C.cols(),
                                 D.rows(),
                                 D.cols()));
  }
  if (std::optional<DynamicStiffness> own = second_order(A, B, C, D)) return *std::move(own);
  // coordinates u, x, phi:  phi = f;  (s - A) x - B phi = 0;  C x + D phi - u = 0
  const Index n = 2 * ports + states;
  MatrixXd constant = MatrixXd::Zero(n, n);
  MatrixXd slope = MatrixXd::Zero(n, n);
  constant.block(0, ports + states, ports, ports).setIdentity();
  constant.block(ports, ports, states, states) = -A;
  constant.block(ports, ports + states, states, ports) = -B;
  constant.block(ports + states, 0, ports, ports) = -MatrixXd::Identity(ports, ports);
  constant.block(ports + states, ports, ports, states) = C;
  constant.block(ports + states, ports + states, ports, ports) = D;
  slope.block(ports, ports, states, states).setIdentity();
  DynamicStiffness part;
  part.coefficients = {sparse(constant), sparse(slope)};
  for (Index i = 1; i <= ports; ++i)
    part.ports.push_back(fmt::format("{}", i));
  return make_part(std::move(part));
}

Eigen::MatrixXcd evaluate(const DynamicStiffness& part, std::complex<double> s) {
  return dense_value(part.coefficients, s);
}

DynamicStiffness transformed(const DynamicStiffness& part, const Eigen::Ref<const MatrixXd>& T) {
  if (T.rows() != part.port_count() || T.cols() == 0) {
    throw ModelError("sizes-differ",
                     fmt::format("part '{}' has {} ports; the transformation has {} rows and {} "
                                 "columns",
                                 part.name,
                                 part.port_count(),
                                 T.rows(),
                                 T.cols()));
  }
  std::vector<Entry> entries;
  for (Index i = 0; i < T.rows(); ++i) {
    for (Index j = 0; j < T.cols(); ++j) {
      if (T(i, j) != 0.0) entries.push_back({i, j, T(i, j)});
    }
  }
  for (Index i = 0; i < part.inner_count(); ++i) {
    entries.push_back({T.rows() + i, T.cols() + i, 1.0});
  }
  const SparseMatrix extended = assemble(part.size(), T.cols() + part.inner_count(), entries);
  const SparseMatrix transpose = extended.transpose();
  DynamicStiffness out;
  out.name = part.name;
  if (T.cols() == T.rows()) out.ports = part.ports;
  for (Index i = 1; out.port_count() < T.cols(); ++i)
    out.ports.push_back(fmt::format("{}", i));
  for (const SparseMatrix& a : part.coefficients) {
    const SparseMatrix right = a * extended;
    out.coefficients.emplace_back(transpose * right);
  }
  return make_part(std::move(out));
}

DynamicStiffness with_ports(const DynamicStiffness& part, const std::vector<int>& kept) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(part.size()), -1);
  DynamicStiffness out;
  out.name = part.name;
  out.is_axial = part.is_axial;
  std::int64_t next = 0;
  for (const int port : kept) {
    if (port < 1 || port > part.port_count()) {
      throw ModelError("unknown-port",
                       fmt::format("part '{}' has ports 1 to {}; there is no port {}",
                                   part.name,
                                   part.port_count(),
                                   port));
    }
    auto& new_index = index[static_cast<std::size_t>(port - 1)];
    if (new_index >= 0) {
      throw ModelError("port-twice",
                       fmt::format("port {} of part '{}' is listed twice", port, part.name));
    }
    new_index = next++;
    out.ports.push_back(part.ports[static_cast<std::size_t>(port - 1)]);
  }
  if (kept.empty()) {
    throw ModelError("no-ports", fmt::format("part '{}' would keep no port", part.name));
  }
  for (auto& new_index : index) {
    if (new_index < 0) new_index = next++;
  }
  for (const SparseMatrix& a : part.coefficients) {
    std::vector<Entry> entries;
    entries.reserve(static_cast<std::size_t>(a.nonZeros()));
    for (Index j = 0; j < a.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
        entries.push_back({index[static_cast<std::size_t>(it.row())],
                           index[static_cast<std::size_t>(j)],
                           it.value()});
      }
    }
    out.coefficients.push_back(assemble(part.size(), part.size(), entries));
  }
  return make_part(std::move(out));
}

bool is_symmetric(const DynamicStiffness& part, double tolerance) {
  return std::all_of(
      part.coefficients.begin(), part.coefficients.end(), [tolerance](const SparseMatrix& a) {
        return a.nonZeros() == 0 || asymmetry(a).relative <= tolerance;
      });
}

}  // namespace femflex::substructure
