// Opens, creates and commits HDF5 files, and holds the helper functions that reading and writing
// share: path checks, handles, sizes.
#include "femflex/io/hdf5_file.h"

#include <array>
#include <fstream>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_messages.h"

#include "hdf5_impl.h"
#include "hdf5_storage.h"

namespace femflex::io {

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

void Hdf5File::Impl::fail(const std::string& path, const std::string& what) const {
  throw ParseError("hdf5", what, {name, -1, -1, -1, path});
}

Handle Hdf5File::Impl::checked(hid_t id, const std::string& path, const char* what) const {
  if (storage) storage->throw_if_failed();
  if (id < 0) fail(path, what);
  return Handle(id);
}

void Hdf5File::Impl::check(herr_t status, const std::string& path, const char* what) const {
  if (storage) storage->throw_if_failed();
  if (status < 0) fail(path, what);
}

bool Hdf5File::Impl::has(const std::string& path) const {
  if (path == "/") return true;
  // H5Lexists requires that every level above the link exists
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (at == std::string::npos) break;
  }
  return H5Oexists_by_name(file, path.c_str(), H5P_DEFAULT) > 0;
}

Handle Hdf5File::Impl::object(const std::string& path) const {
  if (!has(path)) fail(path, "is missing");
  return checked(H5Oopen(file, path.c_str(), H5P_DEFAULT), path, "cannot be opened");
}

Handle Hdf5File::Impl::dataset(const std::string& path) const {
  if (!has(path)) fail(path, "is missing");
  return checked(H5Dopen2(file, path.c_str(), H5P_DEFAULT), path, "is not a dataset");
}

std::vector<std::uint64_t> Hdf5File::Impl::extents(hid_t set, const std::string& path) const {
  const Handle space = checked(H5Dget_space(set), path, "has no extent");
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0) fail(path, "has no simple extent");
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

std::size_t Hdf5File::Impl::count(hid_t set, const std::string& path) const {
  const std::uint64_t n = product(extents(set, path));
  const Handle type = checked(H5Dget_type(set), path, "has no type");
  const double claimed = static_cast<double>(n) * static_cast<double>(H5Tget_size(type));
  const auto stored = static_cast<double>(H5Dget_storage_size(set));
  const Handle plist = checked(H5Dget_create_plist(set), path, "has no layout");
  // deflate compresses by a factor of at most about 1030; a larger claim is false
  constexpr double kMaxCompression = 1100.0;
  constexpr double kSmallData = 4096.0;  // [bytes] memory that any claim may have
  const double factor = H5Pget_layout(plist) == H5D_CHUNKED ? kMaxCompression : 1.0;
  if (claimed > kSmallData && claimed > factor * stored)
    fail(path, fmt::format("claims {:.0f} bytes, but the file stores {:.0f}", claimed, stored));
  return static_cast<std::size_t>(n);
}

void Hdf5File::Impl::make_one_group(const std::string& path) const {
  const Handle create(H5Pcreate(H5P_GROUP_CREATE));
  H5Pset_obj_track_times(create, false);
  checked(
      H5Gcreate2(file, path.c_str(), H5P_DEFAULT, create, H5P_DEFAULT), path, "cannot be created");
}

void Hdf5File::Impl::make_parents(const std::string& path) const {
  for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
    if (const std::string group = path.substr(0, at); !has(group)) make_one_group(group);
}

Hdf5File::Hdf5File(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&& other) noexcept {
  const Silence silence;
  impl_ = std::move(other.impl_);
  return *this;
}
Hdf5File::~Hdf5File() {
  const Silence silence;
  impl_.reset();
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
  const Silence silence;
  auto impl = std::make_unique<Impl>();
  impl->name = path.string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    throw UsageError("no-such-file", "no such file", {path.string()}, "check the name");
  impl->file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!impl->file.valid())
    throw ParseError("not-hdf5", "is not an HDF5 file, or is damaged", {path.string()});
  return Hdf5File(std::move(impl));
}

Hdf5File Hdf5File::from_memory(std::string_view bytes, const std::string& name) {
  const Silence silence;
  auto impl = std::make_unique<Impl>();
  impl->name = name;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  constexpr std::size_t kGrowth = 1U << 20U;
  impl->check(H5Pset_fapl_core(access, kGrowth, false), "/", "cannot be held in memory");
  impl->check(H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size()),  // NOLINT
              "/",
              "cannot be held in memory");
  // HDF5 refuses an image that has the name of an existing file
  impl->file = Handle(H5Fopen((name + " (in memory)").c_str(), H5F_ACC_RDONLY, access));
  if (!impl->file.valid())
    throw ParseError("not-hdf5", "is not an HDF5 file, or is damaged", {name});
  return Hdf5File(std::move(impl));
}

Hdf5File Hdf5File::create(const std::filesystem::path& path) {
  const Silence silence;
  auto impl = std::make_unique<Impl>();
  impl->name = path.string();
  impl->storage = std::make_shared<Hdf5Storage>(AtomicFile(path));
  // The HDF5 1.10 layout has a checksum on every piece of metadata: damage to a file is detected
  // before its numbers are used.
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  const Handle creation(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_obj_track_times(creation, false);
  impl->file = Handle(Hdf5Storage::create(impl->storage, creation, access));
  impl->storage->throw_if_failed();
  if (!impl->file.valid()) throw UsageError("cannot-write", "cannot be written", {path.string()});
  return Hdf5File(std::move(impl));
}

void Hdf5File::commit() {
  const Silence silence;
  impl_->close();
  impl_->storage->file().commit();
}

void Hdf5File::commit_as(const std::filesystem::path& path) {
  const Silence silence;
  impl_->close();
  impl_->storage->file().commit_as(path);
}

void Hdf5File::Impl::close() {
  if (file.valid()) check(H5Fclose(file.release()), "/", "cannot be closed");
  storage->publish();
}

void Hdf5File::flush() {
  const Silence silence;
  impl_->check(H5Fflush(impl_->file, H5F_SCOPE_GLOBAL), "/", "cannot be written");
  impl_->storage->publish();
}

bool Hdf5File::keep_flushed(const std::filesystem::path& path) {
  const Silence silence;
  impl_->file = Handle(-1);  // closes the file; whatever HDF5 writes then is cut off below
  if (!impl_->storage->is_published() || !impl_->storage->file().is_open()) return false;
  impl_->storage->discard_unpublished();
  impl_->storage->file().commit_as(path);
  return true;
}

const std::string& Hdf5File::name() const {
  return impl_->name;
}

bool Hdf5File::has(const std::string& path) const {
  const Silence silence;
  return impl_->has(path);
}

std::vector<std::string> Hdf5File::children(const std::string& group) const {
  const Silence silence;
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
  const Silence silence;
  return impl_->extents(impl_->dataset(dataset), dataset);
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
  const Silence silence;
  return impl_->has(object) && H5Aexists(impl_->object(object), name.c_str()) > 0;
}

void Hdf5File::make_group(const std::string& path) {
  const Silence silence;
  if (has(path)) return;
  impl_->make_parents(path);
  impl_->make_one_group(path);
}

void silence_hdf5() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string root_attribute(const std::filesystem::path& path, const std::string& name) {
  std::array<char, kHdf5Signature.size()> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  if (std::string_view(head.data(), head.size()) != kHdf5Signature) return {};
  try {
    const Hdf5File file = Hdf5File::open(path);
    return file.has_attribute("/", name) ? file.text_attribute("/", name) : std::string();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace femflex::io
