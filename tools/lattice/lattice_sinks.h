// LatticeSink and StateSink: receive the samples of a lattice or polynomial run and write them as
// channels of a result. run_lattice() uses them.
#pragma once

#include <cstddef>
#include <vector>

#include "femflex/hamiltonian/integrate.h"
#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/hamiltonian/polynomial.h"

#include "lattice/lattice_channels.h"
#include "results/result_rows.h"

namespace femflex::tools {

/// Writes samples of a lattice as channels "ID/position/x", "energy/total", ...
class LatticeSink final : public hamiltonian::SampleSink {
 public:
  LatticeSink(const hamiltonian::LatticeSystem& system,
              std::vector<std::size_t> nodes,
              LatticeChannels more,
              ResultRows& rows);
  void sample(const hamiltonian::Sample& s) override;
  /// The largest stress in all samples.
  const hamiltonian::ExtremeStress& worst() const { return worst_; }

 private:
  const hamiltonian::LatticeSystem& system_;
  std::vector<std::size_t> nodes_;
  LatticeChannels more_;
  ResultRows& rows_;
  std::vector<double> row_;
  std::vector<std::size_t> with_bending_;  // hinges with a section modulus
  bool has_stress_ = false;
  hamiltonian::ExtremeStress worst_;
};

/// Writes samples of a polynomial; channels are its states by number.
class StateSink final : public hamiltonian::SampleSink {
 public:
  StateSink(const hamiltonian::PolynomialSystem& system, ResultRows& rows);
  void sample(const hamiltonian::Sample& s) override;

 private:
  const hamiltonian::PolynomialSystem& system_;
  ResultRows& rows_;
};

}  // namespace femflex::tools
