// JSON, table and text of a validation, with remedies for what failed.
#include "body/validation_report.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "body/fe_report.h"

namespace femflex::tools {
namespace {

/// The number of modes within the band of the frequency responses, if modes above it failed and
/// those within it did not; else 0.
std::size_t modes_within_band(const modal::Validation& validation) {
  if (validation.frf.empty()) return 0;
  const double end = validation.frf.back().frequency_hz;
  const auto& modes = validation.frequencies;
  const auto above = std::find_if(
      modes.begin(), modes.end(), [&](const auto& mode) { return mode.full_hz > end; });
  const auto agrees = [](const modal::Validation::Frequency& mode) { return mode.agrees; };
  if (!std::all_of(modes.begin(), above, agrees) || std::all_of(above, modes.end(), agrees))
    return 0;
  return static_cast<std::size_t>(above - modes.begin());
}

/// Remedies for a body that does not represent its model, by the failed checks; empty if none
/// failed.
std::string remedy_of(const modal::Validation& validation) {
  if (validation.pass) return {};
  std::vector<std::string> steps;
  if (validation.full_zero_modes != validation.reduced_zero_modes)
    steps.emplace_back(
        "check that the body was made from this model, and that its rigid modes were kept "
        "or dropped as intended");
  const auto has = [&](std::string_view words) {
    return std::any_of(validation.findings.begin(),
                       validation.findings.end(),
                       [&](const std::string& f) { return f.find(words) != std::string::npos; });
  };
  if (has("the mass is"))
    steps.emplace_back("check units and model: a reduction does not change the mass");
  if (has("static displacements"))
    steps.emplace_back(
        "add constraint or static modes of the interface (reduce --method "
        "craig-bampton), or residuals (modes --residual)");
  const std::size_t within = modes_within_band(validation);
  if (within > 0)
    steps.push_back(fmt::format(
        "the modes that failed are above the band: --modes {} compares those in it", within));
  if (has("frequency response") || (within == 0 && has("mode ")))
    steps.emplace_back(
        "take more normal modes, or a narrower --band: modes above the last one of the body "
        "are missing");
  return fmt::format("{}", fmt::join(steps, "; "));
}

}  // namespace

Json validation_json(const modal::Validation& validation) {
  Json out = Json::object();
  Json frequencies = Json::list();
  for (const modal::Validation::Frequency& each : validation.frequencies) {
    Json item = Json::object();
    item["full_hz"] = each.full_hz;
    item["reduced_hz"] = each.reduced_hz;
    item["error_percent"] = each.error_percent;
    item["mac"] = each.mac;
    frequencies.push_back(std::move(item));
  }
  out["frequencies"] = std::move(frequencies);
  Json mac = Json::object();
  mac["mass_weighted"] = matrix_rows_json(validation.mac);
  mac["plain"] = matrix_rows_json(validation.plain_mac);
  out["mac"] = std::move(mac);
  Json mass = Json::object();
  mass["full"] = validation.full_mass;
  mass["reduced"] = validation.reduced_mass;
  mass["full_centre"] = Json::list_of(validation.full_centre);
  mass["reduced_centre"] = Json::list_of(validation.reduced_centre);
  mass["full_inertia"] = inertia_entries(validation.full_inertia);
  mass["reduced_inertia"] = inertia_entries(validation.reduced_inertia);
  out["mass"] = std::move(mass);
  Json zero = Json::object();
  zero["full"] = validation.full_zero_modes;
  zero["reduced"] = validation.reduced_zero_modes;
  out["zero_modes"] = std::move(zero);
  out["static_error"] = validation.static_error < 0 ? Json() : Json(validation.static_error);
  Json frf = Json::object();
  const bool has_frf = validation.frf_error >= 0 && !validation.frf.empty();
  frf["band_hz"] = has_frf ? Json(std::vector<double>{validation.frf.front().frequency_hz,
                                                      validation.frf.back().frequency_hz})
                           : Json();
  frf["max_relative"] = has_frf ? Json(validation.frf_error) : Json();
  out["frf_error"] = std::move(frf);
  out["invariants"] = invariants_json(validation.invariants);
  out["findings"] = validation.findings;
  out["verdict"] = validation.pass ? "pass" : "fail";
  return out;
}

TextTable frequency_table(const modal::Validation& validation) {
  TextTable table({"mode", "full Hz", "reduced Hz", "error %", "MAC"});
  for (std::size_t i = 0; i < validation.frequencies.size(); ++i) {
    const modal::Validation::Frequency& each = validation.frequencies[i];
    table.add({std::to_string(i + 1),
               readable(each.full_hz),
               readable(each.reduced_hz),
               readable(each.error_percent, 3),
               readable(each.mac, 4)});
  }
  return table;
}

std::string validation_text(const modal::Validation& validation) {
  std::string out = validation.pass ? "pass\n" : "fail\n";
  out += frequency_table(validation).text();
  out += fmt::format("  mass {} kg full, {} kg reduced; zero modes {} full, {} reduced\n",
                     readable(validation.full_mass),
                     readable(validation.reduced_mass),
                     validation.full_zero_modes,
                     validation.reduced_zero_modes);
  if (validation.static_error >= 0)
    out += fmt::format("  static error {}\n", readable(validation.static_error, 3));
  if (validation.frf_error >= 0)
    out +=
        fmt::format("  FRF error {} at most, relative to the peak response in each third octave\n",
                    readable(validation.frf_error, 3));
  for (const std::string& finding : validation.findings)
    out += "  failed: " + finding + "\n";
  if (const std::string remedy = remedy_of(validation); !remedy.empty())
    out += "  next: " + remedy + "\n";
  return out;
}

}  // namespace femflex::tools
