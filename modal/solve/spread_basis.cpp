// Spreads the rows of a Lanczos basis over a team: products of tall matrices are summed, or
// computed row by row, where the rows are.
#include "solve/spread_basis.h"

#include <utility>
#include <vector>

namespace femflex::modal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using What = TeamOrder::What;

std::span<const double> numbers_of(const MatrixXd& A) {
  return {A.data(), static_cast<std::size_t>(A.size())};
}

MatrixXd matrix_of(const std::vector<double>& numbers, Index columns) {
  const auto rows = columns > 0 ? static_cast<Index>(numbers.size()) / columns : 0;
  return Eigen::Map<const MatrixXd>(numbers.data(), rows, columns);
}

class SpreadBasis : public LanczosBasis {
 public:
  SpreadBasis(Team& team, Index rows, Index columns, int threads)
      : team_(team),
        object_(team.next_object()),
        rows_(rows),
        own_(first_row(rows, 1, team.size()), columns, threads) {
    for (int rank = 0; rank <= team.size(); ++rank)
      firsts_.push_back(first_row(rows, rank, team.size()));
    tell({.what = What::make_basis, .rows = rows, .columns = columns});
  }
  SpreadBasis(const SpreadBasis&) = delete;
  SpreadBasis& operator=(const SpreadBasis&) = delete;
  SpreadBasis(SpreadBasis&&) = delete;
  SpreadBasis& operator=(SpreadBasis&&) = delete;
  ~SpreadBasis() override { tell({.what = What::discard}); }

  void store(Index at, const Matrix& block, const Matrix& M_block) override {
    tell({.what = What::store, .columns = block.cols(), .from = at});
    for (int rank = 1; rank < team_.size(); ++rank) {
      send(rank, block);
      send(rank, M_block);
    }
    own_.store(at, rows_of(block, 0), rows_of(M_block, 0));
  }

  Matrix remove(Matrix& W, Index from, Index count) override {
    tell({.what = What::remove, .columns = W.cols(), .from = from, .count = count});
    for (int rank = 1; rank < team_.size(); ++rank)
      send(rank, W);
    Matrix mine = rows_of(W, 0);
    Matrix C = own_.coefficients(mine, from, count);
    for (int rank = 1; rank < team_.size(); ++rank)  // in the same order at every call
      C += matrix_of(team_.receive(rank), W.cols());
    for (int rank = 1; rank < team_.size(); ++rank)
      team_.send(rank, numbers_of(C));
    own_.subtract(mine, from, C);
    W.topRows(mine.rows()) = mine;
    collect(W);
    return C;
  }

  void rotate(const Matrix& Y) override {
    tell({.what = What::rotate, .columns = Y.cols()});
    for (int rank = 1; rank < team_.size(); ++rank)
      team_.send(rank, numbers_of(Y));
    own_.rotate(Y);
  }

  void move(Index to, Index from, Index count) override {
    tell({.what = What::move, .from = from, .count = count, .to = to});
    own_.move(to, from, count);
  }

  Matrix combine(Index from, const Matrix& Y) override {
    tell({.what = What::combine, .columns = Y.cols(), .from = from});
    for (int rank = 1; rank < team_.size(); ++rank)
      team_.send(rank, numbers_of(Y));
    Matrix X(rows_, Y.cols());
    X.topRows(firsts_[1]) = own_.combine(from, Y);
    collect(X);
    return X;
  }

  void drop_products() override {
    tell({.what = What::drop_products});
    own_.drop_products();
  }

 private:
  void tell(TeamOrder order) {
    order.object = object_;
    team_.tell(order);
  }

  Matrix rows_of(const Matrix& A, int rank) const {
    const auto at = static_cast<std::size_t>(rank);
    return A.middleRows(firsts_[at], firsts_[at + 1] - firsts_[at]);
  }

  void send(int rank, const Matrix& A) { team_.send(rank, numbers_of(rows_of(A, rank))); }

  /// Receives the rows of the other processes.
  void collect(Matrix& A) {
    for (int rank = 1; rank < team_.size(); ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      A.middleRows(firsts_[at], firsts_[at + 1] - firsts_[at]) =
          matrix_of(team_.receive(rank), A.cols());
    }
  }

  Team& team_;
  std::int64_t object_;
  Index rows_;
  std::vector<Index> firsts_;  // first row of each process, and the end
  LocalBasis own_;
};

}  // namespace

Index first_row(Index rows, int rank, int size) {
  if (size == 1) return rank * rows;
  return rank == 0 ? 0 : rows * (rank - 1) / (size - 1);
}

std::unique_ptr<LanczosBasis> make_spread_basis(Team& team,
                                                Index rows,
                                                Index columns,
                                                int threads) {
  return std::make_unique<SpreadBasis>(team, rows, columns, threads);
}

void execute(const TeamOrder& order, LocalBasis& rows, const LeaderLink& leader) {
  switch (order.what) {
    case What::store: {
      const MatrixXd block = matrix_of(leader.receive(), order.columns);
      rows.store(order.from, block, matrix_of(leader.receive(), order.columns));
      break;
    }
    case What::remove: {
      MatrixXd W = matrix_of(leader.receive(), order.columns);
      leader.send(numbers_of(rows.coefficients(W, order.from, order.count)));
      rows.subtract(W, order.from, matrix_of(leader.receive(), order.columns));
      leader.send(numbers_of(W));
      break;
    }
    case What::rotate:
      rows.rotate(matrix_of(leader.receive(), order.columns));
      break;
    case What::move:
      rows.move(order.to, order.from, order.count);
      break;
    case What::combine:
      leader.send(numbers_of(rows.combine(order.from, matrix_of(leader.receive(), order.columns))));
      break;
    case What::drop_products:
      rows.drop_products();
      break;
    default:
      break;
  }
}

}  // namespace femflex::modal
