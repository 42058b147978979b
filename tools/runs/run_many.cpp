// Runs all rows of a table in parallel. Threads take the next row from a counter; the caller's
// thread shows the progress and forwards a request to stop. Rows are sorted at the end.
#include "runs/run_many.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/sha256.h"
#include "femflex/number.h"
#include "femflex/parallel.h"

#include "results/outputs.h"
#include "results/results_file.h"
#include "runs/history_sink.h"
#include "runs/run_journal.h"
#include "runs/vary_system.h"
#include "system/loaded_system.h"

namespace femflex::tools {
namespace {

/// Forwards a request to stop to a run on another thread.
class StopFlag : public Progress {
 public:
  bool stop_requested() const override { return stops_.load(std::memory_order_relaxed); }
  void stop() { stops_ = true; }

 private:
  std::atomic<bool> stops_{false};
};

/// Thrown if no run of this system can provide a measure; the study then ends.
class BadMeasure : public std::exception {
 public:
  explicit BadMeasure(UsageError error) : error_(std::move(error)) {}  // NOLINT: it keeps one
  const UsageError& error() const { return error_; }

 private:
  UsageError error_;
};

std::string history_name(std::int64_t index) {
  return fmt::format("row-{:06}.h5", index);
}

/// Runs rows of a table on several threads.
class RunCrew {
 public:
  RunCrew(VariedSystem& system, const RunsOptions& options, const RunTable& table)
      : system_(system), options_(options), table_(table) {}

  /// Runs the rows `missing`, which contain only samples and keys. Adds each finished row to `done`
  /// and the journal.
  /// @return false if the user stopped the study
  bool run(const std::vector<RunRow>& missing,
           RunJournal* journal,
           std::vector<RunRow>& done,
           Diagnostics& diagnostics,
           Progress& progress) {
    const std::size_t threads = thread_count(missing.size());
    progress.begin("runs", static_cast<double>(missing.size()), "runs");
    {
      std::vector<std::jthread> crew;
      const StopAtExit at_exit{flag_};  // set before the threads are joined, even after an
                                        // exception
      for (std::size_t k = 0; k < threads; ++k)
        crew.emplace_back([&]() { work(missing, journal, done); });
      watch(missing.size(), done, progress);
      for (std::jthread& each : crew)
        each.join();
    }
    if (error_) std::rethrow_exception(error_);
    progress.end();
    tell_warnings(diagnostics);
    return done.size() >= missing.size();
  }

 private:
  struct StopAtExit {  // NOLINT: never copied
    StopFlag& flag;
    ~StopAtExit() { flag.stop(); }
  };

  std::size_t thread_count(std::size_t rows) const {
    const auto wanted = options_.threads > 0 ? static_cast<unsigned>(options_.threads)
                                             : std::max(1U, std::thread::hardware_concurrency());
    return std::min<std::size_t>(wanted, rows);
  }

  void watch(std::size_t count, const std::vector<RunRow>& done, Progress& progress) {
    using namespace std::chrono_literals;
    std::unique_lock<std::mutex> lock(guard_);
    while (done.size() < count && !error_ && !is_stopped_) {
      changed_.wait_for(lock, 50ms);
      const auto finished = static_cast<double>(done.size());
      lock.unlock();
      progress.update(finished);
      if (progress.stop_requested()) {
        flag_.stop();
        is_stopped_ = true;
      }
      lock.lock();
    }
  }

  void work(const std::vector<RunRow>& missing, RunJournal* journal, std::vector<RunRow>& done) {
    try {
      for (std::size_t i = next_++; i < missing.size() && !flag_.stop_requested(); i = next_++) {
        RunRow row = missing[i];
        std::optional<Warning> warning;
        if (!make(row, warning)) return;
        const std::lock_guard<std::mutex> lock(guard_);
        if (journal != nullptr) journal->append(row);
        if (warning) warnings_.emplace(row.index, *std::move(warning));
        done.push_back(std::move(row));
        changed_.notify_one();
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard_);
      if (!error_) error_ = std::current_exception();
      flag_.stop();
      changed_.notify_one();
    }
  }

