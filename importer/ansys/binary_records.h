// Reads the records of which the binary files of ANSYS consist.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/byte_order.h"

#include "readers.h"

namespace femflex::importer {

/// Number of an ANSYS file kind, as its first record gives it (FILNUM).
enum class AnsysFile : std::int32_t { full = 4, superelement = 8, result = 12 };

/// True if a file begins as the binary files of this kind do.
bool is_ansys_file(const FileHead& head, AnsysFile kind);

/// One record. Words have 4 bytes; items are integers of 2 or 4 bytes or reals of 4 or 8.
class AnsysRecord {
 public:
  std::size_t count() const { return count_; }  ///< number of items
  bool is_integer() const { return is_integer_; }
  int width() const { return width_; }        ///< bytes of an item
  std::size_t word() const { return word_; }  ///< where the record starts
  std::size_t next() const { return next_; }  ///< where the next record starts

  /// Item `k`, from 0, which must exist.
  std::int64_t integer(std::size_t k) const {
    const char* at = data() + k * static_cast<std::size_t>(width_);
    if (width_ == 4) return load<std::int32_t>(at, swap_);
    return short_at(at);
  }
  double real(std::size_t k) const {
    const char* at = data() + k * static_cast<std::size_t>(width_);
    return width_ == 8 ? load<double>(at, swap_) : load<float>(at, swap_);
  }
  /// Calls `use` with a function that gives real `k` and knows width and byte order: for loops over
  /// many items.
  template <typename Use>
  void with_reals(Use use) const {
    const char* const at = data();
    if (width_ == 8 && !swap_)
      use([at](std::size_t k) { return load<double>(at + 8 * k, false); });
    else if (width_ == 8)
      use([at](std::size_t k) { return load<double>(at + 8 * k, true); });
    else
      use([this](std::size_t k) { return real(k); });
  }
  /// The same for integers.
  template <typename Use>
  void with_integers(Use use) const {
    const char* const at = data();
    if (width_ == 4 && !swap_)
      use([at](std::size_t k) -> std::int64_t { return load<std::int32_t>(at + 4 * k, false); });
    else
      use([this](std::size_t k) { return integer(k); });
  }
  /// Item `number`, counted from 1 as in the manual; 0 if the record is shorter (older versions).
  std::int64_t item(std::size_t number) const { return number <= count_ ? integer(number - 1) : 0; }
  /// A pointer of 64 bits. `low` and `high` are the numbers of the items that hold its halves.
  std::int64_t pointer(std::size_t low, std::size_t high) const;

 private:
  friend class AnsysRecords;
  const char* data() const { return expanded_.empty() ? stored_.data() : expanded_.data(); }
  std::int64_t short_at(const char* at) const;

  std::string_view stored_;
  std::vector<char> expanded_;  ///< the items of a compressed record, else empty
  std::size_t count_ = 0;
  std::size_t word_ = 0, next_ = 0;
  int width_ = 4;
  bool is_integer_ = true;
  bool swap_ = false;
};

/// The records of a file. Word 1 of a record is the number of words of its payload. The last byte
/// of word 2 holds flags. Then follow the payload and its number of words again. Positions in the
/// file are counted in words of 4 bytes from the start of the file.
///
///   0x80 integers, else reals       0x40 short integers (2 bytes), single reals (4 bytes)
///   0x08 sparse by bits: count, bits, the items whose bit is set (up to 32 items)
///   0x10 sparse by windows: count, number of windows, then each window. A window begins with a
///        number s. If s > 0, one item follows, for place s. If s < 0, a length n follows, then
///        n items from place -s on, or, if n < 0, one item for |n| places
///   0x20 zlib, which is refused
class AnsysRecords {
 public:
  /// @throws ParseError  the bytes do not begin with the header of an ANSYS file
  AnsysRecords(std::string_view bytes, std::string file);

  /// The record at a word. A compressed record with more than `most_items` items is refused.
  /// @throws ParseError
  AnsysRecord at(std::int64_t word, std::size_t most_items) const;
  /// The same; a compressed record may have as many items as the file has words.
  AnsysRecord at(std::int64_t word) const { return at(word, words()); }

  /// Checks that a record has integers (reals), and at least `count` of them.
  /// @throws ParseError
  void expect_integers(const AnsysRecord& record, const char* what, std::size_t count) const;
  void expect_reals(const AnsysRecord& record, const char* what, std::size_t count) const;

  std::size_t words() const { return bytes_.size() / 4; }
  bool is_swapped() const { return swap_; }
  std::string program() const;  ///< "ANSYS 19.4"
  std::string title() const;
  /// Fills in what the head of every file says: encoding, endian, program, title.
  void describe(FileContents& contents) const;
  /// The header of the file's own kind, behind the head.
  AnsysRecord header() const { return at(static_cast<std::int64_t>(at(0).next())); }
  /// Throws an error at a word of the file.
  [[noreturn]] void fail(const char* code, const std::string& what, std::size_t word) const;

 private:
  void expand_bits(AnsysRecord& record) const;
  void expand_windows(AnsysRecord& record, std::size_t most_items) const;
  std::string text(std::size_t first_item, std::size_t items) const;

  std::string_view bytes_;
  std::string file_;
  bool swap_ = false;
};

/// Components 1 to 6 of the DOF numbers 1 to 6 (UX to ROTZ); 0 for any other DOF.
std::int8_t component_of_ansys_dof(std::int64_t number);

}  // namespace femflex::importer
