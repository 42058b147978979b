// Reports the progress of readers that go through a text file line by line.
#pragma once

#include <cstdint>

#include "femflex/lines.h"
#include "femflex/progress.h"

#include "bytes/input_file.h"

namespace femflex::importer {

/// Number of lines between two reports: few enough for a smooth progress bar, enough to save time.
inline constexpr std::int64_t kLinesPerReport = 65536;

/// Tells `progress` how far a file has been read, and frees the memory of the part already read.
inline void report_position(InputFile& file, const Lines& lines, Progress& progress) {
  file.release_before(lines.offset());
  progress.step(static_cast<double>(lines.offset()));
}

/// As report_position(), once in kLinesPerReport lines; to be called after each line.
inline void report_lines(InputFile& file, const Lines& lines, Progress& progress) {
  if (lines.number() % kLinesPerReport == 0) report_position(file, lines, progress);
}

}  // namespace femflex::importer