  /// Runs a row.  @return false if the run was stopped
  bool make(RunRow& row, std::optional<Warning>& warning) {
    Diagnostics diagnostics;
    try {
      const SystemDocument document = system_.at(table_, row.samples, diagnostics, flag_);
      row.measures = options_.histories.empty() ? measured(document, diagnostics)
                                                : measured_and_kept(document, row, diagnostics);
      for (std::size_t m = 0; m < row.measures.size(); ++m)
        if (!std::isfinite(row.measures[m]))
          throw NumericalError("not-finite",
                               fmt::format("{} is not a finite number", table_.measures[m].name));
    } catch (const Cancelled&) {
      return false;
    } catch (const BadMeasure& bad) {
      throw bad.error();
    } catch (const std::exception& failure) {
      if (flag_.stop_requested()) return false;
      row.measures.clear();
      row.failure = failure.what();
    }
    if (!diagnostics.empty()) warning = diagnostics.warnings().front();
    return true;
  }

  std::vector<double> measured(const SystemDocument& document, Diagnostics& diagnostics) {
    HistorySink sink;
    const RunReport report = run_analyses(document, options_.overrides, sink, diagnostics, flag_);
    return measures_of(report, sink);
  }

  std::vector<double> measures_of(const RunReport& report, const HistorySink& sink) const {
    std::vector<double> out;
    for (const RunMeasure& measure : table_.measures) {
      try {
        out.push_back(measure.is_of_modes()
                          ? measure_of(measure, report.modes)
                          : measure_of(measure, sink.time(), sink.column(measure.channel)));
      } catch (const UsageError& error) {
        throw BadMeasure(error);
      }
    }
    return out;
  }

  /// As measured(); also writes the result of the run to a file.
  std::vector<double> measured_and_kept(const SystemDocument& document,
                                        const RunRow& row,
                                        Diagnostics& diagnostics) {
    RunOverrides overrides = options_.overrides;
    const std::string text = fmt::format("study, row {}", row.index);
    const RunReport report = run_system(document, overrides, {}, text, diagnostics, flag_);
    HistorySink sink;
    sink.begin(report.series->channels);
    std::vector<double> values(report.series->channels.size());
    for (Eigen::Index r = 0; r < report.series->time.size(); ++r) {
      for (std::size_t c = 0; c < values.size(); ++c)
        values[c] = report.series->values(r, static_cast<Eigen::Index>(c));
      sink.append(report.series->time(r), values);
    }
    {
      const auto lock = system_.lock_files();
      write_results(*report.series, options_.histories / history_name(row.index), text);
    }
    return measures_of(report, sink);
  }

  /// Reports each kind of warning once, with the first run that gave it and the number of others.
  void tell_warnings(Diagnostics& diagnostics) const {
    std::map<std::string, std::vector<std::int64_t>> rows;  // by code
    for (const auto& [index, warning] : warnings_)
      rows[warning.code].push_back(index);
    for (const auto& [code, indices] : rows) {
      const Warning& first = warnings_.at(indices.front());
      const std::string others =
          indices.size() < 2 ? ""
          : indices.size() == 2
              ? "; one more run warns of the same"
              : fmt::format("; {} more runs warn of the same", indices.size() - 1);
      diagnostics.warn(
          code, fmt::format("row {}: {}{}", indices.front(), first.message, others), first.where);
    }
  }

