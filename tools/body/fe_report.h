// Reports of the verbs modes and reduce on FE models and bodies, as JSON, tables and text.
#pragma once

#include <span>
#include <string>

#include <Eigen/Core>

#include "femflex/flex_body.h"
#include "femflex/modal/build_invariants.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/damping.h"
#include "femflex/modal/reduce.h"

#include "document/json.h"
#include "document/table.h"

namespace femflex::tools {

/// Modes of an FE model: label, eigenvalue, frequency, generalised mass.
/// @param factor  converts eigenvalues of the model to 1/s^2
Json mode_table_json(std::span<const ModeInfo> modes, double factor);
std::string mode_table_text(std::span<const ModeInfo> modes, double factor);
/// How modes were computed: solver, sizes, residual, times.
/// @param is_reproducible  true: omits times
Json solve_json(const modal::SolveReport& report, bool is_reproducible);

/// Modes, damping and rejected modes of a reduced body.
Json body_report_json(const FlexBody& body);
TextTable body_mode_table(const FlexBody& body);
/// Damping of each eigenmode of the reduced body, without rigid motions.
TextTable eigenmode_damping_table(const FlexBody& body);
/// @param poles  modal::damped_poles()
TextTable pole_table(const Eigen::VectorXcd& poles);
std::string body_report_text(const FlexBody& body);
/// Result of the method "auto": error of the interface FRF (frequency response) for each number of
/// modes, and why the chosen number is kept.
Json automatic_json(const modal::ReduceReport& report);
/// Differences between two sets of inertia invariants.
Json invariants_json(const modal::InertiaDifference& difference);
/// Differences between the invariants from lumped nodal masses and those from the mass matrix.
std::string lumped_text(const modal::InertiaDifference& difference);

/// Participation and effective mass of each mode, their sums, and the location of its kinetic
/// energy.
/// @param fractions  modal::kinetic_energy_fractions()
Json mode_mass_json(const FlexBody& body, const Eigen::MatrixXd& fractions);
TextTable participation_table(const FlexBody& body);
TextTable effective_mass_table(const FlexBody& body);
TextTable kinetic_energy_table(const FlexBody& body, const Eigen::MatrixXd& fractions);

/// A matrix as a list of its rows.
Json matrix_rows_json(const Eigen::MatrixXd& matrix);
/// Entries of an inertia tensor in the order xx yy zz xy yz xz.
std::vector<double> inertia_entries(const Eigen::Matrix3d& inertia);
/// sqrt(tr(I) / m): a length of the size of the body, in the unit of its inertia and mass; 0
/// without mass.
double gyration_radius(double mass, const Eigen::Matrix3d& inertia);

}  // namespace femflex::tools
