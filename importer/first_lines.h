// Recognises plain text formats by their first lines.
#pragma once

#include <string_view>

#include "femflex/lines.h"

#include "readers.h"

namespace femflex::importer {

/// The start of a file without its last line, if `head` is not the whole file and the line may be
/// incomplete.
inline std::string_view complete_lines(const FileHead& head) {
  if (head.size <= head.bytes.size()) return head.bytes;
  return head.bytes.substr(0, head.bytes.find_last_of("\r\n") + 1);
}

/// Number of lines by which a format of plain numbers is recognised: one line may fit by chance.
inline constexpr int kTestedLines = 2;

/// Calls `fits` for up to `max_lines` complete lines at the start of the file, leaving out lines
/// for which `is_skipped` is true. True if at least one line was tested and all fitted.
template <typename Skip, typename Fit>
bool first_lines_fit(const FileHead& head, int max_lines, Skip is_skipped, Fit fits) {
  Lines lines(complete_lines(head));
  int tested = 0;
  while (tested < max_lines && lines.next()) {
    if (is_skipped(lines.line())) continue;
    if (!fits(lines.line())) return false;
    ++tested;
  }
  return tested > 0;
}

}  // namespace femflex::importer
