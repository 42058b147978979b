#include <algorithm>
#include <filesystem>

#include "femflex/errors.h"
#include "femflex/number_list.h"

#include "arguments.h"
#include "commands/lattice_options.h"
#include "lattice/run_lattice.h"

namespace femflex::cli {
namespace {

using namespace hamiltonian;

/// "0.1, 0.2, 0, 0": the states of a polynomial.
std::vector<double> states_of(const std::string& text) {
  std::vector<double> out;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    out.push_back(number_of(text.substr(at, end - at), "", "--initial"));
    at = end + 1;
  }
  return out;
}

/// What the command line says about the model and how to run it counts, before what its file says.
void override_document(const Arguments& arguments, tools::LatticeDocument& document) {
  document.lattice.friction =
      arguments.maybe_number("--friction").value_or(document.lattice.friction);
  document.lattice.step = arguments.maybe_number("--dt", "s").value_or(document.lattice.step);
  document.end = arguments.maybe_number("--end", "s").value_or(document.end);
  document.output_step =
      arguments.maybe_number("--output-step", "s").value_or(document.output_step);
  if (arguments.has("--integrator")) document.integrator = arguments.text("--integrator");
}

/// The rows of a table while the run goes on; beside it, unless it is a device or a pipe.
std::filesystem::path rows_on_the_way_to(const std::filesystem::path& table) {
  namespace fs = std::filesystem;
  const std::string name = table.filename().string() + ".part.h5";
  std::error_code fault;
  const bool is_file = fs::is_regular_file(table, fault) || !fs::exists(table, fault);
  return is_file ? table.parent_path() / name : fs::temp_directory_path() / name;
}

tools::LatticeJob job_of(const Arguments& arguments,
                         const tools::LatticeDocument& document,
                         int threads) {
  tools::LatticeJob job;
  if (!document.integrator.empty()) job.run.integrator = parse_integrator(document.integrator);
  job.run.step = document.lattice.step;
  job.run.step_is_advice = !arguments.has("--dt");
  job.run.end = document.end;
  job.run.output_step = document.output_step;
  job.run.relative_tolerance = arguments.number("--rtol");
  job.run.absolute_tolerance = arguments.number("--atol");
  if (threads > 0) job.run.threads = threads;
  job.statics = arguments.has("--statics");
  job.any_equilibrium = arguments.has("--stay-on-branch");
  job.buckling = arguments.has("--buckling");
  job.load_factor = arguments.number("--load-factor");
  job.load_steps = static_cast<int>(arguments.integer("--load-steps"));
  job.largest_factor = arguments.number("--largest-factor");
  if (arguments.has("--nodes")) job.nodes = parse_number_list(arguments.text("--nodes"));
  job.force = arguments.has("--force");
  job.output = arguments.text("--output");
  job.csv = arguments.text("--csv");
  if (!job.csv.empty() && job.output.empty()) {
    job.output = rows_on_the_way_to(job.csv);
    job.keep_output = false;
  }
  job.to_fe = arguments.text("--to-fe");
  job.keep_held = arguments.has("--keep-held");
  job.save_state = arguments.text("--save-state");
  job.resume = arguments.text("--resume");
  job.branch = arguments.text("--branch");
  job.summary = arguments.summary();
  return job;
}

Outcome run_lattice_verb(const Arguments& arguments, Session& session) {
  check_lattice_numbers(arguments);
  tools::LatticeReadOptions reading;
  reading.rest_lengths_from_start = arguments.has("--rest-from-start");
  reading.polynomial_dimension = static_cast<int>(arguments.integer("--dimension"));
  tools::AnyLattice lattice = tools::read_any_lattice(arguments.input(), reading);
  for (const Warning& warning : lattice.document.warnings.warnings())
    session.diagnostics.warn(warning.code, warning.message, warning.where);
  override_document(arguments, lattice.document);
  tools::LatticeJob job = job_of(arguments, lattice.document, session.threads);

  std::vector<std::string> written;
  if (arguments.has("--write")) {
    tools::write_lattice(lattice, arguments.text("--write"), session.diagnostics);
    written.push_back(arguments.text("--write"));
    const bool is_all = !job.statics && !job.buckling && job.branch.empty() && job.to_fe.empty() &&
                        job.output.empty() && job.save_state.empty() && !arguments.has("--end");
    if (is_all) {
      Outcome out;
      out.document["outputs"] = written;
      out.text = written[0] + "\n";
      return out;
    }
  }
  check_lattice_options(arguments, lattice, job, session.diagnostics);
  if (lattice.polynomial && arguments.has("--initial")) {
    const PolynomialSystem system(*lattice.polynomial);
    job.initial = system.state(states_of(arguments.text("--initial")));
  }
  tools::LatticeOutcome done =
      tools::run_lattice(lattice, job, session.diagnostics, *session.progress);
  Outcome out;
  out.exit_code = done.exit_code;
  out.document = std::move(done.document);
  out.text = std::move(done.text);
  for (const std::string& each : written)
    out.document["outputs"].push_back(each);
  return out;
}

}  // namespace

