// Refuses parameters that a formula would not see, because it takes its own meaning of their name.
#include "document/parameter_names.h"

#include <fmt/format.h>

namespace femflex::tools {

void check_parameter_name(const Json::Member& parameter) {
  if (parameter.key != "t" && parameter.key != "pi") return;
  parameter.value.fail("parameter-name",
                       fmt::format("'{}' cannot name a parameter: formulas have {}",
                                   parameter.key,
                                   parameter.key == "t" ? "it as the time" : "it as a constant"),
                       "take another name");
}

}  // namespace femflex::tools
