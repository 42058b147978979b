// Computes determinants, adjoints and transfer functions of small parts as explicit polynomials in
// s, by Laplace expansion in long double.
#include <bit>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/substructure/solve.h"

#include "partition.h"

namespace femflex::substructure {

using Eigen::Index;

namespace {

// largest number of coordinates whose determinant is expanded: 2^12 minors
constexpr std::size_t kMaxCoordinates = 12;

using LongPolynomial = std::vector<long double>;  // coefficients in ascending powers

LongPolynomial product(const LongPolynomial& a, const LongPolynomial& b) {
  if (a.empty() || b.empty()) return {};
  LongPolynomial c(a.size() + b.size() - 1, 0.0L);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j)
      c[i + j] += a[i] * b[j];
  }
  return c;
}

void add(LongPolynomial& sum, const LongPolynomial& term, long double sign) {
  if (sum.size() < term.size()) sum.resize(term.size(), 0.0L);
  for (std::size_t i = 0; i < term.size(); ++i)
    sum[i] += sign * term[i];
}

using LongMatrix = std::vector<std::vector<LongPolynomial>>;

/// Laplace expansion by rows that treats each set of columns only once, with n 2^n products instead
/// of n!.
class Expansion {
 public:
  /// @param rows  the rows of `matrix` whose minors are wanted, first to last
  Expansion(const LongMatrix& matrix, std::vector<std::size_t> rows)
      : matrix_(matrix), rows_(std::move(rows)) {}

  /// The minor of the last rows and of these columns, with as many rows as columns.
  /// @param columns  bit j is set: column j is included
  const LongPolynomial& minor_of(unsigned columns) {
    const auto known = known_.find(columns);
    if (known != known_.end()) return known->second;
    const auto count = static_cast<std::size_t>(std::popcount(columns));
    LongPolynomial sum;
    if (count == 0) {
      sum = {1.0L};
    } else {
      const std::size_t row = rows_[rows_.size() - count];
      long double sign = 1.0L;
      for (std::size_t j = 0; j < matrix_.size(); ++j) {
        if ((columns >> j & 1U) == 0U) continue;
        if (!matrix_[row][j].empty()) {
          add(sum, product(matrix_[row][j], minor_of(columns & ~(1U << j))), sign);
        }
        sign = -sign;
      }
    }
    return known_.emplace(columns, std::move(sum)).first->second;
  }

 private:
  const LongMatrix& matrix_;
  std::vector<std::size_t> rows_;
  std::unordered_map<unsigned, LongPolynomial> known_;
};

LongMatrix matrix_of(const Partition& partition) {
  const auto n = static_cast<std::size_t>(partition.free_count());
  if (n > kMaxCoordinates) {
    throw NumericalError("too-large",
                         fmt::format("{} coordinates are free, explicit polynomials take at most "
                                     "{}",
                                     n,
                                     kMaxCoordinates),
                         {},
                         "use the pole-residue form");
  }
  LongMatrix out(n, std::vector<LongPolynomial>(n));
  for (std::size_t power = 0; power < partition.coefficients().size(); ++power) {
    const SparseMatrix& a = partition.coefficients()[power];
    for (Index j = 0; j < a.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
        if (it.value() == 0.0) continue;
        LongPolynomial& p = out[static_cast<std::size_t>(it.row())][static_cast<std::size_t>(j)];
        if (p.size() <= power) p.resize(power + 1, 0.0L);
        p[power] = static_cast<long double>(it.value());
      }
    }
  }
  return out;
}

Polynomial descending(const LongPolynomial& p) {
  Polynomial out;
  for (auto it = p.rbegin(); it != p.rend(); ++it) {
    const auto value = static_cast<double>(*it);
    if (out.empty() && value == 0.0) continue;
    out.push_back(value);
  }
  if (out.empty()) out.push_back(0.0);
  return out;
}

unsigned all_columns(std::size_t n) {
  return (1U << n) - 1U;
}

LongPolynomial determinant_of(const LongMatrix& matrix) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < matrix.size(); ++i)
    rows.push_back(i);
  return Expansion(matrix, rows).minor_of(all_columns(matrix.size()));
}

/// (-1)^(i+j) times the minor without row i and column j.
LongPolynomial cofactor(const LongMatrix& matrix, std::size_t i, std::size_t j) {
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    if (k != i) rows.push_back(k);
  }
  LongPolynomial minor = Expansion(matrix, rows).minor_of(all_columns(matrix.size()) & ~(1U << j));
  if ((i + j) % 2 == 1) {
    for (long double& v : minor)
      v = -v;
  }
  return minor;
}

}  // namespace

Polynomial determinant(const DynamicStiffness& part, const Supports& supports) {
  return descending(determinant_of(matrix_of(Partition(part, supports))));
}

PolynomialMatrix adjoint(const DynamicStiffness& part, const Supports& supports) {
  const LongMatrix matrix = matrix_of(Partition(part, supports));
  const std::size_t n = matrix.size();
  PolynomialMatrix out(n, std::vector<Polynomial>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      out[j][i] = descending(cofactor(matrix, i, j));
  }
  return out;
}

RationalFunction transfer_polynomials(const DynamicStiffness& part,
                                      const Supports& supports,
                                      int input_port,
                                      int output_port) {
  const Partition partition(part, supports);
  const Input input{Input::Kind::force, input_port};
  partition.check(input);
  const LongMatrix matrix = matrix_of(partition);
  RationalFunction out{{0.0}, descending(determinant_of(matrix))};
  if (!partition.is_fixed(output_port)) {
    const auto row = static_cast<std::size_t>(partition.free_index(input_port));
    const auto col = static_cast<std::size_t>(partition.free_index(output_port));
    out.numerator = descending(cofactor(matrix, row, col));
  }
  return out;
}

}  // namespace femflex::substructure
