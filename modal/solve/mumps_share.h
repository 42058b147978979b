// MumpsShare: what one process holds of a factorisation by MUMPS.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solve/factorisation.h"
#include "solve/team.h"

namespace femflex::modal {

/// Entries of a symmetric matrix, one triangle, as MUMPS takes them: rows and columns from 1.
struct MumpsEntries {
  std::vector<int> rows, cols;
};

/// Workspace beyond what the analysis foresees, at the first attempt [per cent].
inline constexpr int kMumpsReserve = 30;

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

  /// @param place  position of each row in elimination order, from 1; empty but on the leader
  void analyse(std::int64_t rows, MumpsEntries entries, std::vector<int> place);
  /// @param values  of the entries given to analyse(), not kept
  /// @param order   reserve, is_on_disk
  void factor(std::vector<double> values, const TeamOrder& order);
  /// @param block  right-hand sides, overwritten by the solutions; null but on the leader
  void solve(double* block, std::int64_t columns, std::int64_t stride);

  /// Error of the last call, the same on every process: below 0, and what the manual says of it.
  int error() const;
  int error_detail() const;
  /// @throws NumericalError  the last call failed
  void check(const char* phase) const;
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
  std::vector<int> place_;
};

/// A factorisation whose entries and factor are spread over a team; with no team, this process does
/// it alone. The team must outlive it.
std::unique_ptr<Factorisation> make_mumps_factorisation(Team* team);

}  // namespace femflex::modal
