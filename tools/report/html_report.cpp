#include "html_report.h"

#include <fmt/format.h>

#include "femflex/io/atomic_file.h"
#include "femflex/version.h"

namespace femflex::report {
namespace {

constexpr const char* kStyle = R"(
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.5rem;margin-bottom:.3rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #ddd}
.verdict{padding:.6rem 1rem;border-left:6px solid;font-weight:600}.good{border-color:#3a7d44;background:#eef6ef}
.bad{border-color:#d1495b;background:#fbeff1}
table{border-collapse:collapse;margin:.8rem 0;font-size:.9rem}td,th{padding:.2rem .7rem;border-bottom:1px solid #e4e4e4;text-align:left}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}thead th{border-bottom:2px solid #888}
svg{width:100%;height:auto;margin:.6rem 0}.grid{stroke:#e6e6e6}.tick{font-size:11px;fill:#555}.label{font-size:12px;fill:#333}
.title{font-size:13px;font-weight:600;fill:#222}pre{background:#f5f5f5;padding:.7rem;overflow:auto;font-size:.85rem}
footer{margin-top:3rem;font-size:.8rem;color:#777}
@media print{body{margin:0;max-width:none}h2{break-after:avoid}svg,table,pre{break-inside:avoid}}
)";

}  // namespace

std::string html_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

HtmlReport::HtmlReport(std::string title, bool is_good, std::string verdict)
    : title_(std::move(title)), verdict_(std::move(verdict)), is_good_(is_good) {
  data_["title"] = title_;
  data_["verdict"] = is_good_ ? "pass" : "fail";
  data_["femflex_version"] = kVersion;
}

void HtmlReport::heading(const std::string& text) {
  body_ += fmt::format("<h2>{}</h2>\n", html_escaped(text));
}

void HtmlReport::paragraph(const std::string& text) {
  body_ += fmt::format("<p>{}</p>\n", html_escaped(text));
}

void HtmlReport::table(const pipeline::Table& table) {
  std::vector<bool> is_number(table.heads().size(), true);
  for (const auto& row : table.rows()) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (!pipeline::is_numeric(row[c])) is_number[c] = false;
    }
  }
  const auto cells = [&](const std::vector<std::string>& row, const char* tag) {
    std::string out = "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += fmt::format(
          "<{}{}>{}</{}>", tag, is_number[c] ? " class=\"n\"" : "", html_escaped(row[c]), tag);
    return out + "</tr>\n";
  };
  body_ += "<table><thead>" + cells(table.heads(), "th") + "</thead><tbody>\n";
  for (const auto& row : table.rows())
    body_ += cells(row, "td");
  body_ += "</tbody></table>\n";
}

void HtmlReport::plot(const Plot& plot) {
  body_ += "<figure>" + svg_of(plot) + "</figure>\n";
}

void HtmlReport::heat_map(const Eigen::MatrixXd& values,
                          const std::string& rows,
                          const std::string& columns) {
  body_ += "<figure>" + svg_heat_map(values, rows, columns) + "</figure>\n";
}

void HtmlReport::commands(const std::string& lines) {
  body_ += "<pre>" + html_escaped(lines) + "</pre>\n";
}

void HtmlReport::data(const std::string& key, pipeline::Json value) {
  data_[key] = std::move(value);
}

std::string HtmlReport::text() const {
  std::string json = data_.dump();
  // a "</script>" inside the block would end it
  for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3)
    json.replace(at, 2, "<\\/");
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<h1>{0}</h1>\n<p class=\"verdict {2}\">{3}</p>\n{4}"
      "<script type=\"application/json\" id=\"femflex-data\">\n{5}</script>\n<footer>femflex "
      "{6}</footer>\n</body>\n</html>\n",
      html_escaped(title_),
      kStyle,
      is_good_ ? "good" : "bad",
      html_escaped(verdict_),
      body_,
      json,
      kVersion);
}

void HtmlReport::write(const std::filesystem::path& path) const {
  io::write_file(path, text());
}

}  // namespace femflex::report
