// All help texts of the program, made from the option tables of the verbs: --help, usage lines, man
// pages, shell completion and the command reference.
#pragma once

#include <string>

#include "verbs.h"

namespace femflex::cli {

/// The output of `femflex --help`.
std::string overview();
/// The output of `femflex VERB --help`.
std::string help_of(const Verb& verb);
/// "femflex import [options] FILE..."
std::string usage_of(const Verb& verb);

/// Completion script.
/// @throws UsageError  a shell other than bash or zsh
std::string completion_script(const std::string& shell);
/// A manual page of one verb, or of the program if `verb` is null.
std::string man_page(const Verb* verb);
/// The command reference of the documentation, in Markdown.
std::string command_reference();

}  // namespace femflex::cli
