// Files of named matrices and lists of names for other programs: MATLAB level 5, NPZ of numpy.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

namespace femflex::tools {

/// Matrices and lists of texts by the names of their variables.
struct NamedMatrices {
  std::vector<std::pair<std::string, Eigen::MatrixXd>> matrices;
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;
};

/// Bytes of a MATLAB file of level 5, uncompressed: full matrices, and a column cell array of
/// characters for each list of texts.
/// @throws UsageError  a matrix has 2 GB and more
std::string mat5_bytes(const NamedMatrices& contents);

/// Bytes of an NPZ file, stored: arrays of doubles, and arrays of Unicode for lists of texts.
/// @throws UsageError  a matrix, or the file before it, has more than 2 GB
std::string npz_bytes(const NamedMatrices& contents);

/// Writes a .mat or .npz file, by the ending of `path`.
/// @throws UsageError  another ending, or the file cannot be written
void write_matrices(const NamedMatrices& contents, const std::filesystem::path& path);

}  // namespace femflex::tools
