// Reads the load cards of NASTRAN bulk data into RawLoads. An unsupported load card marks its load
// set as incomplete.
#include "nastran/bulk_loads.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace femflex::importer {
namespace {

constexpr std::array<std::string_view, 14> kSupportedLoads{"FORCE",
                                                           "FORCE1",
                                                           "FORCE2",
                                                           "GRAV",
                                                           "LOAD",
                                                           "LOADADD",
                                                           "MOMENT",
                                                           "MOMENT1",
                                                           "MOMENT2",
                                                           "PLOAD",
                                                           "PLOAD2",
                                                           "PLOAD4",
                                                           "RFORCE",
                                                           "SLOAD"};
/// Also cards of NX Nastran, OptiStruct and older programs.
constexpr std::array<std::string_view, 30> kUnsupportedLoads{
    "ACCEL",  "ACCEL1",  "ACCEL2",  "DEFORM",  "FORCEAX", "LOADCYH", "LOADCYN", "LOADCYT",
    "MOMAX",  "PLOAD1",  "PLOAD3",  "PLOADB3", "PLOADE1", "PLOADSF", "PLOADX",  "PLOADX1",
    "PRESAX", "RFORCE1", "RFORCE2", "SPCD",    "SPCR",    "TEMP",    "TEMPAX",  "TEMPB3",
    "TEMPD",  "TEMPF",   "TEMPP1",  "TEMPP2",  "TEMPP3",  "TEMPRB"};

/// True if the sorted list contains the name.
template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::binary_search(names.begin(), names.end(), name);
}

/// Load vector: the number in field `size` times the direction in three fields from `direction` on.
std::array<double, 3> scaled(const BulkFields& f, std::size_t size, std::size_t direction) {
  std::array<double, 3> value{};
  const double factor = f.real_or(size, 0.0);
  for (std::size_t k = 0; k < 3; ++k)
    value[k] = factor * f.real_or(direction + k, 0.0);
  return value;
}

/// PLOAD: SID P G1 G2 G3 G4.
void read_pload(const BulkFields& f, std::int64_t set, RawLoads& loads) {
  RawPressure pressure;
  pressure.set = set;
  pressure.values.fill(f.real(1));
  for (std::size_t k = 2; k < 6; ++k)
    if (k < 5 || f.integer_or(k, 0) != 0) pressure.corners.push_back(f.integer(k));
  loads.pressures.push_back(std::move(pressure));
}

/// PLOAD2: SID P, then elements or a range. By the flag ELSET of OptiStruct the numbers are sets.
void read_pload2(const BulkFields& f, std::int64_t set, RawLoads& loads) {
  RawPressure pressure;
  pressure.set = set;
  pressure.values.fill(f.real(1));
  std::size_t next = 0;
  const std::vector<IdRange> ranges = id_ranges(f, 2, &next);
  const bool is_plain = std::all_of(ranges.begin(), ranges.end(), [](const IdRange& range) {
    return range.step == 1 && range.except.empty();
  });
  if (next < f.size() || !is_plain) {
    loads.incomplete.emplace(
        set, next < f.size() ? fmt::format("PLOAD2 with {}", f.text(next)) : "PLOAD2 with gaps");
    return;
  }
  for (const IdRange& range : ranges) {
    if (range.first < 1) f.fail("element-id", "the element must be a positive id");
    pressure.element = range.first;
    pressure.last_element = range.last;
    loads.pressures.push_back(pressure);
  }
}

/// PLOAD4: SID EID P1 P2 P3 P4 G1 G3 (or G4, or THRU EID2) CID N1 N2 N3 SORL.
void read_pload4(const BulkFields& f, std::int64_t set, RawLoads& loads) {
  if (f.is_word(12, "LINE")) {
    loads.incomplete.emplace(set, "PLOAD4 with line loads");
    return;
  }
  RawPressure pressure;
  pressure.set = set;
  pressure.element = f.integer(1);
  if (pressure.element < 1) f.fail("element-id", "the element must be a positive id");
  pressure.values[0] = f.real_or(2, 0.0);
  for (std::size_t k = 1; k < 4; ++k)
    pressure.values[k] = f.real_or(2 + k, pressure.values[0]);
  if (f.is_word(6, "THRU")) {
    pressure.last_element = f.integer(7);
  } else {
    pressure.corner = f.integer_or(6, 0);
    pressure.second = f.integer_or(7, 0);
  }
  pressure.system = f.integer_or(8, 0);
  for (std::size_t k = 0; k < 3; ++k)
    pressure.direction[k] = f.real_or(9 + k, 0.0);
  loads.pressures.push_back(std::move(pressure));
}

