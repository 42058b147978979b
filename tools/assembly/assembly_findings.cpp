// Compares a part as it is sent with the same part before condensation
// (substructure::recoverability()) and adds the error bound of the condensation.
#include "assembly/assembly_findings.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/substructure/condense.h"

namespace femflex::tools {

Findings findings_of(PartBook& book,
                     const std::string& number,
                     const substructure::DynamicStiffness& part) {
  Findings all;
  const substructure::DynamicStiffness full = book.full(number, Ask{});
  const substructure::Recoverability report = substructure::recoverability(part, full);
  Json out = Json::object();
  out["hidden_coordinates"] = report.hidden_coordinates;
  out["removed_coordinates"] = report.removed_coordinates;
  out["numbers_given"] = report.numbers_given;
  out["numbers_private"] = report.numbers_private;
  out["fixed_interface_hz"] = report.fixed_interface_hz;
  out["rigid_motions"] = report.rigid_motions;
  out["findings"] = report.findings;
  const std::optional<Condensation>& condense = book.definition(number).shaping.condense;
  if (condense) {
    const substructure::Condensed cost = condensed(full, *condense);
    out["band_hz"] = cost.band / (2.0 * M_PI);
    out["error_bound"] = cost.error_bound ? Json(*cost.error_bound) : Json();
    out["scale"] = cost.scale;
    if (cost.error_bound) {
      all.text +=
          fmt::format("error up to {:.4g} Hz: at most {:.3g} N/m, {:.2g} of the ports' own\n",
                      cost.band / (2.0 * M_PI),
                      *cost.error_bound,
                      *cost.error_bound / cost.scale);
    }
  }
  all.document = std::move(out);
  for (const std::string& line : report.findings)
    all.text += line + "\n";
  return all;
}

}  // namespace femflex::tools
