// Files are compared by identity (device and inode). If a killed program has left a temporary file,
// it is renamed to NAME.partial.h5 if its rows can be read, and removed otherwise.
#include "results/outputs.h"

#include <set>
#include <system_error>

#include <fmt/format.h>

#include "femflex/io/atomic_file.h"

namespace femflex::tools {
namespace fs = std::filesystem;
namespace {

// a larger result usually results from a wrong --output-step
constexpr double kMaxResultBytes = 20e9;  // [bytes]

/// The files, and the sidecar NAME.flex.h5 of each NAME.flex, NAME.fdf.h5 of each NAME.fdf.
std::vector<fs::path> with_sidecars(const std::vector<fs::path>& files) {
  std::vector<fs::path> out;
  for (const fs::path& file : files) {
    out.push_back(file);
    if (file.extension() == ".flex" || file.extension() == ".fdf")
      out.push_back(file.string() + ".h5");
  }
  return out;
}

/// True if both paths refer to the same file, which need not exist yet.
bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::is_regular_file(a, error) && fs::is_regular_file(b, error))
    return fs::equivalent(a, b, error);
  if (fs::exists(a, error) || fs::exists(b, error)) return false;  // devices need no check
  return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

/// "run.partial.h5", or "run.partial-2.h5" if that exists, so that rows of an earlier run are kept.
fs::path free_partial_of(const fs::path& output) {
  const fs::path first = io::partial_of(output);
  fs::path out = first;
  std::error_code error;
  for (int k = 2; fs::exists(out, error); ++k)
    out = first.parent_path() /
          fmt::format("{}-{}{}", first.stem().string(), k, first.extension().string());
  return out;
}

}  // namespace

void refuse_overwriting(const std::vector<fs::path>& inputs, const std::vector<fs::path>& outputs) {
  const std::vector<fs::path> written = with_sidecars(outputs);
  for (const fs::path& output : written) {
    for (const fs::path& input : with_sidecars(inputs)) {
      if (!is_same(input, output)) continue;
      throw UsageError("output-is-input",
                       input == output
                           ? "would be overwritten: it is an input"
                           : fmt::format("would overwrite the input {}", input.string()),
                       {output.string()},
                       "name another output");
    }
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (is_same(written[i], written[j]))
        throw UsageError("output-twice",
                         "is named for two outputs",
                         {written[i].string()},
                         "name another file for one of them");
    }
  }
}

void refuse_text_name(const fs::path& output) {
  const std::string ending = output.extension().string();
  for (const char* text_ending : {".csv", ".txt", ".json", ".html", ".xml"}) {
    if (ending != text_ending) continue;
    throw UsageError("output-name",
                     fmt::format("the name ends in {}, but the file would be HDF5", ending),
                     {output.string()},
                     ending == ".csv" ? "use --csv for a table, or a name that ends in .h5"
                                      : "use a name that ends in .h5");
  }
}

void make_folder(const fs::path& folder) {
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UsageError("cannot-write",
                     fmt::format("the folder cannot be created: {}", error.message()),
                     {folder.string()});
}

void recover_abandoned_outputs(const fs::path& output, Diagnostics& diagnostics) {
  for (const io::PartialOutput& part : io::abandoned_outputs(output)) {
    std::error_code error;
    if (!part.is_readable) {
      if (fs::remove(part.path, error))
        diagnostics.warn("left-part",
                         fmt::format("removed {}, an unreadable file of a program that was killed",
                                     part.path.filename().string()),
                         {output.string()});
      continue;
    }
    const fs::path place = free_partial_of(output);
    fs::rename(part.path, place, error);
    if (!error)
      diagnostics.warn("left-part",
                       fmt::format("a run that was killed has left rows: they are in {} now",
                                   place.filename().string()),
                       {output.string()});
  }
}

std::vector<fs::path> keep_unfinished_outputs(const std::vector<fs::path>& outputs) {
  std::vector<fs::path> kept;
  for (const fs::path& output : outputs) {
    for (const io::PartialOutput& part : io::own_unfinished_outputs(output)) {
      std::error_code error;
      if (!part.is_readable) {
        fs::remove(part.path, error);
        continue;
      }
      const fs::path place = io::path_for_unfinished(part.target);
      fs::rename(part.path, place, error);
      kept.push_back(error ? part.path : place);
    }
  }
  return kept;
}

void check_room(const fs::path& output, const ExpectedRows& expected, bool force) {
  std::error_code error;
  if (force || (fs::exists(output, error) && !fs::is_regular_file(output, error))) return;
  const double bytes = expected.rows * expected.bytes_per_row;
  const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
  const fs::space_info space = fs::space(folder, error);
  // if the free space is unknown, opening the file reports the error
  const double free = error ? bytes : static_cast<double>(space.available);
  const bool fits = bytes <= free;
  if (fits && bytes <= kMaxResultBytes) return;
  throw UsageError(fits ? "large-result" : "no-room",
                   fmt::format("would take {} ({:.3g} rows of {}), {}",
                               io::bytes_text(bytes),
                               expected.rows,
                               io::bytes_text(expected.bytes_per_row),
                               fits ? fmt::format("more than {}", io::bytes_text(kMaxResultBytes))
                                    : fmt::format("the disk has {} free", io::bytes_text(free))),
                   {output.string()},
                   fmt::format("take {}, or add --force", expected.remedy));
}

UnfinishedRun::UnfinishedRun(const Error& error,
                             const std::string& kept,
                             const std::string& how_to_go_on)
    : Error(
          error.kind(),
          error.code(),
          error.message() + (kept.empty() ? "" : "; " + kept),
          error.where(),
          error.fix() + (error.fix().empty() || how_to_go_on.empty() ? "" : "; ") + how_to_go_on) {}

}  // namespace femflex::tools
