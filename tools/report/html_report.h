// HtmlReport: an HTML page in one file with headings, tables, plots and a JSON block of the same
// data. All reports use it.
#pragma once

#include <filesystem>
#include <string>

#include "document/json.h"
#include "document/table.h"
#include "report/svg_plot.h"

namespace femflex::report {

/// One HTML page that needs no other file and can be printed. The verdict comes first, then the
/// sections in the order of the calls. A JSON block (id "femflex-data") contains every table, curve
/// (as drawn, long ones thinned) and map in its members "tables", "plots", "maps", and a
/// description of every picture in "pictures".
class HtmlReport {
 public:
  /// @param is_good  colour of the verdict: true green, false red
  HtmlReport(std::string title, bool is_good, std::string verdict);

  void heading(const std::string& text);
  void paragraph(const std::string& text);
  /// A line with a link to another page; the path is relative to this page.
  void link(const std::string& text, const std::string& target);
  void table(const tools::TextTable& table);
  /// Adds an SVG element without scripts, unchanged; `shows` describes the picture.
  void picture(const std::string& svg, const std::string& shows);
  void plot(const Plot& plot);
  /// A map of values from 0 to 1; `rows` and `columns` are the axis labels.
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
