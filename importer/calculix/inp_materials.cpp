// Collects the materials and sections of a CalculiX or Abaqus deck, from which stresses are
// computed. finish() assigns them to the elements, because the deck may define sets and materials
// later.
#include "calculix/inp_materials.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include <Eigen/LU>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/number.h"

#include "calculix/inp_sections.h"
#include "model/section_shapes.h"

namespace femflex::importer {
namespace {

using Fields = std::vector<std::string_view>;

constexpr double kNoNumber = FeProperty::kNone;

/// Appends the numbers of a line to `out`, NaN for a field that is not a number.
void append_numbers(const Fields& fields, std::vector<double>& out) {
  for (const std::string_view field : fields)
    out.push_back(parse_real(field).value_or(kNoNumber));
}

/// Converts D1111, D1122, D2222, D1133, D2233, D3333, D1212, D1313, D2323 to engineering constants:
/// E1, E2, E3, nu12, nu13, nu23, G12, G13, G23.
std::array<double, 9> from_stiffness(const std::vector<double>& d) {
  Eigen::Matrix3d D;
  D << d[0], d[1], d[3], d[1], d[2], d[4], d[3], d[4], d[5];
  const Eigen::Matrix3d S = D.inverse();
  return {1.0 / S(0, 0),
          1.0 / S(1, 1),
          1.0 / S(2, 2),
          -S(1, 0) / S(0, 0),
          -S(2, 0) / S(0, 0),
          -S(2, 1) / S(1, 1),
          d[6],
          d[7],
          d[8]};
}

/// The row at a temperature, which is the last number of each row: interpolated between two rows,
/// else the first or the last one, as in CalculiX.
std::vector<double> row_at(double temperature, const std::vector<std::vector<double>>& rows) {
  if (temperature <= rows.front().back()) return rows.front();
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const std::vector<double>&before = rows[k - 1], &after = rows[k];
    if (!(temperature < after.back())) continue;
    const double share = (temperature - before.back()) / (after.back() - before.back());
    std::vector<double> out = before;
    for (std::size_t j = 0; j < out.size(); ++j)
      out[j] += share * (after[j] - before[j]);
    return out;
  }
  return rows.back();
}

/// The integration of an element type: reduced if an R follows the number of nodes (C3D20R, S8R,
/// C3D8RH), incompatible modes if an I follows it, else full.
ElementIntegration integration_of(std::string_view type) {
  const std::size_t digit = type.find_last_of("0123456789");
  if (digit == std::string_view::npos) return ElementIntegration::full;
  if (type.find('R', digit) != std::string_view::npos) return ElementIntegration::reduced;
  return type.find('I', digit) != std::string_view::npos ? ElementIntegration::incompatible
                                                         : ElementIntegration::full;
}

}  // namespace

void InpMaterials::begin(const std::string& keyword, const InpParameters& parameters) {
  open_ = Open::nothing;
  lines_ = 0;
  orientations_.begin(keyword, parameters);
  if (keyword == "MATERIAL") {
    FeMaterial material;
    material.name = parameters.word("NAME");
    material.refusal = "it has no *ELASTIC";
    materials_.push_back(std::move(material));
    elastic_.emplace_back();
    densities_.emplace_back();
  } else if (keyword == "ELASTIC" && !materials_.empty() && elastic_.back().rows.empty()) {
    open_ = Open::elastic;
    elastic_.back().type = parameters.word("TYPE");
    elastic_.back().pending_row.clear();
  } else if (keyword == "DENSITY" && !materials_.empty()) {
    open_ = Open::density;
    densities_.back().clear();
  } else if (keyword == "SOLIDSECTION" || keyword == "SHELLSECTION" || keyword == "BEAMSECTION") {
    begin_section(keyword, parameters);
  }
}

