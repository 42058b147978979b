// Lines, cells and numbers of tables in CSV, for all readers and writers of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/errors.h"
#include "femflex/lines.h"

namespace femflex {

/// A cell: in quotes if the text holds a separator or a quote, or begins or ends with what readers
/// take for something else; line ends become blanks. All CSV writers use it, CsvCells reads it.
std::string csv_cell(std::string_view text);

/// The separator of a row: a semicolon or a tab if it has one outside quotes, else a comma. A tab
/// beside a comma is a blank.
char csv_separator(std::string_view row);

/// The row that a line holds, without white space at its end; empty if the line is blank or a
/// comment, which begins with #.
std::string_view csv_row(std::string_view line);

/// The cells of a row, without quotes and, outside quotes, without blanks at their ends.
class CsvCells {
 public:
  /// @param separator  '\0': that of the row, as csv_separator() finds it
  explicit CsvCells(std::string_view row, char separator = '\0');
  CsvCells(const CsvCells&) = delete;
  CsvCells& operator=(const CsvCells&) = delete;
  CsvCells(CsvCells&&) = delete;  // cells_ refers to unquoted_
  CsvCells& operator=(CsvCells&&) = delete;
  ~CsvCells() = default;

  std::size_t size() const { return cells_.size(); }
  std::string_view operator[](std::size_t k) const { return cells_[k]; }
  std::string_view back() const { return cells_.back(); }
  auto begin() const { return cells_.begin(); }
  auto end() const { return cells_.end(); }

 private:
  std::list<std::string> unquoted_;  // texts of cells that have quotes
  std::vector<std::string_view> cells_;
};

/// Walks through the rows of a table in memory, past blank lines and comments. A row without
/// semicolon and tab has the separator of the first row: a comma in it may be a decimal one.
class CsvRows {
 public:
  CsvRows(std::string_view bytes, std::string file);

  /// Moves to the next row; false at the end of the table.
  bool next();
  std::string_view row() const { return row_; }  ///< as written
  const CsvCells& cells() const { return *cells_; }
  Where where() const { return {.file = file_, .line = lines_.number()}; }
  /// @throws ParseError  the row has another number of cells
  void require_size(std::size_t columns) const;

 private:
  std::string file_;
  Lines lines_;
  std::string_view row_;
  char separator_ = '\0';  // of the first row
  std::optional<CsvCells> cells_;
};

/// Which numbers a table may hold.
enum class CsvNumbers : std::uint8_t { finite, with_nan_and_infinity };

/// The number in a cell; empty if it is not one.
std::optional<double> csv_value(std::string_view cell, CsvNumbers kind = CsvNumbers::finite);

/// The number in a cell of column c, counted from 0, named `head` or without a name.
/// @throws ParseError  names the column, and what is in the cell
double csv_number(std::string_view cell,
                  std::string_view head,
                  std::size_t c,
                  const Where& where,
                  CsvNumbers kind = CsvNumbers::finite);

}  // namespace femflex
