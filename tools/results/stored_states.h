// Stores states with a result and reads them back, so that a later run continues bit for bit.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/system.h"

namespace femflex::io {
class Hdf5File;
}

namespace femflex::tools {

/// Collects the states of a run until they are written to its result, one row per state under
/// "/states" (docs/formats/results.md). A state contains all that a run needs to continue bit for
/// bit.
class StateBlock {
 public:
  void add(const mbd_solver::State& state);
  /// True if more than 32 MB are collected and must be written.
  bool is_large() const { return bytes_ > (std::size_t{1} << 25U); }
  std::size_t bytes() const { return bytes_; }  ///< bytes collected since the last write()
  /// Writes the collected rows to the file.
  void write(io::Hdf5File& file);

 private:
  void add_guests(const mbd_solver::State& state);
  void add(std::size_t column, const Eigen::VectorXd& values, Eigen::Index width);

  struct Column {
    Eigen::Index width = 0;
    std::vector<double> values;
  };
  std::vector<Column> columns_;
  std::vector<double> time_, work_, memory_;
  std::vector<double> guests_, guest_ends_;  // rows of different lengths, and the end of each row
  std::size_t guests_before_ = 0;            // numbers written before
  std::size_t bytes_ = 0;
  bool has_datasets_ = false;
};

/// Names, sizes and model_identity() of bodies and joints, as JSON. A system with the same
/// fingerprint can use the states.
std::string state_fingerprint(const mbd_solver::System& system);

/// The first difference in masses, stiffness and geometry between `system` and the system of the
/// stored states, for example "body cart: mass is 5, was 1"; empty if there is none.
std::string changed_model(const std::filesystem::path& path, const mbd_solver::System& system);

/// The stored state at time `at` (within round-off); without `at`, the last one.
/// @throws UsageError  no such file, no states in it, or no state at that time
/// @throws ModelError  the states belong to another system
/// @throws ParseError  the file is not a result, or is damaged
mbd_solver::State read_state(const std::filesystem::path& path,
                             std::optional<double> at,
                             const mbd_solver::System& system);

}  // namespace femflex::tools
