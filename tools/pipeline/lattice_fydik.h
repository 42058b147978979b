#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "femflex/hamiltonian/lattice.h"

namespace femflex::pipeline {

/// A FyDiK model: the lattice, how to run it, and all that we do not know, kept for writing.
struct FydikModel {
  hamiltonian::Lattice lattice;
  std::string name = "Model";
  double time = 0.0;
  double time_step = 0.001;
  int method = 2;      ///< 0 explicit Euler, 1 semi-implicit Euler, 2 Runge-Kutta 4
  std::string source;  ///< the XML it was read from; attributes unknown to us stay when written
};

/// True where FyDiK files can be read: the build has an XML reader.
bool has_fydik();

/// @throws ParseError  no XML, no MODEL, or an attribute that is no number
/// @throws UsageError  the build has no XML reader
FydikModel parse_fydik(std::string_view text, const std::string& file);

/// XML of the model. Attributes and elements of `source` that we do not know are kept.
std::string print_fydik(const FydikModel& model);

/// "euler", "semi-implicit-euler", "rk4" and back.
std::string fydik_integrator(int method);

}  // namespace femflex::pipeline
