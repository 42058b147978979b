// Output of the verbs on FE models and bodies (modes, reduce, validate) as JSON, tables and text.
#pragma once

#include <span>
#include <string>

#include "femflex/flex_body.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/damping.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "document/json.h"
#include "document/table.h"

namespace femflex::tools {

/// Output of the FE verbs, as the documents of `--json` and as text.

/// @param factor  converts eigenvalues of the set to 1/s^2
Json mode_table_json(std::span<const ModeInfo> modes, double factor);
std::string mode_table_text(std::span<const ModeInfo> modes, double factor);
/// @param is_reproducible  true: leaves out times
Json solve_json(const modal::SolveReport& report, bool is_reproducible);

Json body_report_json(const FlexBody& body);
Table body_mode_table(const FlexBody& body);
std::string body_report_text(const FlexBody& body);
Json automatic_json(const modal::ReduceReport& report);
/// How far lumped nodal masses are from the consistent ones.
Json lumped_json(const modal::InertiaDifference& difference);
std::string lumped_text(const modal::InertiaDifference& difference);

/// Participation and effective mass of each mode, their sums, and where its kinetic energy is.
/// @param fractions  modal::kinetic_energy_fractions()
Json mode_mass_json(const FlexBody& body, const Eigen::MatrixXd& fractions);
Table participation_table(const FlexBody& body);
Table effective_mass_table(const FlexBody& body);
Table kinetic_energy_table(const FlexBody& body, const Eigen::MatrixXd& fractions);

Json validation_json(const modal::Validation& validation);
Table frequency_table(const modal::Validation& validation);
std::string validation_text(const modal::Validation& validation);

/// Entries xx yy zz xy yz xz.
std::vector<double> six_of(const Eigen::Matrix3d& inertia);

/// sqrt(lambda) / (2 pi); 0 for a negative eigenvalue, NaN for one that is not known.
double frequency_hz(double eigenvalue);

}  // namespace femflex::tools
