// Files of named matrices and lists of names for other programs: MATLAB levels 5 and 7.3, NPZ of
// numpy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

namespace femflex::tools {

/// Matrices and lists of texts, by the names of their variables.
struct NamedMatrices {
  std::vector<std::pair<std::string, Eigen::MatrixXd>> matrices;
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;
};

/// Bytes of a MATLAB file of level 5, uncompressed, with full matrices and, for each list of texts,
/// a column cell array of characters.
/// @throws UsageError  a matrix is larger than 2 GB
std::string mat5_bytes(const NamedMatrices& contents);

/// Bytes of an uncompressed NPZ file, with arrays of doubles and, for lists of texts, arrays of
/// Unicode strings.
/// @throws UsageError  a matrix, or the file, is larger than 2 GB
std::string npz_bytes(const NamedMatrices& contents);

/// Writes a MATLAB file of level 7.3, which is HDF5: matrices of any size; a list of texts is a
/// matrix of characters, padded by blanks.
/// @throws UsageError  the file cannot be written, or HDF5 is not built in
void write_mat73(const NamedMatrices& contents, const std::filesystem::path& path);

/// How write_matrices() writes .mat files.
enum class MatLevel : std::uint8_t { by_size, level_73 };  ///< by size: 5 below 2 GB, else 7.3

/// Writes a .mat or .npz file, by the ending of `path`.
/// @throws UsageError  another ending, or the file cannot be written
void write_matrices(const NamedMatrices& contents,
                    const std::filesystem::path& path,
                    MatLevel level = MatLevel::by_size);

}  // namespace femflex::tools
