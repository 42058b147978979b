// MumpsShare: what one process holds of a factorisation by MUMPS.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <Eigen/Core>

#include "solve/factorisation.h"
#include "solve/team.h"

namespace femflex::modal {

/// Entries of a symmetric matrix, one triangle, as MUMPS takes them: rows and columns from 1.
struct MumpsEntries {
  std::vector<int> rows, cols;
};

/// Elimination order of the rows, which the leader gives: numbers from 1.
struct MumpsOrder {
  std::vector<int> place;  ///< position of each row
  std::vector<int> rows;   ///< row at each position
  /// Blocks of rows with a common pattern: the position where each starts, and the end; or empty.
  std::vector<int> blocks;
};

/// Number of columns that a sweep over the factor solves for [MUMPS manual, ICNTL(27)].
inline constexpr int kMumpsColumns = 32;

/// Workspace beyond what the analysis foresees, at the first attempt [per cent].
inline constexpr int kMumpsReserve = 30;

/// Whether an error, INFOG(1), says that a workspace of integers or of reals is too small: more
/// reserve mends it.
constexpr bool needs_more_workspace(int error) {
  return error == -8 || error == -9;
}

/// What one process holds of one factorisation: its part of the entries, then of the factor. All
/// processes of the communicator must call the same functions in the same order.
class MumpsShare {
 public:
  /// @param communicator  handle of Fortran
  /// @param is_spread     entries come from all processes, else from this one
  MumpsShare(int communicator, bool is_spread);
  MumpsShare(const MumpsShare&) = delete;
  MumpsShare& operator=(const MumpsShare&) = delete;
  MumpsShare(MumpsShare&&) = delete;
  MumpsShare& operator=(MumpsShare&&) = delete;
  ~MumpsShare();

  /// @param order  empty but on the leader
  void analyse(std::int64_t rows, MumpsEntries entries, MumpsOrder order);
  /// @param values  of the entries given to analyse(), not kept
  /// @param order   reserve, is_on_disk
  void factor(std::vector<double> values, const TeamOrder& order);
  /// Solves in place. @pre this process holds the whole factor
  void solve(Eigen::Ref<Eigen::MatrixXd> block);
  /// After factor(), on every process: asks for the rows, from 1, whose unknowns this process
  /// eliminates.
  const std::vector<int>& learn_rows();
  /// These rows of right-hand sides, to be filled in, and of the solutions of solve_rows().
  Eigen::MatrixXd& right_sides() { return right_sides_; }
  const Eigen::MatrixXd& solutions() const { return solutions_; }
  void solve_rows();

  /// Error of the last call, the same on every process: below 0, and what the manual says of it.
  int error() const;
  int error_detail() const;
  /// @throws NumericalError  the last call failed
  void check(const char* phase) const;
  /// @throws UsageError  the path of the folder of factors on disk is longer than MUMPS takes
  static void check_disk_folder();
  Inertia inertia() const;
  std::int64_t factor_entries() const;
  /// Largest memory that a process needs to factor, by the last analysis [byte].
  double memory(bool is_on_disk) const;
  double flops() const;

 private:
  struct Impl;
  int& icntl(int k);
  void call(int job);

  std::unique_ptr<Impl> impl_;
  bool is_spread_;
  MumpsEntries entries_;
  MumpsOrder order_;
  std::vector<int> rows_;
  Eigen::MatrixXd right_sides_, solutions_;
};

/// A factorisation whose entries and factor are spread over a team; with no team, this process does
/// it alone. The team must outlive it.
std::unique_ptr<Factorisation> make_mumps_factorisation(Team* team);

}  // namespace femflex::modal
