// Reads node coordinates from text tables with lines `id x y z`; each line may have its own
// separator.
#include "exchange/node_table.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
#include "bytes/line_steps.h"
#include "first_lines.h"

namespace femflex::importer {
namespace {

/// The separator of the fields of a line: tab, semicolon, comma or blank.
char separator_of(std::string_view line) {
  for (const char c : {'\t', ';', ','})
    if (line.find(c) != std::string_view::npos) return c;
  return ' ';
}

/// Reads `id x y z`; false if the line has another form.
bool take_node(std::string_view line, char separator, RawGrid& grid) {
  std::array<std::string_view, 4> fields;
  std::size_t found = 0;
  std::string_view rest = trimmed(line);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view field = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (separator == ' ') rest = trimmed(rest);
    if (field.empty() && trimmed(rest).empty()) break;  // a separator at the end of the line
    if (found == 4) return false;
    fields[found++] = field;
  }
  if (found != 4) return false;
  const auto id = parse_integer(fields[0]);
  if (!id || *id < 1) return false;
  grid.id = *id;
  for (std::size_t k = 0; k < 3; ++k) {
    auto value = parse_real(fields[k + 1]);
    if (!value && (separator == '\t' || separator == ';')) {
      std::string point(fields[k + 1]);
      std::replace(point.begin(), point.end(), ',', '.');
      value = parse_real(point);
    }
    if (!value) return false;
    grid.x[k] = *value;
  }
  return true;
}

bool is_comment(std::string_view line) {
  line = trimmed(line);
  return line.empty() || line.front() == '#' || line.front() == '%';
}

}  // namespace

bool is_node_table(const FileHead& head) {
  Lines lines(complete_lines(head));
  RawGrid grid;
  int titles = 0;
  int nodes = 0;
  while (nodes < kTestedLines && lines.next()) {
    if (is_comment(lines.line())) continue;
    if (take_node(lines.line(), separator_of(lines.line()), grid)) {
      ++nodes;
    } else if (nodes > 0 || ++titles > 1) {
      return false;
    }
  }
  return nodes > 0;
}

FileContents read_node_table(const std::filesystem::path& path,
                             const ReadOptions& /*options*/,
                             Diagnostics& /*diagnostics*/,
                             Progress& progress) {
  InputFile file(path);
  Lines lines(file.bytes());
  FileContents contents;
  contents.encoding = "ascii";
  while (lines.next()) {
    if (is_comment(lines.line())) continue;
    RawGrid grid;
    if (take_node(lines.line(), separator_of(lines.line()), grid)) {
      contents.grids.push_back(std::move(grid));
    } else if (!contents.grids.empty()) {
      throw ParseError("entry",
                       fmt::format("expected 'id x y z', got '{}'", lines.line().substr(0, 60)),
                       {file.name(), lines.number()});
    }
    report_lines(file, lines, progress);
  }
  if (contents.grids.empty())
    throw ParseError("entry", "there is no line 'id x y z'", {file.name(), lines.number()});
  return contents;
}

}  // namespace femflex::importer
