// All help texts of the program: --help, usage lines, man pages, shell completion and the command
// reference, made from the option tables of the verbs.
#pragma once

#include <string>

#include "verbs.h"

namespace femflex::cli {

/// What `femflex --help` prints.
std::string overview();
/// What `femflex VERB --help` prints.
std::string help_of(const Verb& verb);
/// "femflex import [options] FILE..."
std::string usage_of(const Verb& verb);

/// Completion script; @throws UsageError for a shell other than bash or zsh
std::string completion_script(const std::string& shell);
/// A page for man(1): of one verb, or of the program if `verb` is null.
std::string man_page(const Verb* verb);
/// The command reference of the documentation, Markdown.
std::string command_reference();

}  // namespace femflex::cli
