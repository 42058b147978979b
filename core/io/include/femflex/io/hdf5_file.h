// Reads and writes datasets and attributes of HDF5 files as C++ and Eigen values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace femflex::io {

/// An HDF5 file: open() to read, create() then commit() to write. Paths inside the file are
/// "/group/name"; missing groups are created. Every error in the contents is a ParseError naming
/// the file and the path inside it.
///
/// Sizes claimed by a file are compared with the bytes that it really stores before memory is
/// allocated.
class Hdf5File {
 public:
  /// @throws UsageError  no such file;  ParseError  not HDF5, or damaged
  static Hdf5File open(const std::filesystem::path& path);
  /// Opens an HDF5 file held in memory (the bytes are copied); `name` is for messages.
  static Hdf5File from_memory(std::string_view bytes, const std::string& name);
  /// Creates a file that appears under its final name only at commit() (see AtomicFile).
  static Hdf5File create(const std::filesystem::path& path);
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  ~Hdf5File();
  /// @throws UsageError  the disk is full or fails
  void commit();
  /// Commits under another name in the same folder.
  void commit_as(const std::filesystem::path& path);
  /// Makes everything written so far readable by other programs under the temporary name
  /// (AtomicFile::part()), even if this program is killed later.
  /// @throws UsageError  the disk is full
  void flush();
  /// Commits what the last flush() made readable under the name `path` and drops the rest: meant
  /// for a full disk. The file is closed in any case.
  /// @return false if nothing was flushed: then no file is written
  bool keep_flushed(const std::filesystem::path& path);

  const std::string& name() const;  ///< the path as given

  // --- contents
  bool has(const std::string& path) const;
  /// Names of the datasets and groups in a group, in alphabetical order.
  std::vector<std::string> children(const std::string& group) const;
  std::vector<std::uint64_t> shape(const std::string& dataset) const;
  bool has_attribute(const std::string& object, const std::string& name) const;

  // --- attributes ("/" is the root)
  void set_attribute(const std::string& object, const std::string& name, std::string_view text);
  /// As set_attribute(), but stored as a variable-length string for readers that require it (h5py
  /// returns `str`).
  void set_variable_text_attribute(const std::string& object,
                                   const std::string& name,
                                   const std::string& text);
  void set_attribute(const std::string& object, const std::string& name, double value);
  void set_attribute(const std::string& object, const std::string& name, std::int64_t value);
  std::string text_attribute(const std::string& object, const std::string& name) const;
  double real_attribute(const std::string& object, const std::string& name) const;
  std::int64_t integer_attribute(const std::string& object, const std::string& name) const;

  // --- datasets; `extents`: slowest first; `deflate`: 0 uncompressed, 1..9 compressed in chunks
  void make_group(const std::string& path);
  void write(const std::string& path,
             std::span<const double> values,
             const std::vector<std::uint64_t>& extents,
             int deflate = 0);
  void write(const std::string& path,
             std::span<const std::int64_t> values,
             const std::vector<std::uint64_t>& extents,
             int deflate = 0);
  void write(const std::string& path,
             std::span<const std::int32_t> values,
             const std::vector<std::uint64_t>& extents,
             int deflate = 0);
  void write(const std::string& path, const std::vector<std::string>& texts);
  /// A single string, as a scalar dataset.
  void write_text(const std::string& path, const std::string& text);
  /// Writes reals in chunks of the given extents, so that parts can be read quickly; `deflate` as
  /// above.
  void write_chunked(const std::string& path,
                     std::span<const double> values,
                     const std::vector<std::uint64_t>& extents,
                     const std::vector<std::uint64_t>& chunk,
                     int deflate = 0);
  /// Stores a matrix row by row, so that other programs see the shape rows x cols.
  void write_matrix(const std::string& path, const Eigen::Ref<const Eigen::MatrixXd>& matrix);

  /// Number of values of a dataset, checked against the bytes that the file really stores for it.
  /// Meant for callers that allocate memory themselves and fill it through read_box().
  std::uint64_t checked_count(const std::string& path) const;
  std::vector<double> read_reals(const std::string& path) const;
  std::vector<std::int64_t> read_integers(const std::string& path) const;
  std::vector<std::string> read_texts(const std::string& path) const;
  Eigen::MatrixXd read_matrix(const std::string& path) const;
  Eigen::VectorXd read_vector(const std::string& path) const;
  /// Reads a rectangular section (box) of a dataset of reals into the caller's memory.
  void read_box(const std::string& path,
                const std::vector<std::uint64_t>& start,
                const std::vector<std::uint64_t>& count,
                std::span<double> out) const;

  /// One field of a dataset of compound records; array fields give their entries record by record.
  std::vector<double> read_field_reals(const std::string& path, const std::string& field) const;
  std::vector<std::int64_t> read_field_integers(const std::string& path,
                                                const std::string& field) const;
  std::vector<std::string> fields(const std::string& path) const;

  // --- datasets that grow along the first extent, for results written during a simulation
  void make_growing(const std::string& path,
                    const std::vector<std::uint64_t>& row_extents,
                    std::uint64_t rows_per_chunk);
  /// @param rows  whole rows, one after the other
  void append(const std::string& path, std::span<const double> rows);

 private:
  struct Impl;
  explicit Hdf5File(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The bytes with which an HDF5 file begins.
inline constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

/// A text attribute of the root, by which a file tells its kind; empty if there is none, or the
/// file is not HDF5 or damaged: its reader tells that.
std::string root_attribute(const std::filesystem::path& path, const std::string& name);

}  // namespace femflex::io
