#include "lattice_report.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "error_json.h"
#include "lattice_sinks.h"
#include "results_file.h"

namespace femflex::pipeline {

using namespace hamiltonian;

RunOptions run_options(const LatticeJob& job) {
  if (job.run.end <= 0.0)
    throw UsageError(
        "usage", "the end of the run is not given", {}, "add --end SECONDS, or --statics");
  return job.run;
}

void report_run(const RunResult& result,
                const RunOptions& options,
                LatticeOutcome& out,
                Diagnostics& diagnostics) {
  out.document["integrator"] = std::string(name_of(options.integrator));
  out.document["dt"] = result.step;
  out.document["stable_dt"] = result.stable_step;
  Json energy = Json::object();
  energy["start"] = result.start.total();
  energy["end"] = result.end.total();
  energy["work"] = result.work;
  if (result.broken_energy != 0.0) energy["broken"] = result.broken_energy;
  energy["max_relative_error"] = result.largest_energy_error;
  out.document["energy"] = energy;
  out.document["steps"] = result.steps;
  out.document["rejected_steps"] = result.rejected_steps;
  out.document["time"] = result.state.time;
  out.text += fmt::format("{} steps of {} to t = {:.6g} s (stable up to {:.4g} s)\n",
                          result.steps,
                          name_of(options.integrator),
                          result.state.time,
                          result.stable_step);
  out.text += fmt::format(
      "energy {:.10g} J at the start, {:.10g} J at the end, work {:.10g} J, largest error "
      "{:.3g}\n",
      result.start.total(),
      result.end.total(),
      result.work,
      result.largest_energy_error);
  if (result.broken_energy != 0.0)
    out.text += fmt::format("{:.10g} J left with broken springs\n", result.broken_energy);
  out.document["status"] = result.status == RunStatus::finished   ? "finished"
                           : result.status == RunStatus::unstable ? "unstable"
                                                                  : "not converged";
  if (result.status == RunStatus::finished) return;
  out.exit_code = 3;
  diagnostics.warn("unstable-run", result.message);
  Json error = Json::object();
  error["kind"] = "NumericalError";
  error["code"] = "unstable-run";
  error["message"] = result.message;
  error["where"] = where_json({});
  error["fix"] = "take a smaller step, or another integrator";
  out.document["error"] = error;
  out.text += "stopped: " + result.message + "\n";
}

std::vector<std::string> result_files(const LatticeJob& job) {
  std::vector<std::string> out;
  if (job.keep_output) out.push_back(job.output.string());
  if (!job.csv.empty()) {
    write_csv(read_results(job.output), job.csv);
    out.push_back(job.csv.string());
  }
  if (!job.keep_output) std::filesystem::remove(job.output);
  return out;
}

LatticeOutcome run_polynomial(const Polynomial& polynomial,
                              const LatticeJob& job,
                              Diagnostics& diagnostics,
                              Progress& progress) {
  const PolynomialSystem system(polynomial);
  if (job.resume.empty() && !job.initial)
    throw UsageError("usage",
                     "a polynomial has no start of its own",
                     {},
                     "give its state with --resume STATE.h5 or --initial");
  State state = job.initial ? *job.initial : read_state(job.resume);
  if (state.q.size() != system.freedoms() || state.p.size() != system.freedoms())
    throw UsageError("state-size",
                     fmt::format("'{}' is the state of another model", job.resume.string()));
  const RunOptions options = run_options(job);
  LatticeOutcome out;
  std::vector<std::string> outputs;
  std::unique_ptr<ResultsFile> file;
  std::unique_ptr<StateSink> sink;
  if (!job.output.empty()) {
    file = std::make_unique<ResultsFile>(job.output);
    file->set_attribute("options", job.summary);
    sink = std::make_unique<StateSink>(system, *file);
  }
  const RunResult result =
      hamiltonian::run(system, state, options, sink.get(), diagnostics, progress);
  if (file) {
    file->commit(result.status == RunStatus::finished);
    outputs = result_files(job);
  }
  if (!job.save_state.empty()) {
    write_state(result.state, job.save_state);
    outputs.push_back(job.save_state.string());
  }
  report_run(result, options, out, diagnostics);
  out.document["states"] = system.states(result.state);
  out.document["nodes"] = Json::list();
  out.document["outputs"] = outputs;
  return out;
}

}  // namespace femflex::pipeline
