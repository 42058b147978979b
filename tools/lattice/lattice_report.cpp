// Reports a lattice run as text and JSON, and writes its rows to files. If a run stops early, its
// rows are kept in an unfinished file.
#include "lattice/lattice_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "document/error_json.h"
#include "lattice/lattice_sinks.h"
#include "results/outputs.h"

namespace femflex::tools {

using namespace hamiltonian;

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
  out.text += fmt::format("{} steps of {} to t = {:.6g} s (largest stable step {:.4g} s)\n",
                          result.steps,
                          name_of(options.integrator),
                          result.state.time,
                          result.stable_step);
  out.text += fmt::format(
      "energy {:.10g} J at the start, {:.10g} J at the end, work {:.10g} J, largest relative error "
      "{:.3g}\n",
      result.start.total(),
      result.end.total(),
      result.work,
      result.largest_energy_error);
  if (result.broken_energy != 0.0)
    out.text += fmt::format("{:.10g} J lost with the springs that broke\n", result.broken_energy);
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

LatticeRecord::LatticeRecord(const LatticeJob& job, double start, Diagnostics& diagnostics)
    : job_(job) {
  if (job.in_memory) {
    memory_ = std::make_unique<ResultMemory>();
    rows_ = memory_.get();
  } else if (!job.output.empty()) {
    recover_abandoned_outputs(job.output, diagnostics);
    file_ = std::make_unique<ResultsFile>(job.output);
    rows_ = file_.get();
  }
  if (rows_ == nullptr) return;
  rows_->set_attribute("options", job.summary);
  // without an output step there are about a hundred rows, so the size need not be checked
  const double apart = std::max(job.run.output_step, job.run.step);
  if (!job.statics && job.run.output_step > 0.0)
    rows_->expect({(job.run.end - start) / apart, 0.0, "a longer --output-step"}, job.force);
}

std::vector<std::string> LatticeRecord::write_tables(const std::filesystem::path& result,
                                                     bool is_whole) const {
  std::vector<std::string> out;
  if (file_ && job_.keep_output) out.push_back(result.string());
  if (!job_.csv.empty()) {
    const std::filesystem::path csv = is_whole ? job_.csv : io::path_for_unfinished(job_.csv);
    try {
      write_csv(memory_ ? *memory_->series() : read_results(result), csv);
    } catch (const UsageError& error) {
      if (memory_) throw;
      throw UnfinishedRun(error, "all rows are in " + result.string(), {});
    }
    out.push_back(csv.string());
  }
  if (!job_.keep_output) std::filesystem::remove(result);
  return out;
}

/// Stores the rows of a run that stopped early.  @return the files that contain them
std::vector<std::string> LatticeRecord::keep_unfinished() {
  if (rows_ == nullptr || rows_->rows() == 0) return {};
  if (!memory_) {
    const std::filesystem::path kept = file_->commit_partial();
    return kept.empty() ? std::vector<std::string>() : write_tables(kept, false);
  }
  memory_->commit(false);
  return write_tables({}, false);
}

RunResult LatticeRecord::run(const std::function<RunResult()>& work,
                             const std::function<void(const State&)>& save,
                             std::vector<std::string>& outputs) {
  RunResult result;
  try {
    result = work();
    if (rows_ != nullptr && result.status == RunStatus::finished) {
      rows_->commit(true);
      outputs = write_tables(job_.output, true);
    }
  } catch (const UnfinishedRun&) {
    throw;
  } catch (const Error& error) {
    if (rows_ != nullptr && rows_->rows() > 0) rows_->give_up(error, {});
    throw;
  }
  if (result.status == RunStatus::finished) return result;
  // what cannot be written is told together with the end of the run, and the rest is kept
  std::string trouble;
  const auto is_done = [&](const auto& write) {
    try {
      write();
      return true;
    } catch (const Error& error) {
      trouble += fmt::format("; {}", error.what());
      return false;
    }
  };
  const bool is_stopped = result.status == RunStatus::stopped;
  const bool has_state =
      is_stopped && !job_.save_state.empty() && is_done([&]() { save(result.state); });
  is_done([&]() { outputs = keep_unfinished(); });
  if (!is_stopped) {
    result.message += trouble;
    return result;
  }
  std::string where_stopped = fmt::format("at t = {:.6g} s", result.state.time);
  for (const std::string& each : outputs)
    where_stopped += fmt::format(", rows so far in {}", each);
  throw UnfinishedRun(Cancelled(),
                      where_stopped + trouble,
                      has_state
                          ? fmt::format("go on with --resume {}", job_.save_state.string())
                          : "give --save-state FILE to be able to resume a run that was stopped");
}

}  // namespace femflex::tools
