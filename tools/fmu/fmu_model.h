// FmuModel: the resources of an FMU. It contains the variables, and either a system with its
// analysis or the matrices of a linear system. It is stored as one binary file, which the library
// inside the FMU reads.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/simulate.h"
#include "femflex/mbd_solver/statics.h"
#include "femflex/mbd_solver/system.h"

namespace femflex::fmu {

/// A variable of an FMU. Its value reference is its index in FmuModel::variables.
struct Variable {
  /// constant: a parameter that the model cannot follow; it keeps its start value
  enum class Role : std::uint8_t { time, parameter, input, output, state, derivative, constant };
  std::string name, unit, description;
  Role role = Role::output;
  std::uint32_t index = 0;  ///< index among the inputs, parameters and constants, among the
                            ///< outputs, or among the states
  double start = 0.0;       ///< start value of parameters, constants, inputs and states
  double nominal = 1.0;
  std::optional<double> min, max;
};

/// The equations of motion of a linear system: x' = rates0 + A x + B (u - u0),
/// y = y0 + C x + D (u - u0). rates0 is zero if the state of linearisation is one of equilibrium.
struct LinearModel {
  Eigen::MatrixXd A, B, C, D;
  Eigen::VectorXd u0, y0, rates0;
};

/// All data from which an instance of an FMU is created.
struct FmuModel {
  std::string token;  ///< identifies this file and its modelDescription.xml as one FMU
  bool is_linear = false;
  std::vector<Variable> variables;
  double start = 0.0, stop = 1.0;  ///< of the experiment in the system file [s]
  // co-simulation
  mbd_solver::System system;  ///< its inputs are constants
  mbd_solver::DynamicOptions options;
  std::optional<mbd_solver::StaticOptions> statics;  ///< the run begins in equilibrium if this is
                                                     ///< given
  // model exchange
  LinearModel linear;
};

/// The bytes of a model.
/// @throws UsageError  the system holds an FMU
std::string to_bytes(const FmuModel& model);
/// The model from bytes that to_bytes() wrote.
/// @throws ParseError  the bytes are truncated or changed
FmuModel from_bytes(std::string_view bytes);

/// The state of an instance with the values of its inputs; to_bytes() makes it readable for another
/// process.
struct Snapshot {
  double time = 0.0, start = 0.0, stop = 0.0;  ///< present time; experiment [s]
  Eigen::VectorXd inputs, rates;  ///< values of parameters and inputs as last set; their rates
  Eigen::VectorXd states;         ///< states of a linear model
  std::vector<mbd_solver::InputPath> paths;
  std::optional<mbd_solver::State> state;  ///< absent before the run begins
  std::uint8_t phase = 0;                  ///< phase of the Instance
  bool is_in_events = false;               ///< event mode of FMI 3
};
/// @param token  token of the model to which it belongs
std::string to_bytes(const Snapshot& snapshot, const std::string& token);
/// @throws ParseError  the bytes are truncated or changed, or belong to another model
Snapshot snapshot_from(std::string_view bytes, const std::string& token);

}  // namespace femflex::fmu
