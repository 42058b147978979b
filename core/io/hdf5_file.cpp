#include "femflex/io/hdf5_file.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <hdf5.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

namespace femflex::io {
namespace {

/// Closes an HDF5 identifier of any kind.
class Handle {
 public:
  explicit Handle(hid_t id) : id_(id) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT: a thin skin over the C identifier
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
};

std::uint64_t product(const std::vector<std::uint64_t>& extents) {
  std::uint64_t n = 1;
  for (const std::uint64_t e : extents) {
    if (e != 0 && n > (std::uint64_t{1} << 62U) / e) return std::uint64_t{1} << 62U;
    n *= e;
  }
  return n;
}

std::vector<hsize_t> sizes(const std::vector<std::uint64_t>& extents) {
  return {extents.begin(), extents.end()};
}

}  // namespace

struct Hdf5File::Impl {
  std::string name;
  std::optional<AtomicFile> atomic;  // when writing
  Handle file{-1};

  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    throw ParseError("hdf5", what, {name, -1, -1, -1, path});
  }
  Handle checked(hid_t id, const std::string& path, const char* what) const {
    if (id < 0) fail(path, what);
    return Handle(id);
  }
  void check(herr_t status, const std::string& path, const char* what) const {
    if (status < 0) fail(path, what);
  }