void InpMaterials::begin_section(const std::string& keyword, const InpParameters& parameters) {
  open_ = Open::section;
  Section section;
  section.set = parameters.word("ELSET");
  section.orientation = parameters.word("ORIENTATION");
  section.shape = parameters.word("SECTION");
  FeProperty& property = section.property;
  property.name = section.set;
  property.material = parameters.word("MATERIAL");
  if (keyword == "SOLIDSECTION") {
    property.type = "SOLID SECTION";
  } else if (keyword == "SHELLSECTION") {
    property.type = "SHELL SECTION";
    property.kind = FeProperty::Kind::shell;
    const auto offset = inp_offset(parameters, "OFFSET");
    section.offset = offset.value_or(0.0);
    if (!offset)
      property.refusal =
          fmt::format("OFFSET={} is not a number, SPOS or SNEG: distributions are not supported",
                      parameters.text("OFFSET"));
  } else {
    property.type = "BEAM SECTION";
    property.kind = FeProperty::Kind::beam;
    section.is_beam = true;
    if (inp_offset(parameters, "OFFSET1") != 0.0 || inp_offset(parameters, "OFFSET2") != 0.0)
      property.refusal = "the offset of a beam section is not supported";
  }
  if (parameters.has("COMPOSITE")) property.refusal = "plies of laminates are not supported";
  if (parameters.has("NODALTHICKNESS"))
    property.refusal = "thicknesses given node by node are not supported";
  sections_.push_back(std::move(section));
}

void InpMaterials::data(const Fields& fields) {
  ++lines_;
  orientations_.data(fields);
  switch (open_) {
    case Open::elastic: {
      Elastic& elastic = elastic_.back();
      append_numbers(fields, elastic.pending_row);
      if (elastic.pending_row.size() < elastic.constants()) return;
      elastic.rows.push_back(std::exchange(elastic.pending_row, {}));
      return;
    }
    case Open::density: {
      std::vector<double>& row = densities_.back().emplace_back();
      append_numbers(fields, row);
      if (row.size() < 2 || fields[1].empty()) row.resize(1);
      row.resize(2, 0.0);  // without a temperature: at 0
      return;
    }
    case Open::section:
      section_line(fields);
      return;
    case Open::nothing:
      return;
  }
}

void InpMaterials::section_line(const Fields& fields) {
  Section& section = sections_.back();
  if (lines_ == 1) append_numbers(fields, section.sizes);
  if (lines_ != 2 || !section.is_beam) return;
  for (std::size_t k = 0; k < 3 && k < fields.size(); ++k)
    section.axis[static_cast<Eigen::Index>(k)] = parse_real(fields[k]).value_or(0.0);
}

/// Number of elastic constants of a row; 1 for a type that is not supported.
std::size_t InpMaterials::Elastic::constants() const {
  if (type.empty() || type.starts_with("ISO")) return 2;
  return type.starts_with("ORTHO") || type.starts_with("ENGINEERING") ? 9 : 1;
}

/// Sets the elastic constants of a material, those at the temperature of the model if they depend
/// on it.
void InpMaterials::set_elastic(const Elastic& elastic,
                               const InpTemperature& temperature,
                               const std::string& file,
                               FeMaterial& material,
                               Diagnostics& diagnostics) {
  if (elastic.rows.empty()) return;
  const std::size_t count = elastic.constants();
  if (count == 1) {
    material.refusal = fmt::format("*ELASTIC, TYPE={} is not supported", elastic.type);
    return;
  }
  std::vector<double> row = elastic.rows.front();
  if (elastic.rows.size() > 1) {
    const bool is_table = std::all_of(elastic.rows.begin(), elastic.rows.end(), [&](const auto& r) {
      return r.size() == count + 1 && std::isfinite(r.back());
    });
    if (temperature.is_given && !(temperature.value && is_table)) {
      material.refusal =
          "*ELASTIC depends on temperature, and the model has no single temperature (or a row is "
          "not complete)";
      return;
    }
    if (temperature.value) row = row_at(*temperature.value, elastic.rows);
    diagnostics.warn(
        "elastic-temperature",
        fmt::format("material {}: *ELASTIC has {} rows: stresses are those of {}",
                    material.name,
                    elastic.rows.size(),
                    temperature.value
                        ? fmt::format("the initial temperature {:g}", *temperature.value)
                        : fmt::format("the first row, for {}, as no initial temperature is given",
                                      is_table ? fmt::format("the temperature {:g}", row.back())
                                               : "whatever it depends on")),
        {file});
  }
  row.resize(count);
  material.refusal.clear();
  if (count == 2) {
    material.constants = {row[0], row[1], kNoNumber};
    return;
  }
  material.kind = FeMaterial::Kind::solid;
  if (elastic.type.starts_with("ORTHO"))
    material.constants = from_stiffness(row);
  else
    std::copy(row.begin(), row.end(), material.constants.begin());
}

