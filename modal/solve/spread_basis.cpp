// Spreads the rows of a Lanczos basis over a team: each process multiplies its own rows, and the
// leader sums the products.
#include "solve/spread_basis.h"

#include <utility>
#include <vector>

namespace femflex::modal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using What = TeamOrder::What;

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
    const Matrix C = remove_here(mine, from, count);
    W.topRows(mine.rows()) = mine;
    collect(W);
    return C;
  }

  Matrix remove_twice(Matrix& W, Index from, Index end, Matrix& near) override {
    tell({.what = What::remove_twice, .columns = W.cols(), .from = from, .to = end});
    for (int rank = 1; rank < team_.size(); ++rank)
      send(rank, W);
    Matrix mine = rows_of(W, 0);
    near = remove_here(mine, from, end - from);
    Matrix C = remove_here(mine, 0, end);
    C.bottomRows(end - from) += near;
    W.topRows(mine.rows()) = mine;
    collect(W);
    return C;
  }

  void rotate(const Matrix& Y) override {
    tell({.what = What::rotate, .columns = Y.cols(), .count = Y.rows()});
    for (int rank = 1; rank < team_.size(); ++rank)
      team_.send_block(rank, Y);
    own_.rotate(Y);
  }

  void move(Index to, Index from, Index count) override {
    tell({.what = What::move, .from = from, .count = count, .to = to});
    own_.move(to, from, count);
  }

  Matrix combine(Index from, const Matrix& Y) override {
    tell({.what = What::combine, .columns = Y.cols(), .from = from, .count = Y.rows()});
    for (int rank = 1; rank < team_.size(); ++rank)
      team_.send_block(rank, Y);
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

  /// remove() for the rows of this process, with C summed over all processes.
  Matrix remove_here(Matrix& mine, Index from, Index count) {
    Matrix C = own_.coefficients(mine, from, count);
    Matrix theirs(C.rows(), C.cols());
    // in the order of ranks, so that the sum is the same bit for bit
    for (int rank = 1; rank < team_.size(); ++rank) {
      team_.receive_block(rank, theirs);
      C += theirs;
    }
    for (int rank = 1; rank < team_.size(); ++rank)
      team_.send_block(rank, C);
    own_.subtract(mine, from, C);
    return C;
  }

  /// The rows of A that this rank holds.
  Eigen::Ref<Matrix> rows_of(Matrix& A, int rank) const {
    const auto at = static_cast<std::size_t>(rank);
    return A.middleRows(firsts_[at], firsts_[at + 1] - firsts_[at]);
  }
  Eigen::Ref<const Matrix> rows_of(const Matrix& A, int rank) const {
    const auto at = static_cast<std::size_t>(rank);
    return A.middleRows(firsts_[at], firsts_[at + 1] - firsts_[at]);
  }

  void send(int rank, const Matrix& A) { team_.send_block(rank, rows_of(A, rank)); }

  /// Receives the rows of the other processes.
  void collect(Matrix& A) {
    for (int rank = 1; rank < team_.size(); ++rank)
      team_.receive_block(rank, rows_of(A, rank));
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

SpreadRows::SpreadRows(Eigen::Index rows, Eigen::Index columns, int threads)
    : rows_(rows), basis_(rows, columns, threads) {}

void SpreadRows::execute(const TeamOrder& order, const LeaderLink& leader) {
  switch (order.what) {
    case What::store:
      receive(W_, order.columns, leader);
      receive(M_W_, order.columns, leader);
      basis_.store(order.from, W_, M_W_);
      break;
    case What::remove:
      receive(W_, order.columns, leader);
      remove(order.from, order.count, leader);
      leader.send(W_);
      break;
    case What::remove_twice:
      receive(W_, order.columns, leader);
      remove(order.from, order.to - order.from, leader);
      remove(0, order.to, leader);
      leader.send(W_);
      break;
    case What::rotate:
      basis_.rotate(small(order.count, order.columns, leader));
      break;
    case What::move:
      basis_.move(order.to, order.from, order.count);
      break;
    case What::combine:
      leader.send(basis_.combine(order.from, small(order.count, order.columns, leader)));
      break;
    case What::drop_products:
      basis_.drop_products();
      M_W_.resize(0, 0);
      break;
    default:
      break;
  }
}

void SpreadRows::receive(MatrixXd& block, Index columns, const LeaderLink& leader) const {
  block.resize(rows_, columns);
  leader.receive(block);
}

MatrixXd SpreadRows::small(Index rows, Index columns, const LeaderLink& leader) {
  MatrixXd Y(rows, columns);
  leader.receive(Y);
  return Y;
}

void SpreadRows::remove(Index from, Index count, const LeaderLink& leader) {
  leader.send(basis_.coefficients(W_, from, count));
  basis_.subtract(W_, from, small(count, W_.cols(), leader));
}

}  // namespace femflex::modal
