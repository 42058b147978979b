// Reports what the recipient of a condensed part can recover of the full part, using
// substructure::recoverability(), and the error bound of the condensation.
#include "assembly/assembly_findings.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/substructure/condense.h"

namespace femflex::tools {

Findings findings_of(PartBook& book,
                     const std::string& part_number,
                     const substructure::DynamicStiffness& part) {
  Findings findings;
  const substructure::DynamicStiffness full = book.full(part_number, RequestContext{});
  const substructure::Recoverability recoverable = substructure::recoverability(part, full);
  Json document = Json::object();
  document["hidden_coordinates"] = recoverable.hidden_coordinates;
  document["removed_coordinates"] = recoverable.removed_coordinates;
  document["numbers_given"] = recoverable.numbers_given;
  document["numbers_private"] = recoverable.numbers_private;
  document["fixed_interface_hz"] = recoverable.fixed_interface_hz;
  document["rigid_motions"] = recoverable.rigid_motions;
  document["findings"] = recoverable.findings;
  const std::optional<Condensation>& settings = book.definition(part_number).modifications.condense;
  if (settings) {
    const substructure::Condensed result = condensed(full, *settings);
    document["band_hz"] = result.band / (2.0 * M_PI);
    document["error_bound"] = result.error_bound ? Json(*result.error_bound) : Json();
    document["scale"] = result.scale;
    if (result.error_bound) {
      findings.text += fmt::format(
          "error of the condensation up to {:.4g} Hz: at most {:.3g} N/m, {:.2g} relative to "
          "the stiffness and mass at the ports\n",
          result.band / (2.0 * M_PI),
          *result.error_bound,
          *result.error_bound / result.scale);
    }
  }
  findings.document = std::move(document);
  for (const std::string& line : recoverable.findings)
    findings.text += line + "\n";
  return findings;
}

}  // namespace femflex::tools
