// The table of the formats of flexible bodies: name, contents, reader and writer of each.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/progress.h"
#include "femflex/units.h"

namespace femflex::flexfile {

/// A body as read from a file, and the units that the file declares.
struct ReadResult {
  FlexBody body;
  std::optional<Units> units;
};

/// The path of a body file, and the receivers of progress and warnings.
struct Job {
  const std::filesystem::path& path;
  Diagnostics& diagnostics;
  Progress& progress;
};

/// One format: what it is, how its content is recognised, its reader and writer.
struct Codec {
  Format format;
  bool (*recognises)(const std::filesystem::path& path, std::string_view head) = nullptr;
  ReadResult (*read)(const Job&) = nullptr;
  void (*write)(const FlexBody&, const Job&, const WriteOptions&) = nullptr;
  /// contents of which the writer tells by itself if they are left out
  Holds told_by_writer{};
  /// whether a file holds node numbers; null: all do
  bool (*has_node_numbers)(const std::filesystem::path& path) = nullptr;
  /// the program that reads the files inverts the mass matrix of rigid and modal motion together
  bool mass_is_inverted = false;
};

const std::vector<Codec>& codecs();

/// The format of this name; null if none has it.
const Codec* codec_named(std::string_view name);

}  // namespace femflex::flexfile
