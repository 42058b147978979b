// Recognises plain text formats by their first lines.
#pragma once

#include <string_view>

#include "femflex/lines.h"

#include "readers.h"

namespace femflex::importer {

/// The start of a file without its last line, if the file goes on and the line may be cut off.
inline std::string_view complete_lines(const FileHead& head) {
  if (head.size <= head.bytes.size()) return head.bytes;
  return head.bytes.substr(0, head.bytes.find_last_of("\r\n") + 1);
}

/// A format of plain numbers is recognised by two lines: one may fit by chance.
inline constexpr int kJudgedLines = 2;

/// Calls `fits` with at most `most` complete lines at the start of the file, without those that
/// `is_skipped` names; true if there was at least one line and all fitted.
template <typename Skip, typename Fit>
bool first_lines_fit(const FileHead& head, int most, Skip is_skipped, Fit fits) {
  Lines lines(complete_lines(head));
  int seen = 0;
  while (seen < most && lines.next()) {
    if (is_skipped(lines.line())) continue;
    if (!fits(lines.line())) return false;
    ++seen;
  }
  return seen > 0;
}

}  // namespace femflex::importer
