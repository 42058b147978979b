// Tables of numbers in CSV with a line of column names, for inputs of verbs and time histories.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/csv.h"

namespace femflex::tools {

/// Columns of numbers with their names.
struct CsvTable {
  std::vector<std::string> heads;            ///< as written, without leading and trailing blanks
  std::vector<std::vector<double>> columns;  ///< one per name, all of the same length

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  /// The column with this name, or the only one that has it in any case; null if none has it or
  /// several have.
  const std::vector<double>* find(std::string_view head) const;
};

/// Reads a table by CsvRows: a line of names, then rows of numbers. If the first row contains
/// numbers, the columns are named 1, 2, ...
/// @throws ParseError  a cell is not a finite number, rows have different numbers of cells, or
/// there are no rows
CsvTable read_csv(std::string_view bytes, const std::string& file);
CsvTable read_csv_file(const std::filesystem::path& path);

/// The text of a table; numbers are written so that they read back exactly.
std::string csv_text(const std::vector<std::string>& heads,
                     const std::vector<std::vector<double>>& rows);

}  // namespace femflex::tools
