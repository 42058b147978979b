// Tables of numbers in CSV with a head of column names, for inputs of verbs and time histories.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::tools {

/// Columns of numbers with their names.
struct CsvTable {
  std::vector<std::string> heads;            ///< lower case, without blanks at the ends
  std::vector<std::vector<double>> columns;  ///< one per head, all of one length

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  /// The column of that name; null if there is none.
  const std::vector<double>* find(std::string_view head) const;
};

/// Reads a table: first the head, then rows of numbers; cells are separated by commas, semicolons
/// or tabs; empty lines and lines that begin with # are skipped. If the first line is numbers,
/// there is no head, and the columns are named 1, 2, ...
/// @throws ParseError  a cell is not a finite number, a row has another number of cells, no rows
CsvTable read_csv(std::string_view bytes, const std::string& file);
CsvTable read_csv_file(const std::filesystem::path& path);

/// The text of a table, numbers with all their digits.
std::string csv_text(const std::vector<std::string>& heads,
                     const std::vector<std::vector<double>>& rows);

}  // namespace femflex::tools