  VariedSystem& system_;
  const RunsOptions& options_;
  const RunTable& table_;
  StopFlag flag_;
  std::atomic<std::size_t> next_{0};
  std::mutex guard_;
  std::condition_variable changed_;
  std::exception_ptr error_;  // rethrown in the caller's thread
  bool is_stopped_ = false;
  std::map<std::int64_t, Warning> warnings_;  // first warning of each row
};

/// Sets parameters and sample rule of the table. Returns the samples if a table file contains them.
RunSamples plan(const RunsOptions& options, RunTable& table) {
  if (!options.table.empty()) {
    if (!options.vary.empty() || !options.sample.empty())
      throw UsageError("usage", "--table has all values: leave --vary and --sample out");
    SampleTable read = read_sample_table(options.table);
    table.parameters = std::move(read.parameters);
    table.sample.kind = SampleRule::Kind::table;
    table.sample.counts = {read.values.rows()};
    return std::move(read.values);
  }
  for (const std::string& each : options.vary)
    table.parameters.push_back(parse_vary(each));
  if (table.parameters.empty())
    throw UsageError("usage", "nothing is varied", {}, "add --vary NAME=LOW:HIGH, or --table FILE");
  if (options.sample.empty())
    throw UsageError("usage",
                     "--vary needs --sample",
                     {},
                     "add --sample lhs:100; or random, sobol, saltelli, grid");
  table.sample = parse_sample(options.sample);
  table.sample.seed = static_cast<std::uint64_t>(options.seed);
  return {};
}

/// Rows finished by an earlier call, by key.
std::map<std::string, RunRow> finished_rows(const RunsOptions& options) {
  std::map<std::string, RunRow> out;
  if (options.output.empty()) return out;
  // a process killed before its first row leaves an empty file
  const auto has_rows = [](const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) && std::filesystem::file_size(path, ignored) > 0;
  };
  const std::filesystem::path journal = journal_of(options.output);
  const bool has_journal = has_rows(journal);
  if (!options.resume) {
    if (has_journal)
      throw UsageError("unfinished",
                       "holds rows of a study that was stopped",
                       {journal.string()},
                       "go on with --resume, or remove the file to begin again");
    return out;
  }
  for (const std::filesystem::path& path : {options.output, journal}) {
    if (!has_rows(path)) continue;
    for (RunRow& row : read_run_table(path).rows)
      out.insert_or_assign(row.key, std::move(row));
  }
  return out;
}

/// Adds the finished rows of this shard to the table, and returns the other rows of the shard.
std::vector<RunRow> rows_to_make(const RunSamples& samples,
                                 const RunsOptions& options,
                                 const std::map<std::string, RunRow>& finished,
                                 RunTable& table) {
  std::vector<RunRow> missing;
  for (Eigen::Index r = options.shard.part; r < samples.rows(); r += options.shard.parts) {
    RunRow row;
    row.index = r;
    row.samples.assign(samples.row(r).begin(), samples.row(r).end());
    row.key = key_of(table, row.samples);
    const auto found = finished.find(row.key);
    std::error_code ignored;
    const bool has_history = options.histories.empty() ||
                             std::filesystem::exists(options.histories / history_name(r), ignored);
    if (found == finished.end() || (found->second.failure.empty() && !has_history)) {
      missing.push_back(std::move(row));
      continue;
    }
    row.measures = found->second.measures;
    row.failure = found->second.failure;
    table.rows.push_back(std::move(row));
  }
  return missing;
}

}  // namespace

void read_measures(const std::vector<std::string>& texts, RunTable& table) {
  if (texts.empty())
    throw UsageError("usage",
                     "nothing is measured",
                     {},
                     "add --measure max:CHANNEL; the channels are those of \"outputs\"");
  std::set<std::string> names{"row", "failure"};  // columns of every table
  const auto add = [&](const char* code, const std::string& name, const char* fix) {
    if (!names.insert(name).second)
      throw UsageError(code, fmt::format("two columns are called '{}'", name), {}, fix);
  };
  for (const RunParameter& each : table.parameters)
    add("parameter", each.name, "give the parameter another name in the system");
  for (const std::string& text : texts) {
    table.measures.push_back(parse_measure(text));
    add("measure", table.measures.back().name, "name one: --measure NAME=max:CHANNEL");
  }
}

