#include "femflex/flexfile/flexfile.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/dads_input.h"

#include "bytes/mapped_file.h"
#include "formats/flex.h"
#include "formats/native_hdf5.h"

namespace femflex::flexfile {
namespace {

namespace fs = std::filesystem;

/// One format: what it is called, how its content looks, who reads and writes it.
struct Codec {
  Format format;
  bool (*is)(const fs::path& path, std::string_view head) = nullptr;
  FlexBody (*read)(const fs::path& path, const ReadOptions&, Diagnostics&, Progress&) = nullptr;
  void (*write)(const FlexBody&,
                const fs::path& path,
                const WriteOptions&,
                Diagnostics&,
                Progress&) = nullptr;
};

const std::vector<Codec>& codecs() {
  static const std::vector<Codec> table{
      {{"fbm", {".fbm"}, "femflex body", true, true},
       [](const fs::path& path, std::string_view head) {
         return head.starts_with("\x89HDF") && is_fbm(path);
       },
       [](const fs::path& path, const ReadOptions&, Diagnostics& diagnostics, Progress&) {
         return read_fbm(path, diagnostics);
       },
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions& options,
          Diagnostics&,
          Progress&) { write_fbm(body, path, options.deflate); }},
      {{"flex", {".flex", ".fdf"}, "DADS FLEX", true, true},
       [](const fs::path&, std::string_view head) { return is_flex(head); },
       [](const fs::path& path, const ReadOptions&, Diagnostics& diagnostics, Progress& progress) {
         return read_flex(path, diagnostics, progress);
       },
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions& options,
          Diagnostics& diagnostics,
          Progress& progress) { write_flex(body, path, options.sidecar, diagnostics, progress); }},
  };
  return table;
}

const Codec* codec_named(std::string_view name) {
  for (const Codec& codec : codecs())
    if (codec.format.name == name) return &codec;
  return nullptr;
}

std::string known_names() {
  std::string names;
  for (const Codec& codec : codecs())
    names += (names.empty() ? "" : ", ") + codec.format.name;
  return names;
}

const Codec& codec_for_writing(const fs::path& path, const WriteOptions& options) {
  const Codec* found = nullptr;
  if (!options.format.empty()) {
    found = codec_named(options.format);
  } else {
    std::string name = path.filename().string();
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
      return static_cast<char>(std::tolower(c));
    });
    for (const Codec& codec : codecs())
      for (const std::string& ending : codec.format.endings)
        if (name.ends_with(ending) && codec.write != nullptr) found = &codec;
  }
  if (found == nullptr || found->write == nullptr)
    throw UsageError("unknown-format",
                     options.format.empty()
                         ? std::string("no body format has this ending")
                         : fmt::format("cannot be written as '{}'", options.format),
                     {path.string()},
                     "known: " + known_names());
  return *found;
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> all = [] {
    std::vector<Format> out;
    for (const Codec& codec : codecs())
      out.push_back(codec.format);
    return out;
  }();
  return all;
}

std::string detect_body_format(const fs::path& path) {
  const MappedFile file(path);
  const std::string_view head = file.bytes().substr(0, 65536);
  for (const Codec& codec : codecs())
    if (codec.is != nullptr && codec.is(path, head)) return codec.format.name;
  return {};
}

const Format& format_for_writing(const fs::path& path, const WriteOptions& options) {
  return codec_for_writing(path, options).format;
}

FlexBody read_body(const fs::path& path,
                   const ReadOptions& options,
                   Diagnostics& diagnostics,
                   Progress& progress) {
  const std::string name = options.format.empty() ? detect_body_format(path) : options.format;
  const Codec* codec = codec_named(name);
  if (name.empty())
    throw ParseError(
        "unknown-format", "is no body file known here", {path.string()}, "known: " + known_names());
  if (codec == nullptr || codec->read == nullptr)
    throw UsageError("unknown-format",
                     fmt::format("'{}' is no format that can be read", name),
                     {path.string()},
                     "known: " + known_names());
  FlexBody body = codec->read(path, options, diagnostics, progress);
  try {
    return make_flex_body(std::move(body));
  } catch (const ModelError& error) {
    throw ModelError(error.code(), error.message(), {path.string()}, error.fix());
  }
}

void write_body(const FlexBody& body,
                const fs::path& path,
                const WriteOptions& options,
                Diagnostics& diagnostics,
                Progress& progress) {
  const Codec& codec = codec_for_writing(path, options);
  const FlexBody sound = make_flex_body(body);
  codec.write(sound, path, options, diagnostics, progress);
}

}  // namespace femflex::flexfile
