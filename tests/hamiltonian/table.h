// CSV tables of data/lattice/staal, accessed by the names of their columns; for tests of lattices.
#pragma once

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/support.h"

namespace femflex::hamiltonian {

/// A comma-separated table by the names of its columns.
struct Table {
  std::map<std::string, std::vector<std::string>> columns;
  std::size_t rows = 0;

  double number(const std::string& column, std::size_t row) const {
    return std::strtod(columns.at(column)[row].c_str(), nullptr);
  }
  bool has(const std::string& column, std::size_t row) const {
    return !columns.at(column)[row].empty();
  }
};

inline Table read_table(const std::string& name) {
  std::istringstream text(testing::read_text(testing::data("lattice/staal/" + name)));
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
      if (c == ',')
        cells.emplace_back();
      else if (c != '\r')
        cells.back() += c;
    }
    return cells;
  };
  Table table;
  std::string line;
  std::getline(text, line);
  const std::vector<std::string> names = split(line);
  while (std::getline(text, line)) {
    std::vector<std::string> cells = split(line);
    cells.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      table.columns[names[i]].push_back(cells[i]);
    ++table.rows;
  }
  return table;
}

}  // namespace femflex::hamiltonian
