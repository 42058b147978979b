// Durability schedules as JSON. Shares of a unit or numbers of repeats become passes per unit.
#include "document/schedule_json.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "document/json_text.h"

namespace femflex::tools {
namespace {

/// Shares may add up to this much more than 1 by rounding.
constexpr double kRounding = 1e-9;

double positive(const Json& value, const char* what) {
  const double number = value.number();
  if (!(number > 0.0) || !std::isfinite(number))
    value.fail("schedule", fmt::format("{} is {}: expected a number above 0", what, number));
  return number;
}

/// One entry of "runs".
struct Entry {
  std::filesystem::path result;
  std::optional<double> length, share, repeats;
};

Entry read_entry(const Json& item, const std::filesystem::path& folder, const Schedule& schedule) {
  ObjectReader reader(item, "run");
  Entry out;
  out.result = folder / reader.need("result").text();
  if (const Json* length = reader.find("length")) out.length = positive(*length, "length");
  if (const Json* share = reader.find("share")) out.share = positive(*share, "share");
  if (const Json* repeats = reader.find("repeats")) out.repeats = positive(*repeats, "repeats");
  reader.finish();
  if (out.share.has_value() == out.repeats.has_value())
    item.fail("schedule", "a run has either a 'share' of the unit or a number of 'repeats'");
  if (schedule.unit == "schedule" && (out.share || out.length))
    item.fail("schedule",
              "share and length belong to a schedule with the unit km, mi or h",
              "add \"unit\", or give 'repeats' alone");
  if (schedule.unit != "schedule" && !out.length)
    item.fail("missing-key",
              fmt::format("run: 'length' is missing, the length of the run in {}", schedule.unit),
              "add it");
  return out;
}

}  // namespace

Schedule read_schedule(const std::filesystem::path& path) {
  const Json document = read_json_file(path);
  ObjectReader reader(document, "schedule");
  Schedule out;
  out.unit = "schedule";
  if (const Json* unit = reader.find("unit")) out.unit = choice(*unit, {"km", "mi", "h"});
  if (const Json* target = reader.find("target")) out.target = positive(*target, "target");
  const Json& list = reader.need("runs");
  std::vector<Entry> entries;
  for (const Json& item : list.items())
    entries.push_back(read_entry(item, path.parent_path(), out));
  reader.finish();
  if (entries.empty()) list.fail("schedule", "the list of runs is empty");
  double shares = 0.0;
  double length = 0.0;  // of one pass of all runs
  for (const Entry& each : entries) {
    if (each.share.has_value() != entries.front().share.has_value())
      list.fail("schedule", "some runs have a 'share' and others 'repeats': use one of them");
    shares += each.share.value_or(0.0);
    length += each.repeats.value_or(0.0) * each.length.value_or(0.0);
  }
  if (shares > 1.0 + kRounding)
    list.fail("schedule", fmt::format("the shares add up to {}, more than 1", shares));
  if (entries.front().share) out.rest = std::max(0.0, 1.0 - shares);
  if (out.rest <= kRounding) out.rest = 0.0;
  for (const Entry& each : entries) {
    double weight = each.repeats.value_or(0.0);
    if (each.share) weight = *each.share / *each.length;
    if (each.repeats && out.unit != "schedule") weight = *each.repeats / length;
    out.runs.push_back({each.result, weight});
  }
  return out;
}

}  // namespace femflex::tools
