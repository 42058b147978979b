// Imports or loads the model, loads the preloaded models, reduces, writes the body files, and
// measures the time of each step.
#include "verbs/reduce.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/modal/correlation.h"

#include "body/held_mass.h"
#include "body/inputs.h"

namespace femflex::verbs {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// K of a preloaded model, for the DOFs of `model`.
/// @throws ModelError  the preloaded model has no K, other DOFs or other units
modal::PreloadedStiffness stiffness_under(const PreloadedModel& preloaded,
                                          const FeModel& model,
                                          const ReduceRequest& request,
                                          Diagnostics& diagnostics,
                                          Progress& progress) {
  const std::string name = name_of(preloaded.model);
  FeModel other = load(preloaded.model, request.units, diagnostics, progress).take();
  if (!other.stiffness)
    throw ModelError("no-matrices", fmt::format("{} holds no stiffness matrix", name));
  if (!(other.dofs == model.dofs) ||
      (other.units && model.units && other.units->moment() != model.units->moment()))
    throw ModelError("wrong-model",
                     fmt::format("{} has other DOFs or units than the model", name),
                     {},
                     "import both from the same deck");
  modal::PreloadedStiffness out;
  out.cause = preloaded.cause;
  out.amount = preloaded.amount;
  out.stiffness.swap(*other.stiffness);
  return out;
}

/// The model of the request: a value, a native model, or files of an FE code.
Loaded<FeModel> model_of(const ReduceRequest& request,
                         Diagnostics& diagnostics,
                         Progress& progress) {
  importer::ImportRequest parts = request.parts;
  if (parts.files.empty() && parts.interface_nodes.empty() && parts.spiders.empty())
    return load(request.model, request.units, diagnostics, progress);
  const auto* first = std::get_if<std::filesystem::path>(&request.model);
  if (!first || tools::kind_of(*first) == tools::FileKind::fe_model)
    throw UsageError("usage",
                     fmt::format("{} is an FE model already: further files, --interface and "
                                 "--spider belong to files of an FE code",
                                 name_of(request.model)),
                     {},
                     "give them to 'femflex import'");
  parts.files.insert(parts.files.begin(), *first);
  parts.units = request.units;
  return Loaded<FeModel>(importer::import_model(parts, diagnostics, progress).model);
}

/// Refuses options of other methods than that of the request, which would have no effect.
/// @throws UsageError
void check_method_options(const ReduceRequest& request, const modal::ReduceOptions& options) {
  using modal::Method;
  const modal::ReduceOptions unset;
  const Method method = options.method;
  const bool has_normal =
      method == Method::craig_bampton || method == Method::craig_chang || method == Method::dynamic;
  const auto refuse = [&](bool is_given, std::string_view option, std::string_view methods) {
    if (!is_given) return;
    const std::string fix = fmt::format("leave it out, or reduce with {}", methods);
    if (method == Method::given)
      throw UsageError("no-effect",
                       fmt::format("{} has no effect: the body is made of the modes that the model "
                                   "holds",
                                   option),
                       {},
                       fix);
    throw UsageError("no-effect",
                     fmt::format("{} has no effect on --method {}", option, modal::name_of(method)),
                     {},
                     fix);
  };
  if (!has_normal) {
    constexpr std::string_view kMethods = "--method craig-bampton, craig-chang or dynamic";
    refuse(options.normal.has_value(), "--normal", kMethods);
    refuse(options.fmax_hz.has_value(), "--fmax", kMethods);
  }
  if (method != Method::krylov)
    refuse(request.has_krylov || options.krylov != unset.krylov, "--krylov", "--method krylov");
  if (method != Method::automatic) {
    refuse(options.band.has_value(), "--band", "--method auto");
    refuse(request.has_tolerance || options.tolerance != unset.tolerance,
           "--tolerance",
           "--method auto");
  }
}

/// Sets defaults for options that were not given: a Craig-Bampton set, orthogonalised and scaled,
/// rigid motions off, damping as in Adams.
void take_defaults(modal::ReduceOptions& options, bool takes_damping) {
  options.method = modal::Method::craig_bampton;
  options.orthogonalise = true;
  options.scale = true;
  if (takes_damping) options.damping.kind = modal::DampingRule::Kind::adams;
}

bool has_damping(const FlexBody& body) {
  if (body.damping) return !body.damping->isZero(0.0);
  return std::any_of(body.modes.begin(), body.modes.end(), [](const BodyMode& mode) {
    return mode.damping_ratio > 0.0;
  });
}

std::string damping_words(const FlexBody& body, const modal::DampingRule& rule) {
  if (!has_damping(body))
    return "undamped: a simulation of this body rings on without end; --damping adams gives 1 % "
           "below 100 Hz, 10 % to 1000 Hz, 100 % above";
  if (rule.kind == modal::DampingRule::Kind::adams)
    return "damping adams: 1 % below 100 Hz, 10 % to 1000 Hz, 100 % above";
  return "damped";
}

}  // namespace

ReduceOutcome reduce(const ReduceRequest& request, Diagnostics& diagnostics, Progress& progress) {
  // an unknown format throws here, before anything is computed; write_body() determines the format
  // again
  for (const std::filesystem::path& output : request.outputs)
    static_cast<void>(flexfile::format_for_writing(output, {}));
  const Clock::time_point start = Clock::now();
  const Loaded<FeModel> model = model_of(request, diagnostics, progress);
  tools::warn_of_held_mass(*model, diagnostics);
  modal::ReduceOptions options = request.options;
  ReduceOutcome out;
  out.took_defaults = request.may_take_defaults && model->modes.count() == 0;
  if (out.took_defaults) take_defaults(options, request.may_take_damping);
  check_method_options(request, options);
  for (const PreloadedModel& preloaded : request.preloaded)
    options.preloaded.push_back(stiffness_under(preloaded, *model, request, diagnostics, progress));
  const Clock::time_point loaded = Clock::now();
  out.body = modal::reduce(*model, options, diagnostics, progress, &out.report);
  if (request.name) out.body.name = *request.name;
  out.body.provenance.options = request.provenance;
  out.damping = damping_words(out.body, options.damping);
  const Clock::time_point reduced = Clock::now();
  for (const std::filesystem::path& output : request.outputs)
    flexfile::write_body(out.body, output, {}, diagnostics, progress);
  const Clock::time_point written = Clock::now();
  out.energy = modal::kinetic_energy_fractions(out.body, &*model);
  out.seconds = {
      seconds_of(loaded - start), seconds_of(reduced - loaded), seconds_of(written - reduced)};
  return out;
}

}  // namespace femflex::verbs
