// The one file that calls MPI: orders and numbers go from rank 0 to the other ranks, which hold
// their shares of factors and bases.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "femflex/modal/distributed.h"

#define OMPI_SKIP_MPICXX  // the C interface alone
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#include <sched.h>

#include "femflex/freed_blocks.h"
#include "femflex/parallel.h"

#include "solve/mumps_share.h"
#include "solve/spread_basis.h"
#include "solve/team.h"

/// Read by mumps_factorisation.cpp.
extern "C" int femflex_lone_communicator() {
  return MPI_Comm_c2f(MPI_COMM_SELF);
}

namespace femflex::modal {
namespace {

constexpr int kLeader = 0;
constexpr int kFailed = 3;  // exit code: an algorithm cannot deliver
constexpr int kNumbersTag = 1;
constexpr int kOrderTag = 2;
constexpr int kBlockTag = 3;
// numbers per message: counts of MPI are of type int
constexpr std::size_t kMessage = std::size_t{1} << 28U;
// A rank that waits for another one asks in these intervals: quickly at first, for the steps of a
// running solution, then such that it takes no processor time from those that work.
constexpr int kQuickAsks = 2000;
constexpr std::chrono::microseconds kQuick{20};
constexpr std::chrono::microseconds kSlow{500};

/// Communicators of all ranks: one for orders and numbers, one for MUMPS, so that no message of one
/// is taken for a message of the other.
struct Communicators {
  MPI_Comm ours = MPI_COMM_NULL;
  MPI_Comm mumps = MPI_COMM_NULL;
  int rank = 0, size = 1;

  Communicators() {
    MPI_Comm_dup(MPI_COMM_WORLD, &ours);
    MPI_Comm_dup(MPI_COMM_WORLD, &mumps);
    MPI_Comm_rank(ours, &rank);
    MPI_Comm_size(ours, &size);
  }
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;
  Communicators(Communicators&&) = delete;
  Communicators& operator=(Communicators&&) = delete;
  ~Communicators() {
    MPI_Comm_free(&ours);
    MPI_Comm_free(&mumps);
  }
};

/// The processors of this machine, and the ranks on it. While a rank works alone, the others wait
/// without taking processor time, so that it may run threads on their processors.
struct Machine {
  int ranks = 1;
  bool has_leader = false;
  int processors = 1;  // that this rank may run on

  explicit Machine(const Communicators& mpi) {
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(mpi.ours, MPI_COMM_TYPE_SHARED, mpi.rank, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks);
    int lowest = mpi.rank;
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, here);
    has_leader = lowest == kLeader;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) == 0) {
      cpu_set_t all = mine;
      MPI_Allreduce(MPI_IN_PLACE, &all, sizeof all, MPI_BYTE, MPI_BOR, here);
      // what a scheduler does not allow leaves this rank where it is
      processors = CPU_COUNT(sched_setaffinity(0, sizeof all, &all) == 0 ? &all : &mine);
    }
    MPI_Comm_free(&here);
  }

  /// Number of threads while the leader works alone, or while all other ranks work.
  int threads(bool for_leader) const {
    const int at_work = for_leader ? 1 : ranks - (has_leader ? 1 : 0);
    return std::max(1, std::min(ranks, processors) / std::max(1, at_work));
  }
};

/// Waits for a message without taking processor time.
void await_message(MPI_Comm comm, int rank, int tag) {
  int has_come = 0;
  for (int asked = 0;; ++asked) {
    MPI_Iprobe(rank, tag, comm, &has_come, MPI_STATUS_IGNORE);
    if (has_come != 0) return;
    std::this_thread::sleep_for(asked < kQuickAsks ? kQuick : kSlow);
  }
}

MPI_Datatype type_of(const int* /*numbers*/) {
  return MPI_INT;
}
MPI_Datatype type_of(const double* /*numbers*/) {
  return MPI_DOUBLE;
}

