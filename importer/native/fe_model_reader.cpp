// Reads native FE models (`.fe.h5`, layout in docs/formats/fe_model.md) and checks that the sizes
// of their datasets fit each other.
#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/io/hdf5_file.h"

#include "native/dataset_reader.h"
#include "native/element_properties_file.h"
#include "native/layout.h"
#include "native/stress_file.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

using Integers = native::Integers;
using Reals = native::Reals;
using Texts = native::Texts;

/// Reads datasets, also those of a whole model.
class ModelReader : public native::DatasetReader {
 public:
  using DatasetReader::DatasetReader;

  std::vector<Dof> dofs(const std::string& path) const {
    const Integers values = integers(path);
    if (values.size() % 2 != 0) fail(path, "DOFs are pairs of node and component");
    std::vector<Dof> out(values.size() / 2);
    for (std::size_t k = 0; k < out.size(); ++k) {
      const std::int64_t component = values[2 * k + 1];
      if (component < 0 || component > 6)
        fail(path, fmt::format("component {} is outside 0 .. 6", component));
      out[k] = {values[2 * k], static_cast<std::int8_t>(component)};
    }
    return out;
  }
  /// Reads a matrix; leaves `into` empty if the file has none.
  void matrix(const std::string& group, std::optional<SparseMatrix>& into) const;
};

void ModelReader::matrix(const std::string& group, std::optional<SparseMatrix>& into) const {
  if (!file().has(group)) return;
  const std::int64_t rows = file().integer_attribute(group, "rows");
  const std::int64_t cols = file().integer_attribute(group, "columns");
  if (rows < 0 || rows > kMaxMatrixSize || cols < 0 || cols > kMaxMatrixSize)
    fail(group, fmt::format("the matrix size {} x {} is out of range", rows, cols));
  const Integers start = integers(group + "/column_start");
  const Integers row = integers(group + "/row");
  const Reals value = reals(group + "/value", row.size());
  SparseMatrix& out = into.emplace(rows, cols);
  if (row.empty()) return;
  if (start.size() != static_cast<std::size_t>(cols) + 1 || start.front() != 0 ||
      start.back() != static_cast<std::int64_t>(row.size()))
    fail(group + "/column_start", "does not fit the number of entries");
  out.reserve(static_cast<Eigen::Index>(row.size()));
  for (std::size_t col = 0; col + 1 < start.size(); ++col) {
    if (start[col] > start[col + 1] || start[col + 1] > start.back())
      fail(group + "/column_start", "does not increase");
    out.startVec(static_cast<Eigen::Index>(col));
    std::int64_t last = -1;
    for (auto k = static_cast<std::size_t>(start[col]);
         k < static_cast<std::size_t>(start[col + 1]);
         ++k) {
      if (row[k] < 0 || row[k] >= rows)
        fail(group + "/row", fmt::format("row {} is outside 0 to {}", row[k], rows - 1));
      if (row[k] <= last) fail(group + "/row", "the row numbers of a column do not increase");
      last = row[k];
      out.insertBack(last, static_cast<Eigen::Index>(col)) = value[k];
    }
  }
  out.finalize();
}

Eigen::Vector3d vector_at(const Reals& values, std::size_t k) {
  return {values[3 * k], values[3 * k + 1], values[3 * k + 2]};
}

Eigen::Matrix3d matrix_at(const Reals& values, std::size_t k) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(values.data() + 9 * k);
}

void read_header(const ModelReader& in, FeModel& model) {
  const io::Hdf5File& file = in.file();
  if (!file.has_attribute("/", "femflex_kind") ||
      file.text_attribute("/", "femflex_kind") != native::kKind)
    throw ParseError("fe-model",
                     "is an HDF5 file, but not an FE model of femflex",
                     {file.name()},
                     "import it first");
  const std::int64_t version = file.integer_attribute("/", "layout_version");
  if (version > native::kVersion)
    throw ParseError(
        "fe-model-version",
        fmt::format(
            "has layout {}, but this femflex reads layouts up to {}", version, native::kVersion),
        {file.name()},
        "use a newer femflex");
  model.name = file.text_attribute("/", "name");
  model.provenance.program = file.text_attribute("/", "program");
  model.provenance.options = file.text_attribute("/", "options");
  if (file.has("/units"))
    model.units = Units{file.text_attribute("/units", "name"),
                        file.real_attribute("/units", "length"),
                        file.real_attribute("/units", "mass"),
                        file.real_attribute("/units", "time")};
  const Texts names = in.texts("/sources/file");
  const Texts digests = in.texts("/sources/sha256", names.size());
  for (std::size_t k = 0; k < names.size(); ++k)
    model.provenance.sources.push_back({names[k], digests[k]});
}

