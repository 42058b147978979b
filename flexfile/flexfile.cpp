#include "femflex/flexfile/flexfile.h"

#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/dads_input.h"
#include "femflex/flexfile/transform.h"
#include "femflex/io/mapped_file.h"
#include "femflex/text.h"
#include "femflex/units.h"

#include "derive.h"
#include "formats/exudyn.h"
#include "formats/flex.h"
#include "formats/mbdyn_fem.h"
#include "formats/native_hdf5.h"
#include "formats/sid.h"
#include "pictures/gltf.h"
#include "pictures/vtu.h"

namespace femflex::flexfile {
namespace {

namespace fs = std::filesystem;

/// A body as a file gives it, and the units that the file says its numbers are in.
struct ReadResult {
  FlexBody body;
  std::optional<Units> units;
};

/// Units named in a comment at the head of a text: "numbers in mm-t-s".
std::optional<Units> stated_units(const fs::path& path) {
  const io::MappedFile file(path);
  const std::string_view head = file.bytes().substr(0, 512);
  constexpr std::string_view key = "numbers in ";
  if (const std::size_t at = head.find(key); at != std::string_view::npos) {
    const std::string_view rest = head.substr(at + key.size());
    const std::string name(rest.substr(0, rest.find_first_of(", \r\n")));
    for (const std::string& known : unit_names())
      if (name == known) return parse_units(name);
  }
  return head.find("SI units") != std::string_view::npos ? std::optional<Units>(Units{})
                                                         : std::nullopt;
}

std::string units_name(const WriteOptions& options) {
  return options.units.empty() ? Units{}.name : parse_units(options.units).name;
}

/// One format: what it is called, how its content looks, who reads and writes it.
struct Codec {
  Format format;
  bool (*is)(const fs::path& path, std::string_view head) = nullptr;
  ReadResult (*read)(const fs::path& path, const ReadOptions&, Diagnostics&, Progress&) = nullptr;
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
         return ReadResult{read_fbm(path, diagnostics), Units{}};
       },
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions& options,
          Diagnostics&,
          Progress&) { write_fbm(body, path, options.deflate); }},
      {{"flex", {".flex", ".fdf"}, "DADS FLEX", true, true},
       [](const fs::path&, std::string_view head) { return is_flex(head); },
       [](const fs::path& path, const ReadOptions&, Diagnostics& diagnostics, Progress& progress) {
         bool has_sidecar = false;
         FlexBody body = read_flex(path, diagnostics, progress, has_sidecar);
         return ReadResult{std::move(body),
                           has_sidecar ? std::optional<Units>(Units{}) : std::nullopt};
       },
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions& options,
          Diagnostics& diagnostics,
          Progress& progress) { write_flex(body, path, options.sidecar, diagnostics, progress); }},
      {{"sid", {".sid_fem", ".sid"}, "SID (Simpack, Modelica)", true, true},
       [](const fs::path&, std::string_view head) { return is_sid(head); },
       [](const fs::path& path, const ReadOptions&, Diagnostics& diagnostics, Progress& progress) {
         return ReadResult{read_sid(path, diagnostics, progress), stated_units(path)};
       },
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions& options,
          Diagnostics& diagnostics,
          Progress& progress) {
         write_sid(body, path, units_name(options), diagnostics, progress);
       }},
      {{"mbdyn", {".fem"}, "MBDyn modal joint", true, true},
       [](const fs::path&, std::string_view head) { return is_mbdyn_fem(head); },
       [](const fs::path& path, const ReadOptions&, Diagnostics& diagnostics, Progress& progress) {
         return ReadResult{read_mbdyn_fem(path, diagnostics, progress), stated_units(path)};
       },
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions& options,
          Diagnostics& diagnostics,
          Progress& progress) {
         write_mbdyn_fem(
             body, path, units_name(options), options.mbdyn_invariants, diagnostics, progress);
       }},
      {{"exudyn", {".npz"}, "Exudyn reduced body, NPZ", true, true},
       [](const fs::path&, std::string_view head) { return is_exudyn_npz(head); },
       [](const fs::path& path, const ReadOptions&, Diagnostics& diagnostics, Progress&) {
         return ReadResult{read_exudyn_npz(path, diagnostics), Units{}};
       },
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions&,
          Diagnostics& diagnostics,
          Progress&) { write_exudyn_npz(body, path, diagnostics); }},
      {{"exudyn-hdf5", {".hdf5"}, "Exudyn reduced body, HDF5", true, true},
       [](const fs::path& path, std::string_view head) {
         return head.starts_with("\x89HDF") && is_exudyn_hdf5(path);
       },
       [](const fs::path& path, const ReadOptions&, Diagnostics& diagnostics, Progress&) {
         return ReadResult{read_exudyn_hdf5(path, diagnostics), Units{}};
       },
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions&,
          Diagnostics& diagnostics,
          Progress&) { write_exudyn_hdf5(body, path, diagnostics); }},
      {{"dads", {".dads"}, "formatted DADS input", false, true},
       nullptr,
       nullptr,
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions&,
          Diagnostics& diagnostics,
          Progress&) { write_dads_input(dads_input_of(body, diagnostics), path, diagnostics); }},
      {{"vtu", {".vtu"}, "VTK unstructured grid (ParaView)", false, true},
       nullptr,
       nullptr,
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions&,
          Diagnostics&,
          Progress&) { write_vtu(body, path); }},
      {{"pvd", {".pvd"}, "VTK collection, one file a mode (ParaView)", false, true},
       nullptr,
       nullptr,
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions& options,
          Diagnostics&,
          Progress&) { write_pvd(body, path, options.amplitude); }},
      {{"gltf", {".glb"}, "glTF 2.0 binary", false, true},
       nullptr,
       nullptr,
       [](const FlexBody& body,
          const fs::path& path,
          const WriteOptions& options,
          Diagnostics&,
          Progress&) { write_gltf(body, path, options.amplitude); }},
  };
  return table;
}

