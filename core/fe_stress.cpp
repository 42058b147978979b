// Checks a table of modal stresses or strains: one row per place (recovery point) and component,
// one column per mode shape; shapes exist in the model and ascend; values are finite.
#include "femflex/fe_stress.h"

#include <bit>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex {
namespace {

constexpr unsigned kSixComponents = 63;

[[noreturn]] void refuse_table(const char* name, const std::string& why) {
  throw ModelError("stress-table",
                   fmt::format("the table of {} {}", name, why),
                   {},
                   "have the FE code write the stresses again, or leave that file out");
}

void check_table(const FeStressTable& table, std::int64_t modes, const char* name) {
  Eigen::Index rows = 0;
  for (const FeStressPlace& place : table.places) {
    if (place.components == 0) refuse_table(name, "has a place without components");
    if (place.components > kSixComponents)
      refuse_table(name, "has a place with more than six components");
    if (place.type < 0 || static_cast<std::size_t>(place.type) >= table.types.size())
      refuse_table(name, "has a place of an unknown type");
    rows += component_count(place);
  }
  if (table.values.rows() != rows ||
      table.values.cols() != static_cast<Eigen::Index>(table.shapes.size()))
    refuse_table(name,
                 fmt::format("has {} x {} values, but its places and shapes need {} x {}",
                             table.values.rows(),
                             table.values.cols(),
                             rows,
                             table.shapes.size()));
  for (std::size_t k = 0; k < table.shapes.size(); ++k) {
    const std::int64_t shape = table.shapes[k];
    if (shape < 0 || shape >= modes)
      refuse_table(name,
                   fmt::format("has values of shape {}, but the model has {}", shape + 1, modes));
    if (k > 0 && shape <= table.shapes[k - 1])
      refuse_table(
          name,
          fmt::format("has shape {} after shape {}; expected each once, in ascending order",
                      shape + 1,
                      table.shapes[k - 1] + 1));
  }
  if (!table.values.allFinite()) refuse_table(name, "has a value that is not finite");
}

}  // namespace

int component_count(const FeStressPlace& place) {
  return std::popcount(static_cast<unsigned>(place.components));
}

void check_stresses(const FeStresses& stresses, std::int64_t modes) {
  check_table(stresses.stress, modes, "stresses");
  check_table(stresses.strain, modes, "strains");
}

}  // namespace femflex
