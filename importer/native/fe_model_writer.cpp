// Writes native FE models (`.fe.h5`, layout in docs/formats/fe_model.md), one dataset per quantity.
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/importer/fe_model_file.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/version.h"

#include "native/element_properties_file.h"
#include "native/layout.h"
#include "native/stress_file.h"

namespace femflex::importer {
namespace {

using Integers = native::Integers;
using Reals = native::Reals;
using Texts = native::Texts;

/// Writes datasets, leaving empty ones out.
class ModelWriter {
 public:
  explicit ModelWriter(io::Hdf5File& file) : file_(file) {}

  void integers(const std::string& path, const Integers& values, std::uint64_t per_row = 1) {
    if (values.empty()) return;
    file_.write(path, std::span<const std::int64_t>(values), extents(values.size(), per_row));
  }
  void reals(const std::string& path, const Reals& values, std::uint64_t per_row = 1) {
    if (values.empty()) return;
    file_.write(path, std::span<const double>(values), extents(values.size(), per_row));
  }
  void texts(const std::string& path, const Texts& values) {
    if (!values.empty()) file_.write(path, values);
  }
  void dofs(const std::string& path, const std::vector<Dof>& dofs) {
    Integers values;
    values.reserve(dofs.size() * 2);
    for (const Dof& dof : dofs) {
      values.push_back(dof.node);
      values.push_back(dof.component);
    }
    integers(path, values, 2);
  }

  void matrix(const std::string& group, const std::optional<SparseMatrix>& given) {
    if (!given) return;
    SparseMatrix copy;
    const SparseMatrix* matrix = &*given;
    if (!given->isCompressed()) {
      copy = *given;
      copy.makeCompressed();
      matrix = &copy;
    }
    file_.make_group(group);
    file_.set_attribute(group, "rows", std::int64_t{matrix->rows()});
    file_.set_attribute(group, "columns", std::int64_t{matrix->cols()});
    const auto nonzeros = static_cast<std::size_t>(matrix->nonZeros());
    if (nonzeros == 0) return;
    const auto columns = static_cast<std::size_t>(matrix->cols());
    write32(group + "/column_start", {matrix->outerIndexPtr(), columns + 1});
    write32(group + "/row", {matrix->innerIndexPtr(), nonzeros});
    file_.write(
        group + "/value", std::span<const double>(matrix->valuePtr(), nonzeros), {nonzeros});
  }

