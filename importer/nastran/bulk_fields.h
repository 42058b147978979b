// Reads the fields of a NASTRAN bulk data card as numbers, components and lists of ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/dof_map.h"
#include "femflex/errors.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "nastran/bulk_cards.h"

namespace femflex::importer {

/// The fields of a card as numbers. Field 0 is the one after the name (NASTRAN's field 2).
class BulkFields {
 public:
  explicit BulkFields(const BulkCard& card) : card_(card) {}

  std::size_t size() const { return card_.fields.size(); }
  /// The field without surrounding blanks; empty beyond the last field.
  std::string_view text(std::size_t k) const {
    return k < card_.fields.size() ? trimmed(card_.fields[k]) : std::string_view{};
  }
  bool blank(std::size_t k) const { return text(k).empty(); }
  /// True for an integer field.
  bool is_integer(std::size_t k) const { return find_integer(k).has_value(); }
  /// The integer in the field; empty if it is blank, or not an integer.
  std::optional<std::int64_t> find_integer(std::size_t k) const { return parse_integer(text(k)); }
  /// The integer in the field. @throws ParseError  blank, or not an integer
  std::int64_t integer(std::size_t k) const;
  /// The real number in the field. @throws ParseError  blank, or not a number
  double real(std::size_t k) const;
  std::int64_t integer_or(std::size_t k, std::int64_t default_value) const {
    return blank(k) ? default_value : integer(k);
  }
  double real_or(std::size_t k, double default_value) const {
    return blank(k) ? default_value : real(k);
  }
  /// The components in the field, such as "123456"; sorted, and without repetitions of the card.
  /// Empty if the field is "0" or blank, which means a scalar point.
  std::string components(std::size_t k) const;
  /// True if the field is this word. `upper` is in upper case; the field may be in either case.
  bool is_word(std::size_t k, std::string_view upper) const;

  /// Position of this card, with its name and first field: `GRID 4711`.
  Where where() const;
  /// Throws a ParseError at this card.
  [[noreturn]] void fail(const char* code, const std::string& message) const;

 private:
  const BulkCard& card_;
};

/// One entry of a list of ids: `first`, or `first` THRU `last` BY `step` EXCEPT `except`. A range
/// is not expanded, because it may name very many ids that do not exist. All numbers are at most
/// 2^58 in magnitude, so that sums of them cannot overflow.
struct IdRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 1;
  std::vector<std::int64_t> except;
  bool contains(std::int64_t id) const;
};
/// Reads a list from field `from` to the end, or to the first field that begins with a letter and
/// is not THRU, BY or EXCEPT. Sets `*next` to the index of the field after the list.
/// @throws ParseError  a field is not an id, or a range runs backwards
std::vector<IdRange> id_ranges(const BulkFields& fields,
                               std::size_t from,
                               std::size_t* next = nullptr);

/// Adds the DOFs of one id: components such as "135", or 0 for a scalar point.
void add_dofs(std::vector<Dof>& out, std::int64_t id, std::string_view components);

}  // namespace femflex::importer
