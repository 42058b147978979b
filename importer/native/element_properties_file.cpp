// Writes and reads the materials, properties and element sections of a .fe.h5 file. The real
// numbers of a record form one row, in the order of each_number() and each_element_number(); texts
// and integers have datasets of their own.
#include "native/element_properties_file.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "native/dataset_reader.h"

namespace femflex::importer::native {
namespace {

// real numbers per record; a property has 23 and a 0
constexpr std::size_t kMaterialWidth = 10;
constexpr std::size_t kPropertyWidth = 24;
constexpr std::size_t kElementWidth = 12;

/// Calls `visit` with every number of a property, in the order of docs/formats/fe_model.md.
template <class Property, class Visit>
void each_number(Property& p, const Visit& visit) {
  visit(p.thickness);
  visit(p.offset);
  for (auto& fibre : p.fibres)
    visit(fibre);
  visit(p.area);
  visit(p.I1);
  visit(p.I2);
  visit(p.I12);
  visit(p.J);
  for (auto& factor : p.shear_factors)
    visit(factor);
  for (auto& value : p.centroid)
    visit(value);
  visit(p.torsion_radius);
  for (Eigen::Index row = 0; row < 3; ++row)
    for (Eigen::Index column = 0; column < 3; ++column)
      visit(p.axes(row, column));
}

template <class Element, class Visit>
void each_element_number(Element& e, const Visit& visit) {
  visit(e.thickness);
  visit(e.offset);
  visit(e.angle);
  for (Eigen::Index k = 0; k < 3; ++k)
    visit(e.direction[k]);
  for (auto& end : e.ends)
    for (Eigen::Index k = 0; k < 3; ++k)
      visit(end[k]);
}

void write_rows(io::Hdf5File& file,
                const std::string& path,
                const Reals& values,
                std::size_t width) {
  if (!values.empty())
    file.write(path, std::span<const double>(values), {values.size() / width, width});
}

void write_integers(io::Hdf5File& file, const std::string& path, const Integers& values) {
  if (!values.empty()) file.write(path, std::span<const std::int64_t>(values), {values.size()});
}

void write_materials(const std::vector<FeMaterial>& materials, io::Hdf5File& file) {
  if (materials.empty()) return;
  Texts name;
  Texts refusal;
  Integers kind;
  Reals values;
  for (const FeMaterial& material : materials) {
    name.push_back(material.name);
    refusal.push_back(material.refusal);
    kind.push_back(static_cast<std::int64_t>(material.kind));
    values.insert(values.end(), material.constants.begin(), material.constants.end());
    values.push_back(material.density);
  }
  file.write("/materials/name", name);
  file.write("/materials/refusal", refusal);
  write_integers(file, "/materials/kind", kind);
  write_rows(file, "/materials/values", values, kMaterialWidth);
}

void write_properties(const std::vector<FeProperty>& properties, io::Hdf5File& file) {
  if (properties.empty()) return;
  Texts type;
  Texts name;
  Texts material;
  Texts refusal;
  Integers kind;
  Integers point_count;
  Reals values;
  Reals points;
  for (const FeProperty& property : properties) {
    type.push_back(property.type);
    name.push_back(property.name);
    material.push_back(property.material);
    refusal.push_back(property.refusal);
    kind.push_back(static_cast<std::int64_t>(property.kind));
    each_number(property, [&](double value) { values.push_back(value); });
    values.resize(kPropertyWidth * kind.size(), 0.0);
    point_count.push_back(static_cast<std::int64_t>(property.points.size()));
    for (const Eigen::Vector2d& point : property.points)
      points.insert(points.end(), {point.x(), point.y()});
  }
  file.write("/properties/type", type);
  file.write("/properties/name", name);
  file.write("/properties/material", material);
  file.write("/properties/refusal", refusal);
  write_integers(file, "/properties/kind", kind);
  write_rows(file, "/properties/values", values, kPropertyWidth);
  write_integers(file, "/properties/point_count", point_count);
  write_rows(file, "/properties/points", points, 2);
}

void write_sections(const std::vector<ElementSection>& elements, io::Hdf5File& file) {
  Integers id;
  Integers property;
  Integers integration;
  Integers released;
  Reals values;
  for (const ElementSection& element : elements) {
    id.push_back(element.element);
    property.push_back(element.property);
    integration.push_back(static_cast<std::int64_t>(element.integration));
    released.push_back(element.released[0] + 64 * element.released[1]);
    each_element_number(element, [&](double value) { values.push_back(value); });
  }
  write_integers(file, "/element_sections/element", id);
  write_integers(file, "/element_sections/property", property);
  write_integers(file, "/element_sections/integration", integration);
  write_integers(file, "/element_sections/released", released);
  write_rows(file, "/element_sections/values", values, kElementWidth);
}

std::vector<FeMaterial> read_materials(const DatasetReader& in) {
  std::vector<FeMaterial> out;
  if (!in.has("/materials/name")) return out;
  const Texts name = in.texts("/materials/name");
  const Texts refusal = in.texts("/materials/refusal", name.size());
  const Integers kind = in.integers("/materials/kind", name.size());
  const Reals values = in.reals("/materials/values", kMaterialWidth * name.size());
  for (std::size_t k = 0; k < name.size(); ++k) {
    FeMaterial material;
    material.name = name[k];
    material.refusal = refusal[k];
    material.kind = in.kind("/materials/kind", kind[k], FeMaterial::Kind::solid);
    const double* row = values.data() + kMaterialWidth * k;
    std::copy(row, row + material.constants.size(), material.constants.begin());
    material.density = row[material.constants.size()];
    out.push_back(std::move(material));
  }
  return out;
}

std::vector<FeProperty> read_properties(const DatasetReader& in) {
  std::vector<FeProperty> out;
  if (!in.has("/properties/name")) return out;
  const Texts name = in.texts("/properties/name");
  const Texts type = in.texts("/properties/type", name.size());
  const Texts material = in.texts("/properties/material", name.size());
  const Texts refusal = in.texts("/properties/refusal", name.size());
  const Integers kind = in.integers("/properties/kind", name.size());
  const Reals values = in.reals("/properties/values", kPropertyWidth * name.size());
  const Integers point_count = in.integers("/properties/point_count", name.size());
  std::size_t all_points = 0;
  constexpr std::int64_t kMostPoints = 1000;
  for (const std::int64_t count : point_count) {
    if (count < 0 || count > kMostPoints)
      in.fail("/properties/point_count", fmt::format("{} is not a number of points", count));
    all_points += static_cast<std::size_t>(count);
  }
  const Reals points = in.reals("/properties/points", 2 * all_points);
  std::size_t next = 0;
  for (std::size_t k = 0; k < name.size(); ++k) {
    FeProperty property;
    property.name = name[k];
    property.type = type[k];
    property.material = material[k];
    property.refusal = refusal[k];
    property.kind = in.kind("/properties/kind", kind[k], FeProperty::Kind::rod);
    const double* value = values.data() + kPropertyWidth * k;
    each_number(property, [&](double& number) { number = *value++; });
    for (std::int64_t p = 0; p < point_count[k]; ++p, next += 2)
      property.points.emplace_back(points[next], points[next + 1]);
    out.push_back(std::move(property));
  }
  return out;
}

std::vector<ElementSection> read_sections(const DatasetReader& in, std::size_t properties) {
  std::vector<ElementSection> out;
  const Integers id = in.integers("/element_sections/element");
  const Integers property = in.integers("/element_sections/property", id.size());
  const Integers integration = in.integers("/element_sections/integration", id.size());
  const Integers released = in.integers("/element_sections/released", id.size());
  const Reals values = in.reals("/element_sections/values", kElementWidth * id.size());
  for (std::size_t k = 0; k < id.size(); ++k) {
    if (property[k] < 0 || static_cast<std::uint64_t>(property[k]) >= properties)
      in.fail("/element_sections/property", fmt::format("there is no property {}", property[k]));
    if (k > 0 && id[k] <= id[k - 1])
      in.fail("/element_sections/element", "the element ids do not increase");
    ElementSection element;
    element.element = id[k];
    element.property = static_cast<std::int32_t>(property[k]);
    element.integration = in.kind(
        "/element_sections/integration", integration[k], ElementIntegration::internal_modes);
    element.released = {static_cast<std::uint8_t>(released[k] & 63),
                        static_cast<std::uint8_t>((released[k] >> 6) & 63)};
    const double* value = values.data() + kElementWidth * k;
    each_element_number(element, [&](double& number) { number = *value++; });
    out.push_back(element);
  }
  return out;
}

}  // namespace

void write_element_properties(const ElementProperties& all, io::Hdf5File& file) {
  write_materials(all.materials, file);
  write_properties(all.properties, file);
  write_sections(all.elements, file);
}

ElementProperties read_element_properties(const io::Hdf5File& file) {
  const DatasetReader in(file);
  ElementProperties out;
  out.materials = read_materials(in);
  out.properties = read_properties(in);
  out.elements = read_sections(in, out.properties.size());
  return out;
}

}  // namespace femflex::importer::native
