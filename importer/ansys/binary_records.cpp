// Finds, checks and expands the records of ANSYS binary files.
#include "ansys/binary_records.h"

#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/text.h"

namespace femflex::importer {
namespace {

constexpr std::size_t kRecordWord = 4;            // bytes
constexpr std::int32_t kRecordHeaderWords = 100;  // of the first record of each file
constexpr std::size_t kRecordFrameWords = 3;      // length, flags, and the length again

constexpr unsigned kRecordIntegers = 0x80;
constexpr unsigned kRecordShort = 0x40;
constexpr unsigned kRecordZlib = 0x20;
constexpr unsigned kRecordWindows = 0x10;
constexpr unsigned kRecordBits = 0x08;
constexpr std::size_t kRecordMostBits = 32;  // one word of bits

/// Byte order of a file: false as on this machine, true the opposite; empty: not an ANSYS file.
std::optional<bool> ansys_order(std::string_view bytes) {
  if (bytes.size() < 3 * kRecordWord) return std::nullopt;
  for (const bool swap : {false, true})
    if (load<std::int32_t>(bytes.data(), swap) == kRecordHeaderWords) return swap;
  return std::nullopt;
}

}  // namespace

bool is_ansys_file(const FileHead& head, AnsysFile kind) {
  const std::optional<bool> swap = ansys_order(head.bytes);
  return swap && head.bytes.size() > (kRecordHeaderWords + 2) * kRecordWord &&
         load<std::int32_t>(head.bytes.data() + 2 * kRecordWord, *swap) ==
             static_cast<std::int32_t>(kind) &&
         load<std::int32_t>(head.bytes.data() + (kRecordHeaderWords + 2) * kRecordWord, *swap) ==
             kRecordHeaderWords;
}

std::int64_t AnsysRecord::short_at(const char* at) const {
  std::uint16_t value = 0;
  std::memcpy(&value, at, sizeof value);
  if (swap_) value = static_cast<std::uint16_t>((value >> 8U) | (value << 8U));
  return static_cast<std::int16_t>(value);
}

std::int64_t AnsysRecord::pointer(std::size_t low, std::size_t high) const {
  const auto bits = [&](std::size_t number) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(item(number)));
  };
  return static_cast<std::int64_t>(bits(high) << 32U | bits(low));
}

AnsysRecords::AnsysRecords(std::string_view bytes, std::string file)
    : bytes_(bytes), file_(std::move(file)) {
  const std::optional<bool> swap = ansys_order(bytes);
  if (!swap) fail("header", "the file does not begin with a record of 100 words", 0);
  swap_ = *swap;
  at(0);
}

void AnsysRecords::fail(const char* code, const std::string& what, std::size_t word) const {
  throw ParseError(code,
                   what,
                   {file_, -1, -1, static_cast<std::int64_t>(word * kRecordWord)},
                   "copy the file again in binary mode, or write it again");
}

AnsysRecord AnsysRecords::at(std::int64_t word, std::size_t most_items) const {
  if (word < 0 || static_cast<std::uint64_t>(word) + kRecordFrameWords > words())
    fail("pointer", fmt::format("a pointer to word {} lies outside the file", word), 0);
  AnsysRecord record;
  record.word_ = static_cast<std::size_t>(word);
  record.swap_ = swap_;
  const char* start = bytes_.data() + record.word_ * kRecordWord;
  const std::int64_t size = load<std::int32_t>(start, swap_);
  const auto flags = static_cast<unsigned>(load<std::uint32_t>(start + kRecordWord, swap_) >> 24U);
  if (size < 0 || static_cast<std::uint64_t>(size) > words() - record.word_ - kRecordFrameWords)
    fail("record", fmt::format("a record of {} words does not fit the file", size), record.word_);
  const auto payload = static_cast<std::size_t>(size);
  if (load<std::int32_t>(start + (payload + 2) * kRecordWord, swap_) != size)
    fail("record", fmt::format("a record of {} words ends without its length", size), record.word_);
  record.next_ = record.word_ + payload + kRecordFrameWords;
  record.stored_ = {start + 2 * kRecordWord, payload * kRecordWord};
  record.is_integer_ = (flags & kRecordIntegers) != 0;
  const bool is_short = (flags & kRecordShort) != 0;
  record.width_ = record.is_integer_ ? (is_short ? 2 : 4) : (is_short ? 4 : 8);
  record.count_ = record.stored_.size() / static_cast<std::size_t>(record.width_);
  if ((flags & kRecordZlib) != 0)
    throw ParseError("zlib-record",
                     "records are packed by zlib, which is not read",
                     {file_, -1, -1, static_cast<std::int64_t>(record.word_ * kRecordWord)},
                     "write the file with /FCOMP,RST,0 (or FULL)");
  if ((flags & kRecordBits) != 0)
    expand_bits(record);
  else if ((flags & kRecordWindows) != 0)
    expand_windows(record, most_items);
  return record;
}

