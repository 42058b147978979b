// Splits the lines of CalculiX and Abaqus decks (`*KEYWORD, NAME=value`, fields between commas),
// and finds all node and element ids of a deck.
#pragma once

#include <cstdint>
#include <filesystem>
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

/// Finds all ids of a deck and its INCLUDEs, before and after the current line. The files are read
/// on first use.
class InpScan {
 public:
  explicit InpScan(std::filesystem::path top) : top_(std::move(top)) {}
  /// Ids of nodes and elements, in ascending order.
  const std::vector<std::int64_t>& ids();
  /// Total size of the deck and its INCLUDEs.
  std::int64_t bytes();

 private:
  void scan();
  void scan_file(const std::filesystem::path& path, int depth, std::int64_t& files);

  std::filesystem::path top_;
  std::vector<std::int64_t> ids_;
  std::int64_t bytes_ = 0;
};

}  // namespace femflex::importer
