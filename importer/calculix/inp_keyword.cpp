// Takes keyword lines apart, lists the keywords that are read, and recognises decks by their first
// keyword.
#include "calculix/inp_keyword.h"

#include <set>

#include "femflex/lines.h"
#include "femflex/text.h"

#include "calculix/inp.h"
#include "calculix/inp_scan.h"

namespace femflex::importer {
namespace {

std::string keyword_name(std::string_view line) {
  std::string name;
  for (const char c : line.substr(1, line.find(',') - 1))
    if (c != ' ' && c != '\t') name += c;
  return upper_case(name);
}

}  // namespace

std::string InpParameters::text(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string() : found->second;
}

std::string InpParameters::word(const std::string& name) const {
  return upper_case(text(name));
}

InpKeyword inp_keyword_of(std::string_view line) {
  InpKeyword out{keyword_name(line), {}};
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos) return out;
  for (const std::string_view field : fields_of(line.substr(comma + 1))) {
    const std::size_t equals = field.find('=');
    std::string name;
    for (const char c : trimmed(field.substr(0, equals)))
      if (c != ' ' && c != '\t') name += c;
    out.parameters.set(
        upper_case(name),
        equals == std::string_view::npos ? std::string() : unquoted(field.substr(equals + 1)));
  }
  return out;
}

bool is_read_everywhere(std::string_view name) {
  static const std::set<std::string_view> kRead{
      "NODE",         "ELEMENT",      "NSET",        "ELSET",       "MASS",        "ROTARYINERTIA",
      "BOUNDARY",     "INCLUDE",      "RIGIDBODY",   "PART",        "ENDPART",     "HEADING",
      "TRANSFORM",    "EQUATION",     "CLOAD",       "INSTANCE",    "ENDINSTANCE", "STEP",
      "ENDSTEP",      "ASSEMBLY",     "ENDASSEMBLY", "MATERIAL",    "ELASTIC",     "DENSITY",
      "SOLIDSECTION", "SHELLSECTION", "BEAMSECTION", "ORIENTATION", "DLOAD",       "DSLOAD",
      "SURFACE",      "COUPLING",     "AMPLITUDE",   "STATIC",      "SYSTEM"};
  return kRead.contains(name);
}

bool is_inp(const FileHead& head) {
  // LS-DYNA also has keyword lines, with other keywords; its decks begin with *KEYWORD
  static const std::set<std::string_view> kFirstKeywords{"AMPLITUDE",    "ASSEMBLY",
                                                         "BEAMSECTION",  "BOUNDARY",
                                                         "CONTACTPAIR",  "COUPLING",
                                                         "DENSITY",      "DESIGNVARIABLES",
                                                         "ELASTIC",      "ELEMENT",
                                                         "ELSET",        "EQUATION",
                                                         "FLUIDSECTION", "HEADING",
                                                         "INCLUDE",      "INITIALCONDITIONS",
                                                         "MASS",         "MATERIAL",
                                                         "MPC",          "NGEN",
                                                         "NODE",         "NSET",
                                                         "ORIENTATION",  "PARAMETER",
                                                         "PART",         "PHYSICALCONSTANTS",
                                                         "PREPRINT",     "RESTART",
                                                         "RIGIDBODY",    "SHELLSECTION",
                                                         "SOLIDSECTION", "SPRING",
                                                         "STEP",         "SUBMODEL",
                                                         "SURFACE",      "SURFACEINTERACTION",
                                                         "SYSTEM",       "TIE",
                                                         "TIMEPOINTS",   "TRANSFORM",
                                                         "USERMATERIAL"};
  Lines lines(head.bytes);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty() || is_inp_comment(line)) continue;
    return line.front() == '*' && kFirstKeywords.contains(keyword_name(line));
  }
  return false;
}

}  // namespace femflex::importer
