// Reads the system or body, makes the model of the FMU, and packs it with its library and
// description.
#include "verbs/export_fmu.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/mapped_file.h"
#include "femflex/io/zip_file.h"

#include "fmu/fmu_description.h"
#include "fmu/make_fmu.h"
#include "system/linear_system_file.h"
#include "system/run_system.h"

namespace femflex::verbs {
namespace {

constexpr int kFirstFmi = 2;  // version of the standard unless the request names another

/// A C identifier made from the file name; it is also the name of the library in the FMU.
std::string identifier_of(const std::filesystem::path& output) {
  std::string out = output.stem().string();
  for (char& each : out)
    if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out.front())) != 0) out = "m" + out;
  return out;
}

tools::SystemDocument document_of(const ExportRequest& request,
                                  Diagnostics& diagnostics,
                                  Progress& progress) {
  if (const auto* system = std::get_if<tools::DocumentInput>(&request.what))
    return tools::read_any_system(*system, request.document, diagnostics, progress);
  const auto& body = std::get<BodyInput>(request.what);
  const Loaded<FlexBody> loaded = load(body, request.units, diagnostics, progress);
  if (loaded->interface_nodes.empty() && (request.inputs.empty() || request.outputs.empty()))
    throw ModelError("no-interface",
                     fmt::format("{} has no interface node to load", name_of(body)),
                     {},
                     "name nodes by --loads body/7/force/z --channels body/7/displacement, or give "
                     "import their --interface");
  tools::SystemDocument out;
  out.system = fmu::held_body(*loaded, request.output.stem().string());
  if (const auto* path = std::get_if<std::filesystem::path>(&body)) out.files.push_back(*path);
  return out;
}

/// Sets the step and end of the request in the analyses; adds a dynamic analysis if there is none.
void override_run(const ExportRequest& request, tools::SystemDocument& document) {
  if (!request.step && !request.end) return;
  const bool has_dynamic = std::any_of(
      document.analyses.begin(), document.analyses.end(), [](const tools::Analysis& each) {
        return each.type == tools::Analysis::Type::dynamic;
      });
  if (!has_dynamic) document.analyses.emplace_back();
  for (tools::Analysis& each : document.analyses) {
    if (request.step) each.dynamic.step = *request.step;
    if (request.end) each.dynamic.end = *request.end;
  }
}

/// The proposed communication step [s]: the time between two result rows of the analysis, or its
/// time step.
double proposed_step(const fmu::FmuModel& model) {
  return model.options.output_step > 0.0 ? model.options.output_step : model.options.step;
}

/// @throws UsageError  an option belongs to another kind of file
void check_options(const ExportRequest& request, bool is_file_of_matrices) {
  const std::string ending = request.output.extension().string();
  const auto refuse = [&](const char* option, const char* belongs, const char* fix) {
    throw UsageError("usage",
                     fmt::format("export: {} has no meaning for '{}': it belongs to {}",
                                 option,
                                 request.output.string(),
                                 belongs),
                     {},
                     fix);
  };
  if (request.mat73 && ending != ".mat") refuse("--mat73", ".mat", "leave it out");
  if (!is_file_of_matrices) return;
  constexpr const char* kFmu = "an FMU";
  constexpr const char* kFix = "leave it out, or name the output FILE.fmu";
  if (request.fmi) refuse("--fmi", kFmu, kFix);
  if (request.kind != ExportRequest::Kind::by_input) refuse("--kind", kFmu, kFix);
  if (request.end) refuse("--end", kFmu, kFix);
}

/// Writes A, B, C, D in place of an FMU.
ExportOutcome export_matrices(const ExportRequest& request,
                              const tools::SystemDocument& document,
                              Diagnostics& diagnostics,
                              Progress& progress) {
  mbd_solver::LinearSystem space = fmu::state_space_of(document, diagnostics, progress);
  tools::warn_of_matrices(document.system, space, diagnostics);
  if (request.step) space = mbd_solver::sampled(space, *request.step);
  const auto level = request.mat73 ? tools::MatLevel::level_73 : tools::MatLevel::by_size;
  tools::write_linear_system(space, request.output, level);
  ExportOutcome out{.name = document.system.name, .is_linear = true, .has_matrices = true};
  out.inputs = space.inputs.size();
  out.outputs = space.outputs.size();
  out.states = space.states.size();
  std::error_code ignored;
  out.bytes = std::filesystem::file_size(request.output, ignored);
  return out;
}

}  // namespace

ExportOutcome export_fmu(const ExportRequest& request,
                         Diagnostics& diagnostics,
                         Progress& progress) {
  using Kind = ExportRequest::Kind;
  const std::string ending = request.output.extension().string();
  const bool is_file_of_matrices = ending == ".mat" || ending == ".npz" || ending == ".csv";
  if (!is_file_of_matrices && ending != ".fmu")
    throw UsageError("ending",
                     fmt::format("'{}' is not an ending that export writes", ending),
                     {request.output.string()},
                     "name an FMU .fmu, a state space .mat, .npz or .csv; superelements of a body "
                     "are written by 'femflex convert'");
  check_options(request, is_file_of_matrices);
  const std::filesystem::path library =
      is_file_of_matrices ? std::filesystem::path() : fmu::fmu_library();
  tools::SystemDocument document = document_of(request, diagnostics, progress);
  fmu::add_loads(request.inputs, document.system);
  if (!request.outputs.empty()) document.system.outputs = request.outputs;
  if (is_file_of_matrices) return export_matrices(request, document, diagnostics, progress);
  override_run(request, document);
  const bool is_body = std::holds_alternative<BodyInput>(request.what);
  const bool is_linear =
      request.kind == Kind::model_exchange || (request.kind == Kind::by_input && is_body);
  const fmu::FmuModel model = is_linear ? fmu::model_exchange_of(document, diagnostics, progress)
                                        : fmu::co_simulation_of(document);
  const auto version =
      request.fmi.value_or(kFirstFmi) == 3 ? fmu::Version::fmi3 : fmu::Version::fmi2;
  const std::string identifier = identifier_of(request.output);
  const io::MappedFile binary(library);
  const char* folder = version == fmu::Version::fmi3 ? "x86_64-linux" : "linux64";
  const std::vector<io::ZipEntry> entries = {
      {"modelDescription.xml",
       fmu::description_of(model, version, identifier, proposed_step(model))},
      {fmt::format("binaries/{}/{}.so", folder, identifier), std::string(binary.bytes())},
      {"resources/model.femflex", fmu::to_bytes(model)}};
  io::write_file(request.output, io::zip_bytes(entries, io::ZipMethod::deflated));
  ExportOutcome out{.name = model.system.name, .is_linear = is_linear};
  for (const fmu::Variable& each : model.variables) {
    using Role = fmu::Variable::Role;
    out.inputs += each.role == Role::input ? 1 : 0;
    out.parameters += each.role == Role::parameter ? 1 : 0;
    out.outputs += each.role == Role::output ? 1 : 0;
    out.states += each.role == Role::state ? 1 : 0;
    out.constants += each.role == Role::constant ? 1 : 0;
  }
  std::error_code ignored;
  out.bytes = std::filesystem::file_size(request.output, ignored);
  return out;
}

}  // namespace femflex::verbs
