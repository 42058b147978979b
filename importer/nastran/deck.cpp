// Reads NASTRAN decks: follows INCLUDEs, reads the case control for chosen sets, and passes bulk
// data lines to the card assembler.
#include "nastran/deck.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/importer/deck_includes.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "foreign.h"
#include "nastran/bulk_elements.h"
#include "nastran/bulk_loads.h"

namespace femflex::importer {
namespace {

constexpr std::array<std::string_view, 67> kCardNames{
    "ASET",   "ASET1",  "BAROR",  "BEAMOR", "BNDFIX",  "BNDFIX1", "BNDFRE1", "BNDFREE", "BNDFREE1",
    "BSET",   "BSET1",  "CONM1",  "CONM2",  "CORD1C",  "CORD1R",  "CORD1S",  "CORD2C",  "CORD2R",
    "CORD2S", "CSET",   "CSET1",  "DMI",    "DMIAX",   "DMIG",    "DTI",     "EIGR",    "EIGRL",
    "EXTRN",  "FORCE",  "GRDSET", "GRID",   "INCLUDE", "LOAD",    "MAT1",    "MAT8",    "MPC",
    "MPCADD", "OMIT",   "OMIT1",  "PARAM",  "PBAR",    "PBARL",   "PBEAM",   "PBEAML",  "PCOMP",
    "PCOMPG", "PLOTEL", "PROD",   "PSHELL", "PSOLID",  "PTUBE",   "QSET",    "QSET1",   "RBAR",
    "RBAR1",  "RBE1",   "RBE2",   "RBE3",   "RJOINT",  "RROD",    "RSPLINE", "RTRPLT",  "SPC",
    "SPC1",   "SPCADD", "SPOINT", "SUPORT"};

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Offset of the line that begins the bulk data; npos if the deck has no control sections.
std::size_t find_begin(std::string_view bytes) {
  Lines lines(bytes);
  while (lines.next()) {
    const std::string_view line = lines.line();
    const std::size_t first_char = line.find_first_not_of(" \t");
    if (first_char == std::string_view::npos || upper(line[first_char]) != 'B') continue;
    if (begins_with_word(line, "BEGIN")) return lines.offset();
  }
  return std::string_view::npos;
}

/// The name at the beginning of a line, in upper case.
std::string card_name(std::string_view line) {
  std::string name;
  for (const char c : line.substr(0, 8)) {
    if (c == ',' || c == ' ' || c == '*' || c == '\t') break;
    name += upper(c);
  }
  return name;
}

/// Reads one deck with its INCLUDEs.
class Deck {
 public:
  Deck(const std::filesystem::path& path, Diagnostics& diagnostics, Progress& progress)
      : top_(path.parent_path()),
        diagnostics_(diagnostics),
        progress_(progress),
        model_(contents_, diagnostics),
        cards_(model_) {}

  FileContents read(const std::filesystem::path& path) {
    InputFile& file = open(path);
    contents_.encoding = "ascii";
    progress_.begin("reading bulk data", static_cast<double>(file.bytes().size()), "B");
    // BEGIN may be in an included file, so keywords of the control sections count as well
    in_bulk_ =
        begins_with_card(file.bytes()) ||
        (find_begin(file.bytes()) == std::string_view::npos && !begins_with_control(file.bytes()));
    read_lines(file, 0);
    cards_.flush();
    warn_of_crossed_lines();
    warn_of_lost_lines();
    choose_loads();
    model_.finish(file.name());
    progress_.end();
    return std::move(contents_);
  }

 private:
  void warn_of_crossed_lines() {
    const CardAssembler::OddLines& crossed = cards_.crossed_lines();
    if (crossed.count == 0) return;
    diagnostics_.warn("continuation",
                      fmt::format("{} continuation lines have another mark than the line before "
                                  "them, which they are taken to continue; put each below its card",
                                  crossed.count),
                      {crossed.file, crossed.first_line});
  }
  void warn_of_lost_lines() {
    const CardAssembler::OddLines& lost = cards_.lost_lines();
    if (lost.count == 0) return;
    diagnostics_.warn(
        "continuation",
        fmt::format("{} below no card {} not read; put each below its card, in the "
                    "same file",
                    lost.count == 1 ? "a continuation line"
                                    : fmt::format("{} continuation lines", lost.count),
                    lost.count == 1 ? "is" : "are"),
        {lost.file, lost.first_line});
  }

  static bool begins_with_control(std::string_view bytes) {
    Lines lines(bytes);
    while (lines.next()) {
      const std::string_view line = trimmed(lines.line());
      if (line.empty() || line[0] == '$') continue;
      for (const std::string_view word :
           {"SOL", "CEND", "ID", "NASTRAN", "INIT", "ASSIGN", "TITLE"})
        if (begins_with_word(line, word)) return true;
      return false;
    }
    return false;
  }

