// Tables of numbers in CSV with a line of column names, for inputs of verbs and time histories.
#pragma once

#include <filesystem>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::tools {

/// Columns of numbers with their names.
struct CsvTable {
  std::vector<std::string> heads;            ///< lower case, without leading and trailing blanks
  std::vector<std::vector<double>> columns;  ///< one per name, all of the same length

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  /// The column with this name; null if there is none.
  const std::vector<double>* find(std::string_view head) const;
};

/// Reads a table: a line of names, then rows of numbers. Cells are separated by commas, semicolons
/// or tabs; empty lines and lines that begin with # are skipped. If the first line contains
/// numbers, there is no line of names, and the columns are named 1, 2, ...
/// @throws ParseError  a cell is not a finite number, rows have different numbers of cells, or
/// there are no rows
CsvTable read_csv(std::string_view bytes, const std::string& file);
CsvTable read_csv_file(const std::filesystem::path& path);

/// A cell: in quotes if the text holds a separator or a quote, or begins or ends with what readers
/// take for something else; line ends become blanks. All CSV writers use it, CsvCells reads it.
std::string csv_cell(std::string_view text);

/// The cells of a line, without quotes and, outside quotes, without blanks at their ends.
class CsvCells {
 public:
  explicit CsvCells(std::string_view line, std::string_view separators = ",;\t");
  CsvCells(const CsvCells&) = delete;
  CsvCells& operator=(const CsvCells&) = delete;
  CsvCells(CsvCells&&) = delete;  // cells_ refers to unquoted_
  CsvCells& operator=(CsvCells&&) = delete;
  ~CsvCells() = default;

  std::size_t size() const { return cells_.size(); }
  std::string_view operator[](std::size_t k) const { return cells_[k]; }

 private:
  std::list<std::string> unquoted_;  // texts of cells that have quotes
  std::vector<std::string_view> cells_;
};
/// The separator of a line: a semicolon or a tab if it has one outside quotes, else a comma.
char csv_separator(std::string_view line);

/// The text of a table; numbers are written so that they read back exactly.
std::string csv_text(const std::vector<std::string>& heads,
                     const std::vector<std::vector<double>>& rows);

}  // namespace femflex::tools
