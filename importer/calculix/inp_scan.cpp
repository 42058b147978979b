// Splits the lines of CalculiX and Abaqus decks into keywords and fields, recognises decks by their
// first keyword, and collects all node and element ids of a deck in a separate pass.
#include "calculix/inp_scan.h"

#include <algorithm>
#include <set>

#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
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

const std::vector<std::int64_t>& InpScan::ids() {
  scan();
  return ids_;
}

std::int64_t InpScan::bytes() {
  scan();
  return bytes_;
}

void InpScan::scan() {
  if (bytes_ > 0) return;
  std::int64_t files = 0;
  scan_file(top_, 0, files);
  std::sort(ids_.begin(), ids_.end());
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
}

// A continuation line of an element counts as a line of its own, so its first node id is added as
// well; it is an id of the deck anyway.
void InpScan::scan_file(const std::filesystem::path& path, int depth, std::int64_t& files) {
  std::error_code ignored;
  if (depth > kMaxIncludeDepth || ++files > kMaxIncludes ||
      !std::filesystem::is_regular_file(path, ignored))
    return;
  const InputFile file(path);
  bytes_ += static_cast<std::int64_t>(file.bytes().size());
  Lines lines(file.bytes());
  bool has_ids = false;
  while (lines.next()) {
    std::string_view line = trimmed(lines.line());
    if (line.empty() || is_inp_comment(line)) continue;
    if (line.front() == '*') {
      const std::string keyword = keyword_of(line);
      has_ids = keyword == "NODE" || keyword == "ELEMENT";
      const std::size_t equals = line.find('=');
      if (keyword == "INCLUDE" && equals != std::string_view::npos)
        scan_file(path.parent_path() / unquoted(line.substr(equals + 1)), depth + 1, files);
    } else if (std::int64_t id = 0; has_ids && take_integer(line, id)) {
      ids_.push_back(id);
    }
  }
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
