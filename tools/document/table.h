// TextTable: a table of text cells with aligned columns for terminals and reports; and numbers as
// text for its cells.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace femflex::tools {

/// Rows of text cells under column heads; columns of numbers are right-aligned.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heads) : heads_(std::move(heads)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  const std::vector<std::string>& heads() const { return heads_; }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }
  /// The table aligned with blanks. If it has more than `max_rows` rows, a last line gives the
  /// number of rows left out.
  std::string text(std::size_t max_rows = std::numeric_limits<std::size_t>::max()) const;

 private:
  std::vector<std::string> heads_;
  std::vector<std::vector<std::string>> rows_;
};

/// True if the text is a number, or "-" for a missing one.
bool is_numeric(const std::string& text);

/// A number with `digits` significant digits, "-" for NaN.
std::string readable(double value, int digits = 6);
/// The same, but "0" for a value that is round-off of `scale`.
std::string readable_beside(double value, double scale);

}  // namespace femflex::tools
