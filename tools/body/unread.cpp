// Classifies NASTRAN cards and tables, and CalculiX and Abaqus keywords, by the beginning of their
// names.
#include "body/unread.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace femflex::tools {
namespace {

/// Names that start with `text` are of the kind `kind`.
struct Prefix {
  std::string_view text;
  std::string_view kind;
};
/// The first matching entry decides, so longer entries come first.
constexpr std::array kPrefixes{
    Prefix{"PLOAD", "load"},
    Prefix{"TEMP", "load"},
    Prefix{"RFORCE", "load"},
    Prefix{"ACCEL", "load"},
    Prefix{"SPCD", "load"},
    Prefix{"DEFORM", "load"},
    Prefix{"DAREA", "load"},
    Prefix{"RLOAD", "load"},
    Prefix{"TLOAD", "load"},
    Prefix{"DLOAD", "load"},
    Prefix{"LSEQ", "load"},
    Prefix{"QBDY", "load"},
    Prefix{"*DLOAD", "load"},
    Prefix{"*DSLOAD", "load"},
    Prefix{"*TEMPERATURE", "load"},
    Prefix{"*INITIALCONDITIONS", "state"},
    Prefix{"*DFLUX", "load"},
    Prefix{"*CFLUX", "load"},
    Prefix{"*BOUNDARY with a value", "load"},
    Prefix{"*BOUNDARY", "constraint"},
    Prefix{"BOUNDARY", "constraint"},
    Prefix{"*EQUATION", "constraint"},
    Prefix{"*MPC", "constraint"},
    Prefix{"*TIE", "constraint"},
    Prefix{"*COUPLING", "constraint"},
    Prefix{"*KINEMATIC", "constraint"},
    Prefix{"*DISTRIBUTING", "constraint"},
    Prefix{"*TRANSFORM", "constraint"},
    Prefix{"*CONTACTPAIR", "constraint"},
    Prefix{"*CYCLICSYMMETRYMODEL", "constraint"},
    Prefix{"*PRE-TENSION", "constraint"},
    Prefix{"RSSCON", "constraint"},
    Prefix{"SUPORT1", "constraint"},
    Prefix{"SUPAX", "constraint"},
    Prefix{"SPCAX", "constraint"},
    Prefix{"MPCAX", "constraint"},
    Prefix{"BCT", "constraint"},
    Prefix{"BGADD", "constraint"},
    Prefix{"MAT", "property"},
    Prefix{"PARAM", "property"},
    Prefix{"PSHELL", "property"},
    Prefix{"PSOLID", "property"},
    Prefix{"PLSOLID", "property"},
    Prefix{"PCOMP", "property"},
    Prefix{"PBAR", "property"},
    Prefix{"PBEAM", "property"},
    Prefix{"PBEND", "property"},
    Prefix{"PBUSH", "property"},
    Prefix{"PROD", "property"},
    Prefix{"PTUBE", "property"},
    Prefix{"PELAS", "property"},
    Prefix{"PDAMP", "property"},
    Prefix{"PMASS", "property"},
    Prefix{"PVISC", "property"},
    Prefix{"PGAP", "property"},
    Prefix{"PSHEAR", "property"},
    Prefix{"PFAST", "property"},
    Prefix{"PWELD", "property"},
    Prefix{"TABLE", "property"},
    Prefix{"TABD", "property"},
    Prefix{"EIG", "property"},
    Prefix{"*MATERIAL", "property"},
    Prefix{"*ELASTIC", "property"},
    Prefix{"*DENSITY", "property"},
    Prefix{"*PLASTIC", "property"},
    Prefix{"*EXPANSION", "property"},
    Prefix{"*CONDUCTIVITY", "property"},
    Prefix{"*DAMPING", "property"},
    Prefix{"*ORIENTATION", "property"},
    Prefix{"*SOLIDSECTION", "property"},
    Prefix{"*SHELLSECTION", "property"},
    Prefix{"*BEAMSECTION", "property"},
    Prefix{"*BEAMGENERALSECTION", "property"},
    Prefix{"*MEMBRANESECTION", "property"},
    Prefix{"*SPRING", "property"},
    Prefix{"*DASHPOT", "property"},
    Prefix{"*SURFACE", "property"},
    Prefix{"*AMPLITUDE", "property"},
    Prefix{"*FREQUENCY", "property"},
    Prefix{"*STATIC", "property"},
    Prefix{"*OUTPUT", "property"},
    Prefix{"*NODEFILE", "property"},
    Prefix{"*NODEPRINT", "property"},
    Prefix{"*NODEOUTPUT", "property"},
    Prefix{"*ELFILE", "property"},
    Prefix{"*ELPRINT", "property"},
    Prefix{"*ELEMENTOUTPUT", "property"},
    Prefix{"*RESTART", "property"},
    Prefix{"*PREPRINT", "property"},
    Prefix{"STRESS", "result"},
    Prefix{"TOSTRAIN", "result"},
    Prefix{"FORC", "result"},
    Prefix{"OES", "result"},
    Prefix{"OEF", "result"},
    Prefix{"OSTR", "result"},
    Prefix{"OQ", "result"},
    Prefix{"ONR", "result"},
    Prefix{"OGP", "result"},
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
    Line{"state", "initial conditions that are not read", " (models and loads are those without)"},
    Line{"other", "not understood", ""},
    Line{"property", "not needed", " (materials, sections, requests)"},
    Line{"result", "results that are not read", ""},
};

}  // namespace

std::string_view unread_kind(std::string_view name) {
  const auto found = std::find_if(kPrefixes.begin(), kPrefixes.end(), [&](const Prefix& b) {
    return name.starts_with(b.text);
  });
  return found == kPrefixes.end() ? "other" : found->kind;
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