  /// True if the first line that cannot be of a control section is a card: such a deck has the
  /// bulk data of its main part above BEGIN SUPER.
  static bool begins_with_card(std::string_view bytes) {
    Lines lines(bytes);
    while (lines.next()) {
      const std::string_view line = trimmed(lines.line());
      if (line.empty() || line[0] == '$') continue;
      if (begins_with_word(line, "PARAM") || begins_with_word(line, "INCLUDE")) continue;
      return line.find('=') == std::string_view::npos && is_bulk_name(card_name(line));
    }
    return false;
  }

  /// Opens a file and puts it on the stack of INCLUDEs.
  InputFile& open(const std::filesystem::path& path) {
    files_.emplace_back(path);
    names_.push_back(files_.back().name());
    std::error_code ignored;
    stack_.push_back(std::filesystem::weakly_canonical(path, ignored));
    return files_.back();
  }

  void read_lines(InputFile& file, int depth) {
    const std::string& name = names_.back();
    Lines lines(file.bytes());
    while (!ended_ && lines.next()) {
      std::string_view line = lines.line();
      if (line.empty() || line[0] == '$') continue;
      if (is_blank(line[0]) && begins_with_word(trimmed(line), "INCLUDE")) line = trimmed(line);
      if ((lines.number() & 0x3ff) == 0) {
        if (depth == 0) file.release_before(lines.offset());
        progress_.step(static_cast<double>(depth == 0 ? lines.offset() : 0));
      }
      if (const char c = upper(line[0]); c == 'I' && begins_with_word(line, "INCLUDE")) {
        cards_.flush();
        include(lines, file, depth);
        continue;
      }
      if (!in_bulk_ && begins_with_word(trimmed(line), "PARAM")) {
        cards_.line(trimmed(line), lines.number(), name);
        cards_.flush();
        continue;
      }
      if (!in_bulk_) {
        control(line);
        continue;
      }
      if (const char c = upper(line[0]); c == 'E' || c == 'B') {
        if (begins_with_word(line, "ENDDATA")) {
          cards_.flush();
          ended_ = true;
          break;
        }
        if (begins_with_word(line, "BEGIN")) {
          cards_.flush();
          begin(line);
          continue;
        }
      }
      cards_.line(line, lines.number(), name);
    }
  }

  /// Takes BEGIN BULK, BEGIN SUPER=n or BEGIN SUPER n.
  void begin(std::string_view line) {
    in_bulk_ = true;
    std::int64_t id = 0;
    std::string text;
    for (const char c : line)
      text += upper(c);
    if (const std::size_t at = text.find("SUPER"); at != std::string::npos) {
      const std::size_t digit = text.find_first_of("0123456789", at);
      std::string_view rest =
          digit == std::string::npos ? "" : std::string_view(text).substr(digit);
      take_integer(rest, id);
    }
    cards_.set_superelement(id);
  }

  /// Reads a line of executive or case control.
  void control(std::string_view line) {
    line = trimmed(line);
    if (begins_with_word(line, "BEGIN")) {
      begin(line);
      return;
    }
    if (!line.empty()) model_.has_case_control();
    if (begins_subcase(line)) return;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return;
    if (begins_with_word(line, "TEMPERATURE") || begins_with_word(line, "TEMP")) {
      const std::string left = upper_case(line.substr(0, equals));
      if (left.find("(LOAD)") == std::string::npos) model_.has_temperatures();
    }
    std::string_view value = trimmed(line.substr(equals + 1));
    if (begins_with_word(line, "TITLE") && contents_.title.empty()) {
      contents_.title = value;
    } else if (begins_with_word(line, "SPC")) {
      std::int64_t set = 0;
      if (take_integer(value, set)) model_.select_constraints(subcase_, set);
    } else if (begins_with_word(line, "MPC")) {
      std::int64_t set = 0;
      if (take_integer(value, set)) model_.select_equations(subcase_, set);
    } else if (begins_with_word(line, "LOAD")) {
      take_integer(value, cases_.back().load.set);
    } else if (const std::string what = unread_load_of(line); !what.empty()) {
      cases_.back().load.unread = what;
    } else if (begins_with_word(line, "SUBTITLE") || begins_with_word(line, "LABEL")) {
      cases_.back().load.label = value;
    }
  }

  /// Takes `SUBCASE n`, or the beginning of a combination of subcases, which loads nothing itself.
  bool begins_subcase(std::string_view line) {
    const bool is_subcase = begins_with_word(line, "SUBCASE") || begins_with_word(line, "SYM");
    const bool is_combination = begins_with_word(line, "SUBCOM") ||
                                begins_with_word(line, "SYMCOM") ||
                                begins_with_word(line, "REPCASE");
    if (!is_subcase && !is_combination) return false;
    const std::size_t end = line.find_first_of(" \t=");
    std::string_view rest = end == std::string_view::npos ? "" : trimmed(line.substr(end));
    if (!rest.empty() && rest.front() == '=') rest = trimmed(rest.substr(1));
    if (!take_integer(rest, subcase_)) subcase_ = 0;
    cases_.push_back({{subcase_, 0, "", cases_.front().load.unread}, is_combination});
    if (is_subcase) model_.begin_subcase(subcase_);
    return true;
  }

