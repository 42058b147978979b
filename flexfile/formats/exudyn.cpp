// Reads and writes Exudyn's reduced bodies as NPZ or HDF5, which have the same keys. Their matrices
// are the inertia invariants, some with opposite sign, because a~' = -a~ (a~ b = a x b).
#include "formats/exudyn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/frames.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/mapped_file.h"
#include "femflex/io/zip_file.h"

#include "bytes/npz.h"
#include "derive.h"
#include "pictures/surface.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr const char* kExudynType = "ObjectFFRFreducedOrderInterface";
constexpr const char* kExudynNode = "NodeType.RotationEulerParameters";
/// Not a key of Exudyn, whose nodes have no numbers; its reader takes the keys that it knows.
constexpr const char* kNodeNumbers = "femflexNodeNumbers";

/// A key with real values: a matrix (rank 2), a vector (1) or a number (0).
struct RealField {
  std::string key;
  MatrixXd value;
  int rank = 2;
};
/// A key with integer values.
struct IntegerField {
  std::string key;
  std::vector<std::int64_t> value;
  std::vector<std::int64_t> extents;
};

/// Translation rows of the shapes.
MatrixXd translations(const MatrixXd& shapes) {
  MatrixXd out(shapes.rows() / 2, shapes.cols());
  for (Index k = 0; 6 * k < shapes.rows(); ++k)
    out.middleRows<3>(3 * k) = shapes.middleRows<3>(6 * k);
  return out;
}

/// All keys with real values. "Tilde" after a matrix in a key stands for the cross matrices of its
/// columns, side by side.
std::vector<RealField> real_fields(const FlexBody& body) {
  const InertiaInvariants& inv = body.invariants;
  const Index n = body.mode_count();
  const Vector3d centre = inv.mass > 0.0 ? body.centre_of_mass() : Vector3d(Vector3d::Zero());
  MatrixXd psi_tilde_psi(3 * n, n);
  MatrixXd phi_psi_tilde(3, 3 * n);
  for (Index j = 0; j < n; ++j) {
    psi_tilde_psi.middleRows<3>(3 * j) = -inv.translation_rate.middleCols(n * j, n);
    phi_psi_tilde.middleCols<3>(3 * j) = cross_matrix(inv.translation.col(j));
  }
  Eigen::Matrix3Xd c = positions_of(body);
  return {{"modeBasis", translations(body.shapes)},
          {"massMatrixReduced", body.mass},
          {"stiffnessMatrixReduced", body.stiffness},
          {"xRef", Eigen::Map<MatrixXd>(c.data(), c.size(), 1), 1},
          {"inertiaLocal", inv.inertia},
          {"Mtt", inv.mass * Matrix3d::Identity()},
          {"totalMass", MatrixXd::Constant(1, 1, inv.mass), 0},
          {"chiU", centre, 1},
          {"chiUtilde", cross_matrix(centre)},
          {"mPsiTildePsi", psi_tilde_psi},
          {"mPsiTildePsiTilde", -inv.inertia_curvature},
          {"mPhitTPsi", inv.translation},
          {"mPhitTPsiTilde", phi_psi_tilde},
          {"mXRefTildePsi", -inv.rotation},
          {"mXRefTildePsiTilde", -inv.inertia_rate}};
}

std::vector<IntegerField> integer_fields(const FlexBody& body) {
  std::vector<std::int64_t> triangles;
  for (const auto& triangle : surface_of(body).triangles)
    triangles.insert(triangles.end(), triangle.begin(), triangle.end());
  const auto count = static_cast<std::int64_t>(triangles.size() / 3);
  std::vector<std::int64_t> numbers;
  for (const BodyNode& node : body.nodes)
    numbers.push_back(node.id);
  return {
      {kNodeNumbers, std::move(numbers), {body.node_count()}},
      {"fileVersion", {1}, {}},
      {"trigList", std::move(triangles), {count, 3}},
      {"infoList", {body.mode_count(), body.node_count(), 3, 4, 7, 7 + body.mode_count()}, {6}}};
}

