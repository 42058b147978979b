// Reads datasets, attributes and fields of compound records of HDF5 files into C++ and Eigen
// values; types and sizes are checked first.
#include <algorithm>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "hdf5_impl.h"

namespace femflex::io {

Handle variable_text_type() {
  Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

template <class T>
std::vector<T> Hdf5File::Impl::read(const std::string& path,
                                    hid_t type,
                                    H5T_class_t expected,
                                    const char* what) const {
  const Handle set = dataset(path);
  const Handle stored = checked(H5Dget_type(set), path, "has no type");
  const H5T_class_t found = H5Tget_class(stored);
  if (found != expected && !(expected == H5T_FLOAT && found == H5T_INTEGER)) fail(path, what);
  std::vector<T> values(count(set, path));
  if (!values.empty())
    check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path, "cannot be read");
  return values;
}

namespace {

/// True for texts that are stored as arrays of one-byte integers (MED).
bool is_array_of_bytes(hid_t stored) {
  if (H5Tget_class(stored) != H5T_ARRAY) return false;
  const Handle item(H5Tget_super(stored));
  return H5Tget_class(item) == H5T_INTEGER && H5Tget_size(item) == 1;
}

}  // namespace

std::vector<std::string> Hdf5File::Impl::texts(
    hid_t stored,
    std::size_t n,
    const std::string& path,
    const std::function<herr_t(hid_t, void*)>& get) const {
  std::vector<std::string> out;
  const bool is_bytes = is_array_of_bytes(stored);
  if (H5Tget_class(stored) != H5T_STRING && !is_bytes) fail(path, "is not text");
  if (n == 0) return out;
  if (!is_bytes && H5Tis_variable_str(stored) > 0) {
    std::vector<char*> pointers(n, nullptr);
    const Handle type = variable_text_type();
    H5Tset_cset(type, H5Tget_cset(stored));
    check(get(type, pointers.data()), path, "cannot be read");
    for (char* p : pointers) {
      out.emplace_back(p != nullptr ? p : "");
      H5free_memory(p);
    }
    return out;
  }
  const std::size_t width = H5Tget_size(stored);
  if (width > (std::size_t{1} << 24U) || width * n > (std::size_t{1} << 30U))
    fail(path, "text is too long");
  std::string all(width * n, '\0');
  check(get(stored, all.data()), path, "cannot be read");
  for (std::size_t k = 0; k < n; ++k) {
    std::string text = all.substr(k * width, width);
    text.resize(std::min(text.find('\0'), text.size()));
    while (!text.empty() && text.back() == ' ')
      text.pop_back();
    out.push_back(std::move(text));
  }
  return out;
}

void Hdf5File::Impl::read_attribute(const std::string& path,
                                    const std::string& key,
                                    hid_t type,
                                    void* out) const {
  const Handle target = object(path);
  const std::string full = path + "@" + key;
  if (H5Aexists(target, key.c_str()) <= 0) fail(full, "is missing");
  const Handle a = checked(H5Aopen(target, key.c_str(), H5P_DEFAULT), full, "cannot be opened");
  const Handle space(H5Aget_space(a));
  if (H5Sget_simple_extent_npoints(space) != 1) fail(full, "is not one value");
  const Handle stored(H5Aget_type(a));
  const H5T_class_t kind = H5Tget_class(stored);
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) fail(full, "is not a number");
  check(H5Aread(a, type, out), full, "cannot be read");
}

