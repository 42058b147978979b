// Writes text with Fortran and C number formats through a buffer, for the writers of text formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "femflex/io/atomic_file.h"
#include "femflex/io/sha256.h"

namespace femflex::flexfile {

/// Collects text and writes it in large pieces to a file that appears only at commit(); without a
/// file it keeps the text in memory. Numbers are formatted without locale or format string.
class TextSink {
 public:
  TextSink() = default;  ///< keeps the text in memory
  /// @throws UsageError  the file cannot be written
  explicit TextSink(const std::filesystem::path& target);

  void put(std::string_view text) {
    flush_if_full(text.size());
    buffer_.append(text);
  }
  void put(char c) {
    flush_if_full(1);
    buffer_.push_back(c);
  }
  void repeat(char c, std::size_t count) {
    flush_if_full(count);
    buffer_.append(count, c);
  }
  /// Writes an integer right-justified; the field becomes wider if `width` is too small.
  void integer(std::int64_t value, std::size_t width = 0);
  /// Fortran E13.7: 0.4142136E+00, -.4142136E+00, 0.1000000-120.
  void e13(double value);
  /// C %.16e: every double is read back exactly.
  void e16(double value);
  /// Sign or blank, 11 decimals and a D exponent, as in SID files: " 7.85000000000D-01".
  void d11(double value);
  /// Fortran G18.12 as DADS writes it; see docs/formats/dads.md.
  void g18(double value);

  std::uint64_t written() const { return flushed_ + buffer_.size(); }
  const std::string& text() const { return buffer_; }  ///< only if the text is kept in memory
  /// Starts a SHA-256 over everything that is written from now on.
  void hash_from_here() { hash_ = std::make_unique<io::Sha256>(); }
  /// The digest since hash_from_here(), in hex; empty if that was not called.
  std::string hash();
  /// Completes the file; only for a sink with a file.
  /// @throws UsageError  the disk is full or fails
  void commit();

 private:
  void flush_if_full(std::size_t count) {
    if (file_ && buffer_.size() + count > kCapacity) flush();
  }
  void flush();

  static constexpr std::size_t kCapacity = std::size_t{1} << 20U;
  std::string buffer_;
  std::unique_ptr<io::AtomicFile> file_;
  std::unique_ptr<io::Sha256> hash_;
  std::uint64_t flushed_ = 0;
};

}  // namespace femflex::flexfile
