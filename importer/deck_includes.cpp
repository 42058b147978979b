// Takes INCLUDE lines apart and finds the files that they name.
#include "femflex/importer/deck_includes.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <system_error>

#include "femflex/text.h"

#include "calculix/inp_keyword.h"
#include "calculix/inp_scan.h"
#include "nastran/deck.h"

namespace femflex::importer {
namespace {

constexpr std::size_t kLongestName = 4096;  // of a file; a quote that nothing closes ends here

/// The name of a NASTRAN INCLUDE, quoted or not, possibly on several lines.
std::string name_after_include(Lines& lines) {
  constexpr std::string_view kWord = "INCLUDE";
  std::string_view line = trimmed(trimmed(lines.line()).substr(kWord.size()));
  if (line.empty()) return "";
  const char quote = line[0];
  if (quote != '\'' && quote != '"') return std::string(trimmed(line.substr(0, line.find('$'))));
  std::string name;
  line.remove_prefix(1);
  for (;;) {
    const std::size_t end = line.find(quote);
    if (end != std::string_view::npos) return name + std::string(line.substr(0, end));
    name += line;
    if (name.size() > kLongestName || !lines.next()) return name;
    line = trimmed(lines.line());
  }
}

}  // namespace

std::optional<std::string> included_name(Lines& lines, DeckLanguage language) {
  const std::string_view line = trimmed(lines.line());
  if (language == DeckLanguage::nastran) {
    if (!begins_with_word(line, "INCLUDE")) return std::nullopt;
    return name_after_include(lines);
  }
  if (!line.starts_with('*') || is_inp_comment(line)) return std::nullopt;
  if (inp_keyword_of(line).name != "INCLUDE") return std::nullopt;
  std::string whole(line);
  while (whole.back() == ',' && lines.next())
    if (const std::string_view next = trimmed(lines.line()); !is_inp_comment(next)) whole += next;
  return inp_keyword_of(whole).parameters.text("INPUT");
}

namespace {

/// The first place of `path` that holds a file, or else the second.
std::filesystem::path found_path(const std::filesystem::path& path,
                                 const std::filesystem::path& including,
                                 const std::filesystem::path& folder,
                                 DeckLanguage language) {
  if (path.is_absolute()) return path;
  const std::filesystem::path beside = including.parent_path() / path;
  const std::filesystem::path top = folder / path;
  const bool is_top_first = language == DeckLanguage::calculix;
  const std::filesystem::path& first = is_top_first ? top : beside;
  std::error_code ignored;
  if (std::filesystem::exists(first, ignored)) return first;
  return is_top_first ? beside : top;
}

}  // namespace

std::filesystem::path included_path(const std::string& name,
                                    const std::filesystem::path& including,
                                    const std::filesystem::path& folder,
                                    DeckLanguage language) {
  const std::filesystem::path path = found_path(name, including, folder, language);
  std::error_code ignored;
  if (name.find('\\') == std::string::npos || std::filesystem::exists(path, ignored)) return path;
  std::string slashes = name;  // a deck of Windows
  std::replace(slashes.begin(), slashes.end(), '\\', '/');
  return found_path(slashes, including, folder, language);
}

}  // namespace femflex::importer
