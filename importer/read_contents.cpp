// Chooses the reader of a file by its first bytes and runs it; unknown formats end in a message
// with a remedy.
#include "femflex/importer/read_contents.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"

#include "bytes/input_file.h"
#include "foreign.h"
#include "readers.h"

namespace femflex::importer {
namespace {

FileHead head_of(const InputFile& file) {
  constexpr std::size_t kHeadSize = std::size_t{1} << 16U;
  return {file.bytes().substr(0, kHeadSize), file.bytes().size()};
}

/// What to write instead of an unknown format.
std::string known_formats() {
  std::vector<std::string_view> names;
  for (const Reader& reader : readers())
    names.emplace_back(reader.format);
  return fmt::format("supported formats: {} (docs/formats/fe-files.md)", fmt::join(names, ", "));
}

/// Throws that no reader recognises the file, with its format if that is known.
[[noreturn]] void refuse_unknown(const std::filesystem::path& path) {
  const InputFile file(path);
  if (const auto foreign = foreign_format(head_of(file), path.extension().string()))
    throw ParseError("foreign-format",
                     fmt::format("is {}, which is not supported", foreign->name),
                     {path.string()},
                     std::string(foreign->remedy));
  throw ParseError("unknown-format", "has an unknown format", {path.string()}, known_formats());
}

/// The reader named `format` or, if that is empty, the first that recognises the file; null if none
/// does.
const Reader* reader_of(const std::filesystem::path& path, const std::string& format) {
  for (const Reader& reader : readers())
    if (reader.format == format) return &reader;
  if (!format.empty())
    throw UsageError("unknown-format",
                     fmt::format("'{}' is not a supported format", format),
                     {path.string()},
                     known_formats());
  const InputFile file(path);
  const FileHead head = head_of(file);
  for (const Reader& reader : readers())
    if (reader.recognises(head)) return &reader;
  return nullptr;
}

/// Adds the permanent constraints of the grids (PS) to the fixed DOFs.
void add_constraints_of_grids(FileContents& contents) {
  std::vector<Dof>& fixed = contents.fixed;
  const std::size_t before = fixed.size();
  for (const RawGrid& grid : contents.grids)
    for (const char c : grid.fixed)
      if (c >= '1' && c <= '6') fixed.push_back({grid.id, static_cast<std::int8_t>(c - '0')});
  if (fixed.size() == before) return;
  std::sort(fixed.begin(), fixed.end());
  fixed.erase(std::unique(fixed.begin(), fixed.end()), fixed.end());
}

}  // namespace

std::string detect_format(const std::filesystem::path& path) {
  const Reader* reader = reader_of(path, "");
  return reader == nullptr ? "" : std::string(reader->format);
}

FileContents read_contents(const std::filesystem::path& path,
                           const ReadOptions& options,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  const Reader* reader = reader_of(path, options.format);
  if (reader == nullptr) refuse_unknown(path);
  FileContents contents = reader->read(path, options, diagnostics, progress);
  contents.path = path.string();
  contents.format = reader->format;
  add_constraints_of_grids(contents);
  return contents;
}

}  // namespace femflex::importer
