// Reads and writes flexible bodies in the formats of format_table.h: read_body() chooses by the
// content of the file, write_body() by its name; both convert units and warn of what is missing.
#include "femflex/flexfile/flexfile.h"

#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/acting_part.h"
#include "femflex/errors.h"
#include "femflex/flexfile/transform.h"
#include "femflex/io/mapped_file.h"
#include "femflex/nearest_name.h"
#include "femflex/text.h"
#include "femflex/units.h"

#include "derive.h"
#include "format_contents.h"
#include "format_table.h"

namespace femflex::flexfile {
namespace {

namespace fs = std::filesystem;

/// Names of the formats that can be read or written, for messages.
std::string known_names(bool Format::*can) {
  std::vector<std::string_view> names;
  for (const Codec& codec : codecs())
    if (codec.format.*can) names.emplace_back(codec.format.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What to write instead of an unknown file extension: the most similar one, and all.
std::string extension_remedy(const fs::path& path) {
  std::vector<std::string> extensions;
  for (const Codec& codec : codecs())
    for (const std::string& extension : codec.format.extensions)
      if (codec.format.can_write) extensions.push_back(extension);
  const std::string given = lower_case(path.extension().string());
  // .gltf is the text form of glTF; the binary form is written
  const std::string nearest = given == ".gltf" ? ".glb" : nearest_name(given, extensions);
  return fmt::format(
      "{}known extensions: {}; matrices of a "
      "superelement: .mat, .op4",
      nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
      fmt::join(extensions, ", "));
}

const Codec& codec_for_writing(const fs::path& path, const WriteOptions& options) {
  const Codec* found = nullptr;
  if (!options.format.empty()) {
    found = codec_named(options.format);
  } else {
    const std::string name = lower_case(path.filename().string());
    for (const Codec& codec : codecs())
      for (const std::string& extension : codec.format.extensions)
        if (name.ends_with(extension) && codec.write != nullptr) found = &codec;
  }
  if (found == nullptr || found->write == nullptr)
    throw UsageError("unknown-format",
                     options.format.empty()
                         ? std::string("no body format has this file extension")
                         : fmt::format("cannot be written as '{}'", options.format),
                     {path.string()},
                     options.format.empty() ? extension_remedy(path)
                                            : "known: " + known_names(&Format::can_write));
  return *found;
}

/// Warns of modes that contain rigid motion. A solver adds six rigid motions to a body, and modes
/// that contain the same motions make the common mass matrix singular. MBDyn's modal joint inverts
/// this matrix (`warns_of_mass_alone`). Other solvers may hold such a body by constraints, so for
/// them a warning is given only if the modes contain zero-energy motions as well.
void warn_of_rigid_motion(const FlexBody& body,
                          bool warns_of_mass_alone,
                          const fs::path& path,
                          Diagnostics& diagnostics) {
  constexpr double kRoundOff = 1e-10;  // eigenvalues of a matrix with a unit diagonal
  if (smallest_scaled_mass(body.invariants) >= kRoundOff) return;
  const Eigen::Index zero_energy_modes = zero_energy_mode_count(body);
  if (zero_energy_modes == 0 && !warns_of_mass_alone) return;
  diagnostics.warn(
      "rigid-content",
      fmt::format(
          "the modes hold rigid-body motion{}: the mass matrix of rigid and modal motion "
          "together is singular, and a solver that moves the body itself cannot use them; "
          "leave them out (reduce --drop-rigid) or fix the body when modes are computed",
          zero_energy_modes > 0 ? fmt::format(" ({} with zero energy)", zero_energy_modes) : ""),
      {path.string()});
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
  const io::MappedFile file(path);
  const std::string_view head = file.bytes().substr(0, 65536);
  for (const Codec& codec : codecs())
    if (codec.recognises != nullptr && codec.recognises(path, head)) return codec.format.name;
  return {};
}

const Format* find_format(std::string_view name) {
  const Codec* codec = codec_named(name);
  return codec == nullptr ? nullptr : &codec->format;
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
    throw ParseError("unknown-format",
                     "is not a known body file",
                     {path.string()},
                     "known: " + known_names(&Format::can_read));
  if (codec == nullptr || codec->read == nullptr)
    throw UsageError("unknown-format",
                     fmt::format("'{}' is not a format that can be read", name),
                     {path.string()},
                     "known: " + known_names(&Format::can_read));
  ReadResult result = codec->read({path, diagnostics, progress});
  try {
    FlexBody body = make_flex_body(std::move(result.body));
    if (!result.units && options.units.empty())
      diagnostics.warn(
          "units-assumed", "does not declare its units: m-kg-s is assumed", {path.string()});
    const Units units = result.units            ? *result.units
                        : options.units.empty() ? Units{}
                                                : parse_units(options.units);
    if (result.units && !options.units.empty() && !(parse_units(options.units) == units))
      throw UsageError(
          "units-contradict",
          fmt::format("declares that its numbers are in {}, not {}", units.name, options.units),
          {path.string()},
          "leave the units out");
    if (!(units == Units{})) return from_units(body, units);
    return body;
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
  if (body.initial_zeta.size() != body.mode_count() ||
      body.initial_zeta_dot.size() != body.mode_count())  // missing states are zero
    return write_body(make_flex_body(body), path, options, diagnostics, progress);
  // checked in place, without a copy, because shapes may fill most of the memory
  check_flex_body(body);
  const Format& format = codec.format;
  if (!format.holds.rest && !has_only_acting_modes(body)) {
    diagnostics.warn(
        "acting-modes",
        fmt::format("{} has no place for modes that do not act: they are left out", format.title),
        {path.string()});
    return write_body(acting_part(body), path, options, diagnostics, progress);
  }
  if (options.units.empty() || parse_units(options.units) == Units{}) {
    codec.write(body, {path, diagnostics, progress}, options);
  } else if (format.has_free_units) {
    WriteOptions in_units = options;
    in_units.sidecar = false;  // the sidecar is left out, because it is SI by definition
    codec.write(
        to_units(body, parse_units(options.units)), {path, diagnostics, progress}, in_units);
  } else {
    throw UsageError("units-fixed",
                     fmt::format("{} is SI by definition", format.title),
                     {path.string()},
                     "leave the units out");
  }
  if (format.use != FormatUse::picture)
    warn_of_left_out(
        body, format.holds | codec.told_by_writer, format.title, path.string(), diagnostics);
  if (format.use == FormatUse::solver)
    warn_of_rigid_motion(body, codec.mass_is_inverted, path, diagnostics);
}

}  // namespace femflex::flexfile
