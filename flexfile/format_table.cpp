// Lists the formats of flexible bodies: what each holds, how its files are recognised, and its
// reader and writer with one signature for all.
#include "format_table.h"

#include "femflex/flexfile/dads_input.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/mapped_file.h"

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

constexpr Holds kEverything = {
    .rotations = true, .damping = true, .stiffening = true, .initial_state = true, .rest = true};

std::vector<Codec> all_codecs() {
  std::vector<Codec> table{
      {.format = {.name = "fbm",
                  .extensions = {".fbm"},
                  .title = "femflex body",
                  .use = FormatUse::femflex,
                  .holds = kEverything,
                  .is_binary = true},
       .recognises = is_fbm_file,
       .read = read_fbm_file,
       .write = write_fbm_file},
      {.format = {.name = "flex",
                  .extensions = {".flex", ".fdf"},
                  .title = "DADS FLEX",
                  .holds = {.rotations = true, .initial_state = true},
                  .has_free_units = true},
       .recognises = is_flex_file,
       .read = read_flex_file,
       .write = write_flex_file,
       .told_by_writer = kEverything},
      {.format = {.name = "sid",
                  .extensions = {".sid_fem", ".sid"},
                  .title = "SID (Simpack, Modelica)",
                  .holds = {.rotations = true, .damping = true, .stiffening = true},
                  .has_free_units = true},
       .recognises = is_sid_file,
       .read = read_sid_file,
       .write = write_sid_file},
      {.format = {.name = "mbdyn",
                  .extensions = {".fem"},
                  .title = "MBDyn modal joint",
                  .holds = {.rotations = true, .damping = true, .initial_state = true},
                  .has_free_units = true},
       .recognises = is_mbdyn_file,
       .read = read_mbdyn_file,
       .write = write_mbdyn_file,
       .mass_is_inverted = true},
      {.format = {.name = "exudyn",
                  .extensions = {".npz"},
                  .title = "Exudyn reduced body, NPZ",
                  .is_binary = true},
       .recognises = is_npz_file,
       .read = read_npz_file,
       .write = write_npz_file,
       .has_node_numbers = has_node_numbers},
      {.format = {.name = "exudyn-hdf5",
                  .extensions = {".hdf5"},
                  .title = "Exudyn reduced body, HDF5",
                  .is_binary = true},
       .recognises = is_exudyn_hdf5_file,
       .read = read_exudyn_hdf5_file,
       .write = write_exudyn_hdf5_file,
       .has_node_numbers = has_node_numbers},
      {.format = {.name = "dads",
                  .extensions = {".dads"},
                  .title = "formatted DADS input",
                  .holds = {.rotations = true, .damping = true, .initial_state = true}},
       .write = write_dads_file},
      {.format = {.name = "dmig",
                  .extensions = {".pch", ".bdf"},
                  .title = "NASTRAN superelement (DMIG)",
                  .use = FormatUse::superelement,
                  .holds = {.rotations = true, .damping = true},
                  .has_free_units = true},
       .write = write_dmig_file},
      {.format = {.name = "calculix",
                  .extensions = {".inp"},
                  .title = "CalculiX and Abaqus superelement",
                  .use = FormatUse::superelement,
                  .holds = {.rotations = true},
                  .has_free_units = true},
       .write = write_calculix_file,
       .told_by_writer = {.damping = true}},
      {.format = {.name = "extptfm",
                  .extensions = {".dat"},
                  .title = "OpenFAST ExtPtfm superelement (FlexASCII)",
                  .use = FormatUse::superelement,
                  .holds = {.rotations = true, .damping = true}},
       .write = write_ext_ptfm_file},
      {.format = {.name = "openfedem",
                  .extensions = {".ftl"},
                  .title = "openfedem reduced part (.ftl, .fmx)",
                  .use = FormatUse::superelement,
                  .holds = {.rotations = true}},
       .write = write_openfedem_files},
      {.format = {.name = "mbsim",
                  .extensions = {".h5"},
                  .title = "MBSim flexible body (HDF5)",
                  .holds = {.rotations = true, .damping = true},
                  .is_binary = true},
       .write = write_mbsim_file},
      {.format = {.name = "chrono",
                  .extensions = {".chrono.json"},
                  .title = "Chrono modal superelement (.chrono.json, .mtx)",
                  .use = FormatUse::superelement,
                  .holds = {.rotations = true, .damping = true}},
       .write = write_chrono_files},
      {.format = {.name = "vtu",
                  .extensions = {".vtu"},
                  .title = "VTK unstructured grid (ParaView)",
                  .use = FormatUse::picture},
       .write = write_vtu_file},
      {.format = {.name = "pvd",
                  .extensions = {".pvd"},
                  .title = "VTK collection, one file per mode (ParaView)",
                  .use = FormatUse::picture},
       .write = write_pvd_file},
      {.format = {.name = "gltf",
                  .extensions = {".glb"},
                  .title = "glTF 2.0 binary",
                  .use = FormatUse::picture,
                  .is_binary = true},
       .write = write_gltf_file},
  };
  for (Codec& codec : table) {
    codec.format.can_read = codec.read != nullptr;
    codec.format.can_write = codec.write != nullptr;
  }
  return table;
}

}  // namespace

const std::vector<Codec>& codecs() {
  static const std::vector<Codec> table = all_codecs();
  return table;
}

const Codec* codec_named(std::string_view name) {
  for (const Codec& codec : codecs())
    if (codec.format.name == name) return &codec;
  return nullptr;
}

}  // namespace femflex::flexfile
