// Refuses parameters that a formula would not see, because it takes its own meaning of their name.
#include "document/parameter_names.h"

#include <cctype>

#include <fmt/format.h>

namespace femflex::tools {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

void check_parameter_name(const Json::Member& parameter) {
  if (parameter.key != "t" && parameter.key != "pi") return;
  parameter.value.fail("parameter-name",
                       fmt::format("'{}' cannot name a parameter: formulas have {}",
                                   parameter.key,
                                   parameter.key == "t" ? "it as the time" : "it as a constant"),
                       "take another name");
}

}  // namespace femflex::tools
