// Reads and writes flexible bodies in all formats: a table holds the reader and writer of each.
// read_body() chooses by the content of the file, write_body() by its name; both convert units.
#include "femflex/flexfile/flexfile.h"

#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/acting_part.h"
#include "femflex/errors.h"
#include "femflex/flexfile/dads_input.h"
#include "femflex/flexfile/transform.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/mapped_file.h"
#include "femflex/nearest_name.h"
#include "femflex/text.h"
#include "femflex/units.h"

#include "derive.h"
#include "format_contents.h"
#include "formats/chrono.h"
#include "formats/ext_ptfm.h"
#include "formats/exudyn.h"
#include "formats/flex.h"
#include "formats/mbdyn_fem.h"
#include "formats/mbsim.h"
#include "formats/native_hdf5.h"
#include "formats/openfedem.h"
#include "formats/sid.h"
#include "formats/superelement_files.h"
#include "pictures/gltf.h"
#include "pictures/vtu.h"

namespace femflex::flexfile {
namespace {

namespace fs = std::filesystem;

/// A body as read from a file, and the units that the file declares.
struct ReadResult {
  FlexBody body;
  std::optional<Units> units;
};

/// Units that the head of a text file names by "numbers in mm-t-s" or "SI units"; empty if none.
std::optional<Units> stated_units(const fs::path& path) {
  const io::MappedFile file(path);
  const std::string_view head = file.bytes().substr(0, 512);
  constexpr std::string_view kPhrase = "numbers in ";
  if (const std::size_t at = head.find(kPhrase); at != std::string_view::npos) {
    const std::string_view rest = head.substr(at + kPhrase.size());
    const std::string name(rest.substr(0, rest.find_first_of(", \r\n")));
    for (const std::string& unit_name : unit_names())
      if (name == unit_name) return parse_units(name);
  }
  return head.find("SI units") != std::string_view::npos ? std::optional<Units>(Units{})
                                                         : std::nullopt;
}

std::string units_name(const WriteOptions& options) {
  return options.units.empty() ? Units{}.name : parse_units(options.units).name;
}

/// The path of a body file, and the receivers of progress and warnings.
struct Job {
  const fs::path& path;
  Diagnostics& diagnostics;
  Progress& progress;
};

/// One format: its name, how its content is recognised, its reader and writer.
struct Codec {
  Format format;
  bool (*recognises)(const fs::path& path, std::string_view head) = nullptr;
  ReadResult (*read)(const Job&) = nullptr;
  void (*write)(const FlexBody&, const Job&, const WriteOptions&) = nullptr;
};

bool is_fbm_file(const fs::path& path, std::string_view head) {
  return head.starts_with(io::kHdf5Signature) && is_fbm(path);
}
ReadResult read_fbm_file(const Job& job) {
  return {read_fbm(job.path, job.diagnostics), Units{}};
}
void write_fbm_file(const FlexBody& body, const Job& job, const WriteOptions& options) {
  write_fbm(body, job.path, options.deflate);
}

bool is_flex_file(const fs::path& /*path*/, std::string_view head) {
  return is_flex(head);
}
ReadResult read_flex_file(const Job& job) {
  bool has_sidecar = false;
  FlexBody body = read_flex(job.path, job.diagnostics, job.progress, has_sidecar);
  return {std::move(body), has_sidecar ? std::optional<Units>(Units{}) : std::nullopt};
}
void write_flex_file(const FlexBody& body, const Job& job, const WriteOptions& options) {
  write_flex(body, job.path, options.sidecar, job.diagnostics, job.progress);
}

bool is_sid_file(const fs::path& /*path*/, std::string_view head) {
  return is_sid(head);
}
ReadResult read_sid_file(const Job& job) {
  return {read_sid(job.path, job.diagnostics, job.progress), stated_units(job.path)};
}
void write_sid_file(const FlexBody& body, const Job& job, const WriteOptions& options) {
  write_sid(body, job.path, units_name(options), job.diagnostics, job.progress);
}

bool is_mbdyn_file(const fs::path& /*path*/, std::string_view head) {
  return is_mbdyn_fem(head);
}
ReadResult read_mbdyn_file(const Job& job) {
  return {read_mbdyn_fem(job.path, job.diagnostics, job.progress), stated_units(job.path)};
}
void write_mbdyn_file(const FlexBody& body, const Job& job, const WriteOptions& options) {
  write_mbdyn_fem(
      body, job.path, units_name(options), options.mbdyn_invariants, job.diagnostics, job.progress);
}

bool is_npz_file(const fs::path& /*path*/, std::string_view head) {
  return is_exudyn_npz(head);
}
ReadResult read_npz_file(const Job& job) {
  return {read_exudyn_npz(job.path, job.diagnostics), Units{}};
}
void write_npz_file(const FlexBody& body, const Job& job, const WriteOptions& /*options*/) {
  write_exudyn_npz(body, job.path, job.diagnostics);
}

bool is_exudyn_hdf5_file(const fs::path& path, std::string_view head) {
  return head.starts_with(io::kHdf5Signature) && is_exudyn_hdf5(path);
}
ReadResult read_exudyn_hdf5_file(const Job& job) {
  return {read_exudyn_hdf5(job.path, job.diagnostics), Units{}};
}
void write_exudyn_hdf5_file(const FlexBody& body, const Job& job, const WriteOptions& /*options*/) {
  write_exudyn_hdf5(body, job.path, job.diagnostics);
}

void write_dads_file(const FlexBody& body, const Job& job, const WriteOptions& /*options*/) {
  write_dads_input(dads_input_of(body, job.diagnostics), job.path, job.diagnostics);
}
void write_vtu_file(const FlexBody& body, const Job& job, const WriteOptions& /*options*/) {
  write_vtu(body, job.path);
}
void write_pvd_file(const FlexBody& body, const Job& job, const WriteOptions& options) {
  write_pvd(body, job.path, options.amplitude);
}
void write_gltf_file(const FlexBody& body, const Job& job, const WriteOptions& options) {
  write_gltf(body, job.path, options.amplitude);
}

void write_dmig_file(const FlexBody& body, const Job& job, const WriteOptions& options) {
  warn_of_supports(body, options.frame, job.path, job.diagnostics);
  write_dmig(body, {job.path, units_name(options), options.frame});
}
void write_calculix_file(const FlexBody& body, const Job& job, const WriteOptions& options) {
  warn_of_supports(body, options.frame, job.path, job.diagnostics);
  write_calculix_superelement(
      body, {job.path, units_name(options), options.frame}, job.diagnostics);
}
void write_ext_ptfm_file(const FlexBody& body, const Job& job, const WriteOptions& options) {
  warn_of_supports(body, options.frame, job.path, job.diagnostics);
  write_ext_ptfm(body, job.path, options.frame);
}

void write_openfedem_files(const FlexBody& body, const Job& job, const WriteOptions& options) {
  warn_of_supports(body, options.frame, job.path, job.diagnostics);
  write_openfedem(body, job.path, options.frame);
}
void write_mbsim_file(const FlexBody& body, const Job& job, const WriteOptions& /*options*/) {
  write_mbsim(body, job.path, job.diagnostics);
}
void write_chrono_files(const FlexBody& body, const Job& job, const WriteOptions& options) {
  warn_of_supports(body, options.frame, job.path, job.diagnostics);
  write_chrono(body, job.path, options.frame);
}

const std::vector<Codec>& codecs() {
  static const std::vector<Codec> table{
      {{"fbm", {".fbm"}, "femflex body", true, true}, is_fbm_file, read_fbm_file, write_fbm_file},
      {{"flex", {".flex", ".fdf"}, "DADS FLEX", true, true},
       is_flex_file,
       read_flex_file,
       write_flex_file},
      {{"sid", {".sid_fem", ".sid"}, "SID (Simpack, Modelica)", true, true},
       is_sid_file,
       read_sid_file,
       write_sid_file},
      {{"mbdyn", {".fem"}, "MBDyn modal joint", true, true},
       is_mbdyn_file,
       read_mbdyn_file,
       write_mbdyn_file},
      {{"exudyn", {".npz"}, "Exudyn reduced body, NPZ", true, true},
       is_npz_file,
       read_npz_file,
       write_npz_file},
      {{"exudyn-hdf5", {".hdf5"}, "Exudyn reduced body, HDF5", true, true},
       is_exudyn_hdf5_file,
       read_exudyn_hdf5_file,
       write_exudyn_hdf5_file},
      {{"dads", {".dads"}, "formatted DADS input", false, true}, nullptr, nullptr, write_dads_file},
      {{"dmig", {".pch", ".bdf"}, "NASTRAN superelement (DMIG)", false, true},
       nullptr,
       nullptr,
       write_dmig_file},
      {{"calculix", {".inp"}, "CalculiX and Abaqus superelement", false, true},
       nullptr,
       nullptr,
       write_calculix_file},
      {{"extptfm", {".dat"}, "OpenFAST ExtPtfm superelement (FlexASCII)", false, true},
       nullptr,
       nullptr,
       write_ext_ptfm_file},
      {{"openfedem", {".ftl"}, "openfedem reduced part (.ftl, .fmx)", false, true},
       nullptr,
       nullptr,
       write_openfedem_files},
      {{"mbsim", {".h5"}, "MBSim flexible body (HDF5)", false, true},
       nullptr,
       nullptr,
       write_mbsim_file},
      {{"chrono", {".chrono.json"}, "Chrono modal superelement (.chrono.json, .mtx)", false, true},
       nullptr,
       nullptr,
       write_chrono_files},
      {{"vtu", {".vtu"}, "VTK unstructured grid (ParaView)", false, true},
       nullptr,
       nullptr,
       write_vtu_file},
      {{"pvd", {".pvd"}, "VTK collection, one file per mode (ParaView)", false, true},
       nullptr,
       nullptr,
       write_pvd_file},
      {{"gltf", {".glb"}, "glTF 2.0 binary", false, true}, nullptr, nullptr, write_gltf_file},
  };
  return table;
}

/// Null if there is no format of this name.
const Codec* codec_named(std::string_view name) {
  for (const Codec& codec : codecs())
    if (codec.format.name == name) return &codec;
  return nullptr;
}

/// Names of the formats that can be read or written, for messages.
std::string known_names(bool Format::*can) {
  std::string names;
  for (const Codec& codec : codecs())
    if (codec.format.*can) names += (names.empty() ? "" : ", ") + codec.format.name;
  return names;
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
  const std::string& name = codec.format.name;
  if (name != "fbm" && !has_only_acting_modes(body)) {
    diagnostics.warn("acting-modes",
                     fmt::format("{} has no place for modes that do not act: they are left out",
                                 codec.format.title),
                     {path.string()});
    return write_body(acting_part(body), path, options, diagnostics, progress);
  }
  const bool is_superelement = name == "dmig" || name == "calculix";
  const bool has_free_units = name == "flex" || name == "sid" || name == "mbdyn" || is_superelement;
  if (options.units.empty() || parse_units(options.units) == Units{}) {
    codec.write(body, {path, diagnostics, progress}, options);
  } else if (has_free_units) {
    WriteOptions in_units = options;
    in_units.sidecar = false;  // the sidecar is left out, because it is SI by definition
    codec.write(
        to_units(body, parse_units(options.units)), {path, diagnostics, progress}, in_units);
  } else {
    throw UsageError("units-fixed",
                     fmt::format("{} is SI by definition", codec.format.title),
                     {path.string()},
                     "leave the units out");
  }
  // FLEX has a sidecar, and its writer tells what is missing without it
  if (name != "flex") warn_of_left_out(body, name, codec.format.title, path.string(), diagnostics);
  const bool is_for_solvers = (has_free_units && !is_superelement) || name == "exudyn" ||
                              name == "exudyn-hdf5" || name == "dads";
  if (is_for_solvers) warn_of_rigid_motion(body, name == "mbdyn", path, diagnostics);
}

}  // namespace femflex::flexfile
