// Writes the text of a template; for the truck also the FE model and the reduced body of its
// chassis.
#include "verbs/new_files.h"

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/io/atomic_file.h"
#include "femflex/modal/reduce.h"

#include "body/template_chassis.h"
#include "document/nearest_name.h"
#include "verbs/templates.h"

namespace femflex::verbs {
namespace {

namespace fs = std::filesystem;

const Template& find_template(const std::string& name) {
  std::vector<std::string> names;
  for (const Template& each : templates()) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  throw UsageError("usage",
                   fmt::format("new: there is no template '{}'", name),
                   {},
                   tools::suggestion(name, names));
}

/// The name of the chassis files without extension: "truck_chassis" for "truck.json".
std::string chassis_name(const fs::path& output) {
  return output.stem().string() + "_chassis";
}

/// `text` with every `old_text` replaced by `new_text`.
std::string replaced(std::string text, const std::string& old_text, const std::string& new_text) {
  for (std::size_t at = 0; (at = text.find(old_text, at)) != std::string::npos;
       at += new_text.size())
    text.replace(at, old_text.size(), new_text);
  return text;
}

/// FE model and reduced body of the chassis, written next to `output` and named after it.
std::vector<fs::path> write_chassis(const fs::path& output,
                                    Diagnostics& diagnostics,
                                    Progress& progress) {
  const FeModel model = tools::template_chassis();
  modal::ReduceOptions options;
  options.method = modal::Method::craig_chang;
  options.normal = 20;
  options.orthogonalise = options.scale = true;
  options.damping = modal::parse_damping("0.02");
  FlexBody body = modal::reduce(model, options, diagnostics, progress);
  body.provenance.options = "new truck";
  const std::string stem = (output.parent_path() / chassis_name(output)).string();
  std::vector<fs::path> written = {stem + ".fe.h5", stem + ".fbm"};
  importer::write_fe_model(model, written[0]);
  flexfile::write_body(body, written[1], {}, diagnostics, progress);
  return written;
}

}  // namespace

NewFilesOutcome new_files(const NewFilesRequest& request,
                          Diagnostics& diagnostics,
                          Progress& progress) {
  const Template& found = find_template(request.name);
  const fs::path output = request.output.value_or(found.name + found.ending);
  NewFilesOutcome out;
  if (found.needs_chassis) out.outputs = write_chassis(output, diagnostics, progress);
  const std::string text = replaced(found.text, "CHASSIS", chassis_name(output));
  const std::string named = replaced(text, "OUTPUT.json", output.filename().string());
  io::write_file(output, replaced(named, "SCRIPT", output.filename().string()));
  out.outputs.insert(out.outputs.begin(), output);
  const std::string stem = fs::path(output).replace_extension().string();
  const std::string whole = replaced(found.next, "OUTPUT" + found.ending, output.string());
  out.next = replaced(whole, "OUTPUT", stem);
  return out;
}

}  // namespace femflex::verbs
