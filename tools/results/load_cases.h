// Load cases for an FE code: forces and moments at the nodes that deform a body as it was at an
// instant of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/flex_body.h"

namespace femflex::tools {

/// Forces f = K u of one instant, on the DOFs of the model that no single-point constraint fixes.
struct InstantLoads {
  std::int64_t id = 0;   ///< number of the load case
  double time = 0.0;     ///< [s]
  Eigen::VectorXd load;  ///< one per row of FeModel::dofs [model force, model moment]
};

/// f = K Phi zeta: applied forces, forces of joints and inertia forces together, as static loads.
/// @param zeta  modal coordinates of the body at the instant
/// @throws ModelError  the model has no stiffness matrix, or a scalar point; the body lacks a node
/// of the matrix
Eigen::VectorXd equivalent_loads(const FeModel& model,
                                 const FlexBody& body,
                                 const Eigen::VectorXd& zeta);

/// True if load cases can be written under this ending: `.inp`, `.bdf`, `.nas`, `.dat`.
bool is_load_file(const std::filesystem::path& path);

/// Writes CalculiX steps with *CLOAD (`.inp`), or FORCE and MOMENT cards of NASTRAN, in the units
/// and basic axes of the model.
/// @param title  for the comment at the top
void write_load_cases(const FeModel& model,
                      const std::vector<InstantLoads>& cases,
                      const std::string& title,
                      const std::filesystem::path& path);

}  // namespace femflex::tools
