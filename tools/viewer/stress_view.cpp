// Writes stress fields, hot spots, their histories and cycles into the data of a viewer page. A
// history keeps the minimum and maximum of each of 1500 intervals, so no peak is lost.
#include "stress_view.h"

#include <algorithm>
#include <array>
#include <utility>

namespace femflex::viewer {
namespace {

using tools::Json;

/// Number of intervals of a history on the page, with two points each; a wide screen has no more
/// pixels.
constexpr Eigen::Index kIntervals = 1500;

/// Rows of the largest and smallest value of each interval, in ascending order.
std::vector<Eigen::Index> rows_of_peaks(const Eigen::VectorXd& values) {
  std::vector<Eigen::Index> out;
  const Eigen::Index count = values.size();
  const Eigen::Index parts = std::min(kIntervals, count);
  for (Eigen::Index p = 0; p < parts; ++p) {
    const Eigen::Index first = p * count / parts;
    const Eigen::Index size = (p + 1) * count / parts - first;
    std::array<Eigen::Index, 2> at{};
    values.segment(first, size).minCoeff(&at[0]);
    values.segment(first, size).maxCoeff(&at[1]);
    std::sort(at.begin(), at.end());
    for (std::size_t k = 0; k < 2; ++k)
      if (out.empty() || out.back() != first + at[k]) out.push_back(first + at[k]);
  }
  if (count > 0 && out.back() != count - 1) out.push_back(count - 1);
  if (count > 0 && out.front() != 0) out.insert(out.begin(), 0);
  return out;
}

Json field_json(const PageField& field, Blobs& blobs) {
  Json out = Json::object();
  out["name"] = field.name;
  out["unit"] = field.unit;
  out["scale"] = field.is_logarithmic ? "log" : "linear";
  out["each"] = field.at_nodes.size() == 1 ? "body" : "mode";
  Json lists = Json::list();
  for (const std::vector<double>& values : field.at_nodes)
    lists.push_back(blobs.add(std::vector<float>(values.begin(), values.end())));
  out["values"] = std::move(lists);
  return out;
}

Json spot_json(const PageSpot& spot, const Eigen::VectorXd& time, Blobs& blobs) {
  Json out = Json::object();
  out["place"] = spot.place;
  out["node"] = spot.node;
  out["von_mises"] = spot.von_mises;
  out["criterion"] = spot.criterion;
  if (spot.damage) out["damage"] = *spot.damage;
  if (spot.time) out["time"] = *spot.time;
  if (spot.mode) out["mode"] = *spot.mode;
  if (spot.history.size() > 0) {
    std::vector<double> times;
    std::vector<float> values;
    for (const Eigen::Index row : rows_of_peaks(spot.history)) {
      times.push_back(time[row]);
      values.push_back(static_cast<float>(spot.history[row]));
    }
    out["times"] = blobs.add(times);
    out["history"] = blobs.add(values);
  }
  if (!spot.cycles.empty()) {
    std::array<std::vector<float>, 3> columns;
    for (const durability::Cycle& cycle : spot.cycles) {
      columns[0].push_back(static_cast<float>(cycle.range));
      columns[1].push_back(static_cast<float>(cycle.mean));
      columns[2].push_back(static_cast<float>(cycle.count));
    }
    out["ranges"] = blobs.add(columns[0]);
    out["means"] = blobs.add(columns[1]);
    out["counts"] = blobs.add(columns[2]);
  }
  return out;
}

}  // namespace

void add_stress(View& view,
                const std::string& name,
                const std::vector<PageField>& fields,
                const std::vector<PageSpot>& spots,
                const Eigen::VectorXd& time,
                Blobs& blobs) {
  for (Json& body : view.data["bodies"].items()) {
    if (body.find("name")->text() != name) continue;
    Json list = Json::list();
    for (const PageField& field : fields)
      list.push_back(field_json(field, blobs));
    body["fields"] = std::move(list);
  }
  if (view.data.find("spots") == nullptr) view.data["spots"] = Json::list();
  Json& list = view.data["spots"];
  for (const PageSpot& spot : spots) {
    list.push_back(spot_json(spot, time, blobs));
    list.items().back()["body"] = name;
  }
}

}  // namespace femflex::viewer