/// Sets the density of a material, that at the temperature of the model if it depends on it; 0
/// means unknown.
void InpMaterials::set_density(const Rows& rows,
                               const InpTemperature& temperature,
                               const std::string& file,
                               FeMaterial& material,
                               Diagnostics& diagnostics) {
  if (rows.empty()) return;
  const auto tell = [&](const std::string& what) {
    diagnostics.warn("density",
                     fmt::format("material {}: *DENSITY has {}: masses of its elements are {}",
                                 material.name,
                                 rows.size() == 1 ? "1 row" : fmt::format("{} rows", rows.size()),
                                 what),
                     {file});
  };
  const bool is_table = std::all_of(rows.begin(), rows.end(), [](const auto& row) {
    return std::isfinite(row[0]) && std::isfinite(row[1]);
  });
  if (!is_table) return tell("not known: one of the fields is not a number");
  if (rows.size() == 1) {
    material.density = rows.front()[0];
  } else if (temperature.value) {
    material.density = row_at(*temperature.value, rows)[0];
    tell(fmt::format("those at the initial temperature {:g}", *temperature.value));
  } else if (temperature.is_given) {
    tell(
        "not known: the temperature of the model differs from place to place, or a step changes "
        "it");
  } else {
    material.density = rows.front()[0];
    tell(
        fmt::format("those of the first row, for the temperature {:g}, as no initial temperature "
                    "is given",
                    rows.front()[1]));
  }
}

void InpMaterials::element(std::int64_t id, std::string_view type) {
  elements_.push_back({id, integration_of(type), type.starts_with("B33")});
}

void InpMaterials::turn(std::size_t first, std::size_t last, const Eigen::Matrix3d& rotation) {
  for (std::size_t k = first; k < last; ++k)
    sections_[k].turn = (rotation * sections_[k].turn).eval();
}

/// Sets the material axes of `property`, and for a shell the material direction, from the
/// orientation of its section.
void InpMaterials::orient(const Section& section,
                          const InpDialect& dialect,
                          FeProperty& property,
                          Eigen::Vector3d& direction) const {
  if (section.orientation.empty()) return;
  const auto material =
      std::find_if(materials_.begin(), materials_.end(), [&](const FeMaterial& each) {
        return each.name == property.material;
      });
  // an isotropic material needs no axes
  if (material != materials_.end() && material->kind == FeMaterial::Kind::isotropic) return;
  const bool is_shell = property.kind == FeProperty::Kind::shell;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  const std::string refusal = orientations_.axes_of(section.orientation, dialect, is_shell, axes);
  if (!refusal.empty()) {
    property.refusal = refusal;
    return;
  }
  property.axes = section.turn * axes;
  if (is_shell) direction = property.axes.col(0);
}

/// Sets area, second moments and factors of shear of a beam.
void InpMaterials::set_beam(const Section& section,
                            const InpDialect& dialect,
                            FeProperty& property) {
  const double first = section.first_size(), second = section.second_size();
  double shear_factor = 1.0;  // CalculiX expands B31 to solids of the same shear strain everywhere
  if (section.shape == "RECT") {
    const std::array<double, 2> sizes{second, first};
    set_section("BAR", sizes, property);
    if (dialect.is_abaqus()) shear_factor = 0.85;  // [Cowper 1966] with nu = 0.3
  } else if (section.shape == "CIRC" && dialect.is_abaqus()) {
    set_ellipse(2.0 * first, 2.0 * first, property);
    shear_factor = 0.89;
    if (section.sizes.size() > 1)
      property.refusal = "SECTION=CIRC of Abaqus has one size, the radius";
  } else if (section.shape == "CIRC") {
    set_ellipse(first, second, property);
  } else {
    property.refusal = fmt::format("beam sections of type '{}' are not supported", section.shape);
  }
  property.shear_factors.fill(shear_factor);
}