RunShard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto part = parse_integer(text.substr(0, slash));
  const auto parts =
      slash == std::string::npos ? std::nullopt : parse_integer(text.substr(slash + 1));
  if (!part || !parts || *part < 1 || *parts < *part)
    throw UsageError("shard",
                     fmt::format("--shard {}: not a part of a whole", text),
                     {},
                     "write 1/4, 2/4, 3/4 and 4/4");
  return {*part - 1, *parts};
}

std::vector<DocumentChange> changes_of(const RunTable& table, const RunRow& row) {
  std::vector<DocumentChange> out;
  for (std::size_t p = 0; p < row.samples.size(); ++p)
    if (!table.parameters[p].path.empty())
      out.push_back({table.parameters[p].path, table.parameters[p].value(row.samples[p])});
  return out;
}

RunTable run_many(const DocumentInput& system,
                  const RunsOptions& options,
                  Diagnostics& diagnostics,
                  Progress& progress) {
  const DenseThreads one_thread(1);  // each run has one thread, so the order of sums does not
                                     // change
  RunTable table;
  RunSamples samples = plan(options, table);
  read_measures(options.measure, table);
  std::optional<VariedSystem> read;
  try {
    read.emplace(
        system, options.document, !options.histories.empty(), table, diagnostics, progress);
  } catch (const UsageError& error) {
    if (options.table.empty() || error.code() != "vary") throw;
    throw UsageError(error.code(), error.message(), {options.table.string()}, error.fix());
  }
  VariedSystem& varied = *read;
  check_overrides(table, options.overrides);
  if (table.sample.kind != SampleRule::Kind::table)
    samples = samples_of(table.sample, table.parameters);
  table.total = samples.rows();
  const RunOverrides& over = options.overrides;
  table.model = io::sha256_of(fmt::format("{} end={} step={} output_step={} integrator={}",
                                          table.model,
                                          over.end.value_or(0.0),
                                          over.step.value_or(0.0),
                                          over.output_step.value_or(0.0),
                                          over.integrator));
  const std::map<std::string, RunRow> finished = finished_rows(options);
  const std::vector<RunRow> missing = rows_to_make(samples, options, finished, table);
  if (!finished.empty() && table.rows.empty())
    diagnostics.warn("other-rows",
                     fmt::format("none of the {} rows that are there belongs to this model, these "
                                 "measures and these parameters",
                                 finished.size()));
  make_folder(options.histories);
  std::optional<RunJournal> journal;
  if (!options.output.empty())
    static_cast<void>(io::AtomicFile(options.output));  // throws now if the file cannot be written
  if (!options.output.empty()) journal.emplace(journal_of(options.output), table);
  std::vector<RunRow> done;
  bool is_finished = false;
  try {
    is_finished = RunCrew(varied, options, table)
                      .run(missing, journal ? &*journal : nullptr, done, diagnostics, progress);
  } catch (const UsageError&) {  // no run can have such a measure: there is nothing to resume
    if (journal && done.empty() && table.rows.empty()) journal->remove();
    throw;
  }
  for (RunRow& row : done)
    table.rows.push_back(std::move(row));
  std::sort(table.rows.begin(), table.rows.end(), [](const RunRow& a, const RunRow& b) {
    return a.index < b.index;
  });
  if (!is_finished) {
    if (!journal) throw Cancelled();
    throw UnfinishedRun(Cancelled(),
                        fmt::format("{} of {} runs are in {}",
                                    table.rows.size(),
                                    table.rows.size() + missing.size() - done.size(),
                                    journal_of(options.output).string()),
                        "go on with --resume");
  }
  if (journal) {
    write_run_table(table, options.output);
    journal->remove();
  }
  return table;
}

}  // namespace femflex::tools