template <class T>
std::vector<T> Hdf5File::Impl::read_field(const std::string& path,
                                          const std::string& field,
                                          hid_t native) const {
  const Handle set = dataset(path);
  const Handle stored(H5Dget_type(set));
  const int member =
      H5Tget_class(stored) == H5T_COMPOUND ? H5Tget_member_index(stored, field.c_str()) : -1;
  if (member < 0) fail(path, fmt::format("has no field {}", field));
  const Handle member_type(H5Tget_member_type(stored, static_cast<unsigned>(member)));
  std::size_t per_record = 1;
  Handle memory(H5Tcopy(native));
  if (H5Tget_class(member_type) == H5T_ARRAY) {
    const int rank = H5Tget_array_ndims(member_type);
    if (rank < 1 || rank > 8)
      fail(
          path,
          fmt::format("field {} is not an array of 1 to 8 dimensions and 1 to 4096 values", field));
    std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
    H5Tget_array_dims2(member_type, dims.data());
    const std::uint64_t n = product({dims.begin(), dims.end()});
    if (n == 0 || n > 4096)
      fail(
          path,
          fmt::format("field {} is not an array of 1 to 8 dimensions and 1 to 4096 values", field));
    per_record = static_cast<std::size_t>(n);
    memory = Handle(H5Tarray_create2(native, static_cast<unsigned>(rank), dims.data()));
  } else if (H5Tget_class(member_type) != H5T_INTEGER && H5Tget_class(member_type) != H5T_FLOAT) {
    fail(path, fmt::format("field {} is not a number", field));
  }
  const Handle record(H5Tcreate(H5T_COMPOUND, sizeof(T) * per_record));
  H5Tinsert(record, field.c_str(), 0, memory);
  std::vector<T> values(count(set, path) * per_record);
  if (!values.empty())
    check(
        H5Dread(set, record, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path, "cannot be read");
  return values;
}

std::string Hdf5File::text_attribute(const std::string& object, const std::string& name) const {
  const Silence silence;
  const Handle target = impl_->object(object);
  const std::string full = object + "@" + name;
  if (H5Aexists(target, name.c_str()) <= 0) impl_->fail(full, "is missing");
  const Handle a =
      impl_->checked(H5Aopen(target, name.c_str(), H5P_DEFAULT), full, "cannot be opened");
  const Handle space(H5Aget_space(a));
  if (H5Sget_simple_extent_npoints(space) != 1) impl_->fail(full, "is not one text");
  const Handle stored(H5Aget_type(a));
  return impl_->texts(
      stored, 1, full, [&](hid_t type, void* out) { return H5Aread(a, type, out); })[0];
}

double Hdf5File::real_attribute(const std::string& object, const std::string& name) const {
  const Silence silence;
  double value = 0.0;
  impl_->read_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
  return value;
}

std::int64_t Hdf5File::integer_attribute(const std::string& object, const std::string& name) const {
  const Silence silence;
  std::int64_t value = 0;
  impl_->read_attribute(object, name, H5T_NATIVE_INT64, &value);
  return value;
}

std::uint64_t Hdf5File::checked_count(const std::string& path) const {
  const Silence silence;
  return impl_->count(impl_->dataset(path), path);
}

std::vector<double> Hdf5File::read_reals(const std::string& path) const {
  const Silence silence;
  return impl_->read<double>(path, H5T_NATIVE_DOUBLE, H5T_FLOAT, "does not hold reals");
}
std::vector<std::int64_t> Hdf5File::read_integers(const std::string& path) const {
  const Silence silence;
  return impl_->read<std::int64_t>(path, H5T_NATIVE_INT64, H5T_INTEGER, "does not hold integers");
}
std::vector<std::string> Hdf5File::read_texts(const std::string& path) const {
  const Silence silence;
  const Handle set = impl_->dataset(path);
  const Handle stored(H5Dget_type(set));
  return impl_->texts(stored, impl_->count(set, path), path, [&](hid_t type, void* out) {
    return H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
  });
}

Eigen::MatrixXd Hdf5File::read_matrix(const std::string& path) const {
  const Silence silence;
  const std::vector<std::uint64_t> extents = shape(path);
  if (extents.size() != 2)
    impl_->fail(path, fmt::format("has {} extents, expected 2", extents.size()));
  const std::vector<double> values = read_reals(path);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      values.data(), static_cast<Eigen::Index>(extents[0]), static_cast<Eigen::Index>(extents[1]));
}

Eigen::VectorXd Hdf5File::read_vector(const std::string& path) const {
  const Silence silence;
  const std::vector<double> values = read_reals(path);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void Hdf5File::read_box(const std::string& path,
                        const std::vector<std::uint64_t>& start,
                        const std::vector<std::uint64_t>& count,
                        std::span<double> out) const {
  const Silence silence;
  const Handle set = impl_->dataset(path);
  const std::vector<std::uint64_t> extents = impl_->extents(set, path);
  if (start.size() != extents.size() || count.size() != extents.size() ||
      product(count) != out.size())
    impl_->fail(path,
                "the requested box and the dataset differ in the number of extents or values");
  for (std::size_t k = 0; k < extents.size(); ++k)
    if (start[k] > extents[k] || count[k] > extents[k] - start[k])
      impl_->fail(path, "the requested box lies outside the dataset");
  const Handle space(H5Dget_space(set));
  const std::vector<hsize_t> first = sizes(start);
  const std::vector<hsize_t> size = sizes(count);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, size.data(), nullptr);
  const Handle memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
  impl_->check(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out.data()),
               path,
               "cannot be read");
}

std::vector<double> Hdf5File::read_field_reals(const std::string& path,
                                               const std::string& field) const {
  const Silence silence;
  return impl_->read_field<double>(path, field, H5T_NATIVE_DOUBLE);
}
std::vector<std::int64_t> Hdf5File::read_field_integers(const std::string& path,
                                                        const std::string& field) const {
  const Silence silence;
  return impl_->read_field<std::int64_t>(path, field, H5T_NATIVE_INT64);
}

std::vector<std::string> Hdf5File::fields(const std::string& path) const {
  const Silence silence;
  const Handle set = impl_->dataset(path);
  const Handle type(H5Dget_type(set));
  std::vector<std::string> names;
  if (H5Tget_class(type) != H5T_COMPOUND) return names;
  for (int k = 0; k < H5Tget_nmembers(type); ++k) {
    char* name = H5Tget_member_name(type, static_cast<unsigned>(k));
    names.emplace_back(name);
    H5free_memory(name);
  }
  return names;
}

}  // namespace femflex::io
