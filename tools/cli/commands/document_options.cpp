#include "commands/document_options.h"

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::cli {

std::optional<double> maybe_positive(const Arguments& arguments,
                                     const std::string& name,
                                     const std::string& unit) {
  const std::optional<double> value = arguments.maybe_number(name, unit);
  if (value && !(*value > 0.0))
    throw UsageError("usage", fmt::format("{}: {} is not above 0", name, arguments.text(name)));
  return value;
}

tools::DocumentOptions document_options(const Arguments& arguments) {
  return {arguments.text("--variant"), arguments.texts("--set"), arguments.text("--units")};
}

const std::vector<Option>& document_table() {
  static const std::vector<Option> table = {
      {"--set",
       "",
       "PATH=VALUE",
       "changes the system before it is read: parameters.k=2e5",
       "",
       true},
      {"--variant", "", "NAME", "one of the system's \"variants\"", ""}};
  return table;
}

}  // namespace femflex::cli