  /// The load of each subcase: what stands above the subcases holds for those that choose none.
  void choose_loads() {
    for (std::size_t k = cases_.size() > 1 ? 1 : 0; k < cases_.size(); ++k) {
      RawLoadChoice load = cases_[k].load;
      if (load.set == 0) load.set = cases_.front().load.set;
      if (load.set != 0 && !cases_[k].is_combination) contents_.loads.chosen.push_back(load);
    }
  }

  /// `TEMP(LOAD)`, `TEMP(BOTH)`, `TEMP` or `DEFORM` if the line chooses such a load; else empty.
  static std::string unread_load_of(std::string_view line) {
    const std::string left = upper_case(trimmed(line.substr(0, line.find('='))));
    for (const char* name : {"TEMPERATURE", "TEMP"})
      for (const char* kind : {"(LOAD)", "(BOTH)", ""})
        if (left == std::string(name) + kind) return left;
    return left == "DEFORM" ? left : "";
  }

  /// Reads the file of an INCLUDE; a missing file gives a warning.
  void include(Lines& lines, const InputFile& file, int depth) {
    const std::int64_t number = lines.number();
    const std::string& including = file.name();
    const std::string target = included_name(lines, DeckLanguage::nastran).value_or("");
    const Where where{including, number, -1, -1, "INCLUDE"};
    const std::filesystem::path path =
        included_path(target, including, top_, DeckLanguage::nastran);
    std::error_code ignored;
    if (target.empty() || !std::filesystem::is_regular_file(path, ignored)) {
      diagnostics_.warn(
          "include-missing", fmt::format("there is no included file '{}'", target), where);
      return;
    }
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, ignored);
    if (depth + 1 >= kDeepestInclude ||
        std::find(stack_.begin(), stack_.end(), canonical) != stack_.end())
      throw ParseError(
          "include-cycle",
          fmt::format(
              "'{}' includes itself or is nested more than {} deep", target, kDeepestInclude),
          where,
          "break the cycle of INCLUDEs");
    if (++includes_ > kMostIncludes)
      throw ParseError(
          "include", fmt::format("the deck has more than {} INCLUDEs", kMostIncludes), where);
    read_lines(open(path), depth + 1);
    cards_.flush();
    stack_.pop_back();
  }

  std::filesystem::path top_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  FileContents contents_;
  BulkModel model_;
  CardAssembler cards_;
  std::deque<InputFile> files_;    ///< all files stay open, because cards refer to their bytes
  std::deque<std::string> names_;  ///< names of files_, at fixed addresses
  std::vector<std::filesystem::path> stack_;
  std::int64_t includes_ = 0;
  std::int64_t subcase_ = 0;  ///< current subcase of the case control
  struct Case {               ///< what a subcase says of its load
    RawLoadChoice load;
    bool is_combination = false;
  };
  std::vector<Case> cases_{Case{}};  ///< above the subcases, then each
  bool in_bulk_ = true;
  bool ended_ = false;
};

}  // namespace

bool begins_with_word(std::string_view line, std::string_view word) {
  const std::size_t first_char = line.find_first_not_of(" \t");
  if (first_char == std::string_view::npos || line.size() - first_char < word.size()) return false;
  for (std::size_t k = 0; k < word.size(); ++k)
    if (upper(line[first_char + k]) != word[k]) return false;
  const std::size_t end = first_char + word.size();
  return end == line.size() || std::isalnum(static_cast<unsigned char>(line[end])) == 0;
}

bool is_bulk_name(std::string_view name) {
  return std::binary_search(kCardNames.begin(), kCardNames.end(), name) ||
         find_element(name) != nullptr || is_supported_load_card(name);
}

bool is_bulk(const FileHead& head) {
  if (head.bytes.find('\0') != std::string_view::npos) return false;
  if (foreign_format(head, "")) return false;  // a web page may show a deck
  Lines lines(head.bytes);
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty() || line[0] == '$') continue;
    for (const std::string_view word : {"BEGIN", "CEND", "SOL", "ENDDATA"})
      if (begins_with_word(line, word) && std::isalpha(static_cast<unsigned char>(line[0])) != 0)
        return true;
    if (is_bulk_name(card_name(line))) return true;
  }
  return false;
}

FileContents read_bulk(const std::filesystem::path& path,
                       const ReadOptions& /*options*/,
                       Diagnostics& diagnostics,
                       Progress& progress) {
  return Deck(path, diagnostics, progress).read(path);
}

}  // namespace femflex::importer
