// Goes through a deck line by line; included files are found in every file that is included.
#include "body/solver_deck.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/lines.h"
#include "femflex/text.h"

#include "document/deck_files.h"

namespace femflex::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMatrixStep = "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n*END STEP\n";
constexpr std::string_view kMystranMatrices = "OUTPUT4 KGG,MGG,,,//-1/21\n";
constexpr std::string_view kNastranMatrices = "PARAM,EXTOUT,DMIGPCH\n";

std::string blanks_removed(std::string_view line) {
  std::string out;
  for (const char c : line)
    if (c != ' ' && c != '\t' && c != '\r') out += c;
  return out;
}

/// Whether a line of a CalculiX deck begins a step.
bool begins_step(std::string_view line) {
  const std::string upper = upper_case(blanks_removed(line));
  return upper == "*STEP" || upper.starts_with("*STEP,");
}

/// The files that a deck includes, and where the FE code seeks them: CalculiX by the name beside
/// the deck that runs, NASTRAN where they lie.
/// @throws UsageError  an included file has a step, whose preload nobody would see
std::vector<DeckInclude> includes_of(std::string_view text, const fs::path& deck, bool is_keyword) {
  const fs::path folder = fs::absolute(deck).parent_path();
  std::vector<DeckInclude> out;
  const auto take = [&](const IncludedFile& file) {
    if (fs::path(file.name).is_absolute()) return;
    const fs::path name = is_keyword ? fs::path(file.name) : file.path.lexically_relative(folder);
    const fs::path target = name.lexically_normal();
    if (target.begin() != target.end() && *target.begin() == "..")
      throw UsageError(
          "include",
          fmt::format("the deck includes '{}', which is not below its folder", file.name),
          {},
          "give the included file by its absolute path, or move it beside the deck");
    const auto same = std::find_if(
        out.begin(), out.end(), [&](const DeckInclude& each) { return each.target == target; });
    if (same == out.end())
      out.push_back({file.path, target});
    else if (same->source != file.path)
      throw UsageError("include",
                       fmt::format("two files of the deck are included as '{}'", file.name),
                       {file.path.string()},
                       "rename one of them");
  };
  const auto check = [&](std::string_view line, const fs::path& file) {
    if (!is_keyword || file == fs::absolute(deck) || !begins_step(line)) return;
    throw UsageError("include",
                     "the included file has a *STEP",
                     {file.string()},
                     "move the steps into the deck itself, so that a preload can be seen");
  };
  visit_deck(text,
             deck,
             is_keyword ? importer::DeckLanguage::calculix : importer::DeckLanguage::nastran,
             {.on_line = check, .on_file = take});
  return out;
}

/// The model part of a CalculiX deck, up to its first step.
/// @throws ModelError  a step is geometrically nonlinear or follows another one as a perturbation:
/// K would lack its preload
std::string model_part(std::string_view text, const fs::path& deck) {
  std::string out;
  std::size_t steps = 0;
  Lines lines(text);
  while (lines.next()) {
    if (begins_step(lines.line())) {
      const std::string upper = upper_case(blanks_removed(lines.line()));
      ++steps;
      const bool is_nonlinear = upper.find(",NLGEOM") != std::string::npos &&
                                upper.find(",NLGEOM=NO") == std::string::npos;
      const bool is_perturbation = steps > 1 && upper.find(",PERTURBATION") != std::string::npos;
      if (is_nonlinear || is_perturbation)
        throw ModelError(
            "preload",
            fmt::format("step {} of the deck is {}; 'solve' assembles the matrices of the part "
                        "without load, so that the preload would be missing",
                        steps,
                        is_nonlinear ? "geometrically nonlinear (NLGEOM)"
                                     : "a perturbation of the state of an earlier step"),
            {deck.string()},
            "run ccx with *STEP, PERTURBATION and *FREQUENCY, SOLVER=MATRIXSTORAGE after the "
            "static step, with *DLOAD, OP=NEW below it if a CENTRIF acts, and import its files; "
            "or, without preload, take these steps out of the "
            "deck");
    }
    if (steps > 0) continue;
    out.append(lines.line());
    out += '\n';
  }
  return out;
}

/// The text with `added` after the first line that begins with the words, blanks apart.
std::optional<std::string> with_line_after(std::string_view text,
                                           std::string_view words,
                                           std::string_view added) {
  std::string out;
  bool is_added = false;
  Lines lines(text);
  while (lines.next()) {
    out.append(lines.line());
    out += '\n';
    if (!is_added && upper_case(blanks_removed(lines.line())).starts_with(words)) {
      out.append(added);
      is_added = true;
    }
  }
  if (!is_added) return std::nullopt;
  return out;
}

std::string bulk_deck(std::string_view text, FeCode code, const fs::path& deck) {
  const bool is_modes = with_line_after(text, "SOL103", "").has_value() ||
                        with_line_after(text, "SOLSEMODES", "").has_value();
  if (!is_modes)
    throw ModelError("no-sol-103",
                     "the deck has no SOL 103, which assembles stiffness and mass",
                     {deck.string()},
                     "put SOL 103, METHOD and an EIGRL card into the deck");
  const bool is_mystran = code == FeCode::mystran;
  const auto out = is_mystran ? with_line_after(text, "SOL", kMystranMatrices)
                              : with_line_after(text, "BEGINBULK", kNastranMatrices);
  if (!out)
    throw ModelError("no-bulk", "the deck has no BEGIN BULK", {deck.string()}, "give a whole deck");
  return *out;
}

}  // namespace

bool is_keyword_deck(std::string_view text) {
  Lines lines(text);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty() || line.starts_with("**") || line.starts_with("$")) continue;
    return line.front() == '*';
  }
  return false;
}

SolverDeck deck_for_matrices(const fs::path& deck, FeCode code) {
  const io::MappedFile file(deck);
  const bool is_keyword = code == FeCode::calculix;
  SolverDeck out;
  out.text = is_keyword ? model_part(file.bytes(), deck) + std::string(kMatrixStep)
                        : bulk_deck(file.bytes(), code, deck);
  out.includes = includes_of(out.text, deck, is_keyword);
  return out;
}

}  // namespace femflex::tools