/// Warns of circles of a deck that does not tell its program.
void InpMaterials::warn_of_circles(const std::string& file, Diagnostics& diagnostics) const {
  const auto circle = std::find_if(sections_.begin(), sections_.end(), [](const Section& each) {
    return each.is_beam && each.shape == "CIRC" && each.sizes.size() == 1;
  });
  if (circle == sections_.end()) return;
  diagnostics.warn(
      "circle-size",
      fmt::format("*BEAM SECTION of {}: {} is read as the diameter, as in CalculiX; Abaqus gives "
                  "the radius, and nothing in the deck tells which of the programs it is for: "
                  "give the diameter twice, or, for Abaqus, *PREPRINT",
                  circle->set,
                  circle->sizes.front()),
      {file});
}

void InpMaterials::finish(const InpSets& element_sets,
                          const InpTemperature& temperature,
                          const InpDialect& dialect,
                          const std::string& file,
                          FileContents& contents,
                          Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < materials_.size(); ++k) {
    set_elastic(elastic_[k], temperature, file, materials_[k], diagnostics);
    set_density(densities_[k], temperature, file, materials_[k], diagnostics);
  }
  if (!dialect.is_abaqus() && !dialect.is_calculix()) warn_of_circles(file, diagnostics);
  std::unordered_map<std::int64_t, std::size_t> section_of;
  std::vector<std::int32_t> fields_of;  // by section: index in section_fields
  for (std::size_t k = 0; k < sections_.size(); ++k) {
    Section& section = sections_[k];
    FeProperty& property = section.property;
    Eigen::Vector3d direction = Eigen::Vector3d::Constant(kNoNumber);
    if (section.is_beam) {
      direction = section.turn * section.axis;
      set_beam(section, dialect, property);
    } else if (property.kind == FeProperty::Kind::shell) {
      property.thickness = section.first_size();
      property.offset = -section.offset * property.thickness;
      orient(section, dialect, property, direction);
    } else {
      property.area = section.first_size();  // of trusses
      orient(section, dialect, property, direction);
    }
    fields_of.push_back(static_cast<std::int32_t>(contents.section_fields.size()));
    RawSectionFields& fields = contents.section_fields.emplace_back();
    fields.values.direction = direction;
    fields.is_basic_orientation = true;
    if (const InpSets::Members* set = element_sets.find(section.set))
      for (const std::int64_t id : *set)
        section_of.insert_or_assign(id, k);
    contents.properties.push_back({static_cast<std::int64_t>(k + 1), property});
  }
  contents.materials = std::move(materials_);
  // B33 elements get a copy of their section that is rigid in shear, numbered after all sections
  const auto rigid_property = [&](std::size_t k) {
    const auto id = static_cast<std::int64_t>(k + 1 + sections_.size());
    const auto known = std::find_if(contents.properties.begin(),
                                    contents.properties.end(),
                                    [&](const RawProperty& each) { return each.id == id; });
    if (known == contents.properties.end()) {
      FeProperty rigid = sections_[k].property;
      rigid.shear_factors.fill(kNoNumber);
      contents.properties.push_back({id, std::move(rigid)});
    }
    return id;
  };
  for (const Element& element : elements_) {
    const auto found = section_of.find(element.id);
    if (found == section_of.end()) continue;
    RawElementSection section;
    section.element = element.id;
    section.integration = element.integration;
    section.fields = fields_of[found->second];
    section.property = element.is_rigid_in_shear ? rigid_property(found->second)
                                                 : static_cast<std::int64_t>(found->second + 1);
    contents.element_sections.push_back(section);
  }
}

}  // namespace femflex::importer
