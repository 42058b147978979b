// Writes datasets and attributes of HDF5 files: compressed, in chunks or growing row by row. No
// time stamps are stored, so that equal contents give equal bytes.
#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "hdf5_impl.h"

namespace femflex::io {
namespace {

/// Type of fixed-length text, because HDF5 stores variable-length text in a heap without checksum.
Handle fixed_text_type(std::size_t width) {
  Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, std::max<std::size_t>(1, width));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace

void Hdf5File::Impl::write(const std::string& path,
                           const Values& values,
                           const std::vector<std::uint64_t>& extents,
                           const DatasetLayout& layout) const {
  constexpr std::size_t kMinCompressed = 1024;  // only datasets with more values are compressed
  // values per chunk: 1 MB of doubles, the default chunk cache of HDF5
  constexpr hsize_t kChunk = 131072;
  const auto [type, data, size] = values;
  const auto& [deflate, chunks] = layout;
  if (product(extents) != size) fail(path, "extents do not fit the values");
  const std::vector<hsize_t> dims = sizes(extents);
  const Handle space =
      checked(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
              path,
              "cannot be created");
  make_parents(path);
  const Handle create(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(create, false);  // equal content gives equal bytes
  if (size > 0 && (!chunks.empty() || (deflate > 0 && size > kMinCompressed))) {
    std::vector<hsize_t> chunk = chunks.empty() ? dims : sizes(chunks);
    // default: shorten the chunk from the slowest extent on until it has about 1 MB
    for (hsize_t& c : chunk) {
      const auto total =
          std::accumulate(chunk.begin(), chunk.end(), hsize_t{1}, std::multiplies<>());
      if (total <= kChunk || !chunks.empty()) break;
      c = std::max<hsize_t>(1, c / std::max<hsize_t>(1, total / kChunk));
    }
    H5Pset_chunk(create, static_cast<int>(chunk.size()), chunk.data());
    if (deflate > 0) {
      H5Pset_shuffle(create);
      H5Pset_deflate(create, static_cast<unsigned>(deflate));
    }
  }
  const Handle set =
      checked(H5Dcreate2(file, path.c_str(), type, space, H5P_DEFAULT, create, H5P_DEFAULT),
              path,
              "cannot be created");
  if (size > 0)
    check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
          path,
          "cannot be written: is the disk full?");
}

void Hdf5File::Impl::write_texts(const std::string& path,
                                 const std::vector<std::string>& list,
                                 const std::vector<std::uint64_t>& extents) const {
  std::size_t width = 1;
  for (const std::string& text : list)
    width = std::max(width, text.size());
  std::string all(width * list.size(), '\0');
  for (std::size_t k = 0; k < list.size(); ++k)
    list[k].copy(all.data() + k * width, width);
  write(path, {fixed_text_type(width), all.data(), list.size()}, extents, {});
}

void Hdf5File::Impl::attribute(const std::string& path,
                               const std::string& key,
                               hid_t type,
                               const void* data) const {
  const Handle target = object(path);
  if (H5Aexists(target, key.c_str()) > 0) H5Adelete(target, key.c_str());
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle a = checked(H5Acreate2(target, key.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                           path + "@" + key,
                           "cannot be created");
  check(H5Awrite(a, type, data), path + "@" + key, "cannot be written");
}

void Hdf5File::set_attribute(const std::string& object,
                             const std::string& name,
                             std::string_view text) {
  const Silence silence;
  std::string value(text);
  if (value.empty()) value.push_back('\0');
  impl_->attribute(object, name, fixed_text_type(value.size()), value.data());
}
void Hdf5File::set_variable_text_attribute(const std::string& object,
                                           const std::string& name,
                                           const std::string& text) {
  const Silence silence;
  const char* start = text.c_str();
  impl_->attribute(object, name, variable_text_type(), static_cast<const void*>(&start));
}
void Hdf5File::set_attribute(const std::string& object, const std::string& name, double value) {
  const Silence silence;
  impl_->attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}
void Hdf5File::set_attribute(const std::string& object,
                             const std::string& name,
                             std::int64_t value) {
  const Silence silence;
  impl_->attribute(object, name, H5T_NATIVE_INT64, &value);
}

void Hdf5File::write(const std::string& path,
                     std::span<const double> values,
                     const std::vector<std::uint64_t>& extents,
                     int deflate) {
  const Silence silence;
  impl_->write(path, {H5T_NATIVE_DOUBLE, values.data(), values.size()}, extents, {deflate});
}
void Hdf5File::write(const std::string& path,
                     std::span<const std::int64_t> values,
                     const std::vector<std::uint64_t>& extents,
                     int deflate) {
  const Silence silence;
  impl_->write(path, {H5T_NATIVE_INT64, values.data(), values.size()}, extents, {deflate});
}
void Hdf5File::write(const std::string& path,
                     std::span<const std::int32_t> values,
                     const std::vector<std::uint64_t>& extents,
                     int deflate) {
  const Silence silence;
  impl_->write(path, {H5T_NATIVE_INT32, values.data(), values.size()}, extents, {deflate});
}
void Hdf5File::write(const std::string& path, const std::vector<std::string>& texts) {
  const Silence silence;
  impl_->write_texts(path, texts, {texts.size()});
}

void Hdf5File::write_text(const std::string& path, const std::string& text) {
  const Silence silence;
  impl_->write_texts(path, {text}, {});
}

void Hdf5File::write_chunked(const std::string& path,
                             std::span<const double> values,
                             const std::vector<std::uint64_t>& extents,
                             const std::vector<std::uint64_t>& chunk,
                             int deflate) {
  const Silence silence;
  if (chunk.size() != extents.size()) impl_->fail(path, "chunks do not fit the extents");
  impl_->write(path, {H5T_NATIVE_DOUBLE, values.data(), values.size()}, extents, {deflate, chunk});
}

void Hdf5File::write_matrix(const std::string& path,
                            const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  const Silence silence;
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = matrix;
  write(path,
        {rows.data(), static_cast<std::size_t>(rows.size())},
        {static_cast<std::uint64_t>(rows.rows()), static_cast<std::uint64_t>(rows.cols())});
}

void Hdf5File::make_growing(const std::string& path,
                            const std::vector<std::uint64_t>& row_extents,
                            std::uint64_t rows_per_chunk) {
  const Silence silence;
  std::vector<hsize_t> dims{0};
  std::vector<hsize_t> max_dims{H5S_UNLIMITED};
  std::vector<hsize_t> chunk{std::max<hsize_t>(1, rows_per_chunk)};
  for (const std::uint64_t e : row_extents) {
    dims.push_back(e);
    max_dims.push_back(e);
    chunk.push_back(std::max<hsize_t>(1, e));
  }
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), max_dims.data()));
  impl_->make_parents(path);
  const Handle create(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(create, false);
  H5Pset_chunk(create, static_cast<int>(chunk.size()), chunk.data());
  impl_->checked(
      H5Dcreate2(
          impl_->file, path.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, H5P_DEFAULT),
      path,
      "cannot be created");
}

void Hdf5File::append(const std::string& path, std::span<const double> rows) {
  const Silence silence;
  const Handle set = impl_->dataset(path);
  std::vector<std::uint64_t> extents = impl_->extents(set, path);
  const std::uint64_t row =
      std::max<std::uint64_t>(1, product({extents.begin() + 1, extents.end()}));
  if (rows.size() % row != 0)
    impl_->fail(
        path,
        fmt::format("{} values were given, not a multiple of the row length {}", rows.size(), row));
  std::vector<hsize_t> start(extents.size(), 0);
  start[0] = extents[0];
  extents[0] += rows.size() / row;
  std::vector<hsize_t> dims = sizes(extents);
  impl_->check(H5Dset_extent(set, dims.data()), path, "cannot grow: is the disk full?");
  dims[0] = rows.size() / row;
  const Handle space(H5Dget_space(set));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, dims.data(), nullptr);
  const Handle memory(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
  impl_->check(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, rows.data()),
               path,
               "cannot be written: is the disk full?");
}

}  // namespace femflex::io
