// Reads and writes native files of FE models (`.fe.h5`).
#pragma once

#include <filesystem>

#include "femflex/fe_model.h"
#include "femflex/io/hdf5_file.h"

namespace femflex::importer {

/// True if the content of the file is a native FE model (`.fe.h5`).
bool is_fe_model_file(const std::filesystem::path& path);

/// Reads a native FE model; every number has exactly the bits that were written.
/// @throws UsageError  no such file
/// @throws ParseError  not a native FE model, or a damaged one
/// @throws ModelError  its parts contradict each other
FeModel read_fe_model(const std::filesystem::path& path);

/// Writes everything in `model` (HDF5; layout in docs/formats/fe_model.md). The file appears
/// complete or not at all.
/// @throws UsageError  the file cannot be written
void write_fe_model(const FeModel& model, const std::filesystem::path& path);

/// Writes a model in two parts, so that the larger one can be written while modes are computed.
/// The file is the one that write_fe_model() writes.
class FeModelWriter {
 public:
  /// @throws UsageError  the file cannot be written
  explicit FeModelWriter(const std::filesystem::path& path);
  /// Writes nodes, elements, matrices and loads: all that stands before the modes.
  void write_mesh_and_matrices(const FeModel& model);
  /// Writes modes, stresses and interface nodes; then the file appears.
  void finish(const FeModel& model);

 private:
  io::Hdf5File file_;
};

}  // namespace femflex::importer
