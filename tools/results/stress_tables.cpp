// Stresses of shapes, peaks and damage of runs and of schedules of runs, random response and cycles
// as CSV and JSON. All tables have the same columns for the place of a stress.
#include "results/stress_tables.h"

#include <array>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "femflex/elements/stress_map.h"

#include "document/csv.h"

namespace femflex::tools {
namespace {

using durability::Extreme;
using durability::LocationPeaks;
using durability::StressLocation;
using durability::StressSource;

/// Size from which buffered text is written to the file [bytes].
constexpr std::size_t kFlushBytes = std::size_t{1} << 20U;

constexpr std::string_view kPlaceHead = "element,type,place,index,node,face,axes,x_m,y_m,z_m,unit";

std::string place_text(const StressSource& source, const StressLocation& at) {
  const Eigen::Vector3d& x = at.point.position;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},Pa",
                     at.point.place == elements::Place::node ? 0 : source.id(at.element),
                     csv_cell(source.type(at.element)),
                     elements::name_of(at.point.place),
                     at.point.index + 1,
                     at.node,
                     durability::face_of(at),
                     elements::name_of(at.axes),
                     x.x(),
                     x.y(),
                     x.z());
}

/// The components that this kind of element has, such as "xx yy xy" for a membrane; others are
/// zero.
std::string components_of(const StressLocation& at) {
  std::string out;
  for (std::size_t c = 0; c < 6; ++c)
    if (at.rows[c] >= 0) out += (out.empty() ? "" : " ") + std::string(durability::kComponents[c]);
  return out;
}

struct NamedExtreme {
  std::string_view name;
  Extreme LocationPeaks::*field;
};
constexpr std::array kExtremes{NamedExtreme{"von_mises", &LocationPeaks::von_mises},
                               NamedExtreme{"signed_von_mises_max", &LocationPeaks::signed_max},
                               NamedExtreme{"signed_von_mises_min", &LocationPeaks::signed_min},
                               NamedExtreme{"principal_max", &LocationPeaks::principal_max},
                               NamedExtreme{"principal_min", &LocationPeaks::principal_min},
                               NamedExtreme{"tresca", &LocationPeaks::tresca}};

}  // namespace

void ScheduledDamage::add(const LocationPeaks& peaks, double weight, std::size_t run) {
  if (peaks.von_mises.value > von_mises.value) {
    von_mises = peaks.von_mises;
    von_mises_run = run;
  }
  const double part = weight * peaks.damage;
  damage += part;
  if (part <= worst_damage) return;
  worst_damage = part;
  worst_run = run;
}

double ScheduledDamage::life() const {
  return damage == 0.0 ? std::numeric_limits<double>::infinity() : 1.0 / damage;  // NaN stays NaN
}

Json extreme_json(const Extreme& extreme) {
  Json out = Json::object();
  out["value"] = extreme.value;
  out["time"] = extreme.time;
  return out;
}

Json place_json(const StressSource& source, const StressLocation& at) {
  Json out = Json::object();
  out["element"] = at.point.place == elements::Place::node ? 0 : source.id(at.element);
  out["type"] = source.type(at.element);
  out["place"] = elements::name_of(at.point.place);
  out["index"] = at.point.index + 1;
  out["node"] = at.node;
  out["face"] = durability::face_of(at);
  out["axes"] = elements::name_of(at.axes);
  out["components"] = components_of(at);
  out["position"] = Json::list_of(at.point.position);
  out["unit"] = "Pa";
  return out;
}

StressCsv::StressCsv(const std::filesystem::path& path, const StressSource& source)
    : source_(source), file_(path) {}

void StressCsv::add_shape_header() {
  text_ += fmt::format(
      "shape,{},components,xx,yy,zz,xy,yz,zx,von_mises,signed_von_mises,"
      "principal_max,principal_min,tresca\n",
      kPlaceHead);
}

void StressCsv::add_run_header(bool with_damage) {
  text_ += kPlaceHead;
  text_ += ",components";
  for (const NamedExtreme& each : kExtremes)
    text_ += fmt::format(",{},{}_time_s", each.name, each.name);
  text_ += with_damage ? ",damage\n" : "\n";
}

void StressCsv::flush_if_large() {
  if (text_.size() < kFlushBytes) return;
  file_.append(text_);
  text_.clear();
}