void AnsysRecords::expand_bits(AnsysRecord& record) const {
  const std::string_view in = record.stored_;
  if (in.size() < 2 * kRecordWord) fail("sparse", "a sparse record has no head", record.word_);
  const std::int64_t count = load<std::int32_t>(in.data(), swap_);
  const auto bits = load<std::uint32_t>(in.data() + kRecordWord, swap_);
  const auto width = static_cast<std::size_t>(record.width_);
  const auto given = static_cast<std::size_t>(std::popcount(bits));
  if (count < 1 || count > static_cast<std::int64_t>(kRecordMostBits) ||
      2 * kRecordWord + given * width > in.size())
    fail("sparse",
         fmt::format("a sparse record of {} words claims {} items, {} of them not zero",
                     in.size() / kRecordWord,
                     count,
                     given),
         record.word_);
  record.count_ = static_cast<std::size_t>(count);
  record.expanded_.assign(record.count_ * width, '\0');
  const char* from = in.data() + 2 * kRecordWord;
  for (std::size_t k = 0; k < record.count_; ++k) {
    if ((bits >> k & 1U) == 0) continue;
    std::memcpy(record.expanded_.data() + k * width, from, width);
    from += width;
  }
}

void AnsysRecords::expand_windows(AnsysRecord& record, std::size_t most_items) const {
  const std::string_view in = record.stored_;
  const auto width = static_cast<std::size_t>(record.width_);
  std::size_t at = 0;
  const auto refuse = [&] {
    fail("sparse", "a window of a sparse record does not fit", record.word_);
  };
  const auto take = [&]() -> std::int64_t {
    if (at + kRecordWord > in.size()) refuse();
    const std::int64_t value = load<std::int32_t>(in.data() + at, swap_);
    at += kRecordWord;
    return value;
  };
  const std::int64_t count = take();
  const std::int64_t windows = take();
  if (count < 1 || static_cast<std::uint64_t>(count) > most_items || width == 2)
    fail("sparse",
         fmt::format("a sparse record claims {} items, at most {} are expected", count, most_items),
         record.word_);
  record.count_ = static_cast<std::size_t>(count);
  record.expanded_.assign(record.count_ * width, '\0');
  for (std::int64_t k = 0; k < windows; ++k) {
    const std::int64_t start = take();
    const std::int64_t length = start > 0 ? 1 : take();
    const std::int64_t first = start > 0 ? start : -start;
    const std::int64_t items = length < 0 ? -length : length;
    const std::size_t stored = (length < 0 ? 1 : static_cast<std::size_t>(items)) * width;
    if (items == 0 || first > count - items || stored > in.size() - at) refuse();
    char* to = record.expanded_.data() + static_cast<std::size_t>(first) * width;
    if (length > 0) {
      std::memcpy(to, in.data() + at, stored);
    } else {
      for (std::int64_t n = 0; n < items; ++n)
        std::memcpy(to + static_cast<std::size_t>(n) * width, in.data() + at, width);
    }
    at += stored;
  }
}

void AnsysRecords::expect_integers(const AnsysRecord& record,
                                   const char* what,
                                   std::size_t count) const {
  if (!record.is_integer() || record.count() < count)
    fail("record",
         fmt::format("the record of {} has {} {}, expected {} integers",
                     what,
                     record.count(),
                     record.is_integer() ? "integers" : "reals",
                     count),
         record.word());
}

void AnsysRecords::expect_reals(const AnsysRecord& record,
                                const char* what,
                                std::size_t count) const {
  if (record.is_integer() || record.count() < count)
    fail("record",
         fmt::format("the record of {} has {} {}, expected {} reals",
                     what,
                     record.count(),
                     record.is_integer() ? "integers" : "reals",
                     count),
         record.word());
}

std::string AnsysRecords::text(std::size_t first_item, std::size_t items) const {
  std::string out;
  for (std::size_t k = first_item; k < first_item + items; ++k) {
    // four characters a word, the first in the highest byte; the first record starts at word 2
    const auto word = load<std::uint32_t>(bytes_.data() + (k + 1) * kRecordWord, swap_);
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
      const auto c = static_cast<char>(word >> shift & 0xFFU);
      out += c >= ' ' && c <= '~' ? c : ' ';
    }
  }
  return std::string(trimmed(out));
}

std::string AnsysRecords::program() const {
  constexpr std::size_t kVersion = 10;
  return std::string(trimmed("ANSYS " + text(kVersion, 1)));
}

std::string AnsysRecords::title() const {
  constexpr std::size_t kTitle = 41;
  constexpr std::size_t kTitleWords = 20;
  return text(kTitle, kTitleWords);
}

void AnsysRecords::describe(FileContents& contents) const {
  contents.encoding = "binary";
  contents.endian = swap_ ? "big" : "little";
  contents.word_bytes = 4;
  contents.program = program();
  contents.title = title();
}

std::int8_t component_of_ansys_dof(std::int64_t number) {
  return number >= 1 && number <= 6 ? static_cast<std::int8_t>(number) : std::int8_t{0};
}

}  // namespace femflex::importer