 private:
  static std::vector<std::uint64_t> extents(std::size_t size, std::uint64_t per_row) {
    if (per_row == 1) return {size};
    return {size / per_row, per_row};
  }
  void write32(const std::string& path, std::span<const std::int32_t> values) {
    file_.write(path, values, {values.size()});
  }
  io::Hdf5File& file_;
};

/// Collects one value of each item, given by a member or a function.
template <class Value, class Items, class Field>
std::vector<Value> column(const Items& items, const Field& field) {
  std::vector<Value> out;
  out.reserve(items.size());
  for (const auto& item : items)
    out.push_back(static_cast<Value>(std::invoke(field, item)));
  return out;
}

/// Collects the values of a list of each item, one item after the other.
template <class Value, class Items, class Fields>
std::vector<Value> joined(const Items& items, const Fields& fields) {
  std::vector<Value> out;
  for (const auto& item : items) {
    const auto& values = std::invoke(fields, item);
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

/// The matrix row by row, as the file stores it.
std::array<double, 9> by_rows(const Eigen::Matrix3d& matrix) {
  std::array<double, 9> out{};
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(out.data()) = matrix;
  return out;
}

std::int64_t size_of(const std::vector<std::int64_t>& values) {
  return static_cast<std::int64_t>(values.size());
}

void write_nodes(ModelWriter& out, const std::vector<Node>& nodes) {
  out.integers("/nodes/id", column<std::int64_t>(nodes, &Node::id));
  out.integers("/nodes/displacement_system",
               column<std::int64_t>(nodes, &Node::displacement_system));
  out.reals("/nodes/position", joined<double>(nodes, &Node::position), 3);
}

void write_systems(ModelWriter& out, const std::vector<CoordinateSystem>& systems) {
  out.integers("/systems/id", column<std::int64_t>(systems, &CoordinateSystem::id));
  out.integers("/systems/kind", column<std::int64_t>(systems, &CoordinateSystem::kind));
  out.reals("/systems/origin", joined<double>(systems, &CoordinateSystem::origin), 3);
  out.reals("/systems/axes",
            joined<double>(systems, [](const CoordinateSystem& s) { return by_rows(s.axes); }),
            9);
}

void write_elements(ModelWriter& out, const std::vector<ElementBlock>& blocks) {
  out.texts("/elements/type", column<std::string>(blocks, &ElementBlock::type));
  out.integers("/elements/nodes_per_element",
               column<std::int64_t>(blocks, &ElementBlock::nodes_per_element));
  out.integers("/elements/count",
               column<std::int64_t>(blocks, [](const ElementBlock& b) { return size_of(b.ids); }));
  out.integers("/elements/id", joined<std::int64_t>(blocks, &ElementBlock::ids));
  out.integers("/elements/nodes", joined<std::int64_t>(blocks, &ElementBlock::connectivity));
}

void write_rigid_elements(ModelWriter& out, const std::vector<RigidElement>& elements) {
  const auto counts = [](const RigidElement& element) {
    return std::array{size_of(element.independent), size_of(element.dependent)};
  };
  const auto nodes = [](const RigidElement& element) {
    Integers all = element.independent;
    all.insert(all.end(), element.dependent.begin(), element.dependent.end());
    return all;
  };
  out.texts("/rigid_elements/type", column<std::string>(elements, &RigidElement::type));
  out.texts("/rigid_elements/components", column<std::string>(elements, &RigidElement::components));
  out.integers("/rigid_elements/id", column<std::int64_t>(elements, &RigidElement::id));
  out.integers("/rigid_elements/count", joined<std::int64_t>(elements, counts), 2);
  out.integers("/rigid_elements/nodes", joined<std::int64_t>(elements, nodes));
}

void write_constraints(ModelWriter& out, const std::vector<ConstraintEquation>& equations) {
  using Equation = ConstraintEquation;
  const auto terms = joined<Equation::Term>(equations, &Equation::terms);
  out.dofs("/constraints/dependent", column<Dof>(equations, &Equation::dependent));
  out.integers("/constraints/element", column<std::int64_t>(equations, &Equation::element));
  out.integers("/constraints/count", column<std::int64_t>(equations, [](const Equation& equation) {
                 return equation.terms.size();
               }));
  out.dofs("/constraints/terms", column<Dof>(terms, &Equation::Term::dof));
  out.reals("/constraints/factors", column<double>(terms, &Equation::Term::factor));
}

void write_masses(ModelWriter& out, const std::vector<ConcentratedMass>& masses) {
  using Mass = ConcentratedMass;
  out.integers("/concentrated_masses/node", column<std::int64_t>(masses, &Mass::node));
  out.reals("/concentrated_masses/mass", column<double>(masses, &Mass::mass));
  out.reals("/concentrated_masses/offset", joined<double>(masses, &Mass::offset), 3);
  out.reals("/concentrated_masses/inertia",
            joined<double>(masses, [](const Mass& mass) { return by_rows(mass.inertia); }),
            9);
}

void write_loads(ModelWriter& out, const FeModel& model) {
  out.integers("/loads/id", column<std::int64_t>(model.loads, &LoadCase::id));
  out.texts("/loads/label", column<std::string>(model.loads, &LoadCase::label));
  out.reals("/loads/values",
            joined<double>(model.loads, &LoadCase::load),
            static_cast<std::uint64_t>(model.dofs.size()));
}

void write_modes(io::Hdf5File& file, ModelWriter& out, const ModeSet& set) {
  if (set.rows.size() == 0 && set.modes.empty()) return;
  file.make_group("/modes");
  out.dofs("/modes/rows", set.rows.rows());
  const auto kind = [](const ModeInfo& mode) { return name_of(mode.kind); };
  out.texts("/modes/kind", column<std::string>(set.modes, kind));
  out.texts("/modes/source", column<std::string>(set.modes, &ModeInfo::source));
  out.integers("/modes/number", column<std::int64_t>(set.modes, &ModeInfo::number));
  out.reals("/modes/eigenvalue", column<double>(set.modes, &ModeInfo::eigenvalue));
  out.reals("/modes/generalised_mass", column<double>(set.modes, &ModeInfo::generalised_mass));
  if (set.shapes.size() > 0) file.write_matrix("/modes/shapes", set.shapes);
}

void write_head(io::Hdf5File& file, ModelWriter& out, const FeModel& model) {
  file.set_attribute("/", "femflex_kind", native::kKind);
  file.set_attribute("/", "femflex_version", kVersion);
  file.set_attribute("/", "layout_version", native::version_of(model));
  file.set_attribute("/", "name", model.name);
  file.set_attribute("/", "program", model.provenance.program);
  file.set_attribute("/", "options", model.provenance.options);
  if (model.units) {
    file.make_group("/units");
    file.set_attribute("/units", "name", model.units->name);
    file.set_attribute("/units", "length", model.units->length);
    file.set_attribute("/units", "mass", model.units->mass);
    file.set_attribute("/units", "time", model.units->time);
  }
  const auto& sources = model.provenance.sources;
  out.texts("/sources/file", column<std::string>(sources, &Provenance::Source::file));
  out.texts("/sources/sha256", column<std::string>(sources, &Provenance::Source::sha256));
}

}  // namespace

FeModelWriter::FeModelWriter(const std::filesystem::path& path)
    : file_(io::Hdf5File::create(path)) {}

void FeModelWriter::write_mesh_and_matrices(const FeModel& model) {
  ModelWriter out(file_);
  write_head(file_, out, model);
  write_nodes(out, model.nodes);
  write_systems(out, model.systems);
  write_elements(out, model.elements);
  native::write_element_properties(model.properties, file_);
  write_rigid_elements(out, model.rigid_elements);
  write_constraints(out, model.constraints);
  write_masses(out, model.concentrated_masses);
  out.dofs("/fixed", model.fixed);
  out.dofs("/dofs", model.dofs.rows());
  out.matrix("/stiffness", model.stiffness);
  out.matrix("/mass", model.mass);
  out.matrix("/damping", model.damping);
  write_loads(out, model);
}

void FeModelWriter::finish(const FeModel& model) {
  ModelWriter out(file_);
  write_modes(file_, out, model.modes);
  native::write_stresses(model.stresses, file_);
  out.integers("/interface_nodes", model.interface_nodes);
  file_.commit();
}

void write_fe_model(const FeModel& model, const std::filesystem::path& path) {
  FeModelWriter writer(path);
  writer.write_mesh_and_matrices(model);
  writer.finish(model);
}

}  // namespace femflex::importer
