// Reads the load cards of NASTRAN bulk data into RawLoads. An unsupported load card marks its load
// set as incomplete.
#include "nastran/bulk_loads.h"

#include <algorithm>
#include <array>
#include <string>

namespace femflex::importer {
namespace {

constexpr std::array<std::string_view, 7> kSupportedLoads{
    "FORCE", "FORCE1", "GRAV", "LOAD", "MOMENT", "MOMENT1", "SLOAD"};
constexpr std::array<std::string_view, 16> kUnsupportedLoads{"ACCEL",
                                                             "ACCEL1",
                                                             "DEFORM",
                                                             "FORCE2",
                                                             "LOADCYN",
                                                             "MOMENT2",
                                                             "PLOAD",
                                                             "PLOAD1",
                                                             "PLOAD2",
                                                             "PLOAD4",
                                                             "PLOADX1",
                                                             "RFORCE",
                                                             "SPCD",
                                                             "TEMP",
                                                             "TEMPD",
                                                             "TEMPRB"};

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
  if (name == "LOAD") {  // SID S, then pairs of factor and set
    RawLoadSum sum{set, {}};
    const double overall = f.real_or(1, 1.0);
    for (std::size_t k = 2; k + 1 < f.size(); k += 2)
      if (!f.blank(k + 1)) sum.terms.emplace_back(overall * f.real_or(k, 1.0), f.integer(k + 1));
    loads.sums.push_back(std::move(sum));
  } else if (name == "GRAV") {  // SID CID A N1 N2 N3
    loads.gravity.push_back({set, f.integer_or(1, 0), scaled(f, 2, 3)});
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
    } else {  // SID G CID F N1 N2 N3
      force.system = f.integer_or(2, 0);
      force.value = scaled(f, 3, 4);
    }
    loads.forces.push_back(force);
  }
  return true;
}

}  // namespace femflex::importer
