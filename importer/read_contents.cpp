#include "femflex/importer/read_contents.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "bytes/input_file.h"
#include "readers.h"

namespace femflex::importer {
namespace {

const Reader* reader_of(const std::filesystem::path& path, const std::string& format) {
  for (const Reader& reader : readers())
    if (reader.format == format) return &reader;
  if (!format.empty())
    throw UsageError(
        "unknown-format", fmt::format("no reader called '{}'", format), {path.string()});
  const InputFile file(path);
  const FileHead head{file.bytes().substr(0, std::size_t{1} << 16U), file.bytes().size()};
  for (const Reader& reader : readers())
    if (reader.claims(head)) return &reader;
  return nullptr;
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
  if (reader == nullptr)
    throw ParseError("unknown-format",
                     "is in no format that femflex knows",
                     {path.string()},
                     "see `femflex info --help` for the formats that are read");
  FileContents contents = reader->read(path, options, diagnostics, progress);
  contents.path = path.string();
  contents.format = reader->format;
  return contents;
}

}  // namespace femflex::importer
