// Combines the run options of the request with those of the file, checks that they are consistent,
// and passes the job to run_lattice().
#include "verbs/lattice.h"

#include <utility>

#include "verbs/lattice_checks.h"

namespace femflex::verbs {
namespace {

namespace fs = std::filesystem;

/// Sets options of the request in the model and the run options of its file.
void override_document(const LatticeRequest& request, tools::LatticeDocument& document) {
  document.lattice.friction = request.friction.value_or(document.lattice.friction);
  document.lattice.step = request.step.value_or(document.lattice.step);
  document.end = request.end.value_or(document.end);
  document.output_step = request.output_step.value_or(document.output_step);
  if (!request.integrator.empty()) document.integrator = request.integrator;
}

/// Temporary file for the rows during the run: next to the table, or in the temporary folder if the
/// table is a device or a pipe.
fs::path temporary_result_for(const fs::path& table) {
  const std::string name = table.filename().string() + ".part.h5";
  std::error_code error;
  const bool is_file = fs::is_regular_file(table, error) || !fs::exists(table, error);
  return is_file ? table.parent_path() / name : fs::temp_directory_path() / name;
}

tools::LatticeJob job_of(const LatticeRequest& request, const tools::LatticeDocument& document) {
  tools::LatticeJob job;
  if (!document.integrator.empty())
    job.run.integrator = hamiltonian::parse_integrator(document.integrator);
  job.run.step = document.lattice.step;
  job.run.prefer_stored_step = !request.step;
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
  tools::choose_channels(request.show, job.channels);
  job.channels.spring_numbers = request.springs;
  for (const std::string& group : request.groups)
    job.channels.groups.push_back(tools::parse_group(group));
  job.channels.centre = request.centre;
  if (!request.beam.empty()) job.channels.beam = tools::parse_beam(request.beam);
  job.force = request.force;
  job.output = request.output;
  job.csv = request.csv;
  job.in_memory = request.in_memory && job.output.empty();
  if (!job.csv.empty() && job.output.empty() && !job.in_memory) {
    job.output = temporary_result_for(job.csv);
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

tools::AnyLattice read_lattice_input(const tools::DocumentInput& input,
                                     const tools::LatticeReadOptions& read_options) {
  if (const auto* path = std::get_if<fs::path>(&input))
    return tools::read_any_lattice(*path, read_options);
  return tools::read_any_json(tools::load_document(input, read_options.document));
}

/// True if only the model is written, in its own form or as a polynomial.
bool writes_only_the_model(const LatticeRequest& request, const tools::LatticeJob& job) {
  const bool writes = !request.write.empty() || !request.to_polynomial.empty();
  return writes && !job.statics && !job.buckling && job.branch.empty() && job.to_fe.empty() &&
         job.output.empty() && job.csv.empty() && job.save_state.empty() && !request.end;
}

}  // namespace

LatticeOutcome lattice(const LatticeRequest& request,
                       Diagnostics& diagnostics,
                       Progress& progress) {
  tools::LatticeReadOptions read_options;
  read_options.rest_lengths_from_start = request.rest_from_start;
  read_options.polynomial_dimension = request.dimension.value_or(read_options.polynomial_dimension);
  read_options.document = request.document;
  tools::AnyLattice model = read_lattice_input(request.lattice, read_options);
  for (const Warning& warning : model.document.warnings.warnings())
    diagnostics.warn(warning.code, warning.message, warning.where);
  override_document(request, model.document);
  tools::LatticeJob job = job_of(request, model.document);

  LatticeOutcome out;
  if (!request.write.empty()) {
    tools::write_lattice(model, request.write, diagnostics);
    out.written.push_back(request.write);
  }
  if (!request.to_polynomial.empty()) {
    tools::write_polynomial(model, request.to_polynomial, diagnostics);
    out.written.push_back(request.to_polynomial);
  }
  out.is_run = !writes_only_the_model(request, job);
  if (!out.is_run) return out;
  check_request(request, model, job, diagnostics);
  if (model.polynomial && job.resume.empty()) {
    const std::vector<double>& start = request.initial ? *request.initial : model.start;
    if (!start.empty()) {
      job.initial = hamiltonian::PolynomialSystem(*model.polynomial).state(start);
      job.initial->time = model.document.start_time;
    }
  }
  out.run = tools::run_lattice(model, job, diagnostics, progress);
  return out;
}

}  // namespace femflex::verbs
