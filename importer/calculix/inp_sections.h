// Collects the shell and beam sections of CalculiX and Abaqus decks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/importer/contents.h"

#include "calculix/inp_keyword.h"
#include "calculix/inp_sets.h"

namespace femflex::importer {

/// The offset of a section relative to its thickness: a number, SPOS (0.5) or SNEG (-0.5); 0 if it
/// is not given. Nothing for other texts, such as the name of a distribution.
std::optional<double> inp_offset(const InpParameters& parameters, const std::string& name);

/// Reads *SHELL SECTION and *BEAM SECTION of a deck, the sections with which CalculiX expands
/// surface and line elements into solids.
///
///   *SHELL SECTION, ELSET=, OFFSET=     thickness
///   *BEAM SECTION, ELSET=, SECTION=RECT or CIRC, OFFSET1=, OFFSET2=
///                                        dimensions along axes 1 and 2 (CIRC: diameters)
///                                        direction of axis 1
class InpSections {
 public:
  /// Takes a keyword line with its parameters, names in upper case.
  void begin(const std::string& keyword, const InpParameters& parameters);
  /// Takes a data line below the keyword line.
  void data(const std::vector<std::string_view>& fields);
  /// Appends to `out` the sections with the elements of their sets.
  void finish(const InpSets& element_sets, std::vector<RawSection>& out);

 private:
  std::vector<RawSection> sections_;
  std::vector<std::string> sets_;  // element set of each section
  bool is_section_ = false;        // the current keyword defines a section
  bool is_plain_ = true;           // no normals or thicknesses are given node by node
  int lines_ = 0;                  // data lines read since the keyword line
};

}  // namespace femflex::importer
