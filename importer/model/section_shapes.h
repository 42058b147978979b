// Computes area, second moments, torsion and recovery points of bar sections from their dimensions.
#pragma once

#include <span>
#include <string_view>

#include "femflex/element_properties.h"

namespace femflex::importer {

/// Number of dimensions of a section of PBARL and PBEAML; 0 if the type is not supported.
/// ROD: radius. TUBE: outer and inner radius. TUBE2: outer radius, thickness. BAR: width along z,
/// height along y. BOX: width, height, thickness of the flanges, of the webs. I: height, widths of
/// the lower and upper flange, thickness of the web, of the lower and upper flange.
std::size_t dimension_count(std::string_view type);

/// Sets area, I1, I2, J, torsion radius and recovery points C, D, E, F, or the refusal.
/// Axis y is axis 1 of the section. Torsion of rectangles is Roark's [Roark 2002].
void set_section(std::string_view type, std::span<const double> dimensions, FeProperty& property);

/// Sets the same for an ellipse with these diameters along y and z.
void set_ellipse(double along_y, double along_z, FeProperty& property);

}  // namespace femflex::importer