Verb lattice_verb() {
  return {
      "lattice",
      "moves a spring-mass Hamiltonian model, or finds its rest",
      "LATTICE",
      1,
      1,
      {writes({"--output", "-o", "R.h5", "the result to write", ""}),
       writes({"--csv", "", "FILE", "the result as a table", ""}),
       {"--integrator",
        "",
        "NAME",
        "the method; leapfrog where nothing says otherwise",
        "",
        false,
        integrator_names()},
       {"--dt", "", "SECONDS", "the step; without one a fifth of the stable step", ""},
       {"--end",
        "",
        "SECONDS",
        "end of the run; with --statics the time at which loads and motions are taken",
        ""},
       {"--output-step", "", "SECONDS", "time between rows; without one a hundred rows", ""},
       {"--force", "", "", "write the result however large it is", ""},
       {"--friction", "", "C", "force -C v on every node [N s/m], overrides the model's", ""},
       {"--nodes", "", "LIST", "nodes to show: 1-20,25", ""},
       {"--statics", "", "", "the equilibrium under gravity and lasting loads", ""},
       {"--stay-on-branch",
        "",
        "",
        "with --statics: follow the loads though the rest is unstable",
        ""},
       {"--load-factor", "", "F", "times all loads, with --statics", "1"},
       {"--load-steps", "", "N", "the loads grow in N parts, with --statics", "10"},
       {"--buckling", "", "", "the load factor at which stability is lost", ""},
       writes({"--branch",
               "",
               "FILE.csv",
               "the equilibrium path of growing load, past limit points",
               ""}),
       {"--largest-factor", "", "F", "where --buckling and --branch end", "10"},
       writes({"--to-fe", "", "M.fe.h5", "K and M at the state reached, or at the start", ""}),
       {"--keep-held", "", "", "with --to-fe: held DOFs stay in K and M", ""},
       writes({"--save-state", "", "S.h5", "the last state, bit for bit", ""}),
       {"--resume", "", "S.h5", "start from a saved state", ""},
       {"--initial", "", "LIST", "start states of a polynomial: 0,0.1,0.3,0", ""},
       {"--dimension", "", "N", "positions in a block of a polynomial's states", "1"},
       {"--rest-from-start", "", "", "rest lengths of a K/D matrix from the start positions", ""},
       writes({"--write", "", "FILE", "the model as .json, .csv, .fdk or polynomial .txt", ""}),
       {"--rtol", "", "R", "relative tolerance of dormand-prince", "1e-8"},
       {"--atol", "", "A", "absolute tolerance of dormand-prince", "1e-10"}},
      {"femflex lattice chain.json -o chain.h5 --end 10",
       "femflex lattice bridge.json --statics --json"},
      run_lattice_verb};
}

}  // namespace femflex::cli
