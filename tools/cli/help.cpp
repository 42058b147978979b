// Builds each help text as one string from the option tables: plain text for --help, roff for man
// pages, shell code for completion, Markdown for docs/commands.md.
#include "help.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/version.h"

namespace femflex::cli {
namespace {

std::string head_of(const Option& option) {
  std::string head = option.short_name.empty() ? "    " : option.short_name + ", ";
  head += option.name;
  if (!option.value.empty()) head += " " + option.value;
  if (option.is_repeated) head += "...";
  return head;
}

std::string body_of(const Option& option) {
  std::string body = option.help;
  if (!option.choices.empty()) body += fmt::format(" ({})", fmt::join(option.choices, "|"));
  if (!option.fallback.empty()) body += fmt::format(" [{}]", option.fallback);
  return body;
}

// Breaks `text` at blanks so that lines with an indent of `indent` blanks stay below 100 columns.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = end - at;
    if (column > indent && column + 1 + length > 98) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(at, length);
    column += length;
    at = end + 1;
  }
  return out;
}

std::string option_table(const std::vector<Option>& options) {
  constexpr std::size_t kColumn = 30;
  std::string out;
  for (const Option& option : options) {
    const std::string head = "  " + head_of(option);
    if (head.size() + 2 > kColumn)
      out += head + "\n" + std::string(kColumn, ' ');
    else
      out += head + std::string(kColumn - head.size(), ' ');
    out += wrapped(body_of(option), kColumn) + "\n";
  }
  return out;
}

std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '-')
      out += "\\-";
    else if (c == '\\')
      out += "\\\\";
    else
      out += c;
  }
  return out;
}

std::string roff_options(const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options) {
    std::string head = head_of(option);
    head.erase(0, head.find_first_not_of(' '));
    out += fmt::format(".TP\n.B {}\n{}\n", roff(head), roff(body_of(option)));
  }
  return out;
}

}  // namespace

std::string usage_of(const Verb& verb) {
  return fmt::format(
      "femflex {} [options]{}{}", verb.name, verb.inputs.empty() ? "" : " ", verb.inputs);
}

std::string overview() {
  std::string out = fmt::format(
      "femflex {}: from finite-element output to a moving flexible body\n\n"
      "usage: femflex <verb> [options] input...\n\nverbs:\n",
      kVersion);
  for (const Verb& verb : verbs())
    out += fmt::format("  {:<16}{}\n", verb.name, verb.summary);
  out += "\noptions of every verb:\n" + option_table(common_options());
  out += "\nwithout a verb:\n" +
         option_table({{"--version", "-V", "", "the version of this program", ""}});
  out += "\n'femflex <verb> --help' shows its options and an example.\n";
  return out;
}

std::string help_of(const Verb& verb) {
  std::string out =
      fmt::format("femflex {}: {}\n\nusage: {}\n", verb.name, verb.summary, usage_of(verb));
  if (!verb.options.empty()) out += "\noptions:\n" + option_table(verb.options);
  out += "\noptions of every verb:\n" + option_table(common_options());
  out += verb.examples.size() > 1 ? "\nexamples:\n" : "\nexample:\n";
  for (const std::string& example : verb.examples)
    out += "  " + example + "\n";
  return out;
}

