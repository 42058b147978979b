// Sections that several HTML pages share: mass, damping, effective mass, dropped modes, resources,
// command.
#pragma once

#include <string>
#include <vector>

#include "femflex/flex_body.h"
#include "femflex/provenance.h"

#include "html_report.h"

namespace femflex::report {

/// How a page was made. `call` is the command that makes it again from the same folder.
struct PageOptions {
  std::string call;
  bool is_reproducible = false;  ///< leaves out times and memory
};

// Parts that several pages share.
void mass_properties(HtmlReport& page, const FlexBody& body);
/// What a damping ratio means: cycles until a free vibration has halved, time until then.
void damping_table(HtmlReport& page, const FlexBody& body);
/// Damping ratios of the eigenmodes of (k, m): ratios of shapes that are not orthogonal differ from
/// these.
void true_damping_table(HtmlReport& page, const FlexBody& body);
/// Effective mass of each mode, their sum, and the mass of the body.
void effective_mass(HtmlReport& page, const FlexBody& body, const Eigen::MatrixXd& energy);
void dropped_modes(HtmlReport& page, const FlexBody& body);
/// Processor time and memory of the program so far, then the given pairs of name and value.
void resources(HtmlReport& page,
               const PageOptions& options,
               const std::vector<std::pair<std::string, std::string>>& more = {});
/// Files with their sha256, then the command.
void reproduce(HtmlReport& page,
               const PageOptions& options,
               const std::vector<Provenance::Source>& sources = {});

}  // namespace femflex::report
