// Lines, cells and numbers of tables in CSV.
#include "femflex/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex {
namespace {

constexpr std::string_view kSeparators = ",;\t";

/// End of the quoted text at the front of `rest`, after its last quote; 0 if no separator or line
/// end follows it, so that the quotes are part of the text.
std::size_t end_of_quoted(std::string_view rest, std::string_view separators) {
  if (!rest.starts_with('"')) return 0;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] != '"') continue;
    if (at + 1 < rest.size() && rest[at + 1] == '"') {
      ++at;  // a doubled quote
      continue;
    }
    const auto is_separator = [&](std::size_t k) {
      return separators.find(rest[k]) != std::string_view::npos;
    };
    std::size_t next = at + 1;
    while (next < rest.size() && is_blank(rest[next]) && !is_separator(next))
      ++next;
    return next == rest.size() || is_separator(next) ? at + 1 : 0;
  }
  return 0;
}

/// The text between quotes, with doubled quotes made single.
std::string unquoted(std::string_view quoted) {
  std::string out;
  for (std::size_t at = 1; at + 1 < quoted.size(); ++at) {
    out += quoted[at];
    if (quoted[at] == '"') ++at;
  }
  return out;
}

/// True for a tab beside a comma, or before the first cell.
bool is_padding(std::string_view row, std::size_t tab) {
  const std::size_t before = row.find_last_not_of(" \t", tab);
  const std::size_t after = row.find_first_not_of(" \t", tab);
  return before == std::string_view::npos || row[before] == ',' ||
         (after != std::string_view::npos && row[after] == ',' &&
          !(after + 1 < row.size() && is_digit(row[after + 1])));  // ,5 is a number
}

/// from_chars() of the whole cell, with a sign + too.
std::from_chars_result plain_number(std::string_view cell, double& value) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  return std::from_chars(cell.data(), cell.data() + cell.size(), value);
}

}  // namespace

std::string csv_cell(std::string_view text) {
  const bool is_plain = text.find_first_of(",\"\r\n;\t") == std::string_view::npos &&
                        trimmed(text) == text && !text.starts_with('#');
  if (is_plain) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + "\"";
}

char csv_separator(std::string_view row) {
  bool has_tab = false;
  for (std::size_t at = 0; at < row.size(); ++at) {
    // at the front of a cell
    at = std::min(row.find_first_not_of(' ', at), row.size());
    at += end_of_quoted(row.substr(at), kSeparators);
    at = row.find_first_of(kSeparators, at);
    if (at == std::string_view::npos) break;
    if (row[at] == ';') return ';';
    has_tab = has_tab || (row[at] == '\t' && !is_padding(row, at));
  }
  return has_tab ? '\t' : ',';
}

std::string_view csv_row(std::string_view line) {
  const std::string_view row = trimmed_right(line, is_white_space);
  return trimmed(row, is_white_space).starts_with('#') ? std::string_view() : row;
}

CsvCells::CsvCells(std::string_view row, char separator) {
  if (separator == '\0') separator = csv_separator(row);
  const std::string_view blanks = separator == '\t' ? " " : " \t";
  for (;;) {
    const std::size_t front = std::min(row.find_first_not_of(blanks), row.size());
    const std::size_t quoted = end_of_quoted(row.substr(front), {&separator, 1});
    const std::size_t end = row.find(separator, quoted > 0 ? front + quoted : 0);
    if (quoted > 0) unquoted_.push_back(unquoted(row.substr(front, quoted)));
    cells_.push_back(quoted > 0 ? std::string_view(unquoted_.back()) : trimmed(row.substr(0, end)));
    if (end == std::string_view::npos) return;
    row.remove_prefix(end + 1);
  }
}

CsvRows::CsvRows(std::string_view bytes, std::string file)
    : file_(std::move(file)), lines_(without_byte_order_mark(bytes)) {}

bool CsvRows::next() {
  while (lines_.next()) {
    row_ = csv_row(lines_.line());
    if (row_.empty()) continue;
    const char own = csv_separator(row_);
    if (separator_ == '\0') separator_ = own;
    cells_.emplace(row_, own == ',' ? separator_ : own);
    return true;
  }
  return false;
}

void CsvRows::require_size(std::size_t columns) const {
  if (cells_->size() == columns) return;
  throw ParseError("row-size",
                   fmt::format("the row has {} number{}, the table {} columns",
                               cells_->size(),
                               cells_->size() == 1 ? "" : "s",
                               columns),
                   where(),
                   "give each row a number in each column");
}

std::optional<double> csv_value(std::string_view cell, CsvNumbers kind) {
  const std::optional<double> value = parse_real(cell);
  if (value || kind == CsvNumbers::finite) return value;
  double special = 0.0;
  const auto [end, error] = plain_number(cell, special);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return special;
}

double csv_number(std::string_view cell,
                  std::string_view head,
                  std::size_t c,
                  const Where& where,
                  CsvNumbers kind) {
  if (const std::optional<double> value = csv_value(cell, kind)) return *value;
  const std::string column =
      head.empty() ? fmt::format("column {}", c + 1) : fmt::format("column '{}'", head);
  if (cell.empty())
    throw ParseError("not-a-number",
                     column + " is blank in this row",
                     where,
                     "give a number in each column of each row");
  double value = 0.0;
  const bool is_beyond = plain_number(cell, value).ec == std::errc::result_out_of_range;
  const bool is_special = csv_value(cell, CsvNumbers::with_nan_and_infinity).has_value();
  const std::string_view shown = cell.substr(0, 40);
  throw ParseError(
      "not-a-number",
      is_beyond
          ? fmt::format("{}: {} is beyond the range of numbers", column, shown)
          : fmt::format("{}: '{}' is not a {}number", column, shown, is_special ? "finite " : ""),
      where,
      "write numbers with a decimal point, such as -1.5e-3");
}

}  // namespace femflex
