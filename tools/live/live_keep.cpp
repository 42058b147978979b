// Writes the changed model, its bodies and the rows of the run under new names.
#include "live/live_keep.h"

#include <span>
#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/io/atomic_file.h"
#include "femflex/progress.h"

#include "results/results_file.h"

namespace femflex::live {

namespace fs = std::filesystem;
using tools::Json;

namespace {

constexpr int kMostKept = 10000;

/// The first free file name, without extension.
fs::path free_stem(const fs::path& folder, const std::string& name) {
  for (int number = 1; number <= kMostKept; ++number) {
    const fs::path stem = folder / fmt::format("{}-kept-{}", name, number);
    if (!fs::exists(stem.string() + ".json") && !fs::exists(stem.string() + ".h5")) return stem;
  }
  throw UsageError("too-many", fmt::format("{} models are kept already", kMostKept));
}

std::string body_file(const fs::path& stem, const std::string& key) {
  return stem.string() + "-" + key + ".fbm";
}

/// Writes the bodies that have no file. @return the common beginning of their names
fs::path write_bodies(const LiveSource& source, const fs::path& stem, Json& files) {
  Diagnostics ignored;
  for (const auto& [key, body] : source.bodies) {
    flexfile::write_body(*body, body_file(stem, key), {}, ignored, no_progress());
    files.push_back(body_file(stem, key));
  }
  return stem;
}

/// Replaces names of bodies and relative paths, because the kept model is in another folder.
void name_files(const LiveSource& source, const fs::path& stem, Json& document) {
  Json* bodies = document.find("bodies");
  if (bodies == nullptr || !bodies->is_object()) return;
  for (Json::Member& member : bodies->members()) {
    for (const char* key : {"flex", "model", "lattice"}) {
      Json* file = member.value.is_object() ? member.value.find(key) : nullptr;
      if (file == nullptr || !file->is_text()) continue;
      *file = source.bodies.contains(file->text())
                  ? Json(fs::path(body_file(stem, file->text())).filename().string())
                  : Json((source.folder / file->text()).string());
    }
  }
}

}  // namespace

Json keep_run(const WatchedRun& run, const fs::path& folder) {
  const fs::path stem = free_stem(folder, run.source.name);
  Json files = Json::list();
  const fs::path model = stem.string() + ".json";
  Json document = run.document;
  const fs::path bodies = write_bodies(run.source, stem, files);
  name_files(run.source, bodies, document);
  io::write_file(model, document.dump() + "\n");
  files.push_back(model.string());
  const std::size_t columns = run.model.channels().size();
  if (columns > 0 && !run.times.empty()) {
    const fs::path result = stem.string() + ".h5";
    tools::ResultsFile file(result);
    const auto [text, content] = run.model.picture();
    file.set_text(text, content);
    file.set_attribute("name", run.source.name);
    file.begin(run.model.channels());
    for (std::size_t r = 0; r < run.times.size(); ++r)
      file.append(run.times[r], std::span(run.rows).subspan(r * columns, columns));
    file.commit(true);
    files.push_back(result.string());
  }
  Json out = Json::object();
  out["files"] = std::move(files);
  return out;
}

}  // namespace femflex::live
