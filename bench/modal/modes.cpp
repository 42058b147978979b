// Measures the modal stage on generated ladder frames and blocks. Modes are compared with Spectra
// (using femflex's factor or Eigen's), with SLEPc using CHOLMOD if installed, and with the limit
// set by the machine. Also measures blocked right-hand sides, projection and the Sturm check.
//
//   bench_modal_modes [DOFs ...]                processor time, one thread (30000 150000 600000)
//   bench_modal_modes --ours DOFs ...           the same without other libraries, ten times faster
//   bench_modal_modes --blocks DOFs ...         20 modes of bulky blocks, with their Sturm count,
//                                               compared with SLEPc without a count
//                                               (64000 120000 220000)
//   bench_modal_modes --counts MOST DOFs ...    20, 50, 100, 500 and 1000 modes, but at most MOST,
//                                               likewise
//   bench_modal_modes --dense DOFs ...          a part of the modes of a small frame, and all of
//                                               them, compared with LAPACK's dsygvd (2400 5000)
//   bench_modal_modes --back-ends DOFs ...      each factorisation that is built in
//   bench_modal_modes --threads DOFs ...        wall time with one and with two threads
//   bench_modal_modes --memory DOFs ...         20 modes through the public interface, peak memory
//   bench_modal_modes --shell-memory DOFs ...   the same with eight-node bricks, whose graph is
//                                               that of shells
// Usual sizes are in parentheses.
//
// Not measured: reading the model, and frames whose walls are many bricks thick.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <fmt/format.h>
#include <sys/resource.h>

#include "femflex/modal/compute_modes.h"
#include "femflex/parallel.h"

#include "bricks.h"
#include "dense/symmetric_eigen.h"
#include "slepc_modes.h"
#include "solve/block_lanczos.h"
#include "solve/model_modes.h"
#include "solve/normal_modes.h"
#include "solve/projection.h"
#include "solve/shifted_factor.h"
#include "solve/static_solutions.h"
#include "solve/system.h"

namespace {

using namespace femflex;
using namespace femflex::modal;
using Eigen::Index;
using Eigen::MatrixXd;

double cpu_now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double wall_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_of(const std::function<void()>& work) {
  const double start = cpu_now();
  work();
  return cpu_now() - start;
}

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  // ru_maxrss is in kilobytes of 1024 bytes
  return 1.024e-6 * static_cast<double>(usage.ru_maxrss);
}

MatrixXd random_block(Index rows, Index cols) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  MatrixXd X(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i)
      X(i, j) = any(engine);
  return X;
}

/// Highest speed of one core.
struct Machine {
  double flops = 0.0;  // floating-point operations of a large matrix product [1/s]
  double bytes = 0.0;  // bytes read from memory [1/s]
};

Machine measure_machine() {
  Machine machine;
  const MatrixXd A = random_block(1200, 1200);
  const Eigen::VectorXd x = random_block(40'000'000, 1);
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double product = cpu_of([&] { (void)transposed_product(A, A); });
    machine.flops = std::max(machine.flops, 2.0 * 1200.0 * 1200.0 * 1200.0 / product);
    volatile double sum = 0.0;
    const double read = cpu_of([&] { sum = sum + x.sum(); });
    machine.bytes = std::max(machine.bytes, 8.0 * static_cast<double>(x.size()) / read);
  }
  return machine;
}

const char* verdict(double value, double goal) {
  return value <= goal ? "met" : "MISSED";
}

struct Timed {
  double order = 0.0, factor = 0.0, modes = 0.0, check = 0.0;
  double total() const { return order + factor + modes; }
  Eigen::VectorXd lambda;
};

/// The first factorisation includes the ordering. A second one with the same pattern shows how long
/// the factorisation alone takes.
void start_factor(ShiftedFactor& factor, Timed& out) {
  const double first = cpu_of([&] { factor.at(-1.0); });
  out.factor = cpu_of([&] { factor.at(0.0); });
  out.order = std::max(0.0, first - out.factor);
}

/// Computes modes by femflex from scratch (ordering, factor, Lanczos); the Sturm check is timed
/// separately.
Timed our_modes(const System& system, std::int64_t count, SolveReport* report = nullptr) {
  Timed out;
  SolveOptions options;
  options.eigensolver = Eigensolver::block_lanczos;
  ShiftedFactor factor(system.K, system.M, system.group, options);
  start_factor(factor, out);
  NormalRequest request;
  request.count = count;
  NormalModes modes;
  out.check = cpu_of([&] {
    modes = normal_modes(factor, MatrixXd(system.size(), 0), request, options, no_progress());
  });
  options.sturm_check = false;
  factor.at(0.0);
  out.modes = cpu_of([&] {
    modes = normal_modes(factor, MatrixXd(system.size(), 0), request, options, no_progress());
  });
  out.check = std::max(0.0, out.check - out.modes);
  out.lambda = modes.lambda;
  if (report != nullptr) *report = modes.report;
  return out;
}

