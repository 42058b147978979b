// Finds the verb of the command line in the table of verbs.cpp, runs it, prints its outcome or
// error, and returns the exit code.
#include "program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_messages.h"
#include "femflex/version.h"

#include "arguments.h"
#include "colours.h"
#include "document/error_json.h"
#include "help.h"
#include "interrupts.h"
#include "progress_bar.h"
#include "results/outputs.h"
#include "session.h"
#include "tell.h"
#include "verbs.h"

namespace femflex::cli {
namespace {

// Prints a result on stdout.
// @return `exit_code`, or 2 if stdout could not take the whole text (for example if the disk is
// full)
int print(const std::string& text, int exit_code) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (is_written && std::fflush(stdout) == 0) return exit_code;
  if (errno == EPIPE) {  // a program such as `head` needs no more output: end silently, as other
                         // programs do
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  tell("femflex: standard output took only a part of the result; check the disk\n");
  return 2;
}

// Called by the thread that waits for signals while the work is still running.
[[noreturn]] void end_now(const Arguments& arguments) {
  std::string note;
  for (const std::filesystem::path& file : tools::keep_unfinished_outputs(arguments.output_files()))
    note += fmt::format("{}rows so far are in {}", note.empty() ? "" : ", ", file.string());
  const tools::UnfinishedRun stopped(Cancelled(), note, {});
  tell(fmt::format("{} {}\n", error_mark(), stopped.what()));
  if (arguments.has("--json")) print(tools::error_document(stopped).dump(), 0);
  ::_exit(tools::exit_code_of(stopped));
}

// Moves the verb to the front if options precede it: `femflex --json info a.op4`.
std::vector<std::string> verb_first(std::vector<std::string> words) {
  std::size_t at = 0;
  while (at < words.size() && words[at].size() > 1 && words[at][0] == '-') {
    const auto& table = common_options();
    const auto known = std::find_if(table.begin(), table.end(), [&](const Option& option) {
      return option.name == words[at] ||
             (!option.short_name.empty() && option.short_name == words[at]);
    });
    at += known != table.end() && !known->value.empty() ? 2 : 1;
  }
  if (at > 0 && at < words.size()) {
    const std::string verb = words[at];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
    words.insert(words.begin(), verb);
  }
  return words;
}

// @return the exit code
// @throws Error  an error of the verb
int run(const std::vector<std::string>& typed, const modal::FactorMaker& factor_maker) {
  const std::vector<std::string> words = verb_first(typed);
  const auto has_word = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (words.empty()) {
    tell(overview());
    return 2;
  }
  if (words[0] == "--version" || words[0] == "-V" || words[0] == "version")
    return print(fmt::format("femflex {}\n", kVersion), 0);
  if (words[0] == "--help" || words[0] == "-h" || (words[0] == "help" && words.size() == 1))
    return print(overview(), 0);
  if (words[0] == "help") return print(help_of(find_verb(words[1])), 0);
  const Verb& verb = find_verb(words[0]);
  if (has_word("--help") || has_word("-h")) return print(help_of(verb), 0);

  const Arguments arguments = parse_arguments(verb, {words.begin() + 1, words.end()});
  const InterruptWatch watch([&]() { end_now(arguments); });
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  ProgressBar progress(is_terminal && !arguments.has("--quiet"));
  Session session = session_for(arguments, progress);
  session.factor_maker = factor_maker;
  Outcome outcome;
  try {
    outcome = run_verb(verb, arguments, session);
  } catch (const std::exception&) {
    progress.end();
    throw;
  }
  progress.end();
  print_warnings(session);
  if (!session.is_json) return print(outcome.text, outcome.exit_code);
  if (outcome.document.find("warnings") == nullptr)
    outcome.document["warnings"] = tools::warnings_json(session.diagnostics);
  return print(outcome.document.dump(), outcome.exit_code);
}

}  // namespace

int run_program(const std::vector<std::string>& words, const modal::FactorMaker& factor_maker) {
  reserve_standard_streams();
  io::silence_hdf5();
  const bool is_json = std::find(words.begin(), words.end(), "--json") != words.end();
  try {
    return run(words, factor_maker);
  } catch (const Error& error) {
    return report_error(error, is_json);
  } catch (const std::exception& error) {
    const tools::Json document = tools::error_document(error);
    tell(fmt::format("{} {}\n", error_mark(), document.find("error")->find("message")->text()));
    return is_json ? print(document.dump(), 3) : 3;
  }
}

int report_error(const Error& error, bool is_json) {
  tell(fmt::format("{} {}\n", error_mark(), error.what()));
  const int code = tools::exit_code_of(error);
  return is_json ? print(tools::error_document(error).dump(), code) : code;
}

}  // namespace femflex::cli
