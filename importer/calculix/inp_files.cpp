// Reads a deck line by line: leaves comments out, joins keyword lines that are continued, and reads
// included files where they stand.
#include "calculix/inp_files.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "femflex/importer/deck_includes.h"
#include "femflex/lines.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
#include "bytes/line_steps.h"
#include "calculix/inp_scan.h"

namespace femflex::importer {
void InpFiles::fail(const std::string& what) const {
  throw ParseError("include", what, {file_, line_, -1, -1, "*" + including_});
}

void InpFiles::read(const std::filesystem::path& path) {
  read_file(path, 0);
  file_ = deck_;
}

void InpFiles::read_file(const std::filesystem::path& path, int depth) {
  if (depth > kDeepestInclude || ++files_ > kMostIncludes)
    fail(fmt::format("the deck has INCLUDEs nested more than {} deep, or more than {} of them",
                     kDeepestInclude,
                     kMostIncludes));
  InputFile file(path);
  Lines lines(file.bytes());
  bytes_ += static_cast<std::int64_t>(file.bytes().size());
  const std::string outer = std::exchange(file_, file.name());
  if (depth == 0) deck_ = file_;
  while (lines.next()) {
    line_ = lines.number();
    const std::string_view line = trimmed(lines.line());
    report_lines(file, lines, progress_);
    if (line.empty() || is_inp_comment(line)) continue;
    if (line.front() != '*') {
      sink_.read_data(line);
      continue;
    }
    std::string whole(line);
    while (!whole.empty() && whole.back() == ',' && lines.next())
      if (!is_inp_comment(trimmed(lines.line()))) whole += trimmed(lines.line());
    keyword_line(whole, path, depth);
  }
  file_ = outer;
}

void InpFiles::keyword_line(std::string_view line, const std::filesystem::path& file, int depth) {
  InpKeyword keyword = inp_keyword_of(line);
  const bool is_include = keyword.name == "INCLUDE";
  const bool has_file = keyword.parameters.has("INPUT");
  const std::string input = keyword.parameters.text("INPUT");
  including_ = keyword.name;
  if (!is_include) sink_.begin_keyword(std::move(keyword));
  if (is_include && !has_file) fail("INPUT=file is missing");
  if (!has_file) return;
  const std::filesystem::path folder = std::filesystem::path(deck_).parent_path();
  include(included_path(input, file, folder, DeckLanguage::calculix), depth);
}

void InpFiles::include(const std::filesystem::path& path, int depth) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    diagnostics_.warn("include",
                      fmt::format("there is no file {}: its contents are missing", path.string()),
                      here());
    return;
  }
  const std::int64_t line = line_;
  read_file(path, depth + 1);
  line_ = line;
}

}  // namespace femflex::importer
