// An HTML page in one file: headings, tables, plots and a JSON block with the same data.
#pragma once

#include <filesystem>
#include <string>

#include "document/json.h"
#include "document/table.h"
#include "report/svg_plot.h"

namespace femflex::report {

/// One HTML page that needs no other file and can be printed: verdict first, then sections in the
/// order in which they are added. Every table, curve and map is also in a JSON block (id
/// "femflex-data", members "tables", "plots", "maps"); for pictures the block has a description
/// ("pictures").
class HtmlReport {
 public:
  /// @param is_good  colours the verdict: true green, false red
  HtmlReport(std::string title, bool is_good, std::string verdict);

  void heading(const std::string& text);
  void paragraph(const std::string& text);
  /// A line with a link to another page; the path is relative to this page.
  void link(const std::string& text, const std::string& target);
  void table(const tools::TextTable& table);
  /// Adds an SVG element without scripts, unchanged; `shows` describes it in words.
  void picture(const std::string& svg, const std::string& shows);
  void plot(const Plot& plot);
  /// A map of values from 0 to 1; `rows` and `columns` are the labels of its axes.
  void heat_map(const Eigen::MatrixXd& values, const std::string& rows, const std::string& columns);
  /// Command lines of a shell.
  void commands(const std::string& lines);
  /// Adds a member of the JSON block.
  void data(const std::string& key, tools::Json value);

  /// The page as HTML.
  std::string text() const;
  void write(const std::filesystem::path& path) const;

 private:
  std::string title_, verdict_, body_;
  std::string heading_;  // heading of the current section
  bool is_good_;
  tools::Json data_ = tools::Json::object();
};

}  // namespace femflex::report
