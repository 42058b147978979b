// What the tests of `femflex stress` share: a bracket with its run, and tables as rows.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "document/json.h"
#include "program.h"
#include "schema_check.h"

namespace femflex::testing {

/// A CSV table whose first line contains the column names.
struct CsvRows {
  std::vector<std::map<std::string, std::string>> rows;
  double number(std::size_t row, const std::string& column) const {
    return std::stod(rows.at(row).at(column));
  }
};

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');)
    out.push_back(cell);
  return out;
}

inline CsvRows read_rows(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> heads = cells_of(line);
  CsvRows out;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    std::map<std::string, std::string> row;
    for (std::size_t k = 0; k < heads.size() && k < cells.size(); ++k)
      row[heads[k]] = cells[k];
    out.rows.push_back(std::move(row));
  }
  return out;
}

inline std::string quoted(const std::string& relative) {
  return "'" + data(relative).string() + "'";
}

class Stress : public ::testing::Test {
 protected:
  void done(const std::string& words) {
    const CommandResult result = femflex_(words);
    ASSERT_EQ(result.exit_code, 0) << words << "\n" << result.out << result.err;
  }
  std::string code(const std::string& words) {
    const CommandResult result = femflex_(words + " --json");
    EXPECT_NE(result.exit_code, 0) << words;
    const tools::Json document = tools::parse_json(result.out, words);
    const tools::Json* error = document.find("error");
    return error == nullptr ? "no error" : error->find("code")->text();
  }
  /// The import of a deck and the matrices with its name.
  static std::string import_words(const std::string& base) {
    return "import " + quoted(base + ".inp") + " " + quoted(base + ".sti.gz") + " " +
           quoted(base + ".mas.gz") + " " + quoted(base + ".dof") + " --units m-kg-s";
  }
  void import(const std::string& type, const std::string& deck, const std::string& to) {
    const std::string base = "calculix/decks/held_" + type;
    done("import " + quoted(deck) + " " + quoted(base + ".sti.gz") + " " +
         quoted(base + ".mas.gz") + " " + quoted(base + ".dof") +
         " --units m-kg-s --name bracket -o " + to);
  }
  /// Makes the model with ten modes, the body, and a run under forces.
  void simulate() {
    import("C3D20", "calculix/decks/held_C3D20.inp", "bracket.fe.h5");
    done("modes bracket.fe.h5 --normal 10");
    done("reduce bracket.fe.h5 --select dynamic:1-10 -o bracket.fbm");
    std::filesystem::copy_file(data("durability/bracket.json"), femflex_.file("bracket.json"));
    done("simulate bracket.json -o run.h5");
  }
  void expect_schema(const std::string& words) {
    const tools::Json schema = tools::read_json_file(data("../tools/schemas/stress.json"));
    EXPECT_EQ(schema_fault(schema, femflex_.json(words)), "") << words;
  }
  Program femflex_;
};

}  // namespace femflex::testing
