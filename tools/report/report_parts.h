// Sections used in several HTML pages: mass, damping, effective mass, dropped modes, resources,
// command.
#pragma once

#include <string>
#include <vector>

#include "femflex/flex_body.h"
#include "femflex/provenance.h"

#include "html_report.h"

namespace femflex::report {

/// How a page was made. `call` is the command that reproduces it in the same folder.
struct PageOptions {
  std::string call;
  bool is_reproducible = false;  ///< omits times and memory
};

/// Pictures of the first shapes, over the undeformed mesh.
void shape_gallery(HtmlReport& page, const FlexBody& body);
/// Mass, centre and inertia of a body.
void mass_properties(HtmlReport& page, const FlexBody& body);
/// Damping ratios of the modal coordinates and what they mean: cycles and seconds until a free
/// vibration is halved, and peak response divided by static response.
void damping_table(HtmlReport& page, const FlexBody& body);
/// Damping ratios of the eigenmodes of the reduced body; they differ from the ratios of its shapes
/// if these are not orthogonal.
void true_damping_table(HtmlReport& page, const FlexBody& body);
/// Effective mass of each mode, their sum and the mass of the body; then the nodes with most of the
/// kinetic energy.
/// @param energy  modal::kinetic_energy_fractions()
void effective_mass(HtmlReport& page, const FlexBody& body, const Eigen::MatrixXd& energy);
/// Modes that the reduction rejected, with the reason.
void dropped_modes(HtmlReport& page, const FlexBody& body);
/// Processor time and memory used by the program so far.
/// @param more  further rows: name and value
void resources(HtmlReport& page,
               const PageOptions& options,
               const std::vector<std::pair<std::string, std::string>>& more = {});
/// Files with their SHA-256, then the command.
void reproduce(HtmlReport& page,
               const PageOptions& options,
               const std::vector<Provenance::Source>& sources = {});

}  // namespace femflex::report