void read_nodes(const ModelReader& in, FeModel& model) {
  const Integers id = in.integers("/nodes/id");
  const Integers system = in.integers("/nodes/displacement_system", id.size());
  const Reals position = in.reals("/nodes/position", 3 * id.size());
  for (std::size_t k = 0; k < id.size(); ++k)
    model.nodes.push_back({id[k], vector_at(position, k), system[k]});
}

void read_systems(const ModelReader& in, FeModel& model) {
  const Integers id = in.integers("/systems/id");
  const Integers kind = in.integers("/systems/kind", id.size());
  const Reals origin = in.reals("/systems/origin", 3 * id.size());
  const Reals axes = in.reals("/systems/axes", 9 * id.size());
  for (std::size_t k = 0; k < id.size(); ++k) {
    if (kind[k] < 1 || kind[k] > 3)
      in.fail("/systems/kind", fmt::format("{} is not a kind of system", kind[k]));
    model.systems.push_back({id[k],
                             static_cast<CoordinateSystem::Kind>(kind[k]),
                             vector_at(origin, k),
                             matrix_at(axes, k)});
  }
}

/// Checks that the counts of the records add up to the size of a dataset that they share.
void check_used_up(const ModelReader& in,
                   const std::string& path,
                   std::size_t used,
                   std::size_t size) {
  if (used != size)
    in.fail(path, fmt::format("has {} values, but the records count {}", size, used));
}

/// A dataset that holds the lists of several records one after the other: each call of next()
/// returns the next `count` numbers.
class SharedList {
 public:
  SharedList(const ModelReader& in, std::string path)
      : in_(in), path_(std::move(path)), values_(in.integers(path_)) {}
  Integers next(std::int64_t count) {
    if (count < 0 || static_cast<std::uint64_t>(count) > values_.size() - next_)
      in_.fail(path_, "has too few values");
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(next_);
    next_ += static_cast<std::size_t>(count);
    return {first, first + count};
  }
  /// To be called after the last record: the lists of all records must be the whole dataset.
  void check_end() const { check_used_up(in_, path_, next_, values_.size()); }

 private:
  const ModelReader& in_;
  std::string path_;
  Integers values_;
  std::size_t next_ = 0;
};

void read_elements(const ModelReader& in, FeModel& model) {
  const Texts type = in.texts("/elements/type");
  const Integers per_element = in.integers("/elements/nodes_per_element", type.size());
  const Integers count = in.integers("/elements/count", type.size());
  SharedList ids(in, "/elements/id");
  SharedList nodes(in, "/elements/nodes");
  for (std::size_t k = 0; k < type.size(); ++k) {
    if (per_element[k] < 0 || per_element[k] > 1000)
      in.fail("/elements/nodes_per_element",
              fmt::format("{} nodes per element are not between 0 and 1000", per_element[k]));
    ElementBlock block;
    block.type = type[k];
    block.nodes_per_element = static_cast<int>(per_element[k]);
    block.ids = ids.next(count[k]);
    block.connectivity = nodes.next(count[k] * per_element[k]);
    model.elements.push_back(std::move(block));
  }
  ids.check_end();
  nodes.check_end();
}

void read_rigid_elements(const ModelReader& in, FeModel& model) {
  const Texts type = in.texts("/rigid_elements/type");
  const Texts components = in.texts("/rigid_elements/components", type.size());
  const Integers id = in.integers("/rigid_elements/id", type.size());
  const Integers count = in.integers("/rigid_elements/count", 2 * type.size());
  SharedList nodes(in, "/rigid_elements/nodes");
  for (std::size_t k = 0; k < type.size(); ++k) {
    RigidElement element;
    element.type = type[k];
    element.id = id[k];
    element.components = components[k];
    element.independent = nodes.next(count[2 * k]);
    element.dependent = nodes.next(count[2 * k + 1]);
    model.rigid_elements.push_back(std::move(element));
  }
  nodes.check_end();
}

