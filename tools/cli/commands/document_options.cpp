#include "commands/document_options.h"

namespace femflex::cli {

pipeline::DocumentOptions document_options(const Arguments& arguments) {
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
