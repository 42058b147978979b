// Reads the reference tables and the sample files of tyres.
#include "reference_table.h"

#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/lines.h"
#include "femflex/number.h"

#include "support/support.h"

namespace femflex::testing {
namespace {

using Fields = std::vector<std::string>;

/// The rows of a table without its header line.
std::vector<Fields> rows_of(const std::string& name) {
  const auto root = data("").parent_path().parent_path();
  const std::string text = read_text(root / "tests/tyres/reference" / name);
  std::vector<Fields> rows;
  Lines lines(text);
  lines.next();
  while (lines.next()) {
    Fields fields(1);
    for (const char c : lines.line()) {
      if (c == ',')
        fields.emplace_back();
      else
        fields.back() += c;
    }
    rows.push_back(fields);
  }
  return rows;
}

double number_or_nan(const std::string& field) {
  return parse_real(field).value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

tyres::TirFile sample_tir(const std::string& name) {
  return tyres::parse_tir(read_text(data("tyres/valid/" + name)), name);
}

tyres::Tyre sample_tyre(const std::string& name) {
  Diagnostics notes;
  const tyres::ReadTyre read = tyres::make_tyre(sample_tir(name), notes);
  EXPECT_TRUE(notes.empty()) << name << ": " << notes.warnings().front().message;
  EXPECT_TRUE(read.missing.empty()) << name << " lacks " << read.missing.front();
  return read.tyre;
}

std::vector<TyreCase> tyre_cases(const std::string& name) {
  std::vector<TyreCase> cases;
  for (const Fields& row : rows_of("cases_" + name + ".csv")) {
    const auto at = [&](std::size_t column) { return number_or_nan(row.at(column)); };
    TyreCase c;
    c.group = row.at(0);
    c.state = {at(1), at(2), at(3), at(4), at(5), at(6)};
    c.state.side = at(7) > 0.5 ? tyres::Side::right : tyres::Side::left;
    c.expected = {at(8), at(9), at(10), at(11), at(12), at(13), at(14), at(15)};
    cases.push_back(c);
  }
  return cases;
}

std::map<std::string, tyres::Tyre> tyres_of_groups(const std::string& name,
                                                   const tyres::TirFile& file) {
  const std::vector<Fields> rows = rows_of("groups_" + name + ".csv");
  tyres::TirFile zero = file;
  for (const Fields& row : rows)
    if (row.at(0) == "only") zero.set(row.at(1), number_or_nan(row.at(2)), {});
  std::map<std::string, tyres::TirFile> files = {{"all", file}, {"only", zero}};
  for (const Fields& row : rows) {
    const std::string& group = row.at(0);
    if (group == "only") continue;
    const bool is_alone = std::string_view(group).starts_with("only_");
    const auto [at, is_new] = files.try_emplace(group, is_alone ? zero : file);
    at->second.set(row.at(1), number_or_nan(row.at(2)), {});
  }
  std::map<std::string, tyres::Tyre> tyres;
  Diagnostics notes;
  for (const auto& [group, values] : files)
    tyres.emplace(group, tyres::make_tyre(values, notes).tyre);
  return tyres;
}

}  // namespace femflex::testing