/// Warns of rotation shapes, which the format cannot store.
void warn_of_losses(const FlexBody& body,
                    const std::filesystem::path& path,
                    Diagnostics& diagnostics) {
  bool has_rotations = false;
  for (Index k = 0; k < body.node_count() && !has_rotations; ++k)
    has_rotations = !body.shapes.middleRows<3>(6 * k + 3).isZero(0.0);
  if (has_rotations)
    diagnostics.warn(
        "translations-only",
        "the reduced bodies of Exudyn contain only translations: rotation shapes are left out",
        {path.string()});
}

/// The arrays of a file by key, from either form.
struct Source {
  std::string file;
  std::map<std::string, NpyArray> arrays;
  std::vector<std::string> pickled;  ///< keys of Python objects, which are not read

  [[noreturn]] void fail(const std::string& key,
                         const std::string& what,
                         const char* fix = "") const {
    throw ParseError("exudyn", what, {file, -1, -1, -1, key}, fix);
  }
  const MatrixXd& numbers(const std::string& key) const {
    const auto found = arrays.find(key);
    if (found == arrays.end() && std::find(pickled.begin(), pickled.end(), key) != pickled.end())
      fail(key,
           "is a pickled object, which is not read",
           "save it as an array of numbers: numpy.asarray(a, dtype=float)");
    if (found == arrays.end()) fail(key, "is missing");
    if (found->second.is_text) fail(key, "is a text, expected numbers");
    return found->second.numbers;
  }
  MatrixXd matrix(const std::string& key, Index rows, Index cols) const {
    const MatrixXd& a = numbers(key);
    if (a.rows() != rows || a.cols() != cols)
      fail(key, fmt::format("is {} x {}, expected {} x {}", a.rows(), a.cols(), rows, cols));
    return a;
  }
};

/// The node numbers that the file holds, else 1, 2, ...
std::vector<std::int64_t> node_numbers(const Source& source, Index nodes) {
  constexpr double kMost = 9e15;  // doubles hold every whole number up to here
  std::vector<std::int64_t> out;
  if (!source.arrays.contains(kNodeNumbers)) {
    for (Index k = 0; k < nodes; ++k)
      out.push_back(k + 1);
    return out;
  }
  const MatrixXd given = source.matrix(kNodeNumbers, nodes, 1);
  for (Index k = 0; k < nodes; ++k) {
    const double number = given(k, 0);
    if (!(number >= 1.0 && number <= kMost) || number != std::floor(number))
      source.fail(kNodeNumbers, fmt::format("{} is not the number of a node", number));
    out.push_back(static_cast<std::int64_t>(number));
  }
  return out;
}

