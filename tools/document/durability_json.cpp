// Reads Woehler curves (file or library) and strain gauges from JSON; stresses in Pa.
#include "document/durability_json.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "femflex/channel.h"
#include "femflex/durability/curve_library.h"
#include "femflex/errors.h"

#include "document/base_unit.h"
#include "document/json_text.h"

namespace femflex::tools {
namespace {

double need_number(ObjectReader& reader, const char* key) {
  return reader.need(key).number();
}

Eigen::Vector3d vector_of(const Json& value) {
  if (!value.is_list() || value.items().size() != 3) value.fail("vector", "expected three numbers");
  Eigen::Vector3d out;
  for (std::size_t k = 0; k < 3; ++k)
    out[static_cast<Eigen::Index>(k)] = value.items()[k].number();
  return out;
}

void read_mean_stress(const Json& value, double unit, durability::WoehlerCurve& curve) {
  ObjectReader reader(value, "mean_stress");
  curve.mean =
      durability::parse_mean_stress(choice(reader.need("rule"), durability::mean_stress_names()));
  if (const Json* strength = reader.find("strength")) curve.strength = unit * strength->number();
  if (const Json* M = reader.find("M"))
    curve.sensitivity = M->number();
  else if (curve.mean == durability::MeanStress::fkm)
    value.fail("missing-key", "mean_stress: the rule fkm needs the sensitivity 'M'");
  reader.finish();
}

/// Moves the curve to another probability of survival.
void read_survival(const Json& value, durability::WoehlerCurve& curve) {
  ObjectReader reader(value, "survival");
  const double of_curve = need_number(reader, "of_curve");
  const double wanted = need_number(reader, "wanted");
  const double scatter = need_number(reader, "scatter");
  reader.finish();
  curve.knee *= durability::survival_factor(of_curve, wanted, scatter);
}

}  // namespace

CurveFile read_curve(const std::filesystem::path& path) {
  if (std::error_code ignored; !std::filesystem::exists(path, ignored)) {
    // the classes of the library are in MPa, and so are signals without a unit
    if (std::optional<durability::LibraryCurve> known = durability::library_curve(path.string()))
      return {std::move(known->curve), base_unit("MPa")->factor, "MPa"};
    throw UsageError("no-such-file",
                     "neither a file nor a curve of the library has this name",
                     {path.string()},
                     "check the name; curves of the library are iiw:71, eurocode3:71, dnv:D, "
                     "fkm-steel:600, textbook-steel:600, ...");
  }
  const Json document = read_json_file(path);
  ObjectReader reader(document, "curve");
  CurveFile out;
  out.unit_name = choice(reader.need("unit"), {"Pa", "kPa", "MPa", "GPa", "psi", "ksi"});
  out.unit = base_unit(out.unit_name)->factor;
  durability::WoehlerCurve& curve = out.curve;
  curve.name = reader.text("name", path.stem().string());
  static_cast<void>(reader.text("source", ""));
  const bool is_range = choice(reader.need("stress"), {"amplitude", "range"}) == "range";
  curve.slope = need_number(reader, "slope");
  curve.knee = need_number(reader, "knee") * out.unit * (is_range ? 0.5 : 1.0);
  curve.knee_cycles = need_number(reader, "knee_cycles");
  curve.below = durability::parse_below_knee(
      choice(reader.need("below_knee"), durability::below_knee_names()));
  if (const Json* mean = reader.find("mean_stress")) read_mean_stress(*mean, out.unit, curve);
  if (const Json* survival = reader.find("survival")) read_survival(*survival, curve);
  reader.finish();
  durability::check_curve(curve);
  return out;
}

std::vector<durability::Gauge> gauges_of(const Json& list,
                                         double length,
                                         const VectorReader& vector) {
  std::vector<durability::Gauge> out;
  std::set<std::string> names;
  for (const Json& item : list.items()) {
    ObjectReader each(item, "gauge");
    durability::Gauge gauge;
    gauge.name = each.need("name").text();
    if (gauge.name.empty() || gauge.name.find('/') != std::string::npos ||
        is_quantity(gauge.name) || !names.insert(gauge.name).second)
      item.fail("gauge-name",
                "the name of a gauge is empty, has a '/', is that of a quantity, or occurs twice");
    gauge.point = vector(each.need("point"), length);
    if (const Json* normal = each.find("normal")) gauge.normal = vector(*normal, 1.0);
    for (const Json& direction : each.need("directions").items())
      gauge.directions.push_back(vector(direction, 1.0));
    if (gauge.directions.empty() || gauge.directions.size() > 3)
      item.fail("gauge-directions", "a gauge has one to three directions");
    each.finish();
    out.push_back(std::move(gauge));
  }
  if (out.empty()) list.fail("no-gauges", "the list of gauges is empty");
  return out;
}

std::vector<durability::Gauge> read_gauges(const std::filesystem::path& path) {
  const Json document = read_json_file(path);
  ObjectReader reader(document, "gauges");
  std::vector<durability::Gauge> out = gauges_of(
      reader.need("gauges"), 1.0, [](const Json& value, double) { return vector_of(value); });
  reader.finish();
  return out;
}

}  // namespace femflex::tools
