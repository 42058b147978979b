// Team: the processes that factor and orthogonalise together, seen from the one that leads them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace femflex::modal {

/// What the leader wants of every process of its team next. Plain bytes, sent as one message.
struct TeamOrder {
  enum class What : std::int64_t {
    stop,
    make_factor,
    analyse,
    factor,
    rows,
    solve,
    make_basis,
    store,
    remove,
    remove_twice,
    rotate,
    move,
    combine,
    drop_products,
    discard
  };
  What what = What::stop;
  std::int64_t object = 0;   ///< number of the factorisation or basis, given by the leader
  std::int64_t rows = 0;     ///< order of the matrix; make_basis: rows of all processes
  std::int64_t columns = 0;  ///< number of right-hand sides, or of columns of a block
  std::int64_t from = 0;     ///< first column of the basis
  std::int64_t count = 0;    ///< number of columns of the basis
  std::int64_t to = 0;       ///< move: the column where they go; remove_twice: the end of them
  std::int64_t reserve = 0;  ///< factor: workspace beyond what the analysis foresees [per cent]
  bool is_on_disk = false;   ///< factor: the factor goes to files
};

/// The processes that work together. Every one executes each order; numbers go to each process by
/// messages of its own.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  Team(Team&&) = delete;
  Team& operator=(Team&&) = delete;
  virtual ~Team() = default;

  /// Number of processes, the leader (rank 0) included.
  virtual int size() const = 0;
  /// Number of threads that the leader may run while the other processes wait for it.
  virtual int threads() const = 0;
  /// The communicator as MUMPS takes it: the handle of Fortran.
  virtual int communicator() const = 0;
  /// Sends an order to all processes but the leader.
  virtual void tell(const TeamOrder& order) = 0;
  /// Sends numbers that process `rank` expects after an order.
  virtual void send(int rank, std::span<const int> numbers) = 0;
  virtual void send(int rank, std::span<const double> numbers) = 0;
  /// The numbers that process `rank` sends after an order.
  virtual std::vector<int> receive(int rank) = 0;
  /// Sends a matrix that process `rank` expects after an order, column by column.
  virtual void send_block(int rank, const Eigen::Ref<const Eigen::MatrixXd>& block) = 0;
  /// The matrix of this size that process `rank` sends after an order.
  virtual void receive_block(int rank, Eigen::Ref<Eigen::MatrixXd> block) = 0;

  /// A number for a new factorisation or basis.
  std::int64_t next_object() { return ++objects_; }

 private:
  std::int64_t objects_ = 0;
};

}  // namespace femflex::modal
