// Collects the shell and beam sections of CalculiX and Abaqus decks. finish() adds the elements of
// each section, because the deck may define sets later.
#include "calculix/inp_sections.h"

#include <cstddef>

#include "femflex/number.h"

namespace femflex::importer {
namespace {

/// Number in field k, or the default if the field is missing or not a number.
double number_at(const std::vector<std::string_view>& fields, std::size_t k, double default_value) {
  if (k >= fields.size()) return default_value;
  return parse_real(fields[k]).value_or(default_value);
}

}  // namespace

std::optional<double> inp_offset(const InpParameters& parameters, const std::string& name) {
  if (!parameters.has(name)) return 0.0;
  const std::string word = parameters.word(name);
  if (word == "SPOS") return 0.5;
  if (word == "SNEG") return -0.5;
  return parse_real(word);
}

void InpSections::begin(const std::string& keyword, const InpParameters& parameters) {
  is_section_ = keyword == "SHELLSECTION" || keyword == "BEAMSECTION";
  lines_ = 0;
  if (!is_section_) {
    // normals and thicknesses given node by node are not supported, wherever they stand
    is_plain_ = is_plain_ && keyword != "NORMAL" && keyword != "NODALTHICKNESS";
    return;
  }
  RawSection section;
  section.is_beam = keyword == "BEAMSECTION";
  section.shape = parameters.word("SECTION");
  section.is_plain = !parameters.has("COMPOSITE") && !parameters.has("NODALTHICKNESS") &&
                     (!section.is_beam || section.shape == "RECT" || section.shape == "CIRC");
  const auto first = inp_offset(parameters, section.is_beam ? "OFFSET1" : "OFFSET");
  const auto second = inp_offset(parameters, "OFFSET2");
  section.is_plain = section.is_plain && first && second;
  section.offset = {first.value_or(0.0), second.value_or(0.0)};
  sections_.push_back(std::move(section));
  sets_.push_back(parameters.word("ELSET"));
}

void InpSections::data(const std::vector<std::string_view>& fields) {
  if (!is_section_) return;
  RawSection& section = sections_.back();
  if (lines_ == 0) {
    section.thickness[0] = number_at(fields, 0, 0.0);
    section.thickness[1] = number_at(fields, 1, section.thickness[0]);
  } else if (lines_ == 1 && section.is_beam) {
    for (std::size_t k = 0; k < 3; ++k)
      section.axis[k] = number_at(fields, k, section.axis[k]);
  }
  ++lines_;
}

void InpSections::finish(const InpSets& element_sets, std::vector<RawSection>& out) {
  for (std::size_t k = 0; k < sections_.size(); ++k) {
    if (const InpSets::Members* set = element_sets.find(sets_[k])) sections_[k].elements = *set;
    sections_[k].is_plain = sections_[k].is_plain && is_plain_;
    out.push_back(std::move(sections_[k]));
  }
  sections_.clear();
  sets_.clear();
}

}  // namespace femflex::importer
