// A column is right-aligned if all its shown cells are numbers. Its width is that of the longest
// cell.
#include "document/table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace femflex::tools {

bool is_numeric(const std::string& text) {
  if (text.empty()) return false;
  if (text == "-") return true;
  char* end = nullptr;
  static_cast<void>(std::strtod(text.c_str(), &end));
  return *end == '\0' && end != text.c_str();
}

std::string readable(double value, int digits) {
  if (std::isnan(value)) return "-";
  return fmt::format("{:.{}g}", value + 0.0, digits);  // -0 reads as 0
}

std::string readable_beside(double value, double scale) {
  constexpr double kRoundOff = 1e-13;  // a few hundred times the precision of a double
  return std::abs(value) <= kRoundOff * scale ? "0" : readable(value);
}

std::string TextTable::text(std::size_t max_rows) const {
  std::vector<std::size_t> widths;
  for (const std::string& head : heads_)
    widths.push_back(head.size());
  const std::size_t shown = std::min(max_rows, rows_.size());
  std::vector<bool> is_number(heads_.size(), true);
  for (std::size_t r = 0; r < shown; ++r) {
    for (std::size_t c = 0; c < heads_.size() && c < rows_[r].size(); ++c) {
      widths[c] = std::max(widths[c], rows_[r][c].size());
      if (!is_numeric(rows_[r][c])) is_number[c] = false;
    }
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      out += is_number[c] ? fmt::format("  {:>{}}", cells[c], widths[c])
                          : fmt::format("  {:<{}}", cells[c], widths[c]);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  };
  std::string out = line(heads_);
  for (std::size_t r = 0; r < shown; ++r)
    out += line(rows_[r]);
  if (shown < rows_.size()) out += fmt::format("  ... {} more\n", rows_.size() - shown);
  return out;
}

}  // namespace femflex::tools