/// Sends the count of the numbers, then the numbers.
template <class T>
void send_numbers(MPI_Comm comm, int rank, std::span<const T> numbers) {
  const auto size = static_cast<std::int64_t>(numbers.size());
  MPI_Send(&size, 1, MPI_INT64_T, rank, kNumbersTag, comm);
  for (std::size_t at = 0; at < numbers.size(); at += kMessage) {
    const auto count = static_cast<int>(std::min(kMessage, numbers.size() - at));
    MPI_Send(numbers.data() + at, count, type_of(numbers.data()), rank, kNumbersTag, comm);
  }
}

/// Receives the count of the numbers, then the numbers.
template <class T>
std::vector<T> receive_numbers(MPI_Comm comm, int rank) {
  std::int64_t size = 0;
  await_message(comm, rank, kNumbersTag);
  MPI_Recv(&size, 1, MPI_INT64_T, rank, kNumbersTag, comm, MPI_STATUS_IGNORE);
  std::vector<T> numbers(static_cast<std::size_t>(size));
  for (std::size_t at = 0; at < numbers.size(); at += kMessage) {
    const auto count = static_cast<int>(std::min(kMessage, numbers.size() - at));
    MPI_Recv(numbers.data() + at,
             count,
             type_of(numbers.data()),
             rank,
             kNumbersTag,
             comm,
             MPI_STATUS_IGNORE);
  }
  return numbers;
}

/// Columns of a matrix that lie `stride` numbers apart.
class ColumnsType {
 public:
  ColumnsType(Eigen::Index rows, Eigen::Index columns, Eigen::Index stride) {
    MPI_Type_vector(static_cast<int>(columns),
                    static_cast<int>(rows),
                    static_cast<int>(stride),
                    MPI_DOUBLE,
                    &type_);
    MPI_Type_commit(&type_);
  }
  ColumnsType(const ColumnsType&) = delete;
  ColumnsType& operator=(const ColumnsType&) = delete;
  ColumnsType(ColumnsType&&) = delete;
  ColumnsType& operator=(ColumnsType&&) = delete;
  ~ColumnsType() { MPI_Type_free(&type_); }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

void send_matrix(MPI_Comm comm, int rank, const Eigen::Ref<const Eigen::MatrixXd>& block) {
  const ColumnsType type(block.rows(), block.cols(), block.outerStride());
  MPI_Send(block.data(), 1, type.get(), rank, kBlockTag, comm);
}

void receive_matrix(MPI_Comm comm, int rank, Eigen::Ref<Eigen::MatrixXd> block) {
  const ColumnsType type(block.rows(), block.cols(), block.outerStride());
  await_message(comm, rank, kBlockTag);
  MPI_Recv(block.data(), 1, type.get(), rank, kBlockTag, comm, MPI_STATUS_IGNORE);
}

class MpiTeam : public Team {
 public:
  MpiTeam(const Communicators& mpi, const Machine& machine)
      : mpi_(mpi), threads_(machine.threads(true)) {}
  int size() const override { return mpi_.size; }
  int threads() const override { return threads_; }
  int communicator() const override { return MPI_Comm_c2f(mpi_.mumps); }
  void tell(const TeamOrder& order) override {
    for (int rank = 0; rank < size(); ++rank)
      if (rank != kLeader) MPI_Send(&order, sizeof order, MPI_BYTE, rank, kOrderTag, mpi_.ours);
  }
  void send(int rank, std::span<const int> numbers) override {
    send_numbers(mpi_.ours, rank, numbers);
  }
  void send(int rank, std::span<const double> numbers) override {
    send_numbers(mpi_.ours, rank, numbers);
  }
  std::vector<int> receive(int rank) override { return receive_numbers<int>(mpi_.ours, rank); }
  void send_block(int rank, const Eigen::Ref<const Eigen::MatrixXd>& block) override {
    send_matrix(mpi_.ours, rank, block);
  }
  void receive_block(int rank, Eigen::Ref<Eigen::MatrixXd> block) override {
    receive_matrix(mpi_.ours, rank, block);
  }

