// Collects the materials and sections of a CalculiX or Abaqus deck, from which stresses are
// computed. finish() assigns them to the elements, because the deck may define sets and materials
// later.
#include "calculix/inp_materials.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <unordered_map>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/number.h"

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
    elastic_.back().started.clear();
  } else if (keyword == "DENSITY" && !materials_.empty()) {
    open_ = Open::density;
    densities_.back().clear();
  } else if (keyword == "ORIENTATION") {
    open_ = Open::orientation;
    orientation_ = parameters.word("NAME");
    const std::string system = parameters.word("SYSTEM");
    orientations_[orientation_] = {
        (system.empty() || system == "RECTANGULAR") && !parameters.has("DISTRIBUTION"), {}, 0, 0.0};
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
    section.offset = parse_real(parameters.word("OFFSET")).value_or(0.0);
  } else {
    property.type = "BEAM SECTION";
    property.kind = FeProperty::Kind::beam;
    section.is_beam = true;
    if (parse_real(parameters.word("OFFSET1")).value_or(0.0) != 0.0 ||
        parse_real(parameters.word("OFFSET2")).value_or(0.0) != 0.0)
      property.refusal = "the offset of a beam section is not supported";
  }
  if (parameters.has("COMPOSITE")) property.refusal = "plies of laminates are not supported";
  if (parameters.has("NODALTHICKNESS"))
    property.refusal = "thicknesses given node by node are not supported";
  sections_.push_back(std::move(section));
}

void InpMaterials::data(const Fields& fields) {
  ++lines_;
  switch (open_) {
    case Open::elastic: {
      Elastic& elastic = elastic_.back();
      append_numbers(fields, elastic.started);
      if (elastic.started.size() < elastic.constants()) return;
      elastic.rows.push_back(std::exchange(elastic.started, {}));
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
    case Open::orientation: {
      Orientation& orientation = orientations_[orientation_];
      if (lines_ == 1) append_numbers(fields, orientation.points);
      if (lines_ == 2 && fields.size() > 1) {
        orientation.axis = static_cast<int>(parse_integer(fields[0]).value_or(0));
        orientation.angle = parse_real(fields[1]).value_or(kNoNumber);
      }
      return;
    }
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
          fmt::format("*ELASTIC has {} rows, and that of the model's temperature is not known",
                      elastic.rows.size());
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

/// Sets the density of a material, that at the temperature of the model if it depends on it; 0,
/// which stands for none, if it is not known.
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
                          FeProperty& property,
                          Eigen::Vector3d& direction) const {
  if (section.orientation.empty()) return;
  const auto material =
      std::find_if(materials_.begin(), materials_.end(), [&](const FeMaterial& each) {
        return each.name == property.material;
      });
  // an isotropic material needs no axes
  if (material != materials_.end() && material->kind == FeMaterial::Kind::isotropic) return;
  const auto found = orientations_.find(section.orientation);
  if (found == orientations_.end() || !found->second.is_rectangular ||
      found->second.points.size() < 6) {
    property.refusal = fmt::format("orientation {} is not rectangular with two points, or missing",
                                   section.orientation);
    return;
  }
  const std::vector<double>& p = found->second.points;
  const Eigen::Vector3d x = Eigen::Vector3d(p[0], p[1], p[2]).normalized();
  const Eigen::Vector3d z = x.cross(Eigen::Vector3d(p[3], p[4], p[5])).normalized();
  property.axes << x, z.cross(x), z;
  if (found->second.angle != 0.0 && found->second.axis >= 1 && found->second.axis <= 3)
    property.axes *= Eigen::AngleAxisd(found->second.angle * std::numbers::pi / 180.0,
                                       Eigen::Vector3d::Unit(found->second.axis - 1))
                         .toRotationMatrix();
  property.axes = (section.turn * property.axes).eval();
  if (!property.axes.allFinite()) property.refusal = "the orientation has no axes";
  if (property.kind == FeProperty::Kind::shell) direction = property.axes.col(0);
}

void InpMaterials::finish(const InpSets& element_sets,
                          const InpTemperature& temperature,
                          const std::string& file,
                          FileContents& contents,
                          Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < materials_.size(); ++k) {
    set_elastic(elastic_[k], temperature, file, materials_[k], diagnostics);
    set_density(densities_[k], temperature, file, materials_[k], diagnostics);
  }
  std::unordered_map<std::int64_t, std::size_t> section_of;
  std::vector<std::int32_t> fields_of;  // by section: index in section_fields
  for (std::size_t k = 0; k < sections_.size(); ++k) {
    Section& section = sections_[k];
    FeProperty& property = section.property;
    Eigen::Vector3d direction = Eigen::Vector3d::Constant(kNoNumber);
    const double first = section.sizes.empty() ? kNoNumber : section.sizes[0];
    const double second = section.sizes.size() < 2 ? first : section.sizes[1];
    if (section.is_beam) {
      direction = section.turn * section.axis;
      if (section.shape == "RECT") {
        const std::array<double, 2> sizes{second, first};
        set_section("BAR", sizes, property);
      } else if (section.shape == "CIRC") {
        set_ellipse(first, second, property);
      } else {
        property.refusal =
            fmt::format("beam sections of type '{}' are not supported", section.shape);
      }
    } else if (property.kind == FeProperty::Kind::shell) {
      property.thickness = first;
      property.offset = -section.offset * first;
      orient(section, property, direction);
    } else {
      property.area = first;  // of trusses
      orient(section, property, direction);
    }
    // the solids into which CalculiX expands B31 have the same shear strain everywhere
    if (section.is_beam) property.shear_factors = {1.0, 1.0};
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
  // sections of elements that are rigid in shear have numbers above those of all others
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
