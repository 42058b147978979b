// The resources of an FMU: the variables, and either a system with its analysis or the matrices of
// a linear one. One file, binary, read by the library inside the FMU.
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
  enum class Role : std::uint8_t { time, parameter, input, output, state, derivative };
  std::string name, unit, description;
  Role role = Role::output;
  std::uint32_t index = 0;  ///< among the inputs and parameters, the outputs, or the states
  double start = 0.0;       ///< of parameters, inputs and states
  double nominal = 1.0;
  std::optional<double> min, max;
};

/// The equations of motion of a linear system: x' = A x + B (u - u0), y = y0 + C x + D (u - u0).
struct LinearModel {
  Eigen::MatrixXd A, B, C, D;
  Eigen::VectorXd u0, y0;
};

/// Everything from which an instance of an FMU is made.
struct FmuModel {
  std::string token;  ///< ties this file to its modelDescription.xml
  bool is_linear = false;
  std::vector<Variable> variables;
  double start = 0.0, stop = 1.0;  ///< of the experiment in the system file [s]
  // co-simulation
  mbd_solver::System system;  ///< its inputs are numbers
  mbd_solver::DynamicOptions options;
  std::optional<mbd_solver::StaticOptions> statics;  ///< the run begins in equilibrium
  // model exchange
  LinearModel linear;
};

/// The bytes of a model.
/// @throws UsageError  the system has a tyre of a property file
std::string to_bytes(const FmuModel& model);
/// The model from bytes that to_bytes() wrote.
/// @throws ParseError  the bytes are cut or changed
FmuModel from_bytes(std::string_view bytes);

/// A state of the system with the values of its inputs; to_bytes() makes it readable for another
/// process.
struct Snapshot {
  double time = 0.0, start = 0.0, stop = 0.0;  ///< present time; experiment [s]
  Eigen::VectorXd inputs, rates;  ///< values of parameters and inputs as last set; their rates
  Eigen::VectorXd states;         ///< of a linear model
  std::vector<mbd_solver::InputPath> paths;
  std::optional<mbd_solver::State> state;  ///< none before the run begins
  std::uint8_t phase = 0;                  ///< of an Instance
  bool is_in_events = false;               ///< event mode of FMI 3
};
/// @param token  token of the model to which it belongs
std::string to_bytes(const Snapshot& snapshot, const std::string& token);
/// @throws ParseError  the bytes are cut or changed, or belong to another model
Snapshot snapshot_from(std::string_view bytes, const std::string& token);

}  // namespace femflex::fmu
