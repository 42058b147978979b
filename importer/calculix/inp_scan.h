// Splits the lines of CalculiX and Abaqus decks: `*KEYWORD, NAME=value`, fields between commas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::importer {

/// Limits against INCLUDEs without end.
constexpr int kMaxIncludeDepth = 10;
constexpr std::int64_t kMaxIncludes = 1000;

/// True for a comment: `** text`, also after the `>` of a mailed deck, or a lone `*`. `line` has no
/// blanks around it.
bool is_inp_comment(std::string_view line);
/// The name of a keyword line without blanks inside: `*Rigid Body, ...` gives RIGIDBODY.
std::string keyword_of(std::string_view line);
/// The text without surrounding blanks and quotes.
std::string unquoted(std::string_view text);
/// Fields between commas, blanks around them removed.
std::vector<std::string_view> fields_of(std::string_view line);

}  // namespace femflex::importer
