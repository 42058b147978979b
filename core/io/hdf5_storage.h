// Stores what HDF5 writes, and buffers changes so that the file on disk is readable at any time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include <hdf5.h>

#include "femflex/io/atomic_file.h"

namespace femflex::io {

/// Back end of an HDF5 virtual file driver: HDF5 writes through this class instead of opening the
/// file itself. There are two reasons.
///
/// If a write fails (disk full), HDF5 cannot close the file; it retries at program exit and
/// crashes. Here every write appears to succeed; the first error is kept, later writes are dropped,
/// and publish() throws.
///
/// HDF5 changes a file in place, so that a program killed between two writes leaves an unreadable
/// file. Here changes to already published pages stay in memory until publish(), which writes them
/// all; new pages go to the disk at once. Published data can therefore be read at any time, by any
/// program; the superblock's "open for writing" flag stays clear, since programs refuse a file with
/// it.
class Hdf5Storage {
 public:
  explicit Hdf5Storage(AtomicFile file) : file_(std::move(file)) {}

  /// Creates an empty HDF5 file on `storage`. @return its identifier, negative if HDF5 fails
  static hid_t create(const std::shared_ptr<Hdf5Storage>& storage, hid_t creation, hid_t access);

  /// The driver, registered once and never released: when HDF5 closes a file it first drops the
  /// file's reference to the driver and then still calls it; without another reference it would use
  /// freed memory. Negative if HDF5 fails.
  static hid_t driver();

  /// Makes everything written so far visible to readers; to be called after HDF5 has flushed.
  /// @throws UsageError  the disk is full or fails
  void publish();
  bool is_published() const { return published_ > 0; }
  /// @throws UsageError  a write has failed
  void throw_if_failed() const {
    if (error_ != 0) file_.fail(error_);
  }
  /// Discards everything that was not published; HDF5 must have closed the file before.
  /// @throws UsageError  the disk fails
  void discard_unpublished();
  AtomicFile& file() { return file_; }

  // --- called by the driver with an offset [bytes] into the file; these functions never throw but
  // keep the first error for throw_if_failed()
  void write(std::uint64_t offset, const char* bytes, std::size_t count) noexcept;
  void read(std::uint64_t offset, char* bytes, std::size_t count) noexcept;
  std::uint64_t allocated = 0;  ///< end of the space that HDF5 has allocated (EOA)
  std::uint64_t end = 0;        ///< end of the file as HDF5 sees it (EOF)

 private:
  static constexpr std::size_t kPage = 4096;
  using Page = std::array<char, kPage>;

  /// True if a changed page stays in memory until publish(). Page 0 always does, so that a
  /// temporary file that was never published has no superblock and is not mistaken for a result.
  bool is_deferred(std::uint64_t page) const { return page == 0 || page * kPage < published_; }
  /// The pending copy of a page; read from the file at the first call.
  Page& pending_page(std::uint64_t page);

  AtomicFile file_;
  std::map<std::uint64_t, Page> pending_;  // pages waiting for publish(), by page number
  std::uint64_t published_ = 0;            // number of bytes published so far
  int error_ = 0;                          // errno of the first write that failed
};

}  // namespace femflex::io
