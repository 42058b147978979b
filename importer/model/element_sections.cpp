// Joins the materials, properties and element sections of all files of an import, and resolves what
// element cards refer to: property numbers, orientation grids, displacement and material systems.
#include "model/element_sections.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::importer {
namespace {

/// File and number of a property. NASTRAN numbers hold for all files (kAllFiles); the section
/// numbers of other decks hold for their own file.
using PropertyKey = std::pair<std::size_t, std::int64_t>;
constexpr std::size_t kAllFiles = static_cast<std::size_t>(-1);

class SectionJoiner {
 public:
  explicit SectionJoiner(const Gathered& gathered) : gathered_(gathered) {}

  ElementProperties join(Diagnostics& diagnostics) {
    for (std::size_t k = 0; k < gathered_.files.size(); ++k)
      add_properties(k);
    std::int64_t repeated = 0;
    for (std::size_t k = 0; k < gathered_.files.size(); ++k) {
      const std::vector<RawElementSection>& sections = gathered_.files[k].element_sections;
      if (sections.empty()) continue;
      out_.elements.reserve(out_.elements.size() + sections.size());
      for (const RawElementSection& raw : sections)
        out_.elements.push_back(resolved(raw, k));
      const auto before = [](const ElementSection& a, const ElementSection& b) {
        return a.element < b.element;
      };
      if (!std::is_sorted(out_.elements.begin(), out_.elements.end(), before))
        std::stable_sort(out_.elements.begin(), out_.elements.end(), before);
      const auto same = [](const ElementSection& a, const ElementSection& b) {
        return a.element == b.element;
      };
      const auto end = std::unique(out_.elements.begin(), out_.elements.end(), same);
      if (k == 0) repeated = out_.elements.end() - end;
      out_.elements.erase(end, out_.elements.end());
    }
    if (repeated > 0)
      diagnostics.warn("repeated-element",
                       fmt::format("{} elements share their id with another one: stresses would "
                                   "be computed with the section of the first",
                                   repeated));
    return std::move(out_);
  }

 private:
  PropertyKey key(std::size_t file, std::int64_t id) const {
    return {gathered_.files[file].format == "bulk" ? kAllFiles : file, id};
  }

  void add_properties(std::size_t file) {
    for (const FeMaterial& material : gathered_.files[file].materials)
      if (materials_.insert(material.name).second) {
        out_.materials.push_back(material);
        out_.materials.back().density *= gathered_.files[file].mass_factor;
      }
    for (const RawProperty& raw : gathered_.files[file].properties) {
      const auto next = static_cast<std::int32_t>(out_.properties.size());
      if (index_.try_emplace(key(file, raw.id), next).second) out_.properties.push_back(raw.values);
    }
  }

  /// Index of a property. If the files do not have it: index of a new one, whose refusal says so.
  std::int32_t property_of(std::size_t file, std::int64_t id) {
    const auto next = static_cast<std::int32_t>(out_.properties.size());
    const auto [found, is_new] = index_.try_emplace(key(file, id), next);
    if (is_new) {
      FeProperty missing;
      missing.name = std::to_string(id);
      missing.refusal = fmt::format("property {} is missing, or of a kind that is not read", id);
      out_.properties.push_back(std::move(missing));
    }
    return found->second;
  }

  const Node* node(std::int64_t id) const {
    const auto it = std::lower_bound(
        gathered_.nodes.begin(), gathered_.nodes.end(), id, [](const Node& n, std::int64_t wanted) {
          return n.id < wanted;
        });
    return it == gathered_.nodes.end() || it->id != id ? nullptr : &*it;
  }

  ElementSection resolved(const RawElementSection& raw, std::size_t file) {
    const std::vector<RawSectionFields>& all = gathered_.files[file].section_fields;
    const RawSectionFields& fields =
        raw.fields < 0 ? blank_fields_ : all[static_cast<std::size_t>(raw.fields)];
    ElementSection out = fields.values;
    out.element = raw.element;
    out.integration = raw.integration;
    out.property = property_of(file, raw.property);
    if (fields.node != 0) {
      const Eigen::Matrix3d axes = axes_at(fields.node);
      const Node* from = node(fields.node);
      const Node* to = node(fields.orientation_node);
      if (fields.orientation_node != 0 && from != nullptr && to != nullptr)
        out.direction = to->position - from->position;
      else if (!fields.is_basic_orientation)
        out.direction = (axes * out.direction).eval();
      out.ends[0] = (axes * out.ends[0]).eval();
      out.ends[1] = (axes_at(fields.second_node) * out.ends[1]).eval();
    }
    const FeProperty& property = out_.properties[static_cast<std::size_t>(out.property)];
    out.thickness = mean_thickness(fields, property);
    const bool may_have_modes =
        out.integration == ElementIntegration::incompatible ||
        (out.integration == ElementIntegration::full && property.kind == FeProperty::Kind::beam &&
         !std::isnan(property.shear_factors[0])) ||
        (out.integration == ElementIntegration::full && property.type == "SHELL SECTION");
    if (may_have_modes && is_calculix_deck(file))
      out.integration = ElementIntegration::internal_modes;
    if (fields.material_system >= 0) out.direction = material_direction(fields.material_system);
    return out;
  }

  /// Whether a deck is one of CalculiX, not of Abaqus: only CalculiX writes `.dof` and `.frd`.
  bool is_calculix_deck(std::size_t file) const {
    return gathered_.files[file].format != "bulk" &&
           std::any_of(
               gathered_.files.begin(), gathered_.files.end(), [](const FileContents& each) {
                 return each.format == "calculix-dof" || each.format == "frd";
               });
  }

  /// The mean of T1, T2, ... of a shell, in which a blank one is the thickness of the property. NaN
  /// if all are blank.
  static double mean_thickness(const RawSectionFields& raw, const FeProperty& property) {
    const auto first = raw.corner_thickness.begin();
    const auto last = first + static_cast<std::ptrdiff_t>(raw.corners);
    if (std::all_of(first, last, [](double t) { return std::isnan(t); }))
      return ElementSection::kNone;
    const double factor = raw.has_relative_thickness ? property.thickness : 1.0;
    double sum = 0.0;
    for (auto each = first; each != last; ++each)
      sum += std::isnan(*each) ? property.thickness : factor * *each;
    return sum / static_cast<double>(raw.corners);
  }

  /// displacement_axes() of a node; NaN, which makes the element refused, if its system is missing.
  Eigen::Matrix3d axes_at(std::int64_t id) const {
    try {
      return displacement_axes(gathered_, id);
    } catch (const ModelError&) {
      return Eigen::Matrix3d::Constant(ElementSection::kNone);
    }
  }

  /// Axis x of a rectangular system. The axes of other systems turn from element to element: the
  /// result is then infinite, which makes elements of orthotropic materials refused.
  Eigen::Vector3d material_direction(std::int64_t id) const {
    if (id == 0) return Eigen::Vector3d::UnitX();
    for (const CoordinateSystem& system : gathered_.systems)
      if (system.id == id && system.kind == CoordinateSystem::Kind::rectangular)
        return system.axes.col(0);
    return Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  }

  const Gathered& gathered_;
  const RawSectionFields blank_fields_;
  ElementProperties out_;
  std::set<std::string> materials_;
  std::map<PropertyKey, std::int32_t> index_;
};

}  // namespace

ElementProperties element_properties(const Gathered& gathered, Diagnostics& diagnostics) {
  return SectionJoiner(gathered).join(diagnostics);
}

}  // namespace femflex::importer
