// Colours of messages on a terminal. Files, pipes and terminals with NO_COLOR set get none.
#pragma once

#include <string>

namespace femflex::cli {

/// "femflex:" for the start of an error message, in red on a terminal.
std::string error_mark();
/// "warning:", in yellow on a terminal.
std::string warning_mark();

}  // namespace femflex::cli