const Codec* codec_named(std::string_view name) {
  for (const Codec& codec : codecs())
    if (codec.format.name == name) return &codec;
  return nullptr;
}

std::string known_names(bool Format::*can) {
  std::string names;
  for (const Codec& codec : codecs())
    if (codec.format.*can) names += (names.empty() ? "" : ", ") + codec.format.name;
  return names;
}

std::string writable_endings() {
  std::string endings;
  for (const Codec& codec : codecs())
    for (const std::string& ending : codec.format.endings)
      if (codec.format.can_write) endings += (endings.empty() ? "" : ", ") + ending;
  return endings;
}

const Codec& codec_for_writing(const fs::path& path, const WriteOptions& options) {
  const Codec* found = nullptr;
  if (!options.format.empty()) {
    found = codec_named(options.format);
  } else {
    const std::string name = lower_case(path.filename().string());
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
                     options.format.empty() ? "known endings: " + writable_endings()
                                            : "known: " + known_names(&Format::can_write));
  return *found;
}

/// A solver gives a body six rigid motions of its own: modes that hold the same make the mass
/// matrix of both together singular. MBDyn's joint inverts it; the others may hold such a body by
/// constraints, so that for them the modes must be free of strain as well.
void warn_of_rigid_motion(const FlexBody& body,
                          bool is_mass_enough,
                          const fs::path& path,
                          Diagnostics& diagnostics) {
  constexpr double round_off = 1e-10;
  if (smallest_scaled_mass(body.invariants) >= round_off) return;
  const Eigen::Index strainless = strainless_modes(body);
  if (strainless == 0 && !is_mass_enough) return;
  diagnostics.warn(
      "rigid-content",
      fmt::format("the modes hold rigid-body motion{}: the mass matrix of rigid and modal motion "
                  "together is singular, and a solver that moves the body itself cannot use them; "
                  "leave them out (reduce --drop-rigid) or hold the body when modes are computed",
                  strainless > 0 ? fmt::format(" ({} without strain)", strainless) : ""),
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
    throw ParseError("unknown-format",
                     "is not a body file known here",
                     {path.string()},
                     "known: " + known_names(&Format::can_read));
  if (codec == nullptr || codec->read == nullptr)
    throw UsageError("unknown-format",
                     fmt::format("'{}' is not a format that can be read", name),
                     {path.string()},
                     "known: " + known_names(&Format::can_read));
  ReadResult result = codec->read(path, options, diagnostics, progress);
  try {
    FlexBody body = make_flex_body(std::move(result.body));
    if (!result.units && options.units.empty())
      diagnostics.warn("units-assumed", "does not say its units: taken as m-kg-s", {path.string()});
    const Units units = result.units            ? *result.units
                        : options.units.empty() ? Units{}
                                                : parse_units(options.units);
    if (result.units && !options.units.empty() && !(parse_units(options.units) == units))
      throw UsageError("units-contradict",
                       fmt::format("says its numbers are in {}, not {}", units.name, options.units),
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
      body.initial_zeta_dot.size() != body.mode_count())  // states left out are zero
    return write_body(make_flex_body(body), path, options, diagnostics, progress);
  check_flex_body(body);  // in place: shapes may be as large as memory
  const std::string& name = codec.format.name;
  const bool can_choose = name == "flex" || name == "sid" || name == "mbdyn";
  if (options.units.empty() || parse_units(options.units) == Units{}) {
    codec.write(body, path, options, diagnostics, progress);
  } else if (can_choose) {
    WriteOptions in_units = options;
    in_units.sidecar = false;  // which is SI by definition
    codec.write(to_units(body, parse_units(options.units)), path, in_units, diagnostics, progress);
  } else {
    throw UsageError("units-fixed",
                     fmt::format("{} is SI by definition", codec.format.title),
                     {path.string()},
                     "leave the units out");
  }
  const bool is_for_solvers =
      can_choose || name == "exudyn" || name == "exudyn-hdf5" || name == "dads";
  if (is_for_solvers) warn_of_rigid_motion(body, name == "mbdyn", path, diagnostics);
}

}  // namespace femflex::flexfile
