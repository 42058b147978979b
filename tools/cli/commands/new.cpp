#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "arguments.h"
#include "commands/commands.h"
#include "commands/templates.h"
#include "pipeline/nearest_name.h"

namespace femflex::cli {
namespace {

Outcome run_new(const Arguments& arguments, Session& /*session*/) {
  std::vector<std::string> names;
  const Template* found = nullptr;
  for (const Template& each : templates()) {
    names.push_back(each.name);
    if (each.name == arguments.input()) found = &each;
  }
  if (found == nullptr)
    throw UsageError("usage",
                     fmt::format("femflex new: no template '{}'", arguments.input()),
                     {},
                     pipeline::suggestion(arguments.input(), names));
  const std::string output =
      arguments.has("--output") ? arguments.text("--output") : found->name + ".json";
  io::write_file(output, found->text);
  Outcome out;
  out.document["outputs"] = std::vector<std::string>{output};
  out.text = fmt::format("{}\n{}\n", output, found->next);
  return out;
}

}  // namespace

Verb new_verb() {
  return {"new",
          "writes a commented template to start from",
          "truck|pendulum|slider-crank|lattice",
          1,
          1,
          {{"--output", "-o", "FILE.json", "where to write; default: NAME.json", ""}},
          {"femflex new pendulum -o pendulum.json"},
          run_new};
}

}  // namespace femflex::cli
