// Level 5 of MATLAB: a header of 128 bytes, then tagged elements padded to 8 bytes ("MAT-File
// Format", The MathWorks); texts outside ASCII are miUTF16. Level 7.3 begins with the same header.
// NPZ: an archive of stored .npy members.
#include "document/matrix_file.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/mat73_file.h"
#include "femflex/io/npy.h"
#include "femflex/io/zip_file.h"
#include "femflex/utf.h"

namespace femflex::tools {
namespace {

// --- level 5 -------------------------------------------------------------------------------------
constexpr std::uint32_t kMatInt8 = 1, kMatUint16 = 4, kMatInt32 = 5, kMatUint32 = 6, kMatDouble = 9,
                        kMatMatrix = 14, kMatUtf16 = 17;
constexpr std::uint32_t kCellClass = 1, kCharClass = 4, kDoubleClass = 6;

template <class T>
void put_bytes(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: bytes of a number
}

void put_element(std::string& out, std::uint32_t type, std::string_view data) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
  if (data.size() > kMost)
    throw UsageError("too-large",
                     fmt::format("a variable of {:.3g} GB; a .mat file of level 5 holds 2 GB",
                                 static_cast<double>(data.size()) * 1e-9),
                     {},
                     "write .npz");
  put_bytes(out, type);
  put_bytes(out, static_cast<std::uint32_t>(data.size()));
  out += data;
  out.append((8 - data.size() % 8) % 8, '\0');
}

/// Flags, extents and name, with which every array starts.
std::string array_head(std::uint32_t kind,
                       std::size_t rows,
                       std::size_t columns,
                       std::string_view name) {
  std::string flags, extents, out;
  put_bytes(flags, kind);
  put_bytes(flags, std::uint32_t{0});
  put_bytes(extents, static_cast<std::int32_t>(rows));
  put_bytes(extents, static_cast<std::int32_t>(columns));
  put_element(out, kMatUint32, flags);
  put_element(out, kMatInt32, extents);
  put_element(out, kMatInt8, name);
  return out;
}

void put_matrix(std::string& out, const std::string& name, const Eigen::MatrixXd& matrix) {
  std::string array = array_head(kDoubleClass,
                                 static_cast<std::size_t>(matrix.rows()),
                                 static_cast<std::size_t>(matrix.cols()),
                                 name);
  put_element(array,
              kMatDouble,
              {reinterpret_cast<const char*>(matrix.data()),  // NOLINT: bytes of numbers
               static_cast<std::size_t>(matrix.size()) * sizeof(double)});
  put_element(out, kMatMatrix, array);
}

/// The extents count units of UTF-16. scipy counts code points instead and refuses the whole file
/// if there are fewer, so zeros after the text stand for the second units of pairs; readers that
/// count units do not reach them.
void put_texts(std::string& out, const std::string& name, const std::vector<std::string>& texts) {
  std::string array = array_head(kCellClass, texts.size(), 1, name);
  for (const std::string& text : texts) {
    const std::u16string units = utf16_of(text);
    const bool is_ascii = units.size() == text.size();
    std::string cell = array_head(kCharClass, text.empty() ? 0 : 1, units.size(), "");
    std::string letters;
    for (const char16_t unit : units)
      put_bytes(letters, static_cast<std::uint16_t>(unit));
    for (std::size_t k = code_points(text).size(); k < units.size(); ++k)
      put_bytes(letters, std::uint16_t{0});
    put_element(cell, is_ascii ? kMatUint16 : kMatUtf16, letters);
    put_element(array, kMatMatrix, cell);
  }
  put_element(out, kMatMatrix, array);
}

// --- NPZ -----------------------------------------------------------------------------------------

std::string npy_of_matrix(const Eigen::MatrixXd& matrix) {
  std::string out = io::npy_header("<f8", true, {matrix.rows(), matrix.cols()});
  out.append(reinterpret_cast<const char*>(matrix.data()),  // NOLINT: bytes of numbers
             static_cast<std::size_t>(matrix.size()) * sizeof(double));
  return out;
}

/// The 128 bytes with which files of both levels begin.
std::string mat_header(std::string_view level, std::uint16_t version) {
  constexpr std::size_t kText = 124;
  std::string out = fmt::format("MATLAB {} MAT-file, written by femflex", level);
  out.resize(kText, ' ');
  put_bytes(out, version);
  return out + "IM";
}

// Numbers of a matrix of level 5, whose bytes and head are counted by 31 bits.
constexpr Eigen::Index kMostInLevel5 = std::numeric_limits<std::int32_t>::max() / 8 - 64;

/// True if each matrix fits into a variable of level 5.
bool fits_level_5(const NamedMatrices& contents) {
  return std::all_of(contents.matrices.begin(), contents.matrices.end(), [](const auto& each) {
    return each.second.size() < kMostInLevel5;
  });
}

}  // namespace

void write_mat73(const NamedMatrices& contents, const std::filesystem::path& path) {
  io::write_mat73(contents.matrices, contents.texts, mat_header("7.3", 0x0200), path);
}

std::string mat5_bytes(const NamedMatrices& contents) {
  std::string out = mat_header("5.0", 0x0100);
  for (const auto& [name, matrix] : contents.matrices)
    put_matrix(out, name, matrix);
  for (const auto& [name, texts] : contents.texts)
    put_texts(out, name, texts);
  return out;
}

std::string npz_bytes(const NamedMatrices& contents) {
  std::vector<io::ZipEntry> members;
  for (const auto& [name, matrix] : contents.matrices)
    members.push_back({name + ".npy", npy_of_matrix(matrix)});
  for (const auto& [name, texts] : contents.texts)
    members.push_back(
        {name + ".npy", io::npy_of_texts(texts, {static_cast<std::int64_t>(texts.size())})});
  return io::zip_bytes(members, io::ZipMethod::stored);
}

void write_matrices(const NamedMatrices& contents,
                    const std::filesystem::path& path,
                    MatLevel level) {
  if (path.extension() == ".mat")
    return level == MatLevel::level_73 || !fits_level_5(contents)
               ? write_mat73(contents, path)
               : io::write_file(path, mat5_bytes(contents));
  if (path.extension() == ".npz") return io::write_file(path, npz_bytes(contents));
  throw UsageError("file-kind",
                   fmt::format("'{}': matrices are written as .mat or .npz", path.string()));
}

}  // namespace femflex::tools
