// Heat maps of matrices, such as MAC matrices, as inline SVG for the HTML pages.
#pragma once

#include <string>

#include <Eigen/Core>

namespace femflex::report {

/// A matrix of numbers from 0 to 1 (such as a MAC matrix) as shaded cells with a scale; large cells
/// also contain their number. A cell without a value (NaN) is crossed out.
std::string svg_heat_map(const Eigen::MatrixXd& values,
                         const std::string& row_label,
                         const std::string& column_label);

}  // namespace femflex::report
