// Splits the lines of ANSYS decks into commands and gives the full names of commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace femflex::importer {

/// The commands of a line, without comments: `$` separates several. Titles and comments are one
/// command with all of their text.
std::vector<std::string_view> ansys_commands(std::string_view line);

/// The name of a command in upper case. Names that the reader of decks knows are given in full:
/// ANSYS reads the first four characters of a name, so that FDEL is FDELE (ANSYS Command Reference,
/// 1.2 Terminology).
std::string ansys_command_name(std::string_view word);

}  // namespace femflex::importer
