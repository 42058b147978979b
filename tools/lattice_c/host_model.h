// HostModel: a lattice or polynomial Hamiltonian whose ports a host program drives. In the static
// interface the model integrates itself, in the dynamic interface the host integrates. The C
// interface in femflex_lattice.h calls it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

#include "femflex/hamiltonian/ports.h"

struct SimulatorSFunctionStruct;

namespace femflex::lattice_c {

/// All functions throw UsageError if the host makes an invalid call, and then leave the model
/// unchanged.
class HostModel {
 public:
  /// @throws UsageError, ParseError, ModelError  see read_any_lattice(); the ports are invalid
  explicit HostModel(const std::filesystem::path& path);

  int ports() const { return static_cast<int>(system_->ports().size()); }
  int dimension() const { return system_->dimension(); }
  /// Number of values in a state, including those of the model's memory (angles, broken springs).
  int states() const;

  // static interface (the model integrates itself)
  void start_run();
  void step(const double* in, int inputs, double* out, int outputs, bool is_major);
  void end_run();
  void get_state(double* state, int states);
  void set_state(double time, const double* state, int states);
  double time() const;  ///< [s]; NaN if there is no run

  // dynamic interface (the host integrates)
  void s_function_init(SimulatorSFunctionStruct* s);
  void s_function_initial_states(double* independent,
                                 double* dependent_rates,
                                 const SimulatorSFunctionStruct* s);
  void s_function(
      const double* u, const double* x, double* y, double* dx, const SimulatorSFunctionStruct* s);

 private:
  using Inputs = std::vector<Eigen::Vector3d>;

  struct Run {
    double time = 0.0;  ///< [s]
    std::vector<double> state, memory;
    hamiltonian::PowerBalance balance;
  };
  enum class Dynamic : unsigned char { closed, sized, begun };

  std::size_t port_numbers() const;  ///< number of ports times dimension
  int dependent_states() const;
  Inputs inputs_of(const double* numbers) const;
  void put_flows(const std::vector<hamiltonian::PortFlow>& flows, double* out) const;
  /// Makes one inner step of length h, and updates the model's memory at its end.
  void inner_step(double h,
                  const Inputs& inputs,
                  std::vector<hamiltonian::PortFlow>& flows,
                  Run& run);
  void need_run(const char* call) const;
  void check_counts(const SimulatorSFunctionStruct& s, bool is_complete) const;

  std::unique_ptr<hamiltonian::PortedSystem> system_;
  double start_time_ = 0.0;    // [s]
  double longest_step_ = 0.0;  // longest inner step of the static interface [s]
  std::vector<double> start_memory_;
  bool is_running_ = false;
  Run run_;
  Dynamic dynamic_ = Dynamic::closed;
  std::vector<double> dynamic_memory_;
};

}  // namespace femflex::lattice_c
