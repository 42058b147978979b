// Steps through the Fortran records of a binary file, and checks that the two length words of each
// record agree and lie inside the file.
#include "bytes/fortran_records.h"

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::importer {

std::optional<std::string_view> FortranRecords::next() {
  if (next_ == bytes_.size()) return std::nullopt;
  start_ = next_;
  const std::size_t remaining = bytes_.size() - next_;
  const auto where = [this] { return Where{file_, -1, -1, static_cast<std::int64_t>(start_), ""}; };
  if (remaining < 8)
    throw ParseError(
        "truncated",
        fmt::format("{} bytes remain, too few for a record: the file is truncated", remaining),
        where(),
        "export the file again");
  const auto length = load<std::int32_t>(bytes_.data() + start_, swap_);
  if (length < 0)
    throw ParseError("record-length",
                     fmt::format("a record has the negative length {}", length),
                     where(),
                     "the file is damaged, or was copied as text");
  const auto size = static_cast<std::size_t>(length);
  if (size > remaining - 8)
    throw ParseError("truncated",
                     fmt::format("a record claims {} bytes, but {} remain", length, remaining - 8),
                     where(),
                     "the file is truncated: export it again");
  const auto trailer = load<std::int32_t>(bytes_.data() + start_ + 4 + size, swap_);
  if (trailer != length)
    throw ParseError(
        "record-length",
        fmt::format("the length words around a record differ: {} and {}", length, trailer),
        where(),
        "the file is damaged, or was copied as text");
  next_ = start_ + size + 8;
  return bytes_.substr(start_ + 4, size);
}

}  // namespace femflex::importer
