// Appends each table, curve and picture as HTML and to a JSON block: curves as drawn (long ones
// thinned), pictures as a description. text() combines head, style, body and block.
#include "html_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/io/atomic_file.h"
#include "femflex/text.h"
#include "femflex/version.h"

#include "document/json_in_html.h"
#include "svg_heat_map.h"

namespace femflex::report {
namespace {

constexpr const char* kStyle = R"(
:root{--ink:#1d252d;--quiet:#5d6875;--line:#dfe4e9;--panel:#f5f7f9;color-scheme:light}
body{font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;max-width:62rem;margin:2rem auto;padding:0 1.2rem;color:var(--ink);background:#fff}
h1{font-size:1.5rem;margin-bottom:.4rem}h2{font-size:1.12rem;margin:2rem 0 .5rem;padding-bottom:.2rem;border-bottom:1px solid var(--line)}
p{max-width:46rem}
.verdict{max-width:none;padding:.65rem 1rem;border-left:6px solid;border-radius:0 6px 6px 0;font-weight:600}.good{border-color:#3a7d44;background:#eef6ef}
.bad{border-color:#d1495b;background:#fbeff1}
.wide{overflow-x:auto}.wide:focus-visible{outline:2px solid #1b5494;outline-offset:2px}
details{margin:.4rem 0}summary{cursor:pointer;color:var(--quiet);font-size:.88rem}
table{border-collapse:collapse;margin:.7rem 0;font-size:.88rem}td,th{padding:.22rem .8rem;border-bottom:1px solid var(--line);text-align:left;white-space:nowrap}
td:first-child{white-space:normal;overflow-wrap:break-word}td.t{white-space:normal;overflow-wrap:anywhere;min-width:16rem}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}thead th{border-bottom:2px solid #9aa5b1;font-weight:600}tbody tr:hover{background:var(--panel)}
figure{margin:.8rem 0}svg{width:100%;height:auto;display:block}.grid{stroke:#e3e7eb}.tick{font-size:11px;fill:var(--quiet)}.cell{font-size:10px}.label{font-size:12px;fill:#333}
.name{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}
.title{font-size:13px;font-weight:600;fill:var(--ink)}
pre{background:var(--panel);padding:.8rem;border-radius:6px;overflow:auto;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
figcaption{display:flex;flex-wrap:wrap;gap:0 1.4rem;padding-left:10.5%;font-size:.85rem;color:var(--quiet)}
figcaption i{display:inline-block;width:1.4rem;border-top:2px solid;vertical-align:middle;margin-right:.4rem}
pre span{white-space:nowrap}
@media(max-width:640px){body{padding:0 .8rem}figure .tick{font-size:14px}figure .label{font-size:16px}figure .title{font-size:18px}
.shapes .label{font-size:24px}td,th{padding:.22rem .4rem}td.t{min-width:11rem}
.wide{background:linear-gradient(to right,#fff 40%,#fff0) left/3rem 100% no-repeat local,linear-gradient(to left,#fff 40%,#fff0) right/3rem 100% no-repeat local,
linear-gradient(to right,#5d687566,#5d687500) left/.7rem 100% no-repeat scroll,linear-gradient(to left,#5d687566,#5d687500) right/.7rem 100% no-repeat scroll}}
footer{margin-top:3rem;font-size:.8rem;color:var(--quiet)}
@page{margin:16mm 14mm}
@media print{body{margin:0;padding:0;max-width:none;font-size:10pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
h2{break-after:avoid}figure,pre,tr{break-inside:avoid}thead{display:table-header-group}.wide{overflow:visible}
td,th{padding:.15rem .45rem;white-space:normal}figure svg:not(.map){max-width:165mm}details::details-content{content-visibility:visible}}
)";

constexpr std::size_t kRowsOpen = 24;    // rows of a long table that are visible before it is
                                         // unfolded
constexpr std::size_t kRowsFolded = 12;  // fewer rows than this are not folded

/// A name that a narrow column may break after its slashes only.
std::string breakable(const std::string& name) {
  std::string out;
  for (const char c : name) {
    out += c;
    if (c == '/') out += "<wbr>";
  }
  return out;
}

/// Command lines whose options are not broken at their hyphens.
std::string unbroken_options(const std::string& lines) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t start = 0; (start = lines.find(" --", at)) != std::string::npos;) {
    const std::size_t end = std::min(lines.find_first_of(" =\n", start + 1), lines.size());
    out += lines.substr(at, start + 1 - at) + "<span>" + lines.substr(start + 1, end - start - 1) +
           "</span>";
    at = end;
  }
  return out + lines.substr(at);
}

/// Rows of an HTML table; columns of numbers are right-aligned.
class TableRows {
 public:
  explicit TableRows(const tools::TextTable& table)
      : table_(table), is_number_(table.heads().size(), true) {
    for (const auto& row : table.rows())
      for (std::size_t c = 0; c < row.size(); ++c)
        if (!tools::is_numeric(row[c])) is_number_[c] = false;
  }

  /// Rows `first` to `last` - 1 below the heads, in a frame that scrolls if it is wider than the
  /// page.
  std::string html(const std::string& name, std::size_t first, std::size_t last) const {
    std::string out = fmt::format(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead>{}"
        "</thead><tbody>\n",
        xml_escaped(name),
        row(table_.heads(), "th"));
    for (std::size_t r = first; r < last; ++r)
      out += row(table_.rows()[r], "td");
    return out + "</tbody></table></div>\n";
  }

 private:
  std::string row(const std::vector<std::string>& cells, const char* tag) const {
    std::string out = "<tr>";
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string text = xml_escaped(cells[c]);
      // an empty head is not a heading, because the column below it contains the names of the rows
      const char* kind = cells[c].empty() ? "td" : tag;
      constexpr std::size_t kLongText = 48;  // bytes; a longer text is broken into lines
      out += fmt::format("<{}{}>{}</{}>",
                         kind,
                         is_number_[c]                 ? " class=\"n\""
                         : cells[c].size() > kLongText ? " class=\"t\""
                                                       : "",
                         c == 0 ? breakable(text) : text,
                         kind);
    }
    return out + "</tr>\n";
  }

  const tools::TextTable& table_;
  std::vector<bool> is_number_;
};

}  // namespace

HtmlReport::HtmlReport(std::string title, bool is_good, std::string verdict)
    : title_(std::move(title)), verdict_(std::move(verdict)), is_good_(is_good) {
  data_["title"] = title_;
  data_["verdict"] = is_good_ ? "pass" : "fail";
  data_["femflex_version"] = kVersion;
  for (const char* kind : {"tables", "plots", "maps", "pictures"})
    data_[kind] = tools::Json::list();
}

void HtmlReport::heading(const std::string& text) {
  body_ += fmt::format("<h2>{}</h2>\n", xml_escaped(text));
  heading_ = text;
}

void HtmlReport::paragraph(const std::string& text) {
  body_ += fmt::format("<p>{}</p>\n", xml_escaped(text));
}

void HtmlReport::link(const std::string& text, const std::string& target) {
  body_ += fmt::format("<p><a href=\"{}\">{}</a></p>\n", xml_escaped(target), xml_escaped(text));
}

void HtmlReport::table(const tools::TextTable& table) {
  const TableRows rows(table);
  const std::size_t count = table.rows().size();
  const bool is_folded = count >= kRowsOpen + kRowsFolded;
  body_ += rows.html(heading_, 0, is_folded ? kRowsOpen : count);
  if (is_folded)
    body_ += fmt::format("<details><summary>{} more rows</summary>\n{}</details>\n",
                         count - kRowsOpen,
                         rows.html(heading_ + ", continued", kRowsOpen, count));
  tools::Json copy = tools::Json::object();
  copy["heading"] = heading_;
  copy["columns"] = table.heads();
  copy["rows"] = tools::Json::list();
  for (const auto& row : table.rows())
    copy["rows"].push_back(row);
  data_["tables"].push_back(std::move(copy));
}

void HtmlReport::picture(const std::string& svg, const std::string& shows) {
  body_ += "<figure>" + svg + "</figure>\n";
  tools::Json copy = tools::Json::object();
  copy["heading"] = heading_;
  copy["shows"] = shows;
  data_["pictures"].push_back(std::move(copy));
}

void HtmlReport::plot(const Plot& plot) {
  body_ += "<figure>" + svg_of(plot) + legend_of(plot) + "</figure>\n";
  tools::Json copy = tools::Json::object();
  copy["heading"] = heading_;
  copy["title"] = plot.title;
  if (!plot.note.empty()) copy["note"] = plot.note;
  copy["x"] = plot.x_label;
  copy["y"] = plot.y_label;
  copy["curves"] = tools::Json::list();
  const std::vector<std::vector<Eigen::Index>> drawn = drawn_points(plot);
  for (std::size_t c = 0; c < plot.curves.size(); ++c) {
    const Curve& curve = plot.curves[c];
    std::vector<double> x;
    std::vector<double> y;
    for (const Eigen::Index i : drawn[c]) {
      x.push_back(curve.x(i));
      y.push_back(curve.y(i));
    }
    tools::Json item = tools::Json::object();
    item["name"] = curve.name;
    item["x"] = x;
    item["y"] = y;
    copy["curves"].push_back(std::move(item));
  }
  data_["plots"].push_back(std::move(copy));
}

void HtmlReport::heat_map(const Eigen::MatrixXd& values,
                          const std::string& rows,
                          const std::string& columns) {
  body_ += "<figure>" + svg_heat_map(values, rows, columns) + "</figure>\n";
  tools::Json copy = tools::Json::object();
  copy["heading"] = heading_;
  copy["rows"] = rows;
  copy["columns"] = columns;
  copy["values"] = tools::Json::list();
  for (Eigen::Index r = 0; r < values.rows(); ++r) {
    const Eigen::VectorXd row = values.row(r);
    copy["values"].push_back(tools::Json::list_of(row));
  }
  data_["maps"].push_back(std::move(copy));
}

void HtmlReport::commands(const std::string& lines) {
  body_ += "<pre>" + unbroken_options(xml_escaped(lines)) + "</pre>\n";
}

void HtmlReport::data(const std::string& key, tools::Json value) {
  data_[key] = std::move(value);
}

std::string HtmlReport::text() const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<main>\n<h1>{0}</h1>\n<p class=\"verdict {2}\">{3}</p>\n{4}</main>\n"
      "<script type=\"application/json\" id=\"femflex-data\">\n{5}</script>\n<footer>femflex "
      "{6}</footer>\n</body>\n</html>\n",
      xml_escaped(title_),
      kStyle,
      is_good_ ? "good" : "bad",
      xml_escaped(verdict_),
      body_,
      tools::json_in_html(data_.dump()),
      kVersion);
}

void HtmlReport::write(const std::filesystem::path& path) const {
  io::write_file(path, text());
}

}  // namespace femflex::report
