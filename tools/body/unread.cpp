// Classifies NASTRAN cards and tables, and CalculiX and Abaqus keywords, by the beginning of their
// names.
#include "body/unread.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace femflex::tools {
namespace {

/// Names that begin with `text` are of this kind.
struct Beginning {
  std::string_view text;
  std::string_view kind;
};
/// The first entry that a name begins with decides, so longer entries come first.
constexpr std::array kBeginnings{
    Beginning{"PLOAD", "load"},
    Beginning{"TEMP", "load"},
    Beginning{"RFORCE", "load"},
    Beginning{"ACCEL", "load"},
    Beginning{"SPCD", "load"},
    Beginning{"DEFORM", "load"},
    Beginning{"DAREA", "load"},
    Beginning{"RLOAD", "load"},
    Beginning{"TLOAD", "load"},
    Beginning{"DLOAD", "load"},
    Beginning{"LSEQ", "load"},
    Beginning{"QBDY", "load"},
    Beginning{"*DLOAD", "load"},
    Beginning{"*DSLOAD", "load"},
    Beginning{"*TEMPERATURE", "load"},
    Beginning{"*INITIALCONDITIONS", "load"},
    Beginning{"*DFLUX", "load"},
    Beginning{"*CFLUX", "load"},
    Beginning{"BOUNDARY", "constraint"},
    Beginning{"*EQUATION", "constraint"},
    Beginning{"*MPC", "constraint"},
    Beginning{"*TIE", "constraint"},
    Beginning{"*COUPLING", "constraint"},
    Beginning{"*KINEMATIC", "constraint"},
    Beginning{"*DISTRIBUTING", "constraint"},
    Beginning{"*TRANSFORM", "constraint"},
    Beginning{"*CONTACTPAIR", "constraint"},
    Beginning{"*CYCLICSYMMETRYMODEL", "constraint"},
    Beginning{"*PRE-TENSION", "constraint"},
    Beginning{"RSSCON", "constraint"},
    Beginning{"SUPORT1", "constraint"},
    Beginning{"SUPAX", "constraint"},
    Beginning{"SPCAX", "constraint"},
    Beginning{"MPCAX", "constraint"},
    Beginning{"BCT", "constraint"},
    Beginning{"BGADD", "constraint"},
    Beginning{"MAT", "property"},
    Beginning{"PARAM", "property"},
    Beginning{"PSHELL", "property"},
    Beginning{"PSOLID", "property"},
    Beginning{"PLSOLID", "property"},
    Beginning{"PCOMP", "property"},
    Beginning{"PBAR", "property"},
    Beginning{"PBEAM", "property"},
    Beginning{"PBEND", "property"},
    Beginning{"PBUSH", "property"},
    Beginning{"PROD", "property"},
    Beginning{"PTUBE", "property"},
    Beginning{"PELAS", "property"},
    Beginning{"PDAMP", "property"},
    Beginning{"PMASS", "property"},
    Beginning{"PVISC", "property"},
    Beginning{"PGAP", "property"},
    Beginning{"PSHEAR", "property"},
    Beginning{"PFAST", "property"},
    Beginning{"PWELD", "property"},
    Beginning{"TABLE", "property"},
    Beginning{"TABD", "property"},
    Beginning{"EIG", "property"},
    Beginning{"*MATERIAL", "property"},
    Beginning{"*ELASTIC", "property"},
    Beginning{"*DENSITY", "property"},
    Beginning{"*PLASTIC", "property"},
    Beginning{"*EXPANSION", "property"},
    Beginning{"*CONDUCTIVITY", "property"},
    Beginning{"*DAMPING", "property"},
    Beginning{"*ORIENTATION", "property"},
    Beginning{"*SOLIDSECTION", "property"},
    Beginning{"*SHELLSECTION", "property"},
    Beginning{"*BEAMSECTION", "property"},
    Beginning{"*BEAMGENERALSECTION", "property"},
    Beginning{"*MEMBRANESECTION", "property"},
    Beginning{"*SPRING", "property"},
    Beginning{"*DASHPOT", "property"},
    Beginning{"*SURFACE", "property"},
    Beginning{"*AMPLITUDE", "property"},
    Beginning{"*FREQUENCY", "property"},
    Beginning{"*STATIC", "property"},
    Beginning{"*OUTPUT", "property"},
    Beginning{"*NODEFILE", "property"},
    Beginning{"*NODEPRINT", "property"},
    Beginning{"*NODEOUTPUT", "property"},
    Beginning{"*ELFILE", "property"},
    Beginning{"*ELPRINT", "property"},
    Beginning{"*ELEMENTOUTPUT", "property"},
    Beginning{"*RESTART", "property"},
    Beginning{"*PREPRINT", "property"},
    Beginning{"STRESS", "result"},
    Beginning{"TOSTRAIN", "result"},
    Beginning{"FORC", "result"},
    Beginning{"OES", "result"},
    Beginning{"OEF", "result"},
    Beginning{"OSTR", "result"},
    Beginning{"OQ", "result"},
    Beginning{"ONR", "result"},
    Beginning{"OGP", "result"},
};

/// A line of unread_text(): all items of one kind.
struct Line {
  std::string_view kind;
  const char* title;
  const char* meaning;
};
constexpr std::array kLines{
    Line{"load", "loads that are not read", " (load cases with them are left out)"},
    Line{"constraint",
         "constraints that are not read",
         " (right only if the matrices contain them)"},
    Line{"other", "not understood", ""},
    Line{"property", "not needed", " (materials, sections, requests)"},
    Line{"result", "results that are not read", ""},
};

}  // namespace

std::string_view unread_kind(std::string_view name) {
  const auto found = std::find_if(kBeginnings.begin(), kBeginnings.end(), [&](const Beginning& b) {
    return name.starts_with(b.text);
  });
  return found == kBeginnings.end() ? "other" : found->kind;
}

std::string unread_text(const Json& unread) {
  std::string out;
  for (const Line& line : kLines) {
    std::string items;
    for (const Json& item : unread.items()) {
      const std::string name = item.find("what")->text();
      if (unread_kind(name) != line.kind) continue;
      items += fmt::format(
          "{}{:.0f} x {}", items.empty() ? "" : ", ", item.find("count")->number(), name);
    }
    if (!items.empty()) out += fmt::format("  {}: {}{}\n", line.title, items, line.meaning);
  }
  return out;
}

}  // namespace femflex::tools