std::string completion_script(const std::string& shell) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs())
    names.push_back(verb.name);
  const auto words_of = [](const Verb& verb) {
    std::vector<std::string> words;
    for (const auto* table : {&verb.options, &common_options()}) {
      for (const Option& option : *table)
        words.push_back(option.name);
    }
    return words;
  };
  if (shell == "bash") {
    std::string out =
        "# bash completion for femflex; source it, or put it in bash_completion.d\n_femflex() {\n"
        "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
        "verb=${COMP_WORDS[1]} words=\n"
        "  COMPREPLY=()\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
    out += fmt::format("    COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))\n    return\n  fi\n",
                       fmt::join(names, " "));
    out += "  case \"$verb:$prev\" in\n";
    for (const Verb& verb : verbs()) {
      for (const Option& option : verb.options) {
        if (option.choices.empty()) continue;
        out += fmt::format("    {}:{}) COMPREPLY=($(compgen -W \"{}\" -- \"$cur\")); return ;;\n",
                           verb.name,
                           option.name,
                           fmt::join(option.choices, " "));
      }
    }
    out += "  esac\n  case \"$verb\" in\n";
    for (const Verb& verb : verbs())
      out += fmt::format("    {}) words=\"{}\" ;;\n", verb.name, fmt::join(words_of(verb), " "));
    out +=
        "  esac\n  case \"$cur\" in\n    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
        "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n  esac\n}\n"
        "complete -o filenames -F _femflex femflex\n";
    return out;
  }
  if (shell == "zsh") {
    std::string out = "#compdef femflex\n_femflex() {\n  local -a verbs\n  verbs=(\n";
    for (const Verb& verb : verbs()) {
      std::string summary = verb.summary;
      std::replace(summary.begin(), summary.end(), '\'', ' ');
      out += fmt::format("    '{}:{}'\n", verb.name, summary);
    }
    out +=
        "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n  case "
        "$words[2] in\n";
    for (const Verb& verb : verbs()) {
      out += fmt::format("    {}) _arguments", verb.name);
      for (const auto* table : {&verb.options, &common_options()}) {
        for (const Option& option : *table) {
          std::string help = option.help;
          std::erase_if(help, [](char c) { return c == '\'' || c == '[' || c == ']' || c == ':'; });
          const std::string action = option.choices.empty()
                                         ? std::string("_files")
                                         : fmt::format("({})", fmt::join(option.choices, " "));
          std::string value = option.value;
          std::replace(value.begin(), value.end(), ':', ' ');
          out += fmt::format(" \\\n      '{}{}[{}]{}'",
                             option.is_repeated ? "*" : "",
                             option.name,
                             help,
                             option.value.empty() ? "" : fmt::format(":{}:{}", value, action));
        }
      }
      out += " \\\n      '*:file:_files' ;;\n";
    }
    out += "  esac\n}\n_femflex \"$@\"\n";
    return out;
  }
  throw UsageError("usage", fmt::format("no completion for '{}'", shell), {}, "known: bash, zsh");
}

std::string man_page(const Verb* verb) {
  const std::string name = verb == nullptr ? "femflex" : "femflex-" + verb->name;
  const std::string summary =
      verb == nullptr ? "from finite-element output to a moving flexible body" : verb->summary;
  std::string out = fmt::format(".TH {} 1 \"\" \"femflex {}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                                roff(name),
                                kVersion,
                                roff(name),
                                roff(summary));
  if (verb == nullptr) {
    out += ".B femflex\n<verb> [options] input...\n.SH VERBS\n";
    for (const Verb& each : verbs())
      out += fmt::format(".TP\n.B {}\n{}\n", roff(each.name), roff(each.summary));
    out += ".SH OPTIONS OF EVERY VERB\n" + roff_options(common_options());
  } else {
    out += fmt::format(".B {}\n", roff(usage_of(*verb)));
    out += ".SH OPTIONS\n" + roff_options(verb->options) + roff_options(common_options());
    out += ".SH EXAMPLES\n.nf\n";
    for (const std::string& example : verb->examples)
      out += roff(example) + "\n";
    out += ".fi\n";
  }
  out +=
      ".SH EXIT STATUS\n0 done; 1 check failed; 2 bad input or usage; 3 could not "
      "compute; 130 stopped.\n";
  return out;
}

std::string command_reference() {
  std::string out =
      "# Command reference\n\nMade by `femflex man --markdown` from the table that the parser "
      "uses.\n\n"
      "`femflex <verb> [options] input...` puts results on stdout and diagnostics on stderr. Exit "
      "codes: "
      "0 done, 1 check failed, 2 bad input or usage, 3 could not compute, 130 "
      "stopped.\n\n"
      "## Options of every verb\n";
  const auto table = [](const std::vector<Option>& options) {
    std::string rows = "\n| option | meaning |\n|---|---|\n";
    for (const Option& option : options) {
      std::string head = head_of(option);
      head.erase(0, head.find_first_not_of(' '));
      std::string body = body_of(option);
      for (std::string* cell : {&head, &body}) {
        std::size_t at = 0;
        while ((at = cell->find('|', at)) != std::string::npos) {
          cell->insert(at, "\\");
          at += 2;
        }
      }
      rows += fmt::format("| `{}` | {} |\n", head, body);
    }
    return rows;
  };
  out += table(common_options());
  for (const Verb& verb : verbs()) {
    out += fmt::format("\n## {}\n{}.\n\n`{}`\n", verb.name, verb.summary, usage_of(verb));
    if (!verb.options.empty()) out += table(verb.options);
    out += "\n```sh\n";
    for (const std::string& example : verb.examples)
      out += example + "\n";
    out += "```\n";
  }
  return out;
}

}  // namespace femflex::cli
