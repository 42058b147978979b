// `femflex road`: prints heights, normals and friction of a road. Defines the options, the JSON
// document and the text output.
#include "verbs/road.h"

#include <string>

#include <fmt/format.h>

#include "arguments.h"
#include "commands/outputs.h"
#include "document/table.h"
#include "fields.h"

namespace femflex::cli {
namespace {

using tools::Json;
using tools::readable;
using verbs::RoadRequest;

constexpr std::size_t kShownRoadRows = 40;  // number of rows in the text; --csv and --json contain
                                            // all rows

Json road_row_json(const verbs::RoadRow& row) {
  Json out = Json::object();
  out["x"] = row.x;
  out["y"] = row.y;
  if (row.u) out["u"] = *row.u;
  if (row.v) out["v"] = *row.v;
  out["height"] = row.height;
  out["normal"] = Json::list_of(row.normal);
  out["friction"] = row.friction;
  return out;
}

Outcome run_road(const Arguments& arguments, Session& session) {
  auto request = request_of<RoadRequest>(arguments);
  request.file = arguments.input();
  const verbs::RoadOutcome done = verbs::road(request, session.diagnostics, *session.progress);
  Outcome out;
  std::vector<std::string> heads = {"x m", "y m"};
  if (done.has_line) {
    out.document["u"] = std::vector{done.u_start, done.u_end};
    out.document["v"] = std::vector{done.v_start, done.v_end};
    out.text = fmt::format("u from {} to {} m, v from {} to {} m\n",
                           readable(done.u_start),
                           readable(done.u_end),
                           readable(done.v_start),
                           readable(done.v_end));
    heads.insert(heads.end(), {"u m", "v m"});
  }
  heads.insert(heads.end(), {"height m", "normal x", "normal y", "normal z", "friction"});
  tools::TextTable table(heads);
  Json rows = Json::list();
  for (const verbs::RoadRow& row : done.rows) {
    rows.push_back(road_row_json(row));
    std::vector<std::string> cells = {readable(row.x), readable(row.y)};
    if (done.has_line)
      for (const auto& place : {row.u, row.v})
        cells.push_back(place ? readable(*place) : "-");
    for (const double number :
         {row.height, row.normal.x(), row.normal.y(), row.normal.z(), row.friction})
      cells.push_back(readable(number));
    table.add(std::move(cells));
  }
  out.document["rows"] = std::move(rows);
  if (!table.empty()) out.text += table.text(kShownRoadRows);
  std::vector<std::string> outputs;
  if (!request.csv.empty()) outputs.push_back(request.csv.string());
  list_outputs(out, outputs, "wrote ");
  return out;
}

}  // namespace

Verb road_verb() {
  return {.name = "road",
          .summary = "heights, normals and friction of a road at given places",
          .inputs = "FILE.crg|FILE.csv|SYSTEM.json",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options = {{.name = "--at",
                       .value = "X,Y",
                       .help = "a place in the plane [m]; may be given several times",
                       .is_repeated = true,
                       .set = to(&RoadRequest::at)},
                      {.name = "--uv",
                       .value = "U,V",
                       .help = "a place of a .crg: U along, V across its reference line [m]",
                       .is_repeated = true,
                       .set = to(&RoadRequest::uv)},
                      {.name = "--table",
                       .value = "FILE.csv",
                       .help = "places: columns x and y, or u and v",
                       .set = to(&RoadRequest::table)},
                      {.name = "--along",
                       .value = "STEP",
                       .help = "places along the reference line of a .crg, every STEP [m]",
                       .unit = "m",
                       .set = to(at(&RoadRequest::along), positive)},
                      {.name = "--track",
                       .value = "M",
                       .help = "distance between the tracks of a table with three columns",
                       .fallback = "2",
                       .unit = "m",
                       .set = to(at(&RoadRequest::track), positive)},
                      {.name = "--csv",
                       .value = "FILE",
                       .help = "writes all rows as a table",
                       .is_output = true,
                       .set = to(&RoadRequest::csv)}},
          .examples = {"femflex road belgian.crg --along 0.5 --csv heights.csv",
                       "femflex road profile.csv --at 10,0.8 --at 12,-0.8",
                       "femflex road truck.json --at 10,0.8"},
          .run = run_road};
}

}  // namespace femflex::cli
