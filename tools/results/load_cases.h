// equivalent_loads(), write_load_cases(): forces and moments at the nodes, for an FE code, that
// deform a body as at an instant of a run. The verb stress uses them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/flex_body.h"

namespace femflex::tools {

/// Forces f = K u at one instant, for the DOFs of the model without single-point constraint.
struct InstantLoads {
  std::int64_t id = 0;   ///< number of the load case
  double time = 0.0;     ///< [s]
  Eigen::VectorXd load;  ///< one per row of FeModel::dofs [model force, model moment]
};

/// f = K Phi zeta: applied forces, forces of joints and inertia forces together, as static loads.
/// Rows that belong to no node (incompatible modes and knots of CalculiX) carry no load and follow
/// the nodes.
/// @param zeta  modal coordinates of the body at the instant
/// @throws ModelError      the model has no stiffness matrix, a node of the matrix is missing in
/// the body, or the matrix has rows of nodes by which CalculiX expands shells and beams
/// @throws NumericalError  the stiffness of the rows without node is singular
Eigen::VectorXd equivalent_loads(const FeModel& model,
                                 const FlexBody& body,
                                 const Eigen::VectorXd& zeta);

/// True if the file extension is one for load cases: `.inp`, `.bdf`, `.nas`, `.dat`.
bool is_load_file(const std::filesystem::path& path);

/// Writes CalculiX steps with *CLOAD (`.inp`), or FORCE and MOMENT cards of NASTRAN, in the units
/// and basic axes of the model.
/// @param title  text of the comment at the start of the file
void write_load_cases(const FeModel& model,
                      const std::vector<InstantLoads>& cases,
                      const std::string& title,
                      const std::filesystem::path& path);

}  // namespace femflex::tools
