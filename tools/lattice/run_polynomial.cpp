// Checks that the start state fits the polynomial, then runs and reports it as a lattice is.
#include "lattice/run_polynomial.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "lattice/lattice_report.h"
#include "lattice/lattice_sinks.h"

namespace femflex::tools {

using namespace hamiltonian;

LatticeOutcome run_polynomial(const Polynomial& polynomial,
                              const LatticeJob& job,
                              Diagnostics& diagnostics,
                              Progress& progress) {
  const PolynomialSystem system(polynomial);
  if (job.resume.empty() && !job.initial)
    throw UsageError("usage",
                     "the start of the polynomial is not given",
                     {},
                     "give its states with --initial, --resume STATE.h5, or \"start\" in JSON");
  State state = job.initial ? *job.initial : read_state(job.resume);
  if (state.q.size() != system.dof_count() || state.p.size() != system.dof_count())
    throw UsageError(
        "state-size",
        fmt::format("the state does not fit the model: {} positions and {} momenta, the "
                    "model has {} of each",
                    state.q.size(),
                    state.p.size(),
                    system.dof_count()),
        {job.resume.string()},
        "resume with the model that the state was saved from");
  if (!job.initial && check_model_of_state(job.resume, parts_of(polynomial), diagnostics))
    state.history.clear();  // the rates of the model that has changed
  const RunOptions& options = job.run;
  LatticeOutcome out;
  std::vector<std::string> outputs;
  LatticeRecord record(job, state.time, diagnostics);
  std::unique_ptr<StateSink> sink;
  if (record.rows() != nullptr) sink = std::make_unique<StateSink>(system, *record.rows());
  const RunResult result = record.run(
      [&]() { return hamiltonian::run(system, state, options, sink.get(), diagnostics, progress); },
      [&](const State& stopped) { write_state(stopped, parts_of(polynomial), job.save_state); },
      outputs);
  out.series = record.series();
  if (!job.save_state.empty()) {
    write_state(result.state, parts_of(polynomial), job.save_state);
    outputs.push_back(job.save_state.string());
  }
  report_run(result, options, out, diagnostics);
  out.document["states"] = system.states(result.state);
  out.document["nodes"] = Json::list();
  out.document["outputs"] = outputs;
  return out;
}

}  // namespace femflex::tools