  bool has(const std::string& path) const {
    if (path == "/") return true;
    // H5Lexists wants every level to exist
    for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
      const std::string part = path.substr(0, at);
      if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
      if (at == std::string::npos) break;
    }
    return H5Oexists_by_name(file, path.c_str(), H5P_DEFAULT) > 0;
  }
  Handle object(const std::string& path) const {
    if (!has(path)) fail(path, "is missing");
    return checked(H5Oopen(file, path.c_str(), H5P_DEFAULT), path, "cannot be opened");
  }
  Handle dataset(const std::string& path) const {
    if (!has(path)) fail(path, "is missing");
    return checked(H5Dopen2(file, path.c_str(), H5P_DEFAULT), path, "is not a dataset");
  }
  std::vector<std::uint64_t> extents(hid_t set, const std::string& path) const {
    const Handle space = checked(H5Dget_space(set), path, "has no extent");
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0) fail(path, "has no simple extent");
    std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    return {dims.begin(), dims.end()};
  }
  /// Number of values, after a look at what the file really stores.
  std::size_t count(hid_t set, const std::string& path) const {
    const std::uint64_t n = product(extents(set, path));
    const Handle type = checked(H5Dget_type(set), path, "has no type");
    const double claimed = static_cast<double>(n) * static_cast<double>(H5Tget_size(type));
    const auto stored = static_cast<double>(H5Dget_storage_size(set));
    const Handle plist = checked(H5Dget_create_plist(set), path, "has no layout");
    // deflate shrinks at most about 1030 times; anything beyond was never written
    const double factor = H5Pget_layout(plist) == H5D_CHUNKED ? 1100.0 : 1.0;
    if (claimed > 4096.0 && claimed > factor * stored)
      fail(path, fmt::format("claims {:.0f} bytes, but the file stores {:.0f}", claimed, stored));
    return static_cast<std::size_t>(n);
  }
  template <class T>
  std::vector<T> read(const std::string& path,
                      hid_t type,
                      H5T_class_t want,
                      const char* what) const {
    const Handle set = dataset(path);
    const Handle stored = checked(H5Dget_type(set), path, "has no type");
    const H5T_class_t found = H5Tget_class(stored);
    if (found != want && !(want == H5T_FLOAT && found == H5T_INTEGER)) fail(path, what);
    std::vector<T> values(count(set, path));
    if (!values.empty())
      check(
          H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path, "cannot be read");
    return values;
  }
  void make_one_group(const std::string& path) const {
    const Handle create(H5Pcreate(H5P_GROUP_CREATE));
    H5Pset_obj_track_times(create, false);
    checked(
        H5Gcreate2(file, path.c_str(), H5P_DEFAULT, create, H5P_DEFAULT), path, "cannot be made");
  }
  /// The groups above `path`, so that none gets a time of its own.
  void make_parents(const std::string& path) const {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
      if (const std::string group = path.substr(0, at); !has(group)) make_one_group(group);
  }
  void write(const std::string& path,
             hid_t type,
             const void* data,
             std::size_t size,
             const std::vector<std::uint64_t>& extents,
             int deflate,
             const std::vector<std::uint64_t>& chunks = {}) const {
    if (product(extents) != size) fail(path, "extents do not fit the values");
    const std::vector<hsize_t> dims = sizes(extents);
    const Handle space =
        checked(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
                path,
                "cannot be made");
    make_parents(path);
    const Handle create(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_obj_track_times(create, false);  // equal content gives equal bytes
    if (size > 0 && (!chunks.empty() || (deflate > 0 && size > 1024))) {
      std::vector<hsize_t> chunk = chunks.empty() ? dims : sizes(chunks);
      // not given: of about 1 MB along the slowest extents
      for (hsize_t& c : chunk) {
        const auto total =
            std::accumulate(chunk.begin(), chunk.end(), hsize_t{1}, std::multiplies<>());
        if (total <= 131072 || !chunks.empty()) break;
        c = std::max<hsize_t>(1, c / std::max<hsize_t>(1, total / 131072));
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
                "cannot be made");
    if (size > 0)
      check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
            path,
            "cannot be written: is the disk full?");
  }
  Handle text_type() const {
    Handle type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }
  /// Of a fixed length, because texts of variable length stand in a heap without checksum.
  Handle fixed_text_type(std::size_t width) const {
    Handle type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type, std::max<std::size_t>(1, width));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }
  void write_texts(const std::string& path,
                   const std::vector<std::string>& list,
                   const std::vector<std::uint64_t>& extents) const {
    std::size_t width = 1;
    for (const std::string& text : list)
      width = std::max(width, text.size());
    std::string all(width * list.size(), '\0');
    for (std::size_t k = 0; k < list.size(); ++k)
      list[k].copy(all.data() + k * width, width);
    write(path, fixed_text_type(width), all.data(), list.size(), extents, 0);
  }
  /// Texts of a fixed or variable length type, from a dataset or an attribute.
  std::vector<std::string> texts(hid_t stored,
                                 std::size_t n,
                                 const std::string& path,
                                 const std::function<herr_t(hid_t, void*)>& get) const {
    std::vector<std::string> out;
    if (H5Tget_class(stored) != H5T_STRING) fail(path, "is not text");
    if (n == 0) return out;
    if (H5Tis_variable_str(stored) > 0) {
      std::vector<char*> pointers(n, nullptr);
      const Handle type = text_type();
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
  void attribute(const std::string& path,
                 const std::string& key,
                 hid_t type,
                 const void* data) const {
    const Handle target = object(path);
    if (H5Aexists(target, key.c_str()) > 0) H5Adelete(target, key.c_str());
    const Handle space(H5Screate(H5S_SCALAR));
    const Handle a = checked(H5Acreate2(target, key.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                             path + "@" + key,
                             "cannot be made");
    check(H5Awrite(a, type, data), path + "@" + key, "cannot be written");
  }
  void read_attribute(const std::string& path,
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
  std::vector<T> read_field(const std::string& path, const std::string& field, hid_t native) const {
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
      if (rank < 1 || rank > 8) fail(path, fmt::format("field {} has a strange extent", field));
      std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
      H5Tget_array_dims2(member_type, dims.data());
      const std::uint64_t n = product({dims.begin(), dims.end()});
      if (n == 0 || n > 4096) fail(path, fmt::format("field {} has a strange extent", field));
      per_record = static_cast<std::size_t>(n);
      memory = Handle(H5Tarray_create2(native, static_cast<unsigned>(rank), dims.data()));
    } else if (H5Tget_class(member_type) != H5T_INTEGER && H5Tget_class(member_type) != H5T_FLOAT) {
      fail(path, fmt::format("field {} is not a number", field));
    }
    const Handle record(H5Tcreate(H5T_COMPOUND, sizeof(T) * per_record));
    H5Tinsert(record, field.c_str(), 0, memory);
    std::vector<T> values(count(set, path) * per_record);
    if (!values.empty())
      check(H5Dread(set, record, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            path,
            "cannot be read");
    return values;
  }
};

Hdf5File::Hdf5File(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&&) noexcept = default;
Hdf5File::~Hdf5File() = default;

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // faults come back as exceptions, not on stderr
  auto impl = std::make_unique<Impl>();
  impl->name = path.string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    throw UsageError("file-missing", "no such file", {path.string()}, "check the name");
  impl->file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!impl->file.valid())
    throw ParseError("not-hdf5", "is not an HDF5 file, or is damaged", {path.string()});
  return Hdf5File(std::move(impl));
}

Hdf5File Hdf5File::from_memory(std::string_view bytes, const std::string& name) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  auto impl = std::make_unique<Impl>();
  impl->name = name;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  constexpr std::size_t kGrowth = 1U << 20U;
  impl->check(H5Pset_fapl_core(access, kGrowth, false), "/", "cannot be held in memory");
  impl->check(H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size()),  // NOLINT
              "/",
              "cannot be held in memory");
  // HDF5 refuses an image under the name of a file that exists
  impl->file = Handle(H5Fopen((name + " (in memory)").c_str(), H5F_ACC_RDONLY, access));
  if (!impl->file.valid())
    throw ParseError("not-hdf5", "is not an HDF5 file, or is damaged", {name});
  return Hdf5File(std::move(impl));
}

