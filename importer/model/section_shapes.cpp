// Computes area, second moments, torsion constant and recovery points of the cross sections of
// PBARL, PBEAML and *BEAM SECTION from their dimensions, and their shear factors: these elements
// are flexible in shear. An error of a factor changes the shear force by no more than its own size,
// while a short element that is taken as rigid in shear would have any moment at its ends.
#include "model/section_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>

namespace femflex::importer {
namespace {

using std::numbers::pi;

struct SectionType {
  std::string_view name;
  std::size_t dimensions;
};
constexpr std::array kSectionTypes{SectionType{"ROD", 1},
                                   SectionType{"TUBE", 2},
                                   SectionType{"TUBE2", 2},
                                   SectionType{"BAR", 2},
                                   SectionType{"BOX", 4},
                                   SectionType{"I", 6}};

double cube(double x) {
  return x * x * x;
}

void set_corners(double height, double width, FeProperty& out) {
  const double y = 0.5 * height;
  const double z = 0.5 * width;
  out.points = {{y, z}, {-y, z}, {-y, -z}, {y, -z}};
}

void set_tube(double outer, double inner, FeProperty& out) {
  out.area = pi * (outer * outer - inner * inner);
  out.I1 = out.I2 = 0.25 * pi * (std::pow(outer, 4) - std::pow(inner, 4));
  out.J = 2.0 * out.I1;
  // [Cowper 1966] for nu = 0.3
  const double square = (inner / outer) * (inner / outer);
  const double sum = (1.0 + square) * (1.0 + square);
  out.shear_factors.fill(7.8 * sum / (8.8 * sum + 23.6 * square));
  out.torsion_radius = outer;
  out.points = {{outer, 0.0}, {0.0, outer}, {-outer, 0.0}, {0.0, -outer}};
}

/// [Roark 2002], table 10.1, for sides 2a and 2b with b <= a. The largest shear stress under a
/// torque T is T * torsion_radius / J, in the middle of the long side.
void set_rectangle(double width, double height, FeProperty& out) {
  out.area = width * height;
  out.I1 = width * cube(height) / 12.0;
  out.I2 = height * cube(width) / 12.0;
  const double a = 0.5 * std::max(width, height);
  const double b = 0.5 * std::min(width, height);
  const double q = b / a;
  out.J = a * cube(b) * (16.0 / 3.0 - 3.36 * q * (1.0 - std::pow(q, 4) / 12.0));
  const double stress =
      3.0 / (8.0 * a * b * b) *
      (1.0 + 0.6095 * q + 0.8865 * q * q - 1.8023 * cube(q) + 0.91 * std::pow(q, 4));
  out.torsion_radius = out.J * stress;
  out.shear_factors.fill(5.0 / 6.0);
  set_corners(height, width, out);
}

/// Box with d = width, height, thickness of the flanges, of the webs. Torsion by Bredt's formula
/// for closed thin walls.
void set_box(std::span<const double> d, FeProperty& out) {
  const double inner_width = d[0] - 2.0 * d[3];
  const double inner_height = d[1] - 2.0 * d[2];
  out.area = d[0] * d[1] - inner_width * inner_height;
  out.I1 = (d[0] * cube(d[1]) - inner_width * cube(inner_height)) / 12.0;
  out.I2 = (d[1] * cube(d[0]) - inner_height * cube(inner_width)) / 12.0;
  const double middle_width = d[0] - d[3];
  const double middle_height = d[1] - d[2];
  const double enclosed = middle_width * middle_height;
  out.J = 2.0 * enclosed * enclosed / (middle_width / d[2] + middle_height / d[3]);
  out.torsion_radius = out.J / (2.0 * enclosed * std::min(d[2], d[3]));
  out.shear_factors = {2.0 * d[1] * d[3] / out.area, 2.0 * d[0] * d[2] / out.area};
  if (!(inner_width >= 0.0 && inner_height >= 0.0)) out.refusal = "the walls of the box overlap";
  set_corners(d[1], d[0], out);
}

/// I section with d = height, widths of the lower and upper flange, thickness of the web, of the
/// lower and upper flange. Torsion as the sum of three thin strips.
void set_i_section(std::span<const double> d, FeProperty& out) {
  if (d[1] != d[2] || d[4] != d[5]) {
    out.refusal = "an I section with different flanges is not supported";
    return;
  }
  const double web = d[0] - 2.0 * d[4];
  out.area = 2.0 * d[1] * d[4] + web * d[3];
  out.I1 = (d[1] * cube(d[0]) - (d[1] - d[3]) * cube(web)) / 12.0;
  out.I2 = (2.0 * d[4] * cube(d[1]) + web * cube(d[3])) / 12.0;
  out.J = (2.0 * d[1] * cube(d[4]) + web * cube(d[3])) / 3.0;
  out.torsion_radius = std::max(d[3], d[4]);
  out.shear_factors = {d[0] * d[3] / out.area, 5.0 / 3.0 * d[1] * d[4] / out.area};
  if (!(web >= 0.0)) out.refusal = "the flanges overlap";
  set_corners(d[0], d[1], out);
}

}  // namespace

std::size_t dimension_count(std::string_view type) {
  for (const SectionType& each : kSectionTypes)
    if (each.name == type) return each.dimensions;
  return 0;
}

void set_section(std::string_view type, std::span<const double> d, FeProperty& property) {
  const std::size_t count = dimension_count(type);
  if (count == 0) {
    property.refusal = fmt::format("sections of type {} are not supported", type);
    return;
  }
  const auto is_size = [](double x) { return std::isfinite(x) && x >= 0.0; };
  if (d.size() < count || !(d[0] > 0.0) || !std::all_of(d.begin(), d.end(), is_size)) {
    property.refusal = fmt::format("section {}: {} dimensions above 0 are expected", type, count);
    return;
  }
  if (type == "ROD") set_tube(d[0], 0.0, property);
  if (type == "TUBE") set_tube(d[0], d[1], property);
  if (type == "TUBE2") set_tube(d[0], d[0] - d[1], property);
  if (type == "BAR") set_rectangle(d[0], d[1], property);
  if (type == "BOX") set_box(d, property);
  if (type == "I") set_i_section(d, property);
  if (!(property.area > 0.0) && property.refusal.empty())
    property.refusal = fmt::format("section {} has no area", type);
}

void set_ellipse(double along_y, double along_z, FeProperty& property) {
  const double a = 0.5 * along_y;
  const double b = 0.5 * along_z;
  property.area = pi * a * b;
  property.I1 = 0.25 * pi * cube(a) * b;
  property.I2 = 0.25 * pi * a * cube(b);
  property.J = pi * cube(a * b) / (a * a + b * b);
  // largest shear stress 2 T / (pi a b^2), at the end of the short axis
  property.torsion_radius = 2.0 * property.J / (pi * a * b * std::min(a, b));
  property.shear_factors.fill(7.8 / 8.8);  // as a circle
  property.points = {{a, 0.0}, {0.0, b}, {-a, 0.0}, {0.0, -b}};
}

}  // namespace femflex::importer