Timed spectra_modes(const System& system, Backend backend, std::int64_t count) {
  Timed out;
  SolveOptions options;
  options.backend = backend;
  ShiftedFactor factor(system.K, system.M, system.group, options);
  start_factor(factor, out);
  out.modes =
      cpu_of([&] { out.lambda = spectra_lanczos(factor, count, 1e-10, no_progress()).lambda; });
  return out;
}

/// Compares with SLEPc using CHOLMOD, if installed.
void slepc_line(const System& system, int count, double goal, const Timed& ours) {
  std::optional<Eigen::VectorXd> lambda;
  const double seconds =
      cpu_of([&] { lambda = bench::slepc_modes(system.K, system.M, count, 1e-10); });
  if (!lambda) return;
  const Eigen::VectorXd apart = (ours.lambda - *lambda).cwiseQuotient(ours.lambda);
  fmt::print(
      "             {:.2f} of SLEPc over CHOLMOD, {:.2f} s (at most {}: {}); values agree to "
      "{:.0e}\n",
      ours.total() / seconds,
      seconds,
      goal,
      verdict(ours.total() / seconds, goal),
      apart.cwiseAbs().maxCoeff());
}

/// @param large  whether to compute only 20 modes and omit Eigen's factor, which would take an hour
void modes_lines(const System& system, const Machine& machine, bool with_peers, bool large) {
  for (const auto& [count, goal] : {std::pair{20, 0.75}, {50, 0.5}, {100, 0.4}}) {
    if (large && count > 20) break;
    SolveReport report;
    const Timed ours = our_modes(system, count, &report);
    fmt::print(
        "  {:3} modes: {:6.2f} s = order {:.2f} + factor {:.2f} + modes {:.2f} ({} solves of {}); "
        "Sturm check {:.2f} more\n",
        count,
        ours.total(),
        ours.order,
        ours.factor,
        ours.modes,
        report.solves,
        report.block,
        ours.check);
    if (with_peers) {
      const Timed peer = spectra_modes(system, Backend::automatic, count);
      const double ratio = ours.total() / peer.total();
      const Eigen::VectorXd apart = (ours.lambda - peer.lambda).cwiseQuotient(ours.lambda);
      fmt::print(
          "             {:.2f} of Spectra over the same factor, {:.2f} s (at most {}: {}); values "
          "agree to {:.0e}\n",
          ratio,
          peer.total(),
          goal,
          verdict(ratio, goal),
          apart.cwiseAbs().maxCoeff());
      slepc_line(system, count, count == 50 ? 0.55 : goal, ours);
    }
    const double share = ours.check / (ours.total() + ours.check);
    fmt::print("             Sturm check {:.2f} of the run (at most 0.3: {})\n",
               share,
               verdict(share, 0.3));
    if (count != 20) continue;
    if (with_peers && !large) {
      const Timed eigen = spectra_modes(system, Backend::eigen, count);
      fmt::print("             {:.2f} of Spectra over Eigen, {:.2f} s (at most 0.6: {})\n",
                 ours.total() / eigen.total(),
                 eigen.total(),
                 verdict(ours.total() / eigen.total(), 0.6));
    }
    const double sweeps =
        2.0 * static_cast<double>(report.solves) / static_cast<double>(report.block);
    const double limit = ours.order + report.factor_flops / machine.flops +
                         sweeps * 8.0 * static_cast<double>(report.factor_entries) / machine.bytes;
    fmt::print(
        "             plain limit {:.2f} s = order {:.2f} + {:.1f} GFLOP {:.2f} + {:.0f} sweeps "
        "over "
        "{:.2f} GB {:.2f}; {:.2f} times it (at most 2.5: {})\n",
        limit,
        ours.order,
        1e-9 * report.factor_flops,
        report.factor_flops / machine.flops,
        sweeps,
        8e-9 * static_cast<double>(report.factor_entries),
        sweeps * 8.0 * static_cast<double>(report.factor_entries) / machine.bytes,
        ours.total() / limit,
        verdict(ours.total() / limit, 2.5));
  }
}

