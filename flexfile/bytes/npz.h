// Reads and writes NPZ files of numpy: a ZIP archive of NPY arrays (io::NpyHeader).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace femflex::flexfile {

/// An array of numbers of up to two dimensions (one: a column), or a text in UTF-8.
struct NpyArray {
  Eigen::MatrixXd numbers;
  std::string text;
  bool is_text = false;
};

/// The bytes of an NPY file. `extents` may be empty (a scalar).
std::string npy_of_numbers(const Eigen::Ref<const Eigen::MatrixXd>& numbers,
                           const std::vector<std::int64_t>& extents);
std::string npy_of_integers(const std::vector<std::int64_t>& values,
                            const std::vector<std::int64_t>& extents);
/// The bytes of a scalar: a text in UTF-8, which numpy loads as Unicode, without pickle.
std::string npy_of_text(const std::string& text);

/// True if the first bytes of a file are those of a ZIP archive.
bool is_zip(std::string_view head);

/// Writes members (name, bytes) uncompressed; the file appears complete or not at all.
/// @throws UsageError  unwritable;  ModelError  the archive would exceed 4 GiB
void write_npz(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, std::string>>& members);

/// Reads all members that hold numbers or text; pickled ones are skipped and listed in `pickled`.
/// @throws ParseError  see io::visit_zip(); a member that is not an array of the kinds above
std::map<std::string, NpyArray> read_npz(std::string_view bytes,
                                         const std::string& file,
                                         std::vector<std::string>& pickled);

}  // namespace femflex::flexfile
