// Splits the lines of CalculiX and Abaqus decks into keywords and fields, and recognises decks by
// their first keyword.
#include "calculix/inp_scan.h"

#include <set>

#include "femflex/lines.h"
#include "femflex/text.h"

#include "calculix/inp.h"

namespace femflex::importer {

bool is_inp_comment(std::string_view line) {
  return line.starts_with("**") || line.starts_with(">**") || line == "*";
}

std::string keyword_of(std::string_view line) {
  std::string name;
  for (const char c : line.substr(1, line.find(',') - 1))
    if (c != ' ' && c != '\t') name += c;
  return upper_case(name);
}

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  if (fields.back().empty()) fields.pop_back();
  return fields;
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
    return line.front() == '*' && kFirstKeywords.contains(keyword_of(line));
  }
  return false;
}

}  // namespace femflex::importer