Hdf5File Hdf5File::create(const std::filesystem::path& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  auto impl = std::make_unique<Impl>();
  impl->name = path.string();
  impl->atomic.emplace(path);
  // The layout of HDF5 1.10 has a checksum on every piece of metadata: a damaged file is found out
  // before its numbers lead anywhere.
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  const Handle creation(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_obj_track_times(creation, false);
  impl->file =
      Handle(H5Fcreate(impl->atomic->temporary().c_str(), H5F_ACC_TRUNC, creation, access));
  if (!impl->file.valid()) throw UsageError("cannot-write", "cannot be written", {path.string()});
  return Hdf5File(std::move(impl));
}

void Hdf5File::commit() {
  flush();
  impl_->file = Handle(-1);
  impl_->atomic->commit();
}

void Hdf5File::flush() {
  impl_->check(
      H5Fflush(impl_->file, H5F_SCOPE_GLOBAL), "/", "cannot be written: is the disk full?");
}

const std::string& Hdf5File::name() const {
  return impl_->name;
}

bool Hdf5File::has(const std::string& path) const {
  return impl_->has(path);
}

std::vector<std::string> Hdf5File::children(const std::string& group) const {
  const Handle g = impl_->object(group);
  std::vector<std::string> names;
  H5G_info_t info;
  if (H5Gget_info(g, &info) < 0) impl_->fail(group, "is not a group");
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    std::array<char, 1024> name{};
    if (H5Lget_name_by_idx(
            g, ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(), name.size(), H5P_DEFAULT) >= 0)
      names.emplace_back(name.data());
  }
  return names;
}

std::vector<std::uint64_t> Hdf5File::shape(const std::string& dataset) const {
  return impl_->extents(impl_->dataset(dataset), dataset);
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
  return impl_->has(object) && H5Aexists(impl_->object(object), name.c_str()) > 0;
}

void Hdf5File::set_attribute(const std::string& object,
                             const std::string& name,
                             std::string_view text) {
  std::string value(text);
  if (value.empty()) value.push_back('\0');
  impl_->attribute(object, name, impl_->fixed_text_type(value.size()), value.data());
}
void Hdf5File::set_attribute(const std::string& object, const std::string& name, double value) {
  impl_->attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}
void Hdf5File::set_attribute(const std::string& object,
                             const std::string& name,
                             std::int64_t value) {
  impl_->attribute(object, name, H5T_NATIVE_INT64, &value);
}

std::string Hdf5File::text_attribute(const std::string& object, const std::string& name) const {
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
  double value = 0.0;
  impl_->read_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
  return value;
}

std::int64_t Hdf5File::integer_attribute(const std::string& object, const std::string& name) const {
  std::int64_t value = 0;
  impl_->read_attribute(object, name, H5T_NATIVE_INT64, &value);
  return value;
}

void Hdf5File::make_group(const std::string& path) {
  if (has(path)) return;
  impl_->make_parents(path);
  impl_->make_one_group(path);
}

void Hdf5File::write(const std::string& path,
                     std::span<const double> values,
                     const std::vector<std::uint64_t>& extents,
                     int deflate) {
  impl_->write(path, H5T_NATIVE_DOUBLE, values.data(), values.size(), extents, deflate);
}
void Hdf5File::write(const std::string& path,
                     std::span<const std::int64_t> values,
                     const std::vector<std::uint64_t>& extents,
                     int deflate) {
  impl_->write(path, H5T_NATIVE_INT64, values.data(), values.size(), extents, deflate);
}
void Hdf5File::write(const std::string& path,
                     std::span<const std::int32_t> values,
                     const std::vector<std::uint64_t>& extents,
                     int deflate) {
  impl_->write(path, H5T_NATIVE_INT32, values.data(), values.size(), extents, deflate);
}
void Hdf5File::write(const std::string& path, const std::vector<std::string>& texts) {
  impl_->write_texts(path, texts, {texts.size()});
}

