// Internals of Hdf5File, shared by the hdf5_*.cpp files: RAII handles and the state of an open
// file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

#include "femflex/io/hdf5_file.h"

namespace femflex::io {

class Hdf5Storage;

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
  operator hid_t() const { return id_; }  // NOLINT: a thin wrapper of the C identifier
  bool valid() const { return id_ >= 0; }
  /// Gives up the identifier, for callers that close it themselves and check the result.
  hid_t release() { return std::exchange(id_, -1); }

 private:
  hid_t id_;
};

/// Suppresses HDF5's printing during its lifetime, because faults are thrown as exceptions; then
/// restores the error handler of the host program.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &handler_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, handler_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  Silence(Silence&&) = delete;
  Silence& operator=(Silence&&) = delete;

 private:
  H5E_auto2_t handler_ = nullptr;
  void* data_ = nullptr;
};

/// Product of the extents; 2^62 if it is larger.
std::uint64_t product(const std::vector<std::uint64_t>& extents);
/// The extents in the type of HDF5.
std::vector<hsize_t> sizes(const std::vector<std::uint64_t>& extents);
/// Type of variable-length UTF-8 text.
Handle variable_text_type();

/// The open file, and what reading and writing both need. Errors are ParseErrors that name the file
/// and the path inside it.
struct Hdf5File::Impl {
  std::string name;
  std::shared_ptr<Hdf5Storage> storage;  ///< null when reading
  Handle file{-1};

  /// Closes the HDF5 file and publishes it; only when writing.
  void close();
  [[noreturn]] void fail(const std::string& path, const std::string& what) const;
  /// Throws `what` if HDF5 returned a negative value, or if a write to the disk has failed.
  Handle checked(hid_t id, const std::string& path, const char* what) const;
  void check(herr_t status, const std::string& path, const char* what) const;

  bool has(const std::string& path) const;
  Handle object(const std::string& path) const;
  Handle dataset(const std::string& path) const;
  std::vector<std::uint64_t> extents(hid_t set, const std::string& path) const;
  /// Number of values, checked against what the file really stores.
  std::size_t count(hid_t set, const std::string& path) const;
  void make_one_group(const std::string& path) const;
  /// Creates the groups above `path`, without time stamps.
  void make_parents(const std::string& path) const;

  // writing (hdf5_write.cpp)
  struct Values {
    hid_t type;
    const void* data;
    std::size_t size;  ///< number of values
  };
  struct DatasetLayout {
    int deflate = 0;                         ///< compression level; 0: uncompressed
    std::vector<std::uint64_t> chunks = {};  ///< chunk extents; empty: chosen automatically
  };
  void write(const std::string& path,
             const Values& values,
             const std::vector<std::uint64_t>& extents,
             const DatasetLayout& layout) const;
  void write_texts(const std::string& path,
                   const std::vector<std::string>& list,
                   const std::vector<std::uint64_t>& extents) const;
  void attribute(const std::string& path,
                 const std::string& key,
                 hid_t type,
                 const void* data) const;

  // reading (hdf5_read.cpp, the only file that uses the templates)
  /// All values of a dataset. Fails with the message `what` if its type is not of the class
  /// `expected`; integers are accepted where reals are expected.
  template <class T>
  std::vector<T> read(const std::string& path,
                      hid_t type,
                      H5T_class_t expected,
                      const char* what) const;
  /// Fixed-length or variable-length texts of a dataset or an attribute, or arrays of bytes.
  std::vector<std::string> texts(hid_t stored,
                                 std::size_t n,
                                 const std::string& path,
                                 const std::function<herr_t(hid_t, void*)>& get) const;
  void read_attribute(const std::string& path, const std::string& key, hid_t type, void* out) const;
  /// One field of a compound dataset.
  template <class T>
  std::vector<T> read_field(const std::string& path, const std::string& field, hid_t native) const;
};

}  // namespace femflex::io
