// `femflex lattice`: runs a spring-mass model, finds its equilibrium or its buckling load, or
// writes it in another format. Defines the options, the JSON document and the text output.
#include "verbs/lattice.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "commands/document_options.h"
#include "commands/outputs.h"
#include "fields.h"

namespace femflex::cli {
namespace {

using verbs::LatticeRequest;

constexpr int kMaxLoadSteps = 1'000'000;  // each step solves for an equilibrium
constexpr int kMaxDimensions = 1000;  // --dimension: positions of a node, followed by its momenta

[[noreturn]] void refuse_number(const Given& given, double value, const char* fix) {
  throw UsageError("usage", fmt::format("{} is {}", given.option.name, value), {}, fix);
}

double number_given(const Given& given) {
  return number_of(given.value(), given.option.unit, given.option.name);
}

double above_zero(const Given& given) {
  const double value = number_given(given);
  if (!(value > 0.0)) refuse_number(given, value, "give a number above 0");
  return value;
}

int load_steps_of(const Given& given) {
  const double value = above_zero(given);
  if (value > kMaxLoadSteps) refuse_number(given, value, "give a whole number up to 1000000");
  return whole_int(given);
}

int dimension_of(const Given& given) {
  const std::int64_t value = whole_number(given);
  if (value < 1 || value > kMaxDimensions)
    refuse_number(given, static_cast<double>(value), "give a whole number from 1 to 1000");
  return static_cast<int>(value);
}

Outcome run_lattice_verb(const Arguments& arguments, Session& session) {
  if (arguments.has("--units"))
    session.diagnostics.warn("ignored-option",
                             "--units has no effect: a lattice is in m, kg, s and N");
  auto request = request_of<LatticeRequest>(arguments);
  request.lattice = document_input(arguments.input_value());
  request.threads = session.threads;
  request.in_memory = arguments.is_script();
  request.provenance = arguments.summary();
  verbs::LatticeOutcome done = verbs::lattice(request, session.diagnostics, *session.progress);

  Outcome out;
  const std::vector<std::string> written = texts_of(done.written);
  if (!done.is_run) {
    list_outputs(out, written);
    return out;
  }
  out.exit_code = done.run.exit_code;
  out.document = std::move(done.run.document);
  out.text = std::move(done.run.text);
  out.result = std::move(done.run.series);
  for (const std::string& file : written)
    out.document["outputs"].push_back(file);
  return out;
}

std::vector<Option> motion_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "R.h5",
       .help = "the result to write",
       .is_output = true,
       .set = to(&LatticeRequest::output)},
      {.name = "--csv",
       .value = "FILE",
       .help = "the result as a table",
       .is_output = true,
       .set = to(&LatticeRequest::csv)},
      {.name = "--integrator",
       .value = "NAME",
       .help = "the integrator; default: the model's own, else leapfrog",
       .choices = hamiltonian::integrator_names(),
       .set = to(&LatticeRequest::integrator)},
      {.name = "--dt",
       .value = "SECONDS",
       .help = "the step; default: a fifth of the stable step",
       .unit = "s",
       .set = to(at(&LatticeRequest::step), above_zero)},
      {.name = "--end",
       .value = "SECONDS",
       .help = "end of the run; with --statics the time at which loads and motions are taken",
       .unit = "s",
       .set = to(at(&LatticeRequest::end), not_negative)},
      {.name = "--output-step",
       .value = "SECONDS",
       .help = "time between rows; default: a hundred rows in all",
       .unit = "s",
       .set = to(at(&LatticeRequest::output_step), above_zero)},
      {.name = "--force",
       .help = "write the result however large it is",
       .set = to(&LatticeRequest::force)},
      {.name = "--friction",
       .value = "C",
       .help = "force -C v on every node [N s/m], overrides the model's",
       .set = to(at(&LatticeRequest::friction), not_negative)},
      {.name = "--nodes",
       .value = "LIST",
       .help = "nodes to show: 1-20,25",
       .set = to(&LatticeRequest::nodes)},
  };
}

std::vector<Option> channel_options() {
  return {
      {.name = "--show",
       .value = "LIST",
       .help = "more channels: springs, nodes, parts (energies), polar, mass",
       .is_repeated = true,
       .set = to(at(&LatticeRequest::show), names_at_commas)},
      {.name = "--springs",
       .value = "LIST",
       .help = "springs of --show springs, counted from 1: 1-20,25",
       .set = to(&LatticeRequest::springs)},
      {.name = "--group",
       .value = "NAME=LIST",
       .help = "channel NAME/potential: the energy of these springs together",
       .is_repeated = true,
       .set = to(&LatticeRequest::groups)},
      {.name = "--centre",
       .value = "X,Y",
       .help = "centre of --show polar [m]; default: the node that is held",
       .set = to(at(&LatticeRequest::centre), numbers_at_commas)},
      {.name = "--beam",
       .value = "KIND",
       .help = "bending stiffness EI from the deflections of the shown nodes",
       .choices = tools::beam_names(),
       .set = to(&LatticeRequest::beam)},
  };
}

