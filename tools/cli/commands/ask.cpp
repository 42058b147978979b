// `femflex ask`: the options, and how the outcome is shown: poles and responses of a part that an
// agent offers, or the list of the parts of an agent or a registry.
#include "verbs/ask.h"

#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "commands/assembly_outcome.h"
#include "fields.h"

namespace femflex::cli {
namespace {

using verbs::AskRequest;

/// The timeout [s]. More than an hour is rejected as a mistake, as for `serve`.
double timeout_of(const Given& given) {
  constexpr double kMaxTimeout = 3600.0;
  const double seconds = positive(given);
  if (seconds > kMaxTimeout)
    throw UsageError(
        "usage",
        fmt::format("{}: {} s is not between 0 and {}", given.option.name, seconds, kMaxTimeout));
  return seconds;
}

/// Refuses options with a default that have no effect in this call; verbs::ask() refuses the
/// others.
/// @throws UsageError
void refuse_idle_options(const Arguments& arguments) {
  const bool has_history = arguments.has("--step") || arguments.has("--impulse");
  const auto refuse_if = [&](bool is_idle, const char* name, const char* purpose, const char* fix) {
    if (is_idle && arguments.has(name))
      throw UsageError("usage", fmt::format("{} belongs to {}", name, purpose), {}, fix);
  };
  refuse_if(!arguments.has("--frf"), "--points", "a frequency response", "add --frf F-F");
  refuse_if(!has_history, "--force", "a response over time", "add --step or --impulse");
  refuse_if(!has_history && !arguments.has("--frf"),
            "--ports",
            "a response",
            "add --frf, --step or --impulse");
}

Outcome run_ask(const Arguments& arguments, Session& session) {
  refuse_idle_options(arguments);
  auto request = request_of<AskRequest>(arguments);
  request.place = arguments.input();
  const bool has_part = !request.part.empty();
  if (!has_part && arguments.has("--page"))
    throw UsageError("usage", "--page shows one part", {}, "name it: --part NUMBER");
  tools::AssemblyResult done = verbs::ask(request, session.diagnostics, *session.progress);
  return outcome_of(std::move(done),
                    {request.output, request.csv, request.frf_csv},
                    request.place,
                    arguments,
                    session);
}

std::vector<Option> place_options() {
  return {
      {.name = "--part",
       .value = "NUMBER",
       .help = "the part; default: list the parts that are there",
       .set = to(&AskRequest::part)},
      {.name = "--registry",
       .help = "the address is that of a registry, which knows the agent of each part",
       .set = to(&AskRequest::is_registry)},
      {.name = "--token-env",
       .value = "NAME",
       .help =
           "environment variable with the token of the agent, or of the registry without --part",
       .set = to(&AskRequest::token_env)},
      {.name = "--ca",
       .value = "FILE",
       .help = "certificates trusted for https://, PEM; default: the system's",
       .set = to(&AskRequest::ca)},
      {.name = "--agent-timeout",
       .value = "S",
       .help = "longest wait for the agent",
       .fallback = "5",
       .unit = "s",
       .set = to(at(&AskRequest::timeout), timeout_of)},
  };
}

std::vector<Option> request_options() {
  return {
      {.name = "--ports",
       .value = "IN,OUT",
       .help = "a force at the first port, displacements at the others",
       .set = to(&AskRequest::ports)},
      {.name = "--fixed",
       .value = "LIST",
       .help = "ports that are held: 1-3,8",
       .set = to(&AskRequest::fixed)},
      {.name = "--frf",
       .value = "F-F",
       .help = "frequency response in this band: 0-100Hz; from 0: from a thousandth of its end",
       .set = to(at(&AskRequest::band), modal::parse_band)},
      {.name = "--points",
       .value = "N",
       .help = "with --frf: how many frequencies, evenly spaced on a logarithmic axis",
       .fallback = "200",
       .set = to(at(&AskRequest::points), frequency_count)},
      {.name = "--step",
       .help = "response to a force that is constant from t = 0 on",
       .set = to(&AskRequest::step)},
      {.name = "--impulse",
       .help = "response to an impulse at t = 0, of --force in N s",
       .set = to(&AskRequest::impulse)},
      {.name = "--force",
       .value = "N",
       .help = "the force of --step [N], the impulse of --impulse [N s]",
       .fallback = "1",
       .unit = "N",
       .set = to(&AskRequest::force)},
      {.name = "--end",
       .value = "S",
       .help = "with --step, --impulse: last time",
       .unit = "s",
       .set = to(at(&AskRequest::end), positive)},
      {.name = "--dt",
       .value = "S",
       .help = "with --step, --impulse: time between samples; default: a thousandth of --end",
       .unit = "s",
       .set = to(at(&AskRequest::dt), positive)},
  };
}

}  // namespace

Verb ask_verb() {
  return {.name = "ask",
          .summary = "asks an agent or a registry about a part: poles, responses",
          .inputs = "URL|DIRECTORY.json",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options =
              joined({place_options(), request_options(), assembly_output_options<AskRequest>()}),
          .examples = {"femflex ask http://127.0.0.1:8081",
                       "femflex ask http://127.0.0.1:8081 --part BB3x6 --ports 1,2 --frf 0-100Hz "
                       "--page bar.html",
                       "femflex ask directory.json --part BB3x6 --fixed 1 --ports 2 --step --end "
                       "0.1 --csv step.csv"},
          .run = run_ask};
}

}  // namespace femflex::cli
