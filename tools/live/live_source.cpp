// Reads the files that a live page offers: lattices in any format, and systems.
#include <utility>

#include <fmt/format.h>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/progress.h"

#include "body/inputs.h"
#include "document/document.h"
#include "lattice/run_lattice.h"
#include "live/live_session.h"
#include "system/system_json.h"

namespace femflex::live {

namespace fs = std::filesystem;
using tools::FileKind;
using tools::Json;

namespace {

/// True if the document has no bodies, but has nodes or generates them.
bool is_lattice_document(const Json& document) {
  return document.is_object() && document.find("bodies") == nullptr &&
         (document.find("generate") != nullptr || document.find("nodes") != nullptr);
}

}  // namespace

LiveSource live_source_of(Json document, std::string name, fs::path folder) {
  const bool is_lattice = is_lattice_document(document);
  return {std::move(document), is_lattice, std::move(folder), std::move(name)};
}

LiveSource read_live_source(const fs::path& path) {
  const FileKind kind = tools::kind_of(path);
  const std::string name = path.stem().string();
  if (kind == FileKind::system) {
    Diagnostics ignored;
    (void)tools::read_system(path, {}, ignored, no_progress());  // reports errors at the start
    return live_source_of(tools::load_document(path, {}), name, fs::absolute(path).parent_path());
  }
  if (kind != FileKind::lattice) tools::refuse_kind(path, kind, "a lattice or a system");
  tools::AnyLattice any = tools::read_any_lattice(path, {});
  if (any.polynomial)
    throw UsageError("usage", "a polynomial has no masses and springs to watch", {path.string()});
  // formats other than JSON are converted to JSON
  Json document = any.fydik || any.is_matrix ? tools::lattice_json(any.document)
                                             : tools::load_document(path, {});
  LiveSource out = live_source_of(std::move(document), name, fs::absolute(path).parent_path());
  if (any.fydik) {
    out.speed = any.fydik->time_speed;
    if (any.fydik->time_break > 0.0) out.pause_at = any.fydik->time_break;
  }
  return out;
}

}  // namespace femflex::live
