// Knows a program by keywords and parameters that the other one does not have, and compares the
// loads of two readings.
#include "calculix/inp_dialect.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

namespace femflex::importer {
namespace {

// of Abaqus 2023 and CalculiX 2.20; neither program takes those of the other
constexpr std::array<std::string_view, 9> kOfAbaqus{"PART",
                                                    "ASSEMBLY",
                                                    "INSTANCE",
                                                    "PREPRINT",
                                                    "PARAMETER",
                                                    "SYSTEM",
                                                    "LOADCASE",
                                                    "MATRIXGENERATE",
                                                    "MATRIXOUTPUT"};

/// The loads of a step as rows that compare: node or element, kind, numbers.
using Row = std::tuple<std::int64_t, int, std::vector<double>>;

std::map<std::int64_t, std::multiset<Row>> rows_of(const RawLoads& loads) {
  std::map<std::int64_t, std::multiset<Row>> out;
  const auto vector_of = [](const auto& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  for (const RawForce& each : loads.forces)
    out[each.set].insert({each.node, each.is_moment ? 1 : 0, vector_of(each.value)});
  for (const RawPressure& each : loads.pressures) {
    std::vector<double> values = vector_of(each.values);
    values.insert(values.end(), each.corners.begin(), each.corners.end());
    out[each.set].insert({each.element, 2, std::move(values)});
  }
  for (const RawGravity& each : loads.gravity)
    out[each.set].insert({0, 3, vector_of(each.acceleration)});
  for (const RawRotation& each : loads.rotations) {
    std::vector<double> values = vector_of(each.point);
    values.insert(values.end(), each.speed.begin(), each.speed.end());
    out[each.set].insert({0, 4, std::move(values)});
  }
  return out;
}

}  // namespace

void InpDialect::begin(const std::string& keyword, const InpParameters& parameters) {
  is_abaqus_ = is_abaqus_ ||
               std::find(kOfAbaqus.begin(), kOfAbaqus.end(), keyword) != kOfAbaqus.end() ||
               (keyword == "STEP" && (parameters.has("NAME") || parameters.has("SOLVER"))) ||
               (keyword == "OUTPUT" && (parameters.has("FIELD") || parameters.has("HISTORY")));
  is_calculix_ = is_calculix_ ||
                 (keyword != "STEP" && (parameters.has("SOLVER") || parameters.has("STORAGE")));
}

std::int64_t step_that_differs(const RawLoads& one, const RawLoads& other) {
  const auto first = rows_of(one), second = rows_of(other);
  std::set<std::int64_t> steps;
  for (const auto* rows : {&first, &second})
    for (const auto& [step, unused] : *rows)
      steps.insert(step);
  for (const std::int64_t step : steps) {
    const auto a = first.find(step), b = second.find(step);
    if (a == first.end() || b == second.end() || a->second != b->second) return step;
  }
  for (const auto* each : {&one, &other})
    for (const auto& [step, reason] : each->incomplete)
      if (!one.incomplete.contains(step) || !other.incomplete.contains(step)) return step;
  return 0;
}

}  // namespace femflex::importer
