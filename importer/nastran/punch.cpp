// Reads NASTRAN punch files: passes result blocks, which begin with `$` headers, and bulk data
// cards to their readers.
#include "nastran/punch.h"

#include <string_view>

#include "femflex/lines.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
#include "nastran/bulk_model.h"
#include "nastran/deck.h"
#include "nastran/punch_results.h"

namespace femflex::importer {

namespace {

bool is_result_row(std::string_view line) {
  return line[0] == ' ' || line[0] == '-' || is_digit(line[0]);
}

}  // namespace

bool is_punch(const FileHead& head) {
  if (head.bytes.find('\0') != std::string_view::npos) return false;
  Lines lines(head.bytes);
  bool is_titled = false;  // a deck may begin with the same words as a comment
  while (lines.next()) {
    const std::string_view line = lines.line();
    const bool is_title = line.starts_with("$TITLE") || line.starts_with("$SUBTITLE=");
    if (is_title && line.find('=') == std::string_view::npos) return false;
    is_titled = is_titled || is_title;
    const std::string_view text = trimmed(line);
    if (text.empty() || line[0] == '$') continue;
    // without its blanks, so that an indented line of a deck is not a row
    if (is_titled && is_result_row(text)) return true;
    is_titled = false;
    for (const std::string_view word : {"SOL", "CEND", "ID", "INIT", "ASSIGN", "NASTRAN", "BEGIN"})
      if (begins_with_word(line, word)) return false;
    if (line.substr(0, 4) == "DMIG") return true;
    if (begins_with_word(line, "GRID")) return false;
  }
  return is_titled;
}

FileContents read_punch(const std::filesystem::path& path,
                        const ReadOptions& /*options*/,
                        Diagnostics& diagnostics,
                        Progress& progress) {
  InputFile file(path);
  FileContents contents;
  contents.encoding = "ascii";
  BulkModel model(contents, diagnostics);
  CardAssembler cards(model);
  PunchResults results(contents, file.name());
  progress.begin("reading punch", static_cast<double>(file.bytes().size()), "B");
  Lines lines(file.bytes());
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty()) continue;
    if ((lines.number() & 0x3ff) == 0) {
      file.release_before(lines.offset());
      progress.step(static_cast<double>(lines.offset()));
    }
    if (line[0] == '$') {
      results.header(line, lines.number());
      continue;
    }
    if (results.in_block() && is_result_row(line)) {
      results.data(line, lines.number());
      continue;
    }
    results.end_block();
    if (begins_with_word(line, "ENDDATA")) {
      cards.flush();
      continue;
    }
    cards.line(line, lines.number(), file.name());
  }
  cards.flush();
  results.finish();
  model.finish(file.name());
  progress.end();
  return contents;
}

}  // namespace femflex::importer
