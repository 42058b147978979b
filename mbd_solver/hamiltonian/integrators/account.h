#pragma once

#include <vector>

#include "femflex/hamiltonian/hamiltonian_system.h"

namespace femflex::hamiltonian {

/// Keeps the account: what loads, dissipation and supports did, what left with broken springs, and
/// how far H departs from it.
class Account {
 public:
  Account(const HamiltonianSystem& system, const State& state);

  bool every_step() const { return every_step_; }
  double work() const { return given_ + dissipated_; }
  void set_work(double work) { given_ = work; }
  double broken() const { return broken_; }
  double error() const { return worst_; }
  const Energy& start() const { return start_; }
  const Energy& last() const { return last_; }

  /// Work of one step, by the mean force over it; exact for constant loads.
  void add_step(const State& after, double h);
  /// @return false where the energy is not finite
  bool look(const State& state);
  /// The energy is there without anything having given it.
  bool has_run_away() const { return far_beyond_ > 2; }

 private:
  std::vector<double> dissipation(const State& state) const;

  const HamiltonianSystem& system_;
  Energy start_;
  double scale_;
  Energy last_;
  bool follows_, every_step_;
  State before_;
  std::vector<double> force_, lost_;
  double given_ = 0.0;       // by loads and supports
  double dissipated_ = 0.0;  // negative
  double broken_ = 0.0;
  double source_;  // the most that start, loads, supports and falling have given so far
  double worst_ = 0.0;
  int far_beyond_ = 0;  // looks in a row; work may lag a step behind the energy it gives
};

/// -(potential of lasting constant loads): their work between two states is the difference.
double constant_load_work(const HamiltonianSystem& system, const State& state);

}  // namespace femflex::hamiltonian
