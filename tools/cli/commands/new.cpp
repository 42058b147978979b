#include <filesystem>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/io/atomic_file.h"
#include "femflex/modal/reduce.h"

#include "arguments.h"
#include "commands/template_chassis.h"
#include "commands/templates.h"
#include "document/nearest_name.h"

namespace femflex::cli {
namespace {

namespace fs = std::filesystem;

std::string chassis_name(const fs::path& output) {
  return output.stem().string() + "_chassis";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// FE model and reduced body of the chassis, beside `output` and called after it.
std::vector<std::string> write_chassis(const fs::path& output, Session& session) {
  const FeModel model = template_chassis();
  modal::ReduceOptions options;
  options.method = modal::Method::craig_chang;
  options.normal = 20;
  options.orthogonalise = options.scale = true;
  options.damping = modal::parse_damping("0.02");
  FlexBody body = modal::reduce(model, options, session.diagnostics, *session.progress);
  body.provenance.options = "new truck";
  const fs::path beside = output.parent_path() / chassis_name(output);
  std::vector<std::string> written = {beside.string() + ".fe.h5", beside.string() + ".fbm"};
  importer::write_fe_model(model, written[0]);
  flexfile::write_body(body, written[1], {}, session.diagnostics, *session.progress);
  return written;
}

Outcome run_new(const Arguments& arguments, Session& session) {
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
                     tools::suggestion(arguments.input(), names));
  const std::string output =
      arguments.has("--output") ? arguments.text("--output") : found->name + ".json";
  std::vector<std::string> outputs;
  if (found->needs_chassis) outputs = write_chassis(output, session);
  io::write_file(output, replaced(found->text, "CHASSIS", chassis_name(output)));
  outputs.insert(outputs.begin(), output);
  Outcome out;
  out.document["outputs"] = outputs;
  for (const std::string& each : outputs)
    out.text += each + "\n";
  const std::string stem = fs::path(output).replace_extension().string();
  out.text += replaced(replaced(found->next, "OUTPUT.json", output), "OUTPUT", stem) + "\n";
  return out;
}

}  // namespace

Verb new_verb() {
  return {"new",
          "writes a commented template to start from",
          "truck|pendulum|slider-crank|lattice",
          1,
          1,
          {writes({"--output", "-o", "FILE.json", "where to write; default: NAME.json", ""})},
          {"femflex new pendulum -o pendulum.json"},
          run_new};
}

}  // namespace femflex::cli
