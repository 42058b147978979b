// Converts the run options of a FyDiK model (method, times, frames) to those of a lattice document,
// and method numbers to names.
#include <algorithm>
#include <array>
#include <cstddef>

#include "lattice/lattice_fydik.h"

namespace femflex::tools {

namespace {
constexpr std::array<std::string_view, 3> kMethods = {"euler", "semi-implicit-euler", "rk4"};
}  // namespace

std::string fydik_integrator(int method) {
  return std::string(kMethods[static_cast<std::size_t>(method)]);
}

std::optional<int> fydik_method(std::string_view integrator) {
  const auto found = std::find(kMethods.begin(), kMethods.end(), integrator);
  if (found == kMethods.end()) return std::nullopt;
  return static_cast<int>(found - kMethods.begin());
}

LatticeDocument fydik_document(const FydikModel& model) {
  LatticeDocument out;
  out.lattice = model.lattice;
  out.integrator = fydik_integrator(model.method);
  out.start_time = model.time;
  out.end = model.time_break;
  out.output_step = model.frame_step;
  out.warnings = model.warnings;
  return out;
}

UsageError no_fydik() {
  return {"no-xml",
          "this build reads and writes no FyDiK files",
          {},
          "install libpugixml-dev and build again"};
}

}  // namespace femflex::tools
