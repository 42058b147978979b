// An HTML page in one file: headings, tables, plots and a JSON block with the same data.
#pragma once

#include <filesystem>
#include <string>

#include "document/json.h"
#include "document/table.h"
#include "report/svg_plot.h"

namespace femflex::report {

/// One HTML page that needs no other file: verdict first, then sections in the order they are
/// added. Every table, curve and map is also in a JSON block (id "femflex-data", members "tables",
/// "plots", "maps"). Can be printed.
class HtmlReport {
 public:
  HtmlReport(std::string title, bool is_good, std::string verdict);

  void heading(const std::string& text);
  void paragraph(const std::string& text);
  void table(const tools::Table& table);
  void plot(const Plot& plot);
  void heat_map(const Eigen::MatrixXd& values, const std::string& rows, const std::string& columns);
  void commands(const std::string& lines);
  /// Adds a member of the JSON block.
  void data(const std::string& key, tools::Json value);

  std::string text() const;
  void write(const std::filesystem::path& path) const;

 private:
  std::string title_, verdict_, body_;
  std::string heading_;  // heading of the current section
  bool is_good_;
  tools::Json data_ = tools::Json::object();
};

}  // namespace femflex::report