FlexBody body_from(const Source& source) {
  const MatrixXd& Psi = source.numbers("modeBasis");
  if (Psi.rows() % 3 != 0) source.fail("modeBasis", "its number of rows is not a multiple of 3");
  const Index nodes = Psi.rows() / 3;
  const Index n = Psi.cols();
  FlexBody body;
  const MatrixXd c = source.matrix("xRef", 3 * nodes, 1);
  body.shapes = MatrixXd::Zero(6 * nodes, n);
  const std::vector<std::int64_t> numbers = node_numbers(source, nodes);
  for (Index k = 0; k < nodes; ++k) {
    body.nodes.push_back({numbers[static_cast<std::size_t>(k)], c.middleRows<3>(3 * k)});
    body.shapes.middleRows<3>(6 * k) = Psi.middleRows<3>(3 * k);
  }
  body.mass = source.matrix("massMatrixReduced", n, n);
  body.stiffness = source.matrix("stiffnessMatrixReduced", n, n);
  InertiaInvariants inv = zero_invariants(n);
  inv.mass = source.matrix("totalMass", 1, 1)(0, 0);
  inv.first_moment = inv.mass * source.matrix("chiU", 3, 1);
  inv.translation = source.matrix("mPhitTPsi", 3, n);
  inv.rotation = -source.matrix("mXRefTildePsi", 3, n);
  inv.modal = body.mass;
  inv.inertia = source.matrix("inertiaLocal", 3, 3);
  inv.inertia_rate = -source.matrix("mXRefTildePsiTilde", 3, 3 * n);
  inv.inertia_curvature = -source.matrix("mPsiTildePsiTilde", 3 * n, 3 * n);
  const MatrixXd psi_tilde_psi = source.matrix("mPsiTildePsi", 3 * n, n);
  for (Index j = 0; j < n; ++j)
    inv.translation_rate.middleCols(n * j, n) = -psi_tilde_psi.middleRows<3>(3 * j);
  body.invariants = std::move(inv);
  body.lumped_mass = MatrixXd::Zero(nodes, 6);
  body.modes.resize(static_cast<std::size_t>(n));
  if (const auto list = source.arrays.find("trigList");
      list != source.arrays.end() && list->second.numbers.cols() == 3) {
    ElementBlock block{"CTRIA3", 3, {}, {}};
    const MatrixXd& triangles = list->second.numbers;
    for (Index t = 0; t < triangles.rows(); ++t) {
      block.ids.push_back(t + 1);
      for (Index k = 0; k < 3; ++k) {
        const double node = triangles(t, k);
        if (!(node >= 0.0 && node < static_cast<double>(nodes)))
          source.fail("trigList",
                      fmt::format("triangle {} has node {}, which does not exist", t + 1, node));
        block.connectivity.push_back(numbers[static_cast<std::size_t>(node)]);
      }
    }
    if (!block.ids.empty()) body.elements.push_back(std::move(block));
  }
  derive_eigenvalues(body);
  return body;
}

}  // namespace

bool is_exudyn_npz(std::string_view head) {
  if (!is_zip(head)) return false;
  // the first member of any other NPZ file, which holds matrices for `import`, has another name
  static const std::set<std::string_view> kNames{"modeBasis",
                                                 "massMatrixReduced",
                                                 "stiffnessMatrixReduced",
                                                 "xRef",
                                                 "inertiaLocal",
                                                 "Mtt",
                                                 "totalMass",
                                                 "chiU",
                                                 "chiUtilde",
                                                 "mPsiTildePsi",
                                                 "mPsiTildePsiTilde",
                                                 "mPhitTPsi",
                                                 "mPhitTPsiTilde",
                                                 "mXRefTildePsi",
                                                 "mXRefTildePsiTilde",
                                                 "fileVersion",
                                                 "trigList",
                                                 "infoList",
                                                 "type",
                                                 "rigidBodyNodeType",
                                                 "postProcessingModes",
                                                 kNodeNumbers};
  constexpr std::string_view kEnding = ".npy";
  const std::string_view name = io::first_zip_name(head);
  return !name.ends_with(kEnding) || kNames.contains(name.substr(0, name.size() - kEnding.size()));
}

bool is_exudyn_hdf5(const std::filesystem::path& path) {
  try {
    const io::Hdf5File file = io::Hdf5File::open(path);
    return file.has("/modeBasis") && file.has("/mPsiTildePsi");
  } catch (const ParseError&) {
    return false;
  }
}

bool has_node_numbers(const std::filesystem::path& path) {
  const io::MappedFile file(path);
  if (is_exudyn_npz(file.bytes()))
    return file.bytes().find(fmt::format("{}.npy", kNodeNumbers)) != std::string_view::npos;
  return io::Hdf5File::open(path).has(fmt::format("/{}", kNodeNumbers));
}

FlexBody parse_exudyn_npz(std::string_view bytes,
                          const std::string& file,
                          Diagnostics& diagnostics) {
  Source source{file, {}, {}};
  source.arrays = read_npz(bytes, file, source.pickled);
  FlexBody body = body_from(source);
  for (const std::string& name : source.pickled)
    if (name != "postProcessingModes" && name != "type" && name != "rigidBodyNodeType")
      diagnostics.warn("pickled", fmt::format("'{}' is a pickled object and is skipped", name));
  return body;
}

