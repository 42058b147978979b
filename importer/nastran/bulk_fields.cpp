// Converts the fields of NASTRAN bulk data cards to numbers, with messages that name the field, and
// reads lists of ids with THRU, BY and EXCEPT.
#include "nastran/bulk_fields.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace femflex::importer {
namespace {

/// At most 40 characters, with `?` for those that cannot be printed.
std::string printable(std::string_view text) {
  std::string out(text.substr(0, 40));
  for (char& c : out)
    if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
  return out;
}

}  // namespace

std::int64_t BulkFields::integer(std::size_t k) const {
  const auto value = find_integer(k);
  if (!value)
    fail("not-an-integer",
         fmt::format("field {}: '{}' is not an integer", k + 2, printable(text(k))));
  return *value;
}

double BulkFields::real(std::size_t k) const {
  const auto value = parse_real(text(k));
  if (!value)
    fail("not-a-number", fmt::format("field {}: '{}' is not a number", k + 2, printable(text(k))));
  return *value;
}

std::string BulkFields::components(std::size_t k) const {
  std::string out;
  for (const char c : text(k)) {
    if (c == ' ') continue;
    if (c < '0' || c > '6')
      fail("components",
           fmt::format(
               "field {}: '{}' is not a list of components 1 to 6", k + 2, printable(text(k))));
    if (c != '0') out += c;
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool BulkFields::is_word(std::size_t k, std::string_view upper) const {
  const std::string_view field = text(k);
  return field.size() == upper.size() &&
         std::equal(field.begin(), field.end(), upper.begin(), [](char a, char b) {
           return std::toupper(static_cast<unsigned char>(a)) == b;
         });
}

Where BulkFields::where() const {
  const std::string_view id = text(0);
  std::string record(card_.name);
  if (!id.empty()) record += " " + printable(id);
  return {card_.file != nullptr ? *card_.file : "", card_.line, -1, -1, record};
}

void BulkFields::fail(const char* code, const std::string& message) const {
  throw ParseError(code, message, where(), "correct the deck");
}

bool IdRange::contains(std::int64_t id) const {
  return id >= first && id <= last && (id - first) % step == 0 &&
         std::find(except.begin(), except.end(), id) == except.end();
}

namespace {

// Limit of ids and steps in lists; sums of two of them cannot overflow.
constexpr std::int64_t kMaxId = std::int64_t{1} << 58U;

std::int64_t bounded_id(const BulkFields& fields, std::size_t k) {
  const std::int64_t id = fields.integer(k);
  if (id > kMaxId || id < -kMaxId)
    fields.fail("thru", fmt::format("field {}: {} exceeds the limit of ids", k + 2, id));
  return id;
}

}  // namespace

std::vector<IdRange> id_ranges(const BulkFields& fields, std::size_t from, std::size_t* next) {
  std::vector<IdRange> out;
  std::size_t k = from;
  while (k < fields.size()) {
    if (fields.blank(k)) {
      ++k;
      continue;
    }
    const char c = fields.text(k)[0];
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      if (fields.is_word(k, "THRU") && !out.empty()) {
        out.back().last = bounded_id(fields, k + 1);
        k += 2;
        if (fields.is_word(k, "BY")) {
          out.back().step = bounded_id(fields, k + 1);
          if (out.back().step < 1) fields.fail("thru", "the step after BY must be at least 1");
          k += 2;
        }
        if (out.back().last < out.back().first)
          fields.fail("thru", "the range after THRU runs backwards");
        if (fields.is_word(k, "EXCEPT")) {
          for (++k; k < fields.size() && fields.is_integer(k); ++k) {
            // a number above the range ends the exceptions
            if (bounded_id(fields, k) > out.back().last) break;
            out.back().except.push_back(bounded_id(fields, k));
          }
        }
        continue;
      }
      break;
    }
    const std::int64_t id = bounded_id(fields, k);
    out.push_back({id, id, 1, {}});
    ++k;
  }
  if (next != nullptr) *next = k;
  return out;
}

void add_dofs(std::vector<Dof>& out, std::int64_t id, std::string_view components) {
  if (components.empty()) out.push_back({id, 0});
  for (const char c : components)
    out.push_back({id, static_cast<std::int8_t>(c - '0')});
}

}  // namespace femflex::importer