void kernel_lines(const System& system) {
  ShiftedFactor factor(system.K, system.M, system.group, {});
  factor.at(0.0);
  const MatrixXd loads = random_block(system.size(), 48);
  MatrixXd x = loads;
  const double blocked = cpu_of([&] { factor.solve(x); });
  const double single = cpu_of([&] {
    for (Index j = 0; j < 48; ++j) {
      MatrixXd column = loads.col(j);
      factor.solve(column);
    }
  });
  fmt::print(
      "  48 right-hand sides: {:.2f} s blocked, {:.2f} s one by one: {:.3f} (at most 0.15: {})\n",
      blocked,
      single,
      blocked / single,
      verdict(blocked / single, 0.15));
  fmt::print("  a solve of");
  for (const Index width : {1, 4, 8, 16}) {
    x = loads.leftCols(width);
    const double seconds = cpu_of([&] {
      for (int repeat = 0; repeat < 5; ++repeat)
        factor.solve(x);
    });
    fmt::print(" {} columns {:.1f} ms,", width, 200.0 * seconds);
  }
  fmt::print(" each two sweeps over {:.2f} GB\n", 8e-9 * static_cast<double>(factor.entries()));
  const MatrixXd U = random_block(system.size(), 150);
  MatrixXd k;
  const double ours = cpu_of([&] { k = project(system.K, U); });
  MatrixXd naive;
  const double theirs =
      cpu_of([&] { naive = U.transpose() * (system.K.selfadjointView<Eigen::Lower>() * U); });
  fmt::print(
      "  U'KU of 150 modes: {:.2f} s, naive {:.2f} s: {:.2f} (at most 0.6: {}); differ by {:.0e}\n",
      ours,
      theirs,
      ours / theirs,
      verdict(ours / theirs, 0.6),
      (k - naive).norm() / naive.norm());
}

/// Measures factorisations of K + s M, with femflex's own ordering, and solves by each back end
/// that is built in.
void back_end_lines(const System& system, const Machine& machine) {
  for (const std::string& name : backend_names()) {
    SolveOptions options;
    options.backend = parse_backend(name);
    ShiftedFactor factor(system.K, system.M, system.group, options);
    const double sigma = -1e4;  // below all eigenvalues, so that the matrix is definite
    const double first = cpu_of([&] { factor.at(sigma); });
    const double again = cpu_of([&] { factor.at(1.01 * sigma); });
    MatrixXd x = random_block(system.size(), 8);
    const double solves = cpu_of([&] { factor.solve(x); });
    fmt::print(
        "  {:10} first factor {:6.2f} s, a further one {:6.2f} s ({:4.1f} GFLOP/s), 8 columns "
        "{:.3f} s\n",
        name,
        first,
        again,
        1e-9 * factor.flops() / again,
        solves);
  }
  fmt::print("  the machine: {:.1f} GFLOP/s\n", 1e-9 * machine.flops);
}

/// Measures ordering, factor, modes and Sturm count of a part that is held, compared with SLEPc
/// without a count.
/// @param goal  largest share of SLEPc's time
void line_beside_slepc(const FeModel& model, const char* name, int count, double goal) {
  Diagnostics diagnostics;
  const System system = build_system(model, diagnostics);
  std::vector<std::int64_t> unknowns(static_cast<std::size_t>(system.size()));
  std::iota(unknowns.begin(), unknowns.end(), 0);
  NormalModes modes;
  const double seconds = cpu_of([&] {
    ShiftedFactor factor(system.K, system.M, system.group, {});
    const MatrixXd no_rigid(system.size(), 0);
    modes = normal_modes(
        factor, {model, system, unknowns}, no_rigid, {.count = count}, {}, no_progress());
  });
  const SolveReport& report = modes.report;
  const double ours_peak = peak_gigabytes();
  fmt::print(
      "{} of {} DOFs: {} modes by {} {:.2f} s; wall clock: order {:.2f}, factors {:.2f}, modes "
      "{:.2f}, Sturm check {:.2f}; {} counted, peak {:.2f} GB\n",
      name,
      model.dofs.size(),
      count,
      report.eigensolver,
      seconds,
      report.seconds_order,
      report.seconds_factor,
      report.seconds_modes,
      report.seconds_check,
      report.sturm_expected,
      ours_peak);
  std::optional<Eigen::VectorXd> lambda;
  const double theirs =
      cpu_of([&] { lambda = bench::slepc_modes(system.K, system.M, count, 1e-10); });
  if (!lambda) return;
  fmt::print(
      "  {:.2f} of SLEPc over CHOLMOD, {:.2f} s (at most {}: {}); values agree to {:.0e}; "
      "peak of both {:.2f} GB\n",
      seconds / theirs,
      theirs,
      goal,
      verdict(seconds / theirs, goal),
      (modes.lambda - *lambda).cwiseQuotient(modes.lambda).cwiseAbs().maxCoeff(),
      peak_gigabytes());
}

