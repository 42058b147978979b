// Copies the data of a deck without its steps, supports and equations. Appends one case per shape
// that prescribes the motion of every node of an element.
#include "results/enforced_shapes.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "femflex/element_shape.h"
#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/text.h"

#include "document/deck_files.h"
#include "document/file_kind.h"
#include "results/load_cases.h"

namespace femflex::tools {
namespace {

// CalculiX keywords that connect nodes to each other or to the ground, or belong to other analyses
constexpr std::array<std::string_view, 13> kDroppedKeywords{"BOUNDARY",
                                                            "EQUATION",
                                                            "MPC",
                                                            "RIGID BODY",
                                                            "TIE",
                                                            "COUPLING",
                                                            "KINEMATIC",
                                                            "DISTRIBUTING",
                                                            "TRANSFORM",
                                                            "CONTACT PAIR",
                                                            "INITIAL CONDITIONS",
                                                            "PRE-TENSION SECTION",
                                                            "CYCLIC SYMMETRY MODEL"};
// the same for NASTRAN, and sets for reduction
constexpr std::array<std::string_view, 26> kDroppedCards{
    "SPC",   "SPC1", "SPCD",   "SPCADD",  "MPC",    "MPCADD",  "RBE1",  "RBE2",  "RBE3",
    "RBAR",  "RROD", "RTRPLT", "RSPLINE", "SUPORT", "SUPORT1", "ASET",  "ASET1", "OMIT",
    "OMIT1", "BSET", "BSET1",  "CSET",    "CSET1",  "QSET",    "QSET1", "EIGRL"};

/// The lines of a deck and of the files that it includes.
std::vector<std::string> lines_of(const std::filesystem::path& deck, bool is_calculix) {
  std::vector<std::string> out;
  require_file(deck);
  const io::MappedFile file(deck);
  visit_deck(file.bytes(),
             deck,
             is_calculix ? importer::DeckLanguage::calculix : importer::DeckLanguage::nastran,
             {.on_line = [&](std::string_view line, const auto&) { out.emplace_back(line); },
              .on_file = {}});
  return out;
}

void note_dropped(std::vector<std::string>& dropped, std::string name) {
  if (std::find(dropped.begin(), dropped.end(), name) == dropped.end())
    dropped.push_back(std::move(name));
}

/// Positions in `shapes.nodes` of the nodes of elements.
std::vector<std::size_t> nodes_to_enforce(const FeModel& model,
                                          const EnforcedShapes& shapes,
                                          bool is_calculix) {
  std::set<std::int64_t> wanted;
  for (const ElementBlock& block : model.elements) {
    const bool is_solid = topology_of(shape_of(block.type, block.nodes_per_element)).dimension == 3;
    if (is_calculix && !is_solid && block.type != "PLOTEL" && !block.ids.empty())
      throw ModelError("cannot-enforce",
                       fmt::format("{} {} are not solids: CalculiX expands them, and their shapes "
                                   "cannot be enforced at the nodes of the deck",
                                   block.ids.size(),
                                   block.type),
                       {},
                       "use `femflex stress --source computed`, or a NASTRAN deck");
    wanted.insert(block.connectivity.begin(), block.connectivity.end());
  }
  std::vector<std::size_t> out;
  std::size_t missing = 0;
  std::set<std::int64_t> known(shapes.nodes.begin(), shapes.nodes.end());
  for (const std::int64_t id : wanted)
    if (!known.contains(id)) ++missing;
  if (missing > 0 || wanted.empty())
    throw ModelError("no-node",
                     wanted.empty() ? std::string("the model has no elements")
                                    : fmt::format("{} nodes of elements have no shapes", missing),
                     {},
                     "import the model with its deck, and reduce with all nodes");
  for (std::size_t k = 0; k < shapes.nodes.size(); ++k) {
    if (!wanted.contains(shapes.nodes[k])) continue;
    const Node* node = find_node(model, shapes.nodes[k]);
    if (!is_calculix && node != nullptr && node->displacement_system != 0)
      throw ModelError("cannot-enforce",
                       fmt::format("node {} has the displacement system {}; shapes are enforced in "
                                   "basic axes",
                                   node->id,
                                   node->displacement_system),
                       {},
                       "use a deck without displacement systems (CD)");
    out.push_back(k);
  }
  return out;
}

std::string calculix_deck(const std::vector<std::string>& lines,
                          const EnforcedShapes& shapes,
                          const std::vector<std::size_t>& nodes,
                          std::vector<std::string>& dropped) {
  std::string out;
  bool is_dropped = false;
  for (const std::string& line : lines) {
    const bool is_keyword = line.starts_with("*") && !line.starts_with("**");
    if (is_keyword) {
      const std::string upper = upper_case(line.substr(1));
      if (upper.starts_with("STEP")) break;
      const auto found = std::find_if(kDroppedKeywords.begin(),
                                      kDroppedKeywords.end(),
                                      [&](std::string_view k) { return upper.starts_with(k); });
      is_dropped = found != kDroppedKeywords.end();
      if (is_dropped) note_dropped(dropped, "*" + std::string(*found));
    }
    if (!is_dropped) out += line + "\n";
  }
  for (Eigen::Index j = 0; j < shapes.displacement.cols(); ++j) {
    out += fmt::format("** shape {}\n*STEP\n*STATIC\n*BOUNDARY, OP=NEW\n",
                       shapes.labels[static_cast<std::size_t>(j)]);
    for (const std::size_t k : nodes)
      for (Eigen::Index c = 0; c < 3; ++c)
        out += fmt::format("{},{},{},{:.12e}\n",
                           shapes.nodes[k],
                           c + 1,
                           c + 1,
                           shapes.displacement(6 * static_cast<Eigen::Index>(k) + c, j));
    out += "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n";
  }
  return out;
}

/// Name of a card: the first field, without the star of wide-field format.
std::string card_name(const std::string& line) {
  std::string name = upper_case(line.substr(0, std::min(line.find(','), std::size_t{8})));
  name = std::string(trimmed(name));
  if (!name.empty() && name.back() == '*') name.pop_back();
  return name;
}

std::string nastran_deck(const std::vector<std::string>& lines,
                         const EnforcedShapes& shapes,
                         const std::vector<std::size_t>& nodes,
                         std::vector<std::string>& dropped) {
  std::string out =
      "SOL 101\nCEND\nECHO = NONE\nDISPLACEMENT(PLOT) = ALL\n"
      "STRESS(PLOT,CORNER) = ALL\n";
  for (std::size_t j = 0; j < shapes.labels.size(); ++j)
    out += fmt::format("SUBCASE {0}\n  LABEL = {1}\n  SPC = {0}\n", j + 1, shapes.labels[j]);
  out += "BEGIN BULK\nPARAM,POST,-1\n";
  const bool has_control = std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return upper_case(line).starts_with("BEGIN");
  });
  bool is_bulk = !has_control;
  bool is_dropped = false;
  for (const std::string& line : lines) {
    const std::string upper = upper_case(line);
    if (!is_bulk) {
      is_bulk = upper.starts_with("BEGIN");
      continue;
    }
    if (upper.starts_with("ENDDATA")) break;
    if (line.starts_with("$")) continue;
    const bool is_continuation = line.empty() || line.front() == ' ' || line.front() == '+' ||
                                 line.front() == '*' || line.front() == ',' || line.front() == '\t';
    if (!is_continuation) {
      const std::string name = card_name(line);
      is_dropped =
          std::find(kDroppedCards.begin(), kDroppedCards.end(), name) != kDroppedCards.end();
      if (is_dropped) note_dropped(dropped, name);
      if (upper.starts_with("PARAM") && upper.find("POST") != upper.npos) continue;
    }
    if (!is_dropped) out += line + "\n";
  }
  for (Eigen::Index j = 0; j < shapes.displacement.cols(); ++j)
    for (const std::size_t k : nodes)
      for (Eigen::Index c = 0; c < 6; ++c)
        out += fmt::format("SPC*    {:>16}{:>16}{:>16}{:>16.9E}\n*\n",
                           j + 1,
                           shapes.nodes[k],
                           c + 1,
                           shapes.displacement(6 * static_cast<Eigen::Index>(k) + c, j));
  return out + "ENDDATA\n";
}

}  // namespace

EnforcedDeck enforced_deck(const std::filesystem::path& deck,
                           const FeModel& model,
                           const EnforcedShapes& shapes) {
  if (!is_load_file(deck))
    throw UsageError("deck-format",
                     fmt::format("{} is not a deck", deck.filename().string()),
                     {},
                     "give a deck of CalculiX (.inp) or NASTRAN (.bdf, .nas, .dat)");
  EnforcedDeck out;
  out.is_calculix = lower_case(deck.extension().string()) == ".inp";
  const std::vector<std::size_t> nodes = nodes_to_enforce(model, shapes, out.is_calculix);
  out.enforced = static_cast<std::int64_t>(nodes.size());
  const std::vector<std::string> lines = lines_of(deck, out.is_calculix);
  out.text = out.is_calculix ? calculix_deck(lines, shapes, nodes, out.dropped)
                             : nastran_deck(lines, shapes, nodes, out.dropped);
  return out;
}

}  // namespace femflex::tools
