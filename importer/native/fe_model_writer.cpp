#include <cstdint>
#include <vector>

#include "femflex/importer/fe_model_file.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/version.h"

#include "native/layout.h"

namespace femflex::importer {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Texts = std::vector<std::string>;

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

void append(Reals& out, const Eigen::Ref<const Eigen::VectorXd>& values) {
  out.insert(out.end(), values.data(), values.data() + values.size());
}

/// Row by row, as the file's readers see a matrix.
void append_rows(Reals& out, const Eigen::Matrix3d& matrix) {
  for (Eigen::Index row = 0; row < 3; ++row)
    for (Eigen::Index col = 0; col < 3; ++col)
      out.push_back(matrix(row, col));
}

void write_nodes(ModelWriter& out, const FeModel& model) {
  Integers id;
  Integers system;
  Reals position;
  for (const Node& node : model.nodes) {
    id.push_back(node.id);
    system.push_back(node.displacement_system);
    append(position, node.position);
  }
  out.integers("/nodes/id", id);
  out.integers("/nodes/displacement_system", system);
  out.reals("/nodes/position", position, 3);
}

void write_systems(ModelWriter& out, const FeModel& model) {
  Integers id;
  Integers kind;
  Reals origin;
  Reals axes;
  for (const CoordinateSystem& system : model.systems) {
    id.push_back(system.id);
    kind.push_back(static_cast<std::int64_t>(system.kind));
    append(origin, system.origin);
    append_rows(axes, system.axes);
  }
  out.integers("/systems/id", id);
  out.integers("/systems/kind", kind);
  out.reals("/systems/origin", origin, 3);
  out.reals("/systems/axes", axes, 9);
}

void write_elements(ModelWriter& out, const FeModel& model) {
  Texts type;
  Integers per_element;
  Integers count;
  Integers id;
  Integers nodes;
  for (const ElementBlock& block : model.elements) {
    type.push_back(block.type);
    per_element.push_back(block.nodes_per_element);
    count.push_back(static_cast<std::int64_t>(block.ids.size()));
    id.insert(id.end(), block.ids.begin(), block.ids.end());
    nodes.insert(nodes.end(), block.connectivity.begin(), block.connectivity.end());
  }
  out.texts("/elements/type", type);
  out.integers("/elements/nodes_per_element", per_element);
  out.integers("/elements/count", count);
  out.integers("/elements/id", id);
  out.integers("/elements/nodes", nodes);
}

void write_rigid_elements(ModelWriter& out, const FeModel& model) {
  Texts type;
  Texts components;
  Integers id;
  Integers counts;
  Integers nodes;
  for (const RigidElement& element : model.rigid_elements) {
    type.push_back(element.type);
    components.push_back(element.components);
    id.push_back(element.id);
    counts.push_back(static_cast<std::int64_t>(element.independent.size()));
    counts.push_back(static_cast<std::int64_t>(element.dependent.size()));
    nodes.insert(nodes.end(), element.independent.begin(), element.independent.end());
    nodes.insert(nodes.end(), element.dependent.begin(), element.dependent.end());
  }
  out.texts("/rigid_elements/type", type);
  out.texts("/rigid_elements/components", components);
  out.integers("/rigid_elements/id", id);
  out.integers("/rigid_elements/count", counts, 2);
  out.integers("/rigid_elements/nodes", nodes);
}

void write_constraints(ModelWriter& out, const FeModel& model) {
  std::vector<Dof> dependent;
  Integers element;
  Integers counts;
  std::vector<Dof> terms;
  Reals factors;
  for (const ConstraintEquation& equation : model.constraints) {
    dependent.push_back(equation.dependent);
    element.push_back(equation.element);
    counts.push_back(static_cast<std::int64_t>(equation.terms.size()));
    for (const ConstraintEquation::Term& term : equation.terms) {
      terms.push_back(term.dof);
      factors.push_back(term.factor);
    }
  }
  out.dofs("/constraints/dependent", dependent);
  out.integers("/constraints/element", element);
  out.integers("/constraints/count", counts);
  out.dofs("/constraints/terms", terms);
  out.reals("/constraints/factors", factors);
}

void write_masses(ModelWriter& out, const FeModel& model) {
  Integers node;
  Reals mass;
  Reals offset;
  Reals inertia;
  for (const ConcentratedMass& item : model.concentrated_masses) {
    node.push_back(item.node);
    mass.push_back(item.mass);
    append(offset, item.offset);
    append_rows(inertia, item.inertia);
  }
  out.integers("/concentrated_masses/node", node);
  out.reals("/concentrated_masses/mass", mass);
  out.reals("/concentrated_masses/offset", offset, 3);
  out.reals("/concentrated_masses/inertia", inertia, 9);
}

void write_loads(ModelWriter& out, const FeModel& model) {
  Integers id;
  Texts label;
  Reals values;
  for (const LoadCase& load : model.loads) {
    id.push_back(load.id);
    label.push_back(load.label);
    append(values, load.load);
  }
  out.integers("/loads/id", id);
  out.texts("/loads/label", label);
  out.reals("/loads/values", values, static_cast<std::uint64_t>(model.dofs.size()));
}

void write_modes(io::Hdf5File& file, ModelWriter& out, const ModeSet& set) {
  if (set.rows.size() == 0 && set.modes.empty()) return;
  file.make_group("/modes");
  out.dofs("/modes/rows", set.rows.rows());
  Texts kind;
  Texts source;
  Integers number;
  Reals eigenvalue;
  Reals mass;
  for (const ModeInfo& mode : set.modes) {
    kind.emplace_back(name_of(mode.kind));
    source.push_back(mode.source);
    number.push_back(mode.number);
    eigenvalue.push_back(mode.eigenvalue);
    mass.push_back(mode.generalised_mass);
  }
  out.texts("/modes/kind", kind);
  out.texts("/modes/source", source);
  out.integers("/modes/number", number);
  out.reals("/modes/eigenvalue", eigenvalue);
  out.reals("/modes/generalised_mass", mass);
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
  Texts names;
  Texts sums;
  for (const Provenance::Source& source : model.provenance.sources) {
    names.push_back(source.file);
    sums.push_back(source.sha256);
  }
  out.texts("/sources/file", names);
  out.texts("/sources/sha256", sums);
}

}  // namespace

void write_fe_model(const FeModel& model, const std::filesystem::path& path) {
  io::Hdf5File file = io::Hdf5File::create(path);
  ModelWriter out(file);
  write_head(file, out, model);
  write_nodes(out, model);
  write_systems(out, model);
  write_elements(out, model);
  write_rigid_elements(out, model);
  write_constraints(out, model);
  write_masses(out, model);
  out.dofs("/fixed", model.fixed);
  out.dofs("/dofs", model.dofs.rows());
  out.matrix("/stiffness", model.stiffness);
  out.matrix("/mass", model.mass);
  out.matrix("/damping", model.damping);
  write_loads(out, model);
  write_modes(file, out, model.modes);
  out.integers("/interface_nodes", model.interface_nodes);
  file.commit();
}

}  // namespace femflex::importer