void Hdf5File::write_text(const std::string& path, const std::string& text) {
  impl_->write_texts(path, {text}, {});
}

void Hdf5File::write_chunked(const std::string& path,
                             std::span<const double> values,
                             const std::vector<std::uint64_t>& extents,
                             const std::vector<std::uint64_t>& chunk,
                             int deflate) {
  if (chunk.size() != extents.size()) impl_->fail(path, "chunks do not fit the extents");
  impl_->write(path, H5T_NATIVE_DOUBLE, values.data(), values.size(), extents, deflate, chunk);
}

void Hdf5File::write_matrix(const std::string& path,
                            const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = matrix;
  write(path,
        {rows.data(), static_cast<std::size_t>(rows.size())},
        {static_cast<std::uint64_t>(rows.rows()), static_cast<std::uint64_t>(rows.cols())});
}

std::uint64_t Hdf5File::checked_count(const std::string& path) const {
  return impl_->count(impl_->dataset(path), path);
}

std::vector<double> Hdf5File::read_reals(const std::string& path) const {
  return impl_->read<double>(path, H5T_NATIVE_DOUBLE, H5T_FLOAT, "does not hold reals");
}
std::vector<std::int64_t> Hdf5File::read_integers(const std::string& path) const {
  return impl_->read<std::int64_t>(path, H5T_NATIVE_INT64, H5T_INTEGER, "does not hold integers");
}
std::vector<std::string> Hdf5File::read_texts(const std::string& path) const {
  const Handle set = impl_->dataset(path);
  const Handle stored(H5Dget_type(set));
  return impl_->texts(stored, impl_->count(set, path), path, [&](hid_t type, void* out) {
    return H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
  });
}

Eigen::MatrixXd Hdf5File::read_matrix(const std::string& path) const {
  const std::vector<std::uint64_t> extents = shape(path);
  if (extents.size() != 2)
    impl_->fail(path, fmt::format("has {} extents, expected 2", extents.size()));
  const std::vector<double> values = read_reals(path);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      values.data(), static_cast<Eigen::Index>(extents[0]), static_cast<Eigen::Index>(extents[1]));
}

Eigen::VectorXd Hdf5File::read_vector(const std::string& path) const {
  const std::vector<double> values = read_reals(path);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void Hdf5File::read_box(const std::string& path,
                        const std::vector<std::uint64_t>& start,
                        const std::vector<std::uint64_t>& count,
                        std::span<double> out) const {
  const Handle set = impl_->dataset(path);
  const std::vector<std::uint64_t> extents = impl_->extents(set, path);
  if (start.size() != extents.size() || count.size() != extents.size() ||
      product(count) != out.size())
    impl_->fail(path, "the box asked for does not fit");
  for (std::size_t k = 0; k < extents.size(); ++k)
    if (start[k] > extents[k] || count[k] > extents[k] - start[k])
      impl_->fail(path, "the box asked for lies outside");
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
  return impl_->read_field<double>(path, field, H5T_NATIVE_DOUBLE);
}
std::vector<std::int64_t> Hdf5File::read_field_integers(const std::string& path,
                                                        const std::string& field) const {
  return impl_->read_field<std::int64_t>(path, field, H5T_NATIVE_INT64);
}

std::vector<std::string> Hdf5File::fields(const std::string& path) const {
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

void Hdf5File::make_growing(const std::string& path,
                            const std::vector<std::uint64_t>& row_extents,
                            std::uint64_t rows_per_chunk) {
  std::vector<hsize_t> dims{0};
  std::vector<hsize_t> most{H5S_UNLIMITED};
  std::vector<hsize_t> chunk{std::max<hsize_t>(1, rows_per_chunk)};
  for (const std::uint64_t e : row_extents) {
    dims.push_back(e);
    most.push_back(e);
    chunk.push_back(std::max<hsize_t>(1, e));
  }
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), most.data()));
  impl_->make_parents(path);
  const Handle create(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(create, false);
  H5Pset_chunk(create, static_cast<int>(chunk.size()), chunk.data());
  impl_->checked(
      H5Dcreate2(
          impl_->file, path.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, H5P_DEFAULT),
      path,
      "cannot be made");
}

void Hdf5File::append(const std::string& path, std::span<const double> rows) {
  const Handle set = impl_->dataset(path);
  std::vector<std::uint64_t> extents = impl_->extents(set, path);
  const std::uint64_t row =
      std::max<std::uint64_t>(1, product({extents.begin() + 1, extents.end()}));
  if (rows.size() % row != 0) impl_->fail(path, "a part of a row was given");
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
