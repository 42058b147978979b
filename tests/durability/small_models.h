// A model in mm-t-s with a few elements, for the tests of durability. Each of its two modes is a
// linear displacement field.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/stress_mesh.h"
#include "femflex/fe_model.h"

namespace femflex::durability {

/// Gradients of the two displacement fields. The strain is the symmetric part.
inline const std::array<Eigen::Matrix3d, 2>& gradients() {
  static const std::array<Eigen::Matrix3d, 2> kAll = [] {
    std::array<Eigen::Matrix3d, 2> out;
    out[0] << 1e-3, 2e-4, 0, 3e-4, -5e-4, 0, 0, 0, 0;
    out[1] << 0, 4e-4, 0, -1e-4, 8e-4, 0, 0, 0, 0;
    return out;
  }();
  return kAll;
}

inline constexpr double kYoung = 210000.0;  // [MPa]
inline constexpr double kPoisson = 0.3;

inline ElementBlock block_of(const char* type, std::int64_t id, std::vector<std::int64_t> nodes) {
  return {type, static_cast<int>(nodes.size()), {id}, std::move(nodes)};
}

/// CHEXA 1, CQUAD4 2 with thickness 2 mm, CBAR 3 along x, CROD 4 along y, CBUSH 5 without section.
inline FeModel small_model() {
  FeModel model;
  model.units = parse_units("mm-t-s");
  const std::vector<Eigen::Vector3d> positions = {{0, 0, 0},
                                                  {10, 0, 0},
                                                  {10, 10, 0},
                                                  {0, 10, 0},
                                                  {0, 0, 10},
                                                  {10, 0, 10},
                                                  {10, 10, 10},
                                                  {0, 10, 10},
                                                  {20, 0, 0},
                                                  {30, 0, 0},
                                                  {30, 8, 0},
                                                  {20, 8, 0},
                                                  {40, 0, 0},
                                                  {50, 0, 0},
                                                  {60, 0, 0},
                                                  {60, 20, 0}};
  std::vector<Dof> rows;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const auto id = static_cast<std::int64_t>(k + 1);
    model.nodes.push_back({id, positions[k], 0});
    for (std::int8_t c = 1; c <= 6; ++c)
      rows.push_back({id, c});
  }
  model.elements = {block_of("CHEXA", 1, {1, 2, 3, 4, 5, 6, 7, 8}),
                    block_of("CQUAD4", 2, {9, 10, 11, 12}),
                    block_of("CBAR", 3, {13, 14}),
                    block_of("CROD", 4, {15, 16}),
                    block_of("CBUSH", 5, {13, 15})};
  Eigen::MatrixXd shapes = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), 2);
  for (Eigen::Index m = 0; m < 2; ++m)
    for (std::size_t k = 0; k < positions.size(); ++k)
      shapes.block<3, 1>(6 * static_cast<Eigen::Index>(k), m) =
          gradients()[static_cast<std::size_t>(m)] * positions[k];
  model.modes = make_mode_set(DofMap(rows), shapes, {ModeInfo{}, ModeInfo{}});

  FeMaterial steel;
  steel.name = "1";
  steel.constants = {kYoung, kPoisson, FeProperty::kNone};
  model.properties.materials = {steel};
  using Kind = FeProperty::Kind;
  for (const Kind kind : {Kind::solid, Kind::shell, Kind::beam, Kind::rod}) {
    FeProperty property;
    property.name = "p";
    property.kind = kind;
    property.material = "1";
    property.thickness = 2.0;
    property.area = 5.0;
    property.I1 = property.I2 = property.J = 3.0;
    const auto index = static_cast<std::int32_t>(model.properties.properties.size());
    model.properties.properties.push_back(property);
    ElementSection section;
    section.element = index + 1;
    section.property = index;
    if (kind == Kind::beam) section.direction = Eigen::Vector3d::UnitY();
    model.properties.elements.push_back(section);
  }
  return model;
}

}  // namespace femflex::durability