std::vector<Option> equilibrium_options() {
  return {
      {.name = "--statics",
       .help = "the equilibrium under gravity and lasting loads",
       .set = to(&LatticeRequest::statics)},
      {.name = "--stay-on-branch",
       .help = "with --statics: continue past unstable equilibria",
       .set = to(&LatticeRequest::stay_on_branch)},
      {.name = "--load-factor",
       .value = "F",
       .help = "factor on all loads, with --statics",
       .fallback = "1",
       .set = where_given(to(at(&LatticeRequest::load_factor), number_given))},
      {.name = "--load-steps",
       .value = "N",
       .help = "number of steps in which the loads grow, with --statics",
       .fallback = "10",
       .set = where_given(to(at(&LatticeRequest::load_steps), load_steps_of))},
      {.name = "--buckling",
       .help = "the load factor at which stability is lost",
       .set = to(&LatticeRequest::buckling)},
      {.name = "--branch",
       .value = "FILE.csv",
       .help = "the equilibrium path of growing load, past limit points",
       .is_output = true,
       .set = to(&LatticeRequest::branch)},
      {.name = "--largest-factor",
       .value = "F",
       .help = "where --buckling and --branch end",
       .fallback = "10",
       .set = where_given(to(at(&LatticeRequest::largest_factor), above_zero))},
      {.name = "--to-fe",
       .value = "M.fe.h5",
       .help = "K and M at the state reached, or at the start",
       .is_output = true,
       .set = to(&LatticeRequest::to_fe)},
      {.name = "--keep-held",
       .help = "with --to-fe: held DOFs stay in K and M",
       .set = to(&LatticeRequest::keep_held)},
  };
}

std::vector<Option> model_options() {
  return {
      {.name = "--save-state",
       .value = "S.h5",
       .help = "the last state, bit for bit",
       .is_output = true,
       .set = to(&LatticeRequest::save_state)},
      {.name = "--resume",
       .value = "S.h5",
       .help = "start from a saved state",
       .set = to(&LatticeRequest::resume)},
      {.name = "--initial",
       .value = "LIST",
       .help = "start states of a polynomial: 0,0.1,0.3,0",
       .set = to(at(&LatticeRequest::initial), numbers_at_commas)},
      {.name = "--dimension",
       .value = "N",
       .help = "positions in a block of a polynomial's states",
       .fallback = "1",
       .set = where_given(to(at(&LatticeRequest::dimension), dimension_of))},
      {.name = "--rest-from-start",
       .help = "rest lengths of a K/D matrix from the start positions",
       .set = to(&LatticeRequest::rest_from_start)},
      {.name = "--write",
       .value = "FILE",
       .help = "the model as .json, .csv, .fdk or polynomial .txt",
       .is_output = true,
       .set = to(&LatticeRequest::write)},
      {.name = "--to-polynomial",
       .value = "FILE",
       .help = "the Hamiltonian as a polynomial: three arrays (.json) or text (.txt)",
       .is_output = true,
       .set = to(&LatticeRequest::to_polynomial)},
      {.name = "--rtol",
       .value = "R",
       .help = "relative tolerance of dormand-prince",
       .fallback = "1e-8",
       .set = where_given(to(at(&LatticeRequest::relative_tolerance), above_zero))},
      {.name = "--atol",
       .value = "A",
       .help = "absolute tolerance of dormand-prince",
       .fallback = "1e-10",
       .set = where_given(to(at(&LatticeRequest::absolute_tolerance), not_negative))},
  };
}

}  // namespace

Verb lattice_verb() {
  return {.name = "lattice",
          .summary = "runs a spring-mass Hamiltonian model, or finds its equilibrium",
          .inputs = "LATTICE",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options = joined({motion_options(),
                             channel_options(),
                             equilibrium_options(),
                             model_options(),
                             document_rows(&LatticeRequest::document)}),
          .examples = {"femflex lattice chain.json -o chain.h5 --end 10",
                       "femflex lattice bridge.json --statics --json",
                       "femflex lattice bridge.json --set parameters.k=2e5 --variant slender"},
          .run = run_lattice_verb,
          .takes_documents = true,
          .hands_over = true};
}

}  // namespace femflex::cli
