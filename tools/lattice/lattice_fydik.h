// Reads and writes models of FyDiK, another spring-mass program with XML files, as lattices.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/hamiltonian/lattice.h"

#include "lattice/lattice_json.h"

namespace femflex::tools {

/// A model of FyDiK: the lattice, the options of its run, and content unknown to femflex, kept for
/// writing.
struct FydikModel {
  hamiltonian::Lattice lattice;
  std::string name = "Model";
  double time = 0.0;         ///< start of the run [s]
  double time_step = 0.001;  ///< [s]
  double time_break = 0.0;   ///< end of the run [s]; 0: the user stops it
  double time_speed = 1.0;   ///< seconds of model time per second of real time
  double frame_step = 0.0;   ///< time between two pictures, timeSpeed / fps [s]; 0: not given
  int method = 2;            ///< 0 explicit Euler, 1 semi-implicit Euler, 2 Runge-Kutta 4
  Diagnostics warnings;      ///< what was omitted or assumed
  /// The XML that the model was read from; writing keeps attributes unknown to femflex.
  std::string source;
};

/// Whether this build has an XML reader, which FyDiK files need.
bool has_fydik();

/// @throws ParseError  not XML, no MODEL, an attribute that is not a number, a misspelled
/// attribute, or a force law other than the linear one
/// @throws UsageError  the build has no XML reader
FydikModel parse_fydik(std::string_view text, const std::string& file);

/// The lattice of a model with the run options of its file.
LatticeDocument fydik_document(const FydikModel& model);

/// XML of the model. Attributes, elements and comments of `source` that femflex does not know are
/// kept.
/// @throws ModelError  springs that are not linear, loads that change with time
std::string print_fydik(const FydikModel& model);

/// Name of a method of FydikModel::method: "euler", "semi-implicit-euler", "rk4".
std::string integrator_of_fydik(int method);
/// The inverse of integrator_of_fydik(); empty if FyDiK has no such method.
std::optional<int> fydik_number_of(std::string_view integrator);
/// The error of a build without an XML reader.
UsageError no_xml_reader_error();

}  // namespace femflex::tools