void read_constraints(const ModelReader& in, FeModel& model) {
  const std::vector<Dof> dependent = in.dofs("/constraints/dependent");
  const Integers element = in.integers("/constraints/element", dependent.size());
  const Integers count = in.integers("/constraints/count", dependent.size());
  const std::vector<Dof> terms = in.dofs("/constraints/terms");
  const Reals factors = in.reals("/constraints/factors", terms.size());
  std::size_t next = 0;
  for (std::size_t k = 0; k < dependent.size(); ++k) {
    if (count[k] < 0 || static_cast<std::uint64_t>(count[k]) > terms.size() - next)
      in.fail("/constraints/terms", "has too few values");
    ConstraintEquation equation{dependent[k], {}, element[k]};
    for (std::int64_t j = 0; j < count[k]; ++j, ++next)
      equation.terms.push_back({terms[next], factors[next]});
    model.constraints.push_back(std::move(equation));
  }
  check_used_up(in, "/constraints/terms", next, terms.size());
}

void read_masses(const ModelReader& in, FeModel& model) {
  const Integers node = in.integers("/concentrated_masses/node");
  const Reals mass = in.reals("/concentrated_masses/mass", node.size());
  const Reals offset = in.reals("/concentrated_masses/offset", 3 * node.size());
  const Reals inertia = in.reals("/concentrated_masses/inertia", 9 * node.size());
  for (std::size_t k = 0; k < node.size(); ++k)
    model.concentrated_masses.push_back(
        {node[k], mass[k], vector_at(offset, k), matrix_at(inertia, k)});
}

void read_loads(const ModelReader& in, FeModel& model) {
  const Integers id = in.integers("/loads/id");
  const Texts label = in.texts("/loads/label", id.size());
  const auto rows = static_cast<std::size_t>(model.dofs.size());
  const Reals values = in.reals("/loads/values", id.size() * rows);
  for (std::size_t k = 0; k < id.size(); ++k)
    model.loads.push_back({id[k],
                           label[k],
                           Eigen::Map<const Eigen::VectorXd>(values.data() + k * rows,
                                                             static_cast<Eigen::Index>(rows))});
}

ModeSet read_modes(const ModelReader& in) {
  const io::Hdf5File& file = in.file();
  if (!file.has("/modes")) return {};
  DofMap rows(in.dofs("/modes/rows"));
  const Texts kind = in.texts("/modes/kind");
  const Texts source = in.texts("/modes/source", kind.size());
  const Integers number = in.integers("/modes/number", kind.size());
  const Reals eigenvalue = in.reals("/modes/eigenvalue", kind.size());
  const Reals mass = in.reals("/modes/generalised_mass", kind.size());
  std::vector<ModeInfo> modes;
  for (std::size_t k = 0; k < kind.size(); ++k)
    modes.push_back({parse_mode_kind(kind[k]), number[k], eigenvalue[k], mass[k], source[k]});
  const auto cols = static_cast<Eigen::Index>(kind.size());
  const bool has_shapes = file.has("/modes/shapes");
  if (!has_shapes && rows.size() * cols > 0) in.fail("/modes/shapes", "is missing");
  Eigen::MatrixXd shapes = has_shapes ? file.read_matrix("/modes/shapes")
                                      : Eigen::MatrixXd::Zero(Eigen::Index{rows.size()}, cols);
  return make_mode_set(std::move(rows), std::move(shapes), std::move(modes));
}

}  // namespace

bool is_fe_model_file(const std::filesystem::path& path) {
  try {
    const io::Hdf5File file = io::Hdf5File::open(path);
    return file.has_attribute("/", "femflex_kind") &&
           file.text_attribute("/", "femflex_kind") == native::kKind;
  } catch (const ParseError&) {
    return false;
  }
}

FeModel read_fe_model(const std::filesystem::path& path) try {
  const io::Hdf5File file = io::Hdf5File::open(path);
  const ModelReader in(file);
  FeModel model;
  read_header(in, model);
  read_nodes(in, model);
  read_systems(in, model);
  read_elements(in, model);
  model.properties = native::read_element_properties(file);
  read_rigid_elements(in, model);
  read_constraints(in, model);
  read_masses(in, model);
  model.fixed = in.dofs("/fixed");
  model.dofs = DofMap(in.dofs("/dofs"));
  in.matrix("/stiffness", model.stiffness);
  in.matrix("/mass", model.mass);
  in.matrix("/damping", model.damping);
  read_loads(in, model);
  model.modes = read_modes(in);
  model.stresses = native::read_stresses(file);
  model.interface_nodes = in.integers("/interface_nodes");
  return make_fe_model(std::move(model));
} catch (const ModelError& error) {
  throw ModelError(error.code(), error.message(), {path.string()}, error.fix());
}

}  // namespace femflex::importer