void StressCsv::add(const ShapeStress& row) {
  text_ += fmt::format(
      "{},{},{}", row.shape, place_text(source_, row.location), components_of(row.location));
  for (const double value : row.stress)
    text_ += fmt::format(",{}", value);
  text_ += fmt::format(",{},{},{},{},{}\n",
                       row.von_mises,
                       row.signed_von_mises,
                       row.principal_max,
                       row.principal_min,
                       row.tresca);
  flush_if_large();
}

void StressCsv::add(const LocationPeaks& row, bool with_damage) {
  text_ += place_text(source_, row.location) + "," + components_of(row.location);
  for (const NamedExtreme& each : kExtremes)
    text_ += fmt::format(",{},{}", (row.*each.field).value, (row.*each.field).time);
  text_ += with_damage ? fmt::format(",{}\n", row.damage) : "\n";
  flush_if_large();
}

void StressCsv::add_random_header(bool with_damage) {
  text_ += kPlaceHead;
  text_ += ",components,von_mises_rms,crossings_per_s,peaks_per_s,regularity";
  text_ += with_damage ? ",damage_per_s\n" : "\n";
}

void StressCsv::add(const StressLocation& location,
                    const durability::SpectralMoments& moments,
                    std::optional<double> damage_rate) {
  text_ += fmt::format("{},{},{},{},{},{}",
                       place_text(source_, location),
                       components_of(location),
                       moments.rms(),
                       moments.crossings(),
                       moments.peaks(),
                       moments.regularity());
  text_ += damage_rate ? fmt::format(",{}\n", *damage_rate) : "\n";
  flush_if_large();
}

void StressCsv::add_schedule_header(const std::string& unit) {
  text_ += fmt::format("{},components,von_mises,{},{},worst_run\n",
                       kPlaceHead,
                       csv_cell("damage_per_" + unit),
                       csv_cell("life_" + unit));
}

void StressCsv::add(const ScheduledDamage& row, const std::string& worst_run) {
  text_ += fmt::format("{},{},{},{},{},{}\n",
                       place_text(source_, row.location),
                       components_of(row.location),
                       row.von_mises.value,
                       row.damage,
                       row.life(),
                       row.damage > 0.0 ? csv_cell(worst_run) : "");
  flush_if_large();
}

void StressCsv::commit() {
  file_.append(text_);
  file_.commit();
}

Json row_json(const StressSource& source, const ShapeStress& row) {
  Json out = place_json(source, row.location);
  out["shape"] = row.shape;
  Json stress = Json::object();
  for (std::size_t c = 0; c < 6; ++c)
    stress[durability::kComponents[c]] = row.stress[c];
  out["stress"] = std::move(stress);
  out["von_mises"] = row.von_mises;
  out["signed_von_mises"] = row.signed_von_mises;
  out["principal_max"] = row.principal_max;
  out["principal_min"] = row.principal_min;
  out["tresca"] = row.tresca;
  return out;
}

Json row_json(const StressSource& source, const LocationPeaks& row, bool with_damage) {
  Json out = place_json(source, row.location);
  for (const NamedExtreme& each : kExtremes)
    out[each.name] = extreme_json(row.*each.field);
  if (with_damage) out["damage"] = row.damage;
  if (with_damage && !row.plane.isZero(0.0)) out["plane"] = Json::list_of(row.plane);
  return out;
}

Json row_json(const StressSource& source,
              const ScheduledDamage& row,
              const ScheduleLabels& labels) {
  Json out = place_json(source, row.location);
  out["von_mises"] = extreme_json(row.von_mises);
  out["von_mises"]["run"] = labels.von_mises_run;
  out["per"] = labels.unit;
  out["damage_per_unit"] = row.damage;
  out["life"] = row.life();
  out["worst_run"] = row.damage > 0.0 ? labels.worst_run : "";
  return out;
}

Json left_out_json(const std::vector<durability::LeftOut>& all) {
  Json out = Json::list();
  for (const durability::LeftOut& each : all) {
    Json item = Json::object();
    item["type"] = each.type;
    item["reason"] = each.reason;
    item["count"] = each.count;
    item["first"] = each.first;
    out.push_back(std::move(item));
  }
  return out;
}

std::string cycles_csv_rows(const std::string& signal,
                            const std::string& unit,
                            const std::vector<durability::Cycle>& cycles) {
  std::string out;
  for (const durability::Cycle& cycle : cycles)
    out += fmt::format(
        "{},{},{},{},{}\n", csv_cell(signal), csv_cell(unit), cycle.range, cycle.mean, cycle.count);
  return out;
}

}  // namespace femflex::tools
