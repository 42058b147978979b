// Reads a road, collects the requested places, evaluates the road there, and writes the table.
#include "verbs/road.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/number.h"
#include "femflex/roads/road.h"
#include "femflex/text.h"

#include "document/csv.h"
#include "document/document.h"
#include "system/system_road.h"
#include "system/wheel_files.h"
#include "system/wheels.h"

namespace femflex::verbs {
namespace {

using Place = std::array<double, 2>;

constexpr double kMostPoints = 1e6;  // largest number of places along the line

Place place_of(const std::string& text) {
  const std::size_t comma = text.find(',');
  const auto first = parse_real(std::string_view(text).substr(0, comma));
  const auto second = comma == std::string::npos
                          ? std::nullopt
                          : parse_real(std::string_view(text).substr(comma + 1));
  if (!first || !second)
    throw UsageError("usage", fmt::format("'{}' is not a place; expected two numbers 'x,y'", text));
  return {*first, *second};
}

/// Places (x, y) in the plane and places (u, v) on the reference line.
struct Places {
  std::vector<Place> xy, uv;
};

Places places_of(const RoadRequest& request, const roads::CrgRoad* line) {
  Places out;
  for (const std::string& text : request.at)
    out.xy.push_back(place_of(text));
  for (const std::string& text : request.uv)
    out.uv.push_back(place_of(text));
  if (!request.table.empty()) {
    const tools::CsvTable table = tools::read_csv_file(request.table);
    const bool has_xy = table.find("x") != nullptr && table.find("y") != nullptr;
    const bool has_uv = table.find("u") != nullptr && table.find("v") != nullptr;
    if (has_xy == has_uv)
      throw UsageError("unknown-column",
                       "the table needs columns x and y, or u and v",
                       {request.table.string()},
                       "name them in its first line");
    const std::vector<double>& a = *table.find(has_xy ? "x" : "u");
    const std::vector<double>& b = *table.find(has_xy ? "y" : "v");
    for (std::size_t k = 0; k < a.size(); ++k)
      (has_xy ? out.xy : out.uv).push_back({a[k], b[k]});
  }
  if (request.along && line != nullptr) {
    const double start = line->data().u_start, length = line->u_end() - start;
    if (!(*request.along > 0.0) || length / *request.along > kMostPoints)
      throw UsageError("usage",
                       fmt::format("--along {} m: expected a step above 0", *request.along));
    for (double u = 0.0; u <= length * (1.0 + 1e-12); u += *request.along)
      out.uv.push_back({start + std::min(u, length), 0.0});
  }
  if (line == nullptr && (!out.uv.empty() || request.along))
    throw UsageError("usage",
                     "(u, v) are places on the reference line of a .crg; this road has none",
                     {request.file.string()},
                     "give places as x,y");
  return out;
}

void write_table(const RoadOutcome& outcome, const std::filesystem::path& path) {
  std::vector<std::vector<double>> rows;
  for (const RoadRow& row : outcome.rows) {
    std::vector<double> cells = {row.x, row.y};
    if (outcome.has_line) cells.insert(cells.end(), {row.u.value_or(NAN), row.v.value_or(NAN)});
    cells.insert(cells.end(),
                 {row.height, row.normal.x(), row.normal.y(), row.normal.z(), row.friction});
    rows.push_back(std::move(cells));
  }
  std::vector<std::string> heads = {"x", "y"};
  if (outcome.has_line) heads.insert(heads.end(), {"u", "v"});
  heads.insert(heads.end(), {"height", "normal_x", "normal_y", "normal_z", "friction"});
  io::write_file(path, tools::csv_text(heads, rows));
}

const std::vector<roads::FrictionPatch> kNoPatches;

/// The "road" of a system file.
std::shared_ptr<const roads::Road> road_of_system(const std::filesystem::path& path,
                                                  Diagnostics& diagnostics,
                                                  Progress& progress) {
  const tools::Json document = tools::load_document(path, {});
  const tools::Json* value = document.is_object() ? document.find("road") : nullptr;
  if (value == nullptr)
    throw ParseError("missing-key",
                     "the file has no \"road\"",
                     {.file = path.string()},
                     "{ \"road\": { \"layers\": [...] } }, or a whole system with a road");
  const tools::SystemReader in(document, path.parent_path(), diagnostics, progress);
  return tools::read_wheel_road(*value, in);
}

}  // namespace

RoadOutcome road(const RoadRequest& request, Diagnostics& diagnostics, Progress& progress) {
  RoadOutcome out;
  std::optional<roads::Layer> layer;
  std::shared_ptr<const roads::Road> whole;
  if (lower_case(request.file.extension().string()) == ".json") {
    whole = road_of_system(request.file, diagnostics, progress);
  } else {
    layer = tools::read_road_file(request.file, request.track, diagnostics);
    whole = std::make_shared<const roads::Road>(std::vector{*layer}, 1.0, kNoPatches);
  }
  const auto* line = layer ? std::get_if<roads::CrgRoad>(&*layer) : nullptr;
  const Places places = places_of(request, line);
  if (line != nullptr) {
    out.has_line = true;
    out.u_start = line->data().u_start;
    out.u_end = line->u_end();
    out.v_start = line->data().v.front();
    out.v_end = line->data().v.back();
  } else if (places.xy.empty()) {
    throw UsageError("usage", "no places are given", {}, "add --at x,y or --table FILE");
  }
  const roads::Road& surface = *whole;
  roads::RoadCursor cursor;
  const auto add = [&](double x, double y, std::optional<roads::LinePoint> on_line) {
    const roads::RoadPoint point = surface.at(x, y, cursor);
    RoadRow row{.x = x, .y = y, .height = point.elevation.height, .friction = point.friction};
    row.normal = point.normal();
    if (line != nullptr && !on_line) on_line = line->project(x, y, cursor);
    if (on_line) {
      row.u = on_line->u;
      row.v = on_line->v;
    }
    out.rows.push_back(row);
  };
  for (const Place& at : places.xy)
    add(at[0], at[1], std::nullopt);
  for (const Place& at : places.uv) {
    const roads::LinePoint point{.u = at[0], .v = at[1]};
    const Eigen::Vector2d p = line->position(point);
    add(p.x(), p.y(), point);
    out.rows.back().height = line->height_at(point);
  }
  if (!request.csv.empty()) write_table(out, request.csv);
  return out;
}

}  // namespace femflex::verbs
