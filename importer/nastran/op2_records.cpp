// Walks through the keys, records and tables of a NASTRAN OUTPUT2 file; finds the word size and the
// byte order from the first Fortran record.
#include "nastran/op2_records.h"

#include <bit>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::importer {
namespace {

std::int32_t length_word(std::string_view bytes, std::size_t at, bool swap) {
  return load<std::int32_t>(bytes.data() + at, swap);
}

/// Finds the layout from the first record, which is a key of one word. Its length is 4 or 8 if read
/// in the right byte order.
/// False if the file does not begin as an OP2 file.
bool find_layout(std::string_view bytes, Op2Layout& layout) {
  if (bytes.size() < 24) return false;
  for (const bool swap : {false, true}) {
    const std::int32_t length = length_word(bytes, 0, swap);
    if (length != 4 && length != 8) continue;
    const Op2Layout found{length, swap};
    if (length_word(bytes, static_cast<std::size_t>(length) + 4, swap) != length) continue;
    const Op2Words key(bytes.substr(4, static_cast<std::size_t>(length)), found);
    const std::int64_t first = key.integer(0);
    if (first != 2 && first != 3) continue;
    layout = found;
    return true;
  }
  return false;
}

}  // namespace

std::string Op2Words::text(std::size_t i, std::size_t count) const {
  const auto word = static_cast<std::size_t>(layout_.word);
  std::string text(bytes_.substr(std::min(bytes_.size(), i * word), count * word));
  if (word == 8) {
    bool is_half_filled = true;
    for (std::size_t k = 0; k + 8 <= text.size(); k += 8)
      is_half_filled = is_half_filled && text.compare(k + 4, 4, "    ") == 0;
    if (is_half_filled) {
      std::string packed;
      for (std::size_t k = 0; k + 8 <= text.size(); k += 8)
        packed += text.substr(k, 4);
      text = packed;
    }
  }
  text.erase(text.find_last_not_of(std::string_view(" \0", 2)) + 1);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
  return text;
}

bool Op2Records::recognises(std::string_view head) {
  Op2Layout layout;
  if (!find_layout(head, layout)) return false;
  // the key must be followed by a block of that many words, which is not so in OP4 and other
  // Fortran files
  const auto word = static_cast<std::size_t>(layout.word);
  const std::size_t next = word + 8;
  const std::int64_t first = Op2Words(head.substr(4, word), layout).integer(0);
  return head.size() >= next + 4 &&
         length_word(head, next, layout.swap) == first * static_cast<std::int64_t>(word);
}

Op2Records::Op2Records(std::string_view bytes, std::string file)
    : bytes_(bytes), file_(std::move(file)) {
  if (!find_layout(bytes_, layout_)) fail("not-op2", "the file does not begin as an OP2 file does");
  big_endian_ = (std::endian::native == std::endian::big) != layout_.swap;
  read_header();
}

void Op2Records::fail(const char* code, const std::string& what) const {
  throw ParseError(code,
                   what,
                   {file_, -1, -1, static_cast<std::int64_t>(at_), table_},
                   "export the file again, or check that it was copied in binary mode");
}

std::string_view Op2Records::read_fortran_record() {
  if (bytes_.size() - at_ < 4) fail("truncated", "the file ends inside a table");
  const std::int32_t length = length_word(bytes_, at_, layout_.swap);
  if (length < 0) fail("damaged", fmt::format("a record claims {} bytes", length));
  const auto size = static_cast<std::size_t>(length);
  if (bytes_.size() - at_ - 4 < size + 4) {
    fail(
        "truncated",
        fmt::format("a record claims {} bytes, but only {} remain", size, bytes_.size() - at_ - 4));
  }
  if (length_word(bytes_, at_ + 4 + size, layout_.swap) != length)
    fail("damaged", fmt::format("the two length words of a record of {} bytes differ", size));
  const std::string_view payload = bytes_.substr(at_ + 4, size);
  at_ += size + 8;
  return payload;
}

std::int64_t Op2Records::read_key() {
  const std::size_t start = at_;
  const std::string_view payload = read_fortran_record();
  if (payload.size() != static_cast<std::size_t>(layout_.word)) {
    at_ = start;
    fail("damaged", fmt::format("found a record of {} bytes, expected a key", payload.size()));
  }
  return Op2Words(payload, layout_).integer(0);
}

void Op2Records::read_header() {
  const std::size_t start = at_;
  if (read_key() != 3) {
    at_ = start;  // the file has no header, so the first table begins here
    return;
  }
  table_ = "file header";
  read_fortran_record();           // date
  std::int64_t next = read_key();  // always 7 words of tape id, not always NASTRAN's text
  if (next > 0) {
    read_fortran_record();
    next = read_key();
  }
  if (next > 0) {
    const std::string_view label = read_fortran_record();
    label_ = Op2Words(label, layout_).text(0, 2);
    next = read_key();
  }
  while (next > 0) {  // version words of newer codes
    read_fortran_record();
    next = read_key();
  }
  if (next != -1 || read_key() != 0) fail("damaged", "the file header does not end with -1, 0");
  table_.clear();
}

bool Op2Records::next_table(Table& table) {
  while (position_ != Position::between_tables)
    next_record();
  table_.clear();
  if (at_ >= bytes_.size()) return false;  // some writers omit the last 0
  table.byte = at_;
  const std::int64_t words = read_key();
  if (words == 0) return false;
  if (words < 0 || words > 64)
    fail("damaged",
         fmt::format("found key {}, expected a table name or the end of the file", words));
  const std::string_view name = read_fortran_record();
  table.name = Op2Words(name, layout_).text(0, 2);
  table_ = table.name;
  std::int64_t next = read_key();
  while (next > 0) {  // version words of newer codes
    read_fortran_record();
    next = read_key();
  }
  if (next != -1) fail("damaged", fmt::format("found key {}, expected -1", next));
  read_key();  // always 7
  const Op2Words trailer(read_fortran_record(), layout_);
  table.trailer.fill(0);
  for (std::size_t i = 0; i < std::min<std::size_t>(7, trailer.size()); ++i)
    table.trailer[i] = trailer.integer(i);
  next_key_ = read_key();
  position_ = Position::before_record;
  table.inner_name.clear();
  if (next_record()) table.inner_name = rest_of_record().text(0, 2);
  return true;
}

bool Op2Records::next_record() {
  if (position_ == Position::between_tables) return false;
  std::string_view rest;
  while (position_ == Position::in_record)
    next_block(rest);
  if (next_key_ >= 0)
    fail("damaged", fmt::format("found key {}, expected a new record", next_key_));
  read_key();  // always 1
  record_type_ = read_key();
  next_key_ = read_key();
  if (next_key_ == 0) {
    position_ = Position::between_tables;
    return false;
  }
  position_ = Position::in_record;
  return true;
}

bool Op2Records::next_block(std::string_view& block) {
  if (position_ != Position::in_record) return false;
  if (next_key_ <= 0) {
    position_ = Position::before_record;
    return false;
  }
  block = read_fortran_record();
  if (block.size() % static_cast<std::size_t>(layout_.word) != 0)
    fail("damaged",
         fmt::format("a block of {} bytes does not consist of whole words", block.size()));
  next_key_ = read_key();
  return true;
}

Op2Words Op2Records::rest_of_record() {
  std::string_view block;
  if (!next_block(block)) return {std::string_view(), layout_};
  if (next_key_ <= 0) {
    position_ = Position::before_record;
    return {block, layout_};
  }
  joined_.assign(block);
  while (next_block(block))
    joined_.append(block);
  return {joined_, layout_};
}

}  // namespace femflex::importer
