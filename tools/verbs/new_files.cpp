// Writes the text of a template. For trucks, also writes the FE models and reduced bodies of their
// frames, their parts and their tyre.
#include "verbs/new_files.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/io/atomic_file.h"
#include "femflex/modal/reduce.h"

#include "body/template_chassis.h"
#include "document/json.h"
#include "document/nearest_name.h"
#include "verbs/template_vehicles.h"
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

/// What stands in a template, and the text that replaces it.
using Replacements = std::vector<std::pair<std::string, std::string>>;

/// A copy of `text` in which each place that begins with one of the first texts has its second one
/// instead; the earlier pair counts. Inserted texts are not searched.
std::string replaced(const std::string& text, const Replacements& pairs) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return text.compare(at, pair.first.size(), pair.first) == 0;
    });
    if (found == pairs.end()) {
      out += text[at++];
    } else {
      out += found->second;
      at += found->first.size();
    }
  }
  return out;
}

/// The name of a file inside a text of JSON.
std::string in_json(const std::string& name) {
  const std::string quoted = tools::Json(name).dump_line();
  return quoted.substr(1, quoted.size() - 2);
}

/// Writes FE model and reduced body of a frame next to `output`.
/// @param name  path of the files without extension
std::vector<fs::path> write_frame(const tools::LadderFrame& frame,
                                  const fs::path& name,
                                  Diagnostics& diagnostics,
                                  Progress& progress) {
  const FeModel model = tools::template_chassis(frame);
  modal::ReduceOptions options;
  options.method = modal::Method::craig_chang;
  options.normal = 20;
  options.orthogonalise = options.scale = true;
  options.damping = modal::parse_damping("0.02");
  FlexBody body = modal::reduce(model, options, diagnostics, progress);
  body.provenance.options = "new truck";
  std::vector<fs::path> written = {name.string() + ".fe.h5", name.string() + ".fbm"};
  importer::write_fe_model(model, written[0]);
  flexfile::write_body(body, written[1], {}, diagnostics, progress);
  return written;
}

/// Writes the files that belong to the document, and adds their names to `names`.
std::vector<fs::path> write_files_of(const Template& found,
                                     const fs::path& output,
                                     Replacements& names,
                                     Diagnostics& diagnostics,
                                     Progress& progress) {
  const std::string stem = output.stem().string();
  std::vector<fs::path> written;
  const auto name = [&](const std::string& placeholder, const std::string& what) {
    names.emplace_back(placeholder, in_json(stem + what));
    return output.parent_path() / (stem + what);
  };
  for (const TemplateFrame& each : found.frames) {
    const fs::path file = name(each.placeholder, each.what);
    for (const fs::path& path : write_frame(each.frame, file, diagnostics, progress))
      written.push_back(path);
  }
  if (found.needs_parts) {
    written.push_back(name("PARTS.json", "_parts.json"));
    io::write_file(written.back(), kVehicleParts);
    written.push_back(name("TYRE.tir", "_tyre.tir"));
    io::write_file(written.back(), kTruckTyre);
  }
  return written;
}

}  // namespace

NewFilesOutcome new_files(const NewFilesRequest& request,
                          Diagnostics& diagnostics,
                          Progress& progress) {
  const Template& found = find_template(request.name);
  const fs::path output = request.output.value_or(found.name + found.ending);
  NewFilesOutcome out;
  const std::string file = output.filename().string();
  Replacements names = {{"OUTPUT.json", in_json(file)}, {"SCRIPT", file}};
  out.outputs = write_files_of(found, output, names, diagnostics, progress);
  io::write_file(output, replaced(found.text, names));
  out.outputs.insert(out.outputs.begin(), output);
  const std::string stem = fs::path(output).replace_extension().string();
  out.next = replaced(found.next, {{"OUTPUT" + found.ending, output.string()}, {"OUTPUT", stem}});
  return out;
}

}  // namespace femflex::verbs
