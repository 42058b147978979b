// Writes MATLAB files of level 7.3, which are HDF5 files after a head of 512 bytes.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

namespace femflex::io {

/// Writes matrices, and lists of texts as matrices of characters padded by blanks. Matrices may
/// have any size; the file passes through the memory.
/// @param head  the 128 bytes with which MATLAB files of all levels begin
/// @throws UsageError  the file cannot be written
void write_mat73(const std::vector<std::pair<std::string, Eigen::MatrixXd>>& matrices,
                 const std::vector<std::pair<std::string, std::vector<std::string>>>& texts,
                 const std::string& head,
                 const std::filesystem::path& path);

}  // namespace femflex::io
