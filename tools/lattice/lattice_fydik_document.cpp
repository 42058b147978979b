// Converts the run options of a FyDiK model (method, times, frames) to those of a lattice document,
// and method numbers to names; gives the error of a build without XML.
#include <algorithm>
#include <array>
#include <cstddef>

#include "femflex/hamiltonian/integrate.h"

#include "lattice/lattice_fydik.h"

namespace femflex::tools {

namespace {
using hamiltonian::Integrator;

// in the order of FyDiK's numbers
constexpr std::array kMethods = {
    Integrator::euler, Integrator::semi_implicit_euler, Integrator::runge_kutta_4};
}  // namespace

std::string integrator_of_fydik(int method) {
  return std::string(hamiltonian::name_of(kMethods.at(static_cast<std::size_t>(method))));
}

std::optional<int> fydik_number_of(std::string_view integrator) {
  const auto found = std::find_if(kMethods.begin(), kMethods.end(), [&](Integrator each) {
    return hamiltonian::name_of(each) == integrator;
  });
  if (found == kMethods.end()) return std::nullopt;
  return static_cast<int>(found - kMethods.begin());
}

LatticeDocument fydik_document(const FydikModel& model) {
  LatticeDocument out;
  out.lattice = model.lattice;
  out.integrator = integrator_of_fydik(model.method);
  out.start_time = model.time;
  out.end = model.time_break;
  out.output_step = model.frame_step;
  out.warnings = model.warnings;
  return out;
}

UsageError no_xml_reader_error() {
  return {"no-xml",
          "this build cannot read or write FyDiK files: it has no XML library",
          {},
          "install libpugixml-dev and build again"};
}

}  // namespace femflex::tools
