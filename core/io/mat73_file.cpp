// Datasets have the extents of the transpose, since HDF5 counts rows first and MATLAB columns. The
// attribute MATLAB_class names the class; an empty array holds its extents and MATLAB_empty = 1; a
// matrix of characters holds 16-bit numbers and MATLAB_int_decode = 2. Old versions of MATLAB read
// old versions of HDF5 alone.
#include "femflex/io/mat73_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/utf.h"

#include "hdf5_impl.h"

namespace femflex::io {
namespace {

using Extents = std::array<hsize_t, 2>;

constexpr std::size_t kHead = 512;  // bytes before the HDF5 data

void check_hdf5(bool is_done) {
  if (!is_done) throw UsageError("cannot-write", "HDF5 cannot write a MATLAB file in memory");
}

/// Writes one value of an attribute.
void put_attribute(hid_t set, const char* name, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute(H5Acreate2(set, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  check_hdf5(attribute.valid() && H5Awrite(attribute, type, value) >= 0);
}

void put_class(hid_t set, std::string_view name) {
  const Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, name.size());
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  put_attribute(set, "MATLAB_class", type, name.data());
}

Handle dataset_of(
    hid_t file, const std::string& name, hid_t type, const void* values, const Handle& space) {
  const Handle create(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(create, false);  // equal content gives equal bytes
  Handle set(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, create, H5P_DEFAULT));
  check_hdf5(set.valid() && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  return set;
}

Handle space_of(const Extents& extents) {
  return Handle(H5Screate_simple(2, extents.data(), nullptr));
}

void put_matrix(hid_t file, const std::string& name, const Eigen::MatrixXd& matrix) {
  const Extents extents = {static_cast<hsize_t>(matrix.cols()),
                           static_cast<hsize_t>(matrix.rows())};
  if (matrix.size() > 0) {
    put_class(dataset_of(file, name, H5T_NATIVE_DOUBLE, matrix.data(), space_of(extents)),
              "double");
    return;
  }
  const std::array<std::uint64_t, 2> sizes = {static_cast<std::uint64_t>(matrix.rows()),
                                              static_cast<std::uint64_t>(matrix.cols())};
  constexpr hsize_t kTwo = 2;
  const Handle set = dataset_of(
      file, name, H5T_NATIVE_UINT64, sizes.data(), Handle(H5Screate_simple(1, &kTwo, nullptr)));
  put_class(set, "double");
  constexpr std::uint8_t kTrue = 1;
  put_attribute(set, "MATLAB_empty", H5T_NATIVE_UINT8, &kTrue);
}

void put_characters(hid_t file, const std::string& name, const std::vector<std::string>& texts) {
  std::size_t width = 1;
  std::vector<std::u16string> units;
  for (const std::string& text : texts) {
    units.push_back(utf16_of(text));
    width = std::max(width, units.back().size());
  }
  std::vector<std::uint16_t> letters;  // the first letters of all texts, then the second ones
  for (std::size_t k = 0; k < width; ++k)
    for (const std::u16string& text : units)
      letters.push_back(k < text.size() ? static_cast<std::uint16_t>(text[k]) : ' ');
  const Handle set =
      dataset_of(file, name, H5T_NATIVE_UINT16, letters.data(), space_of({width, texts.size()}));
  put_class(set, "char");
  constexpr std::int32_t kSixteenBits = 2;
  put_attribute(set, "MATLAB_int_decode", H5T_NATIVE_INT32, &kSixteenBits);
}

/// The bytes of a file in memory, without its head.
std::string image_of(hid_t file) {
  check_hdf5(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  check_hdf5(size > 0);
  std::string out(static_cast<std::size_t>(size), '\0');
  check_hdf5(H5Fget_file_image(file, out.data(), out.size()) == size);
  return out;
}

}  // namespace

void write_mat73(const std::vector<std::pair<std::string, Eigen::MatrixXd>>& matrices,
                 const std::vector<std::pair<std::string, std::vector<std::string>>>& texts,
                 const std::string& head,
                 const std::filesystem::path& path) {
  const Silence silence;
  constexpr std::size_t kGrowth = 1U << 20U;  // bytes by which the memory grows
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  check_hdf5(H5Pset_fapl_core(access, kGrowth, false) >= 0);
  H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
  const Handle create(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_obj_track_times(create, false);
  H5Pset_userblock(create, kHead);
  const std::string name = path.string() + " (in memory)";
  const Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, create, access));
  check_hdf5(file.valid());
  for (const auto& [key, matrix] : matrices)
    put_matrix(file, key, matrix);
  for (const auto& [key, list] : texts)
    if (!list.empty()) put_characters(file, key, list);
  AtomicFile out(path);
  out.append(head);
  out.append(std::string(kHead - head.size(), '\0'));
  out.append(image_of(file));
  out.commit();
}

}  // namespace femflex::io
