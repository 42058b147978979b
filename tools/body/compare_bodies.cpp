// Compares two bodies at their common nodes: modes and mass by modal::compare_bodies(), other
// content by flexfile::body_aspects(). Formats the outcome as JSON and tables.
#include "body/compare_bodies.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::tools {

BodyComparison compare_bodies(const FlexBody& a,
                              const FlexBody& b,
                              double tolerance,
                              const std::vector<std::string>& lacking) {
  const bool has_ids = std::find(lacking.begin(), lacking.end(), "node ids") == lacking.end();
  const flexfile::CommonNodes nodes = flexfile::common_nodes(a, b, has_ids);
  if (nodes.a.empty())
    throw ModelError(
        "nothing-in-common",
        fmt::format("bodies '{}' and '{}' have no node in common{}",
                    a.name,
                    b.name,
                    has_ids ? "" : ", by position, because one of them has no node ids"));
  BodyComparison out{modal::compare_bodies(a, b, {nodes.a, nodes.b}, tolerance), {}, tolerance};
  out.aspects = flexfile::body_aspects(a, b, nodes, lacking, tolerance);
  for (const flexfile::BodyAspect& aspect : out.aspects)
    if (aspect.verdict == flexfile::BodyAspect::Verdict::differs) out.passes = false;
  return out;
}

Json comparison_json(const BodyComparison& comparison) {
  Json out = Json::object();
  out["channels"] = Json::list();
  Json modes = Json::list();
  for (const BodyComparison::Mode& mode : comparison.modes) {
    Json item = Json::object();
    item["a_hz"] = mode.a_hz;
    item["b_hz"] = mode.b_hz;
    item["error_percent"] = mode.error_percent;
    item["mac"] = mode.mac;
    modes.push_back(std::move(item));
  }
  out["modes"] = std::move(modes);
  Json aspects = Json::list();
  for (const flexfile::BodyAspect& aspect : comparison.aspects) {
    Json item = Json::object();
    item["name"] = aspect.name;
    item["difference"] = aspect.difference;
    item["verdict"] = std::string(name_of(aspect.verdict));
    if (!aspect.remark.empty()) item["remark"] = aspect.remark;
    aspects.push_back(std::move(item));
  }
  out["aspects"] = std::move(aspects);
  out["mass_error"] = comparison.mass_error;
  out["centre_error"] = comparison.centre_error;
  out["inertia_error"] = comparison.inertia_error;
  out["tolerance"] = comparison.tolerance;
  out["verdict"] = comparison.passes ? "pass" : "fail";
  return out;
}

TextTable comparison_table(const BodyComparison& comparison) {
  TextTable table({"mode", "A Hz", "B Hz", "difference %", "MAC"});
  for (std::size_t i = 0; i < comparison.modes.size(); ++i) {
    const BodyComparison::Mode& mode = comparison.modes[i];
    table.add({std::to_string(i + 1),
               readable(mode.a_hz),
               readable(mode.b_hz),
               readable(mode.error_percent, 3),
               readable(mode.mac, 5)});
  }
  return table;
}

TextTable aspect_table(const BodyComparison& comparison) {
  TextTable table({"content", "difference", "verdict", "remark"});
  for (const flexfile::BodyAspect& aspect : comparison.aspects)
    table.add({aspect.name,
               readable(aspect.difference, 3),
               std::string(name_of(aspect.verdict)),
               aspect.remark});
  return table;
}

}  // namespace femflex::tools