/// Computes a tenth, a third, two thirds and all of the modes, each compared with LAPACK computing
/// all modes.
void dense_lines(const System& system) {
  constexpr double kGoal = 1.3;
  DenseEigen all;
  const double theirs = cpu_of(
      [&] { all = generalised_eigen(mirrored(system.K).toDense(), mirrored(system.M).toDense()); });
  fmt::print("  all modes by LAPACK alone: {:.2f} s\n", theirs);
  for (const double share : {0.1, 0.33, 0.67, 1.0}) {
    const auto count = static_cast<std::int64_t>(share * static_cast<double>(system.size()));
    NormalRequest request;
    request.count = count;
    NormalModes ours;
    const double seconds = cpu_of([&] {
      ShiftedFactor factor(system.K, system.M, system.group, {});
      ours = normal_modes(factor, MatrixXd(system.size(), 0), request, {}, no_progress());
    });
    fmt::print(
        "  {} modes ({}): {:.2f} s, {:.2f} of it (at most {}: {}); values agree to {:.0e}\n",
        count,
        ours.report.eigensolver,
        seconds,
        seconds / theirs,
        kGoal,
        verdict(seconds / theirs, kGoal),
        (ours.lambda - all.values.head(count)).cwiseQuotient(ours.lambda).cwiseAbs().maxCoeff());
  }
}

double wall_of_run(const System& system, int threads) {
  SolveOptions options;
  options.threads = threads;
  const double start = wall_now();
  ShiftedFactor factor(system.K, system.M, system.group, options);
  NormalRequest request;
  request.count = 20;
  const NormalModes modes =
      normal_modes(factor, MatrixXd(system.size(), 0), request, options, no_progress());
  const double seconds = wall_now() - start;
  fmt::print("  {} threads: {:.2f} s = order {:.2f}, factors {:.2f}, modes {:.2f}, check {:.2f}\n",
             threads,
             seconds,
             modes.report.seconds_order,
             modes.report.seconds_factor,
             modes.report.seconds_modes,
             modes.report.seconds_check);
  return seconds;
}

void memory_line(const FeModel& model) {
  ModeRequest request;
  request.normal = 20;
  Diagnostics diagnostics;
  ComputedModes modes;
  const double seconds = cpu_of([&] { modes = compute_modes(model, request, diagnostics); });
  fmt::print(
      "  20 modes {:.1f} CPU s with Sturm check, worst residual {:.1e}, factor {:.2f} GB, peak "
      "{:.2f} GB (below 8: {})\n",
      seconds,
      modes.report.worst_residual,
      8e-9 * static_cast<double>(modes.report.factor_entries),
      peak_gigabytes(),
      verdict(peak_gigabytes(), 8.0));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  std::string task;
  if (!words.empty() && words.front().starts_with("--")) {
    task = words.front();
    words.erase(words.begin());
  }
  int most = 0;
  if (task == "--counts" && !words.empty()) {
    most = std::atoi(words.front().c_str());
    words.erase(words.begin());
  }
  if (words.empty()) words = {"30000", "150000", "600000"};
  const DenseThreads dense(1);
  const Machine machine = measure_machine();
  fmt::print("one core: {:.0f} GFLOP/s, {:.1f} GB/s\n", 1e-9 * machine.flops, 1e-9 * machine.bytes);
  for (const std::string& word : words) {
    const std::int64_t dofs = std::atoll(word.c_str());
    if (task == "--blocks") {
      line_beside_slepc(bench::block_model(dofs), "block", 20, 0.9);
      continue;
    }
    const int bricks = task == "--shell-memory" || task == "--dense" ? 8 : 20;
    FeModel model;
    const double made = cpu_of([&] { model = bench::chassis_model(dofs, bricks); });
    fmt::print("chassis of {} DOFs, {:.1f} M entries in K (made in {:.1f} s)\n",
               model.dofs.size(),
               1e-6 * static_cast<double>(model.stiffness->nonZeros()),
               made);
    if (task == "--counts") {
      for (const auto& [count, goal] :
           {std::pair{20, 0.65}, {50, 0.45}, {100, 0.33}, {500, 0.25}, {1000, 0.2}})
        if (count <= most) line_beside_slepc(model, "chassis", count, goal);
      continue;
    }
    if (task.ends_with("memory")) {
      memory_line(model);
      continue;
    }
    Diagnostics diagnostics;
    const System system = build_system(model, diagnostics);
    if (task == "--dense") {
      dense_lines(system);
      continue;
    }
    if (task == "--back-ends") {
      back_end_lines(system, machine);
      continue;
    }
    if (task == "--threads") {
      // runs with one and two threads alternate, because the first run is slowed by fresh memory
      std::array<double, 3> one{}, two{};
      for (std::size_t k = 0; k < one.size(); ++k) {
        one[k] = wall_of_run(system, 1);
        two[k] = wall_of_run(system, 2);
      }
      std::sort(one.begin(), one.end());
      std::sort(two.begin(), two.end());
      fmt::print("  two threads {:.2f} times faster, medians (at least 1.5: {})\n",
                 one[1] / two[1],
                 one[1] / two[1] >= 1.5 ? "met" : "MISSED");
      continue;
    }
    modes_lines(system, machine, task != "--ours", dofs > 200000);
    kernel_lines(system);
  }
  return 0;
}