FlexBody read_exudyn_npz(const std::filesystem::path& path, Diagnostics& diagnostics) {
  const io::MappedFile file(path);
  FlexBody body = parse_exudyn_npz(file.bytes(), file.name(), diagnostics);
  body.name = path.stem().string();
  return body;
}

FlexBody read_exudyn_hdf5(const std::filesystem::path& path, Diagnostics& /*diagnostics*/) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  Source source{file.name(), {}, {}};
  for (const char* key : {"modeBasis",
                          "massMatrixReduced",
                          "stiffnessMatrixReduced",
                          "xRef",
                          "inertiaLocal",
                          "totalMass",
                          "chiU",
                          "mPsiTildePsi",
                          "mPsiTildePsiTilde",
                          "mPhitTPsi",
                          "mXRefTildePsi",
                          "mXRefTildePsiTilde",
                          "trigList",
                          kNodeNumbers}) {
    const std::string dataset = fmt::format("/{}", key);
    if (!file.has(dataset)) continue;
    NpyArray& array = source.arrays[key];
    const std::size_t rank = file.shape(dataset).size();
    if (rank == 2)
      array.numbers = file.read_matrix(dataset);
    else
      array.numbers = file.read_vector(dataset);
  }
  FlexBody body = body_from(source);
  body.name = path.stem().string();
  return body;
}

void write_exudyn_npz(const FlexBody& body,
                      const std::filesystem::path& path,
                      Diagnostics& diagnostics) {
  std::vector<std::pair<std::string, std::string>> members;
  for (const IntegerField& field : integer_fields(body))
    members.emplace_back(field.key, npy_of_integers(field.value, field.extents));
  // Exudyn calls .item() on it and looks for 'matrix' in the result. An empty text contains none,
  // like {}, and numpy loads it without pickle.
  members.emplace_back("postProcessingModes", npy_of_text(""));
  members.emplace_back("type", npy_of_text(kExudynType));
  members.emplace_back("rigidBodyNodeType", npy_of_text(kExudynNode));
  for (const RealField& field : real_fields(body)) {
    std::vector<std::int64_t> extents{field.value.rows(), field.value.cols()};
    extents.resize(static_cast<std::size_t>(field.rank));
    members.emplace_back(field.key, npy_of_numbers(field.value, extents));
  }
  write_npz(path, members);
  warn_of_losses(body, path, diagnostics);
}

void write_exudyn_hdf5(const FlexBody& body,
                       const std::filesystem::path& path,
                       Diagnostics& diagnostics) {
  io::Hdf5File file = io::Hdf5File::create(path);
  const auto set_datatype = [&](const std::string& dataset, const char* type) {
    file.set_variable_text_attribute(dataset, "datatype", type);
  };
  for (const IntegerField& field : integer_fields(body)) {
    const std::string dataset = "/" + field.key;
    file.write(dataset,
               std::span<const std::int64_t>(field.value),
               {field.extents.begin(), field.extents.end()});
    set_datatype(dataset, field.extents.empty() ? "int" : "ndarray");
  }
  for (const auto& [key, text] :
       {std::pair{"/type", kExudynType}, std::pair{"/rigidBodyNodeType", kExudynNode}}) {
    file.write_text(key, text);
    set_datatype(key, "str");
  }
  for (const RealField& field : real_fields(body)) {
    const std::string dataset = "/" + field.key;
    if (field.rank == 2) {
      file.write_matrix(dataset, field.value);
    } else {
      std::vector<std::uint64_t> extents{static_cast<std::uint64_t>(field.value.rows())};
      extents.resize(static_cast<std::size_t>(field.rank));
      file.write(
          dataset,
          std::span<const double>(field.value.data(), static_cast<std::size_t>(field.value.size())),
          extents);
    }
    set_datatype(dataset, field.rank == 0 ? "float" : "ndarray");
  }
  file.make_group("/postProcessingModes");
  set_datatype("/postProcessingModes", "dict");
  file.commit();
  warn_of_losses(body, path, diagnostics);
}

}  // namespace femflex::flexfile
