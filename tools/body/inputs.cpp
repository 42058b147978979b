// Determines the kind of a file from its first 64 KB by the detectors of the readers, the strictest
// first.
#include "body/inputs.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/dads_input.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"
#include "femflex/text.h"

#include "document/json_source.h"
#include "lattice/lattice_describe.h"
#include "results/results_file.h"

namespace femflex::tools {
namespace fs = std::filesystem;
namespace {

/// The first 64 KB of a file, without a byte-order mark.
/// @throws UsageError  no such file, or it is not readable
/// @throws ParseError  the file is empty
std::string head_of(const fs::path& path) {
  require_file(path);
  std::ifstream in = open_file(path);
  std::string head(65536, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  head = without_byte_order_mark(head);
  if (head.empty())
    throw ParseError("empty",
                     "the file is empty",
                     {path.string()},
                     "expected an FE, body, system or result file");
  return head;
}

/// True if the text starts with '{' after blanks and comments.
bool looks_like_json(std::string_view head) {
  const std::size_t start = after_blanks(head, 0);
  return start < head.size() && head[start] == '{';
}

}  // namespace

FileKind kind_of(const fs::path& path) {
  const std::string head = head_of(path);
  if (looks_like_json(head)) {
    const auto has = [&](std::string_view key) { return head.find(key) != std::string::npos; };
    if (has("\"bodies\"")) return FileKind::system;
    if (has("\"springs\"") || has("\"generate\"") || has("\"polynomial\""))
      return FileKind::lattice;
    // parts of a system whose bodies are in a file that it includes
    const bool is_of_system = has("\"template\"") || has("\"analyses\"") || has("\"include\"");
    if (has("\"parts\"")) return is_of_system ? FileKind::system : FileKind::assembly;
    // "springs" may be after the end of `head`
    return has("\"nodes\"") ? FileKind::lattice : FileKind::system;
  }
  if (flexfile::is_dads_input(head)) return FileKind::dads;
  if (is_results_file(path)) return FileKind::result;
  if (importer::is_fe_model_file(path)) return FileKind::fe_model;
  if (!flexfile::detect_body_format(path).empty()) return FileKind::body;
  if (is_lattice_file(path, head)) return FileKind::lattice;
  if (!importer::detect_format(path).empty()) return FileKind::fe_source;
  return FileKind::unknown;
}

void set_units(FeModel& model, const Units& units, const std::string& name) {
  if (model.units && !(*model.units == units))
    throw UsageError(
        "units",
        fmt::format("--units {} where the model says {}", units.name, model.units->name),
        {name},
        "leave --units out, or import again");
  model.units = units;
}

FeModel load_model(const fs::path& path,
                   const std::optional<Units>& units,
                   Diagnostics& diagnostics,
                   Progress& progress) {
  const FileKind kind = kind_of(path);
  if (kind == FileKind::fe_model) {
    FeModel model = importer::read_fe_model(path);
    if (units) set_units(model, *units, path.string());
    return model;
  }
  // a file of unknown kind is also passed on, because the reader reports the error and its remedy
  if (kind != FileKind::fe_source && kind != FileKind::unknown)
    refuse_kind(path, kind, "an FE model", "make one with 'femflex import'");
  importer::ImportRequest request;
  request.files = {path};
  request.units = units;
  return importer::import_model(request, diagnostics, progress).model;
}

FlexBody load_body(const fs::path& path,
                   const std::optional<Units>& units,
                   Diagnostics& diagnostics,
                   Progress& progress) {
  const FileKind kind = kind_of(path);
  if (kind != FileKind::body)
    refuse_kind(path, kind, "a flexible body", "make one with 'femflex reduce'");
  flexfile::ReadOptions options;
  if (units) options.units = units->name;
  return flexfile::read_body(path, options, diagnostics, progress);
}

}  // namespace femflex::tools
