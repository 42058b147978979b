// Colours of messages on a terminal; none in files and pipes, nor where NO_COLOR is set.
#pragma once

#include <string>

namespace femflex::cli {

/// "femflex:" before an error, in red on a terminal.
std::string error_mark();
/// "warning:", in yellow on a terminal.
std::string warning_mark();

}  // namespace femflex::cli