 private:
  const Communicators& mpi_;
  int threads_;
};

TeamOrder next_order(MPI_Comm comm) {
  await_message(comm, kLeader, kOrderTag);
  TeamOrder order;
  MPI_Recv(&order, sizeof order, MPI_BYTE, kLeader, kOrderTag, comm, MPI_STATUS_IGNORE);
  return order;
}

/// What this rank holds for the leader.
class Server {
 public:
  Server(const Communicators& mpi, const Machine& machine)
      : mpi_(mpi), threads_(machine.threads(false)) {}

  /// Executes the orders of the leader until it says stop.
  void run() {
    while (true) {
      const TeamOrder order = next_order(mpi_.ours);
      if (order.what == TeamOrder::What::stop) return;
      execute(order);
    }
  }

 private:
  void execute(const TeamOrder& order) {
    switch (order.what) {
      case TeamOrder::What::make_factor:
        shares_[order.object] = std::make_unique<MumpsShare>(MPI_Comm_c2f(mpi_.mumps), true);
        break;
      case TeamOrder::What::make_basis:
        bases_[order.object] =
            std::make_unique<SpreadRows>(own_rows(order.rows), order.columns, threads_);
        break;
      case TeamOrder::What::discard:
        shares_.erase(order.object);
        bases_.erase(order.object);
        break;
      case TeamOrder::What::analyse: {
        MumpsEntries entries;
        entries.rows = receive_numbers<int>(mpi_.ours, kLeader);
        entries.cols = receive_numbers<int>(mpi_.ours, kLeader);
        shares_.at(order.object)->analyse(order.rows, std::move(entries), {});
        break;
      }
      case TeamOrder::What::factor:
        shares_.at(order.object)->factor(receive_numbers<double>(mpi_.ours, kLeader), order);
        break;
      case TeamOrder::What::rows: {
        MumpsShare& share = *shares_.at(order.object);
        const std::vector<int>& rows = share.learn_rows();
        if (share.error() >= 0) send_numbers<int>(mpi_.ours, kLeader, rows);
        break;
      }
      case TeamOrder::What::solve:
        solve(*shares_.at(order.object), order.columns);
        break;
      default:
        bases_.at(order.object)
            ->execute(order,
                      {[this](const Eigen::Ref<Eigen::MatrixXd>& block) {
                         receive_matrix(mpi_.ours, kLeader, block);
                       },
                       [this](const Eigen::Ref<const Eigen::MatrixXd>& block) {
                         send_matrix(mpi_.ours, kLeader, block);
                       }});
    }
  }

  void solve(MumpsShare& share, Eigen::Index columns) {
    share.right_sides().resize(share.right_sides().rows(), columns);
    receive_matrix(mpi_.ours, kLeader, share.right_sides());
    share.solve_rows();
    if (share.error() >= 0) send_matrix(mpi_.ours, kLeader, share.solutions());
  }

  Eigen::Index own_rows(Eigen::Index rows) const {
    return first_row(rows, mpi_.rank + 1, mpi_.size) - first_row(rows, mpi_.rank, mpi_.size);
  }

  const Communicators& mpi_;
  int threads_;
  std::map<std::int64_t, std::unique_ptr<MumpsShare>> shares_;
  std::map<std::int64_t, std::unique_ptr<SpreadRows>> bases_;
};

}  // namespace

int run_distributed(int count, char** words, const std::function<int(const FactorMaker&)>& leader) {
  MPI_Init(&count, &words);
  const DenseThreads one(1);  // all ranks factor at the same time
  int code = 0;
  try {
    const Communicators mpi;
    const Machine machine(mpi);
    if (mpi.rank == kLeader) {
      MpiTeam team(mpi, machine);
      code = leader([&team] { return make_mumps_factorisation(&team); });
      team.tell({.what = TeamOrder::What::stop});
    } else {
      keep_freed_blocks();
      Server(mpi, machine).run();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "femflex: a rank of MPI: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, kFailed);
  }
  MPI_Finalize();
  return code;
}

}  // namespace femflex::modal
