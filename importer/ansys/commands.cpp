// Command names by their first four characters, and the separator of commands on one line.
#include "ansys/commands.h"

#include <algorithm>
#include <array>

#include "femflex/text.h"

namespace femflex::importer {
namespace {

/// Number of characters by which commands differ.
constexpr std::size_t kSignificant = 4;

/// Names with four characters or more that the reader of decks knows.
constexpr std::array<std::string_view, 33> kNames{
    "/TITLE", "/UNITS", "ACEL",  "ALLSEL",  "CEINTF", "CERIG",   "CMBLOCK", "CMDELE", "CMOMEGA",
    "CMSEL",  "CPINTF", "DDELE", "EBLOCK",  "EGEN",   "ETBLOCK", "FCUM",    "FDELE",  "FSCALE",
    "MPDATA", "NBLOCK", "NGEN",  "NROTAT",  "NSEL",   "NSLA",    "NSLE",    "NSLK",   "NSLL",
    "NSLV",   "OMEGA",  "RBE3",  "RLBLOCK", "SFBEAM", "SOLVE"};

std::string_view significant(std::string_view name) {
  return name.substr(0, kSignificant);
}

/// True for a comment or a title: all that follows the name is text.
bool is_text(std::string_view line) {
  const std::string name = upper_case(significant(line));
  return name == "/COM" || name == "C***" || name == "/TIT" || name == "/STI";
}

bool is_letter_or_digit(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string ansys_command_name(std::string_view word) {
  std::string name = upper_case(word);
  if (name.size() < kSignificant) return name;
  const bool is_name = std::all_of(
      name.begin() + (name.front() == '/' ? 1 : 0), name.end(), is_letter_or_digit);  // not A=3
  const auto found = std::find_if(kNames.begin(), kNames.end(), [&](std::string_view known) {
    return significant(known) == significant(name);
  });
  return is_name && found != kNames.end() ? std::string(*found) : name;
}

std::vector<std::string_view> ansys_commands(std::string_view line) {
  line = trimmed(line);
  if (is_text(line)) return {line};
  std::vector<std::string_view> out;
  line = line.substr(0, line.find('!'));
  while (!line.empty()) {
    const std::size_t end = line.find('$');
    if (const std::string_view command = trimmed(line.substr(0, end)); !command.empty())
      out.push_back(command);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return out;
}

}  // namespace femflex::importer
