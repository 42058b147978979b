// Colours by escape sequences of ECMA-48, supported by all current terminals.
#include "colours.h"

#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace femflex::cli {
namespace {

/// True if stderr is a terminal with colours: TERM is not "dumb", and NO_COLOR is not set
/// (https://no-color.org).
bool has_colours() {
  const char* terminal = std::getenv("TERM");
  const char* none = std::getenv("NO_COLOR");
  return ::isatty(STDERR_FILENO) == 1 && (none == nullptr || *none == 0) && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

std::string coloured(const char* text, const char* code) {
  if (!has_colours()) return text;
  return std::string("\033[") + code + "m" + text + "\033[0m";
}

}  // namespace

std::string error_mark() {
  return coloured("femflex:", "1;31");
}

std::string warning_mark() {
  return coloured("warning:", "1;33");
}

}  // namespace femflex::cli
