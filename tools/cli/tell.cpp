// Writes text to standard error without regard to failures, and keeps output files off the numbers
// of the standard streams.
#include "tell.h"

#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace femflex::cli {

void tell(const std::string& text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

void reserve_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // opened for reading only, so that writing still fails and is reported as before
    static_cast<void>(::open("/dev/null", O_RDONLY));
  }
}

}  // namespace femflex::cli
