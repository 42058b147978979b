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

#include "femflex/parallel.h"

#include "solve/lanczos_basis.h"
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
// numbers per message: counts of MPI are of type int
constexpr std::size_t kMessage = std::size_t{1} << 28U;
// A rank that waits for orders asks in these intervals: quickly at first, for orders of a running
// solution, then such that it takes no processor time from the leader.
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

class MpiTeam : public Team {
 public:
  explicit MpiTeam(const Communicators& mpi) : mpi_(mpi) {}
  int size() const override { return mpi_.size; }
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
  std::vector<double> receive(int rank) override {
    return receive_numbers<double>(mpi_.ours, rank);
  }

 private:
  const Communicators& mpi_;
};

/// Waits for the next order without taking processor time.
TeamOrder next_order(MPI_Comm comm) {
  int has_come = 0;
  for (int asked = 0;; ++asked) {
    MPI_Iprobe(kLeader, kOrderTag, comm, &has_come, MPI_STATUS_IGNORE);
    if (has_come != 0) break;
    std::this_thread::sleep_for(asked < kQuickAsks ? kQuick : kSlow);
  }
  TeamOrder order;
  MPI_Recv(&order, sizeof order, MPI_BYTE, kLeader, kOrderTag, comm, MPI_STATUS_IGNORE);
  return order;
}

/// What this rank holds for the leader.
class Server {
 public:
  explicit Server(const Communicators& mpi) : mpi_(mpi) {}

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
        bases_[order.object] = std::make_unique<LocalBasis>(own_rows(order.rows), order.columns, 1);
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
      case TeamOrder::What::solve:
        shares_.at(order.object)->solve(nullptr, order.columns, order.rows);
        break;
      default:
        modal::execute(order,
                       *bases_.at(order.object),
                       {[this] { return receive_numbers<double>(mpi_.ours, kLeader); },
                        [this](std::span<const double> numbers) {
                          send_numbers(mpi_.ours, kLeader, numbers);
                        }});
    }
  }

  Eigen::Index own_rows(Eigen::Index rows) const {
    return first_row(rows, mpi_.rank + 1, mpi_.size) - first_row(rows, mpi_.rank, mpi_.size);
  }

  const Communicators& mpi_;
  std::map<std::int64_t, std::unique_ptr<MumpsShare>> shares_;
  std::map<std::int64_t, std::unique_ptr<LocalBasis>> bases_;
};

}  // namespace

int run_distributed(int count, char** words, const std::function<int(const FactorMaker&)>& leader) {
  MPI_Init(&count, &words);
  const DenseThreads one(1);  // the ranks share the processors of their machine
  int code = 0;
  try {
    const Communicators mpi;
    if (mpi.rank == kLeader) {
      MpiTeam team(mpi);
      code = leader([&team] { return make_mumps_factorisation(&team); });
      team.tell({.what = TeamOrder::What::stop});
    } else {
      Server(mpi).run();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "femflex: a rank of MPI: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, kFailed);
  }
  MPI_Finalize();
  return code;
}

}  // namespace femflex::modal
