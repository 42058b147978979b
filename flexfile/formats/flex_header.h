// Reads and writes the comments at the start of a FLEX file, the flexible body format of DADS. They
// hold the node numbers and what became of the modes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "femflex/flex_body.h"

#include "bytes/line_cursor.h"
#include "bytes/text_sink.h"

namespace femflex::flexfile {

/// Contents of the comments of a FLEX file.
struct FlexHeader {
  /// A row of the table of node numbers.
  struct Pair {
    std::int64_t id = 0;      ///< node number in the FE model
    std::int64_t number = 0;  ///< node number in this file
  };
  std::vector<Pair> nodes;
  bool scaled = false;
  bool orthogonalised = false;
  int rigid_modes = 0;
  int rejected = 0;             ///< modes that the writing program left out
  int rejected_below = 0;       ///< how many of them for an eigenvalue below `below`
  int rejected_above = 0;       ///< how many of them for an eigenvalue above `above`
  std::optional<double> below;  ///< lower limit of the eigenvalue [rad^2/s^2]
  std::optional<double> above;  ///< upper limit of the eigenvalue [rad^2/s^2]
};

/// Reads the comment lines; `lines` is then at the line after them, with the counts of nodes and
/// modes.
FlexHeader parse_flex_header(LineCursor& lines);

/// Writes the comment lines.
void put_flex_header(const FlexBody& body, TextSink& out);

}  // namespace femflex::flexfile
