// Reads the tables, records and blocks of words of which NASTRAN OUTPUT2 files consist.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bytes/fortran_records.h"

namespace femflex::importer {

/// The shape of an OP2 file: words of 4 or 8 bytes, in either byte order.
struct Op2Layout {
  int word = 4;
  bool swap = false;  ///< the file's byte order is not this machine's
};

/// Words of one record, in the file's own layout. Indices are 0-based and not checked: callers
/// compare them with size() first.
class Op2Words {
 public:
  Op2Words(std::string_view bytes, Op2Layout layout) : bytes_(bytes), layout_(layout) {}

  std::size_t size() const { return bytes_.size() / static_cast<std::size_t>(layout_.word); }
  Op2Layout layout() const { return layout_; }
  std::string_view bytes() const { return bytes_; }
  std::int64_t integer(std::size_t i) const { return load_word(at(i), layout_.word, layout_.swap); }
  /// One word as a real: float32 in 32-bit files, float64 in 64-bit files.
  double real(std::size_t i) const {
    return layout_.word == 4 ? static_cast<double>(load<float>(at(i), layout_.swap))
                             : load<double>(at(i), layout_.swap);
  }
  /// The float64 that begins at word i: two words in a 32-bit file, one in a 64-bit file.
  double real64(std::size_t i) const { return load<double>(at(i), layout_.swap); }
  /// Text in `count` words, with trailing blanks removed. 64-bit files hold four characters and
  /// four blanks per word, or eight characters.
  std::string text(std::size_t i, std::size_t count) const;
  /// The words from word i on.
  Op2Words from(std::size_t i) const {
    return {bytes_.substr(std::min(bytes_.size(), i * static_cast<std::size_t>(layout_.word))),
            layout_};
  }

 private:
  const char* at(std::size_t i) const {
    return bytes_.data() + i * static_cast<std::size_t>(layout_.word);
  }

  std::string_view bytes_;
  Op2Layout layout_;
};

/// Reads through an OP2 file (OUTPUT2): Fortran records hold keys and blocks, blocks make logical
/// records, records make tables.
///
///   header (may be absent): 3, date, 7, tape id, 2, label, {n, version}, -1, 0
///   table:  2, name, {n, version}, -1, 7, trailer, -2, 1, 0, n, name inside,
///           -3, 1, rt, (n, block)*, -4, 1, rt, (n, block)*, ..., -k, 1, 0, 0
///   file:   table*, 0
///   {...} is repeated or absent, n is the number of words of the next item, rt is the type of the
///   record that begins (record_type()), -3, -4, ..., -k count the records
///
/// The length words of Fortran records are 4 bytes even in 64-bit files. Writers split long records
/// into blocks anywhere. Every error is a ParseError: "truncated" if the bytes end early, "damaged"
/// if they contradict the layout.
class Op2Records {
 public:
  struct Table {
    std::string name;
    std::string inner_name;  ///< "name inside" of the layout above
    std::array<std::int64_t, 7> trailer{};
    std::size_t byte = 0;  ///< position in the file
  };

  /// @throws ParseError  the first bytes are not those of an OP2 file
  Op2Records(std::string_view bytes, std::string file);

  /// True if the first bytes of a file are those of an OP2 file.
  static bool recognises(std::string_view head);

  Op2Layout layout() const { return layout_; }
  bool big_endian() const { return big_endian_; }
  const std::string& label() const { return label_; }  ///< "XXXXXXXX", "NX8.5", ... or empty
  std::size_t position() const { return at_; }

  /// The next table; skips the rest of the current one. False at the end of the file.
  bool next_table(Table& table);
  /// The next logical record of the table; skips the rest of the current one. False at its end.
  bool next_record();
  /// Kind of the current record: 0 table record, 1 matrix column.
  std::int64_t record_type() const { return record_type_; }
  /// The next block of the record; false at its end.
  bool next_block(std::string_view& block);
  /// The rest of the record in one piece. Valid until the next call.
  Op2Words rest_of_record();

 private:
  /// Where the next item is.
  enum class Position : std::uint8_t { between_tables, before_record, in_record };

  std::string_view read_fortran_record();
  std::int64_t read_key();
  void read_header();
  [[noreturn]] void fail(const char* code, const std::string& what) const;

  std::string_view bytes_;
  std::string file_;
  std::string table_;  ///< name of the current table, for messages
  std::string label_;
  Op2Layout layout_;
  bool big_endian_ = false;
  std::size_t at_ = 0;
  Position position_ = Position::between_tables;
  std::int64_t next_key_ = 0;  ///< the last key that was read, if it belongs to the next item
  std::int64_t record_type_ = 0;
  std::string joined_;
};

}  // namespace femflex::importer
