// Progress reports of readers that go through a text file line by line.
#pragma once

#include <cstdint>

#include "femflex/lines.h"
#include "femflex/progress.h"

#include "bytes/input_file.h"

namespace femflex::importer {

/// Number of lines between two reports: often enough for a bar that moves, too rarely to cost time.
inline constexpr std::int64_t kLinesPerReport = 65536;

/// Tells `progress` how far a file has been read, and frees the memory of what lies behind.
inline void report_place(InputFile& file, const Lines& lines, Progress& progress) {
  file.release_before(lines.offset());
  progress.step(static_cast<double>(lines.offset()));
}

/// As report_place(), once in kLinesPerReport lines; to be called after each line.
inline void report_lines(InputFile& file, const Lines& lines, Progress& progress) {
  if (lines.number() % kLinesPerReport == 0) report_place(file, lines, progress);
}

}  // namespace femflex::importer