/// RFORCE: SID G CID A R1 R2 R3 METHOD RACC MB, IDRF of OptiStruct; A and RACC count revolutions.
/// The forces of A are those of inertia, outward. Those of RACC act along alpha x r, opposite to
/// the forces of inertia: MSC Nastran, Quick Reference Guide, RFORCE, remark 1.
void read_rforce(const BulkFields& f, std::int64_t set, RawLoads& loads) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  if (!f.blank(10)) loads.incomplete.emplace(set, "RFORCE on a set of elements (IDRF)");
  RawRotation rotation;
  rotation.set = set;
  rotation.node = f.integer_or(1, 0);
  rotation.system = f.integer_or(2, 0);
  const std::array<double, 3> speed = scaled(f, 3, 4);
  const std::array<double, 3> acceleration = scaled(f, 8, 4);
  for (std::size_t k = 0; k < 3; ++k) {
    rotation.speed[k] = kTurn * speed[k];
    rotation.acceleration[k] = -kTurn * acceleration[k];  // a RawRotation loads with -M a
  }
  loads.rotations.push_back(rotation);
}

}  // namespace

bool is_load_card(std::string_view name) {
  return contains(kSupportedLoads, name) || contains(kUnsupportedLoads, name);
}

bool is_supported_load_card(std::string_view name) {
  return contains(kSupportedLoads, name);
}

bool read_load_card(const BulkFields& f, std::string_view name, RawLoads& loads) {
  const std::int64_t set = f.integer(0);
  if (contains(kUnsupportedLoads, name)) {
    loads.incomplete.emplace(set, std::string(name));
    return false;
  }
  if (name == "LOAD" || name == "LOADADD") {  // SID S, then pairs of factor and set
    RawLoadSum sum{set, {}};
    const double overall = f.real_or(1, 1.0);
    for (std::size_t k = 2; k + 1 < f.size(); k += 2)
      if (!f.blank(k + 1)) sum.terms.emplace_back(overall * f.real_or(k, 1.0), f.integer(k + 1));
    loads.sums.push_back(std::move(sum));
  } else if (name == "GRAV") {  // SID CID A N1 N2 N3
    loads.gravity.push_back({set, f.integer_or(1, 0), scaled(f, 2, 3)});
  } else if (name == "PLOAD") {
    read_pload(f, set, loads);
  } else if (name == "PLOAD2") {
    read_pload2(f, set, loads);
  } else if (name == "PLOAD4") {
    read_pload4(f, set, loads);
  } else if (name == "RFORCE") {
    read_rforce(f, set, loads);
  } else if (name == "SLOAD") {  // SID, then pairs of point and force
    for (std::size_t k = 1; k + 1 < f.size() && k < 7; k += 2) {
      if (f.blank(k)) continue;
      RawForce force;
      force.set = set;
      force.node = f.integer(k);
      force.is_scalar = true;
      force.value[0] = f.real_or(k + 1, 0.0);
      loads.forces.push_back(force);
    }
  } else {
    RawForce force;
    force.set = set;
    force.node = f.integer(1);
    force.is_moment = name.starts_with("MOMENT");
    if (name.back() == '1') {  // SID G F G1 G2
      force.value[0] = f.real_or(2, 0.0);
      force.towards = {f.integer(3), f.integer(4)};
    } else if (name.back() == '2') {  // SID G F G1 G2 G3 G4
      force.value[0] = f.real_or(2, 0.0);
      for (std::size_t k = 0; k < 4; ++k)
        force.across[k] = f.integer(3 + k);
    } else {  // SID G CID F N1 N2 N3
      force.system = f.integer_or(2, 0);
      force.value = scaled(f, 3, 4);
    }
    loads.forces.push_back(force);
  }
  return true;
}

}  // namespace femflex::importer
