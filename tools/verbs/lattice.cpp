#include "verbs/lattice.h"

#include <utility>

#include "verbs/lattice_checks.h"

namespace femflex::verbs {
namespace {

namespace fs = std::filesystem;

/// Options of the request override the model and the run options of its file.
void override_document(const LatticeRequest& request, tools::LatticeDocument& document) {
  document.lattice.friction = request.friction.value_or(document.lattice.friction);
  document.lattice.step = request.step.value_or(document.lattice.step);
  document.end = request.end.value_or(document.end);
  document.output_step = request.output_step.value_or(document.output_step);
  if (!request.integrator.empty()) document.integrator = request.integrator;
}

/// The temporary file that holds the rows of a table during the run; it is next to the table,
/// unless that is a device or a pipe.
fs::path rows_on_the_way_to(const fs::path& table) {
  const std::string name = table.filename().string() + ".part.h5";
  std::error_code fault;
  const bool is_file = fs::is_regular_file(table, fault) || !fs::exists(table, fault);
  return is_file ? table.parent_path() / name : fs::temp_directory_path() / name;
}

tools::LatticeJob job_of(const LatticeRequest& request, const tools::LatticeDocument& document) {
  tools::LatticeJob job;
  if (!document.integrator.empty())
    job.run.integrator = hamiltonian::parse_integrator(document.integrator);
  job.run.step = document.lattice.step;
  job.run.step_is_advice = !request.step;
  job.run.end = document.end;
  job.run.output_step = document.output_step;
  job.run.relative_tolerance = request.relative_tolerance.value_or(job.run.relative_tolerance);
  job.run.absolute_tolerance = request.absolute_tolerance.value_or(job.run.absolute_tolerance);
  if (request.threads > 0) job.run.threads = request.threads;
  job.statics = request.statics;
  job.any_equilibrium = request.stay_on_branch;
  job.buckling = request.buckling;
  job.load_factor = request.load_factor.value_or(job.load_factor);
  job.load_steps = request.load_steps.value_or(job.load_steps);
  job.largest_factor = request.largest_factor.value_or(job.largest_factor);
  job.nodes = request.nodes;
  job.force = request.force;
  job.output = request.output;
  job.csv = request.csv;
  if (!job.csv.empty() && job.output.empty()) {
    job.output = rows_on_the_way_to(job.csv);
    job.keep_output = false;
  }
  job.to_fe = request.to_fe;
  job.keep_held = request.keep_held;
  job.save_state = request.save_state;
  job.resume = request.resume;
  job.branch = request.branch;
  job.summary = request.provenance;
  return job;
}

tools::AnyLattice read_model(const tools::DocumentInput& input,
                             const tools::LatticeReadOptions& reading) {
  if (const auto* path = std::get_if<fs::path>(&input))
    return tools::read_any_lattice(*path, reading);
  tools::AnyLattice out;
  out.document = tools::read_lattice_json(tools::load_document(input, reading.document));
  return out;
}

/// True if only the model is to be written.
bool asks_for_the_model_alone(const LatticeRequest& request, const tools::LatticeJob& job) {
  return !request.write.empty() && !job.statics && !job.buckling && job.branch.empty() &&
         job.to_fe.empty() && job.output.empty() && job.save_state.empty() && !request.end;
}

}  // namespace

LatticeOutcome lattice(const LatticeRequest& request,
                       Diagnostics& diagnostics,
                       Progress& progress) {
  tools::LatticeReadOptions reading;
  reading.rest_lengths_from_start = request.rest_from_start;
  reading.polynomial_dimension = request.dimension.value_or(reading.polynomial_dimension);
  reading.document = request.document;
  tools::AnyLattice model = read_model(request.lattice, reading);
  for (const Warning& warning : model.document.warnings.warnings())
    diagnostics.warn(warning.code, warning.message, warning.where);
  override_document(request, model.document);
  tools::LatticeJob job = job_of(request, model.document);

  LatticeOutcome out;
  out.written = request.write;
  if (!request.write.empty()) tools::write_lattice(model, request.write, diagnostics);
  out.is_run = !asks_for_the_model_alone(request, job);
  if (!out.is_run) return out;
  check_request(request, model, job, diagnostics);
  if (model.polynomial && request.initial)
    job.initial = hamiltonian::PolynomialSystem(*model.polynomial).state(*request.initial);
  out.run = tools::run_lattice(model, job, diagnostics, progress);
  return out;
}

}  // namespace femflex::verbs
