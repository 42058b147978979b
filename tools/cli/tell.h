// Text for the person at the terminal: messages, warnings and progress on standard error, where a
// text that cannot be written is lost and the run goes on.
#pragma once

#include <string>

namespace femflex::cli {

/// Writes `text` to stderr. Failures are ignored: a closed or full stderr must not change the
/// outcome of a run.
void tell(const std::string& text);

/// Gives closed standard streams (`2>&-`) a descriptor that takes no text. Otherwise the next file
/// that is opened would be stdout or stderr, and messages would be written into it.
void reserve_standard_streams();

}  // namespace femflex::cli
