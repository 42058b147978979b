#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include <hdf5.h>

#include "femflex/io/atomic_file.h"

namespace femflex::io {

/// The file that HDF5 writes to, in place of one that it opens itself, for two reasons.
///
/// HDF5 cannot close a file that cannot be written: it tries again at the end of the program and
/// crashes there. Here every write appears to succeed; the first fault is kept, later writes are
/// dropped, and publish() throws.
///
/// HDF5 changes a file in place, so that a program killed between two writes leaves an unreadable
/// file. Here pages that a reader may know stay in memory until publish(), which writes them in one
/// go; new pages go to the disk at once. Published data can therefore be read at any time, by any
/// program: the flag "open for writing" of the superblock is left out.
class Hdf5Disk {
 public:
  explicit Hdf5Disk(AtomicFile file) : file_(std::move(file)) {}

  /// Makes an empty HDF5 file here. @return negative where HDF5 fails
  static hid_t create(const std::shared_ptr<Hdf5Disk>& disk, hid_t creation, hid_t access);

  /// The driver, registered once and kept: when HDF5 closes a file it first drops that file's
  /// reference to the driver and then calls it, so a driver without another reference would be
  /// freed memory. Negative if HDF5 fails.
  static hid_t driver();

  /// Makes everything written so far visible to readers; to be called after HDF5 has flushed.
  /// @throws UsageError  the disk is full or fails
  void publish();
  bool is_published() const { return published_ > 0; }
  /// @throws UsageError  a write has failed
  void check() const {
    if (fault_ != 0) file_.fail(fault_);
  }
  /// Drops what was not published; HDF5 must have closed the file.
  /// @throws UsageError  the disk fails
  void cut_back();
  AtomicFile& file() { return file_; }

  // --- for the driver; none throws
  void write(std::uint64_t place, const char* bytes, std::size_t count) noexcept;
  void read(std::uint64_t place, char* bytes, std::size_t count) noexcept;
  std::uint64_t allocated = 0;  ///< end of what HDF5 has given away (eoa)
  std::uint64_t end = 0;        ///< end of the file as HDF5 sees it (eof)

 private:
  static constexpr std::size_t kPage = 4096;
  using Page = std::array<char, kPage>;

  /// Page 0 is always held back: a part without a superblock is not mistaken for an HDF5 file.
  bool waits(std::uint64_t page) const { return page == 0 || page * kPage < published_; }
  Page& held(std::uint64_t page);

  AtomicFile file_;
  std::map<std::uint64_t, Page> held_;  // by number
  std::uint64_t published_ = 0;         // size of what readers know
  int fault_ = 0;                       // errno of the first write that failed
};

}  // namespace femflex::io
