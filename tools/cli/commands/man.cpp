// `femflex man` and `femflex completion`: print manual pages, the command reference and completion
// scripts for shells.
#include "arguments.h"
#include "help.h"

namespace femflex::cli {
namespace {

Outcome run_man(const Arguments& arguments, Session& /*session*/) {
  Outcome out;
  if (arguments.has("--markdown"))
    out.text = command_reference();
  else
    out.text = man_page(arguments.inputs().empty() ? nullptr : &find_verb(arguments.input()));
  out.document["text"] = out.text;
  return out;
}

Outcome run_completion(const Arguments& arguments, Session& /*session*/) {
  Outcome out;
  out.text = completion_script(arguments.input());
  out.document["text"] = out.text;
  return out;
}

}  // namespace

Verb man_verb() {
  return {"man",
          "prints the manual page of a verb, or of the program",
          "[VERB]",
          0,
          1,
          {{"--markdown", "", "", "the whole command reference as Markdown", ""}},
          {"femflex man import | man -l -"},
          run_man};
}

Verb completion_verb() {
  return {"completion",
          "prints the completion script for a shell",
          "bash|zsh",
          1,
          1,
          {},
          {"femflex completion bash > /etc/bash_completion.d/femflex"},
          run_completion};
}

}  // namespace femflex::cli
