// Writes and reads the fields shared by .fbm files and FLEX sidecars: one put_ and one get_
// function per HDF5 group.
#include "formats/native_fields.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/stiffening_causes.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using io::Hdf5File;

[[noreturn]] void fail(const Hdf5File& file, const std::string& path, const std::string& what) {
  throw ParseError("fbm", what, {file.name(), -1, -1, -1, path});
}

// --- names of the enumerations in files

constexpr std::array<std::pair<RejectionReason, std::string_view>, 4> kReasons{
    {{RejectionReason::below_limit, "below-limit"},
     {RejectionReason::above_limit, "above-limit"},
     {RejectionReason::dependent, "dependent"},
     {RejectionReason::rigid, "rigid"}}};

/// Name of a value in a table of pairs; empty if it has none.
template <class Table, class Value>
std::string name_in(const Table& table, Value value) {
  for (const auto& [v, name] : table)
    if (v == value) return std::string(name);
  return {};
}

template <class Table>
auto value_in(const Table& table,
              const std::string& name,
              const Hdf5File& file,
              const std::string& path) {
  for (const auto& [v, n] : table)
    if (n == name) return v;
  fail(file, path, fmt::format("'{}' is not a known name", name));
}

// --- lists of texts stored as one text with one item per line

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "\n"));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

template <class T, class List, class Get>
std::vector<T> column(const List& list, const Get& get) {
  std::vector<T> values;
  values.reserve(list.size());
  for (const auto& item : list)
    values.push_back(static_cast<T>(get(item)));
  return values;
}

void put_reals(Hdf5File& file, const std::string& path, const std::vector<double>& values) {
  file.write(path, std::span<const double>(values), {values.size()});
}
void put_integers(Hdf5File& file,
                  const std::string& path,
                  const std::vector<std::int64_t>& values) {
  file.write(path, std::span<const std::int64_t>(values), {values.size()});
}

template <class T>
void check_count(const Hdf5File& file,
                 const std::string& path,
                 const std::vector<T>& values,
                 std::size_t expected) {
  if (values.size() != expected)
    fail(file, path, fmt::format("has {} entries, expected {}", values.size(), expected));
}

std::vector<std::string> get_texts(const Hdf5File& file, const std::string& path, std::size_t n) {
  std::vector<std::string> values = file.read_texts(path);
  check_count(file, path, values, n);
  return values;
}
std::vector<double> get_reals(const Hdf5File& file, const std::string& path, std::size_t n) {
  std::vector<double> values = file.read_reals(path);
  check_count(file, path, values, n);
  return values;
}
std::vector<std::int64_t> get_integers(const Hdf5File& file,
                                       const std::string& path,
                                       std::size_t n) {
  std::vector<std::int64_t> values = file.read_integers(path);
  check_count(file, path, values, n);
  return values;
}

ModeKind get_mode_kind(const Hdf5File& file, const std::string& path, const std::string& name) {
  try {
    return parse_mode_kind(name);
  } catch (const UsageError& error) {
    fail(file, path, error.message());
  }
}

// --- the sections

void put_modes(Hdf5File& file, const std::vector<BodyMode>& modes) {
  file.write("/modes/kind",
             column<std::string>(modes, [](const auto& m) { return name_of(m.kind); }));
  file.write("/modes/sources",
             column<std::string>(modes, [](const auto& m) { return joined(m.sources); }));
  put_reals(
      file, "/modes/eigenvalue", column<double>(modes, [](const auto& m) { return m.eigenvalue; }));
  put_reals(file, "/modes/damping_ratio", column<double>(modes, [](const auto& m) {
              return m.damping_ratio;
            }));
  put_integers(file, "/modes/enabled", column<std::int64_t>(modes, [](const auto& m) {
                 return m.enabled ? 1 : 0;
               }));
}

void get_modes(const Hdf5File& file, std::vector<BodyMode>& modes) {
  const auto kinds = get_texts(file, "/modes/kind", modes.size());
  const auto sources = get_texts(file, "/modes/sources", modes.size());
  const auto eigenvalues = get_reals(file, "/modes/eigenvalue", modes.size());
  const auto ratios = get_reals(file, "/modes/damping_ratio", modes.size());
  const auto enabled = get_integers(file, "/modes/enabled", modes.size());
  for (std::size_t k = 0; k < modes.size(); ++k)
    modes[k] = {get_mode_kind(file, "/modes/kind", kinds[k]),
                split(sources[k]),
                eigenvalues[k],
                ratios[k],
                enabled[k] != 0};
}

void put_geometric(Hdf5File& file, const FlexBody& body) {
  const auto& terms = body.geometric;
  if (terms.empty()) return;
  const auto n = static_cast<std::uint64_t>(body.mode_count());
  file.write("/geometric/cause", column<std::string>(terms, [](const auto& g) {
               return name_in(kStiffeningCauses, g.cause);
             }));
  put_integers(
      file, "/geometric/node", column<std::int64_t>(terms, [](const auto& g) { return g.node; }));
  put_integers(file, "/geometric/component", column<std::int64_t>(terms, [](const auto& g) {
                 return g.component;
               }));
  std::vector<double> all;
  // the matrices are symmetric, so row and column order are the same
  for (const GeometricStiffness& g : terms)
    all.insert(all.end(), g.stiffness.data(), g.stiffness.data() + g.stiffness.size());
  file.write("/geometric/stiffness", std::span<const double>(all), {terms.size(), n, n});
}

void get_geometric(const Hdf5File& file, FlexBody& body) {
  if (!file.has("/geometric")) return;
  const auto causes = file.read_texts("/geometric/cause");
  const auto nodes = get_integers(file, "/geometric/node", causes.size());
  const auto components = get_integers(file, "/geometric/component", causes.size());
  const Index n = body.mode_count();
  const auto all =
      get_reals(file, "/geometric/stiffness", causes.size() * static_cast<std::size_t>(n * n));
  for (std::size_t k = 0; k < causes.size(); ++k) {
    if (components[k] < 0 || components[k] > 6)
      fail(file, "/geometric/component", fmt::format("{} is outside 0 to 6", components[k]));
    body.geometric.push_back(
        {value_in(kStiffeningCauses, causes[k], file, "/geometric/cause"),
         nodes[k],
         static_cast<std::int8_t>(components[k]),
         Eigen::Map<const MatrixXd>(all.data() + k * static_cast<std::size_t>(n * n), n, n)});
  }
}

void put_invariants(Hdf5File& file, const InertiaInvariants& i) {
  put_reals(file, "/invariants/1_mass", {i.mass});
  put_vector(file, "/invariants/2_first_moment", i.first_moment);
  file.write_matrix("/invariants/3_translation", i.translation);
  file.write_matrix("/invariants/4_rotation", i.rotation);
  file.write_matrix("/invariants/5_translation_rate", i.translation_rate);
  file.write_matrix("/invariants/6_modal", i.modal);
  file.write_matrix("/invariants/7_inertia", i.inertia);
  file.write_matrix("/invariants/8_inertia_rate", i.inertia_rate);
  file.write_matrix("/invariants/9_inertia_curvature", i.inertia_curvature);
}

void get_invariants(const Hdf5File& file, Index n, InertiaInvariants& i) {
  i.mass = get_vector(file, "/invariants/1_mass", 1)(0);
  i.first_moment = get_vector(file, "/invariants/2_first_moment", 3);
  i.translation = get_matrix(file, "/invariants/3_translation", 3, n);
  i.rotation = get_matrix(file, "/invariants/4_rotation", 3, n);
  i.translation_rate = get_matrix(file, "/invariants/5_translation_rate", 3, n * n);
  i.modal = get_matrix(file, "/invariants/6_modal", n, n);
  i.inertia = get_matrix(file, "/invariants/7_inertia", 3, 3);
  i.inertia_rate = get_matrix(file, "/invariants/8_inertia_rate", 3, 3 * n);
  i.inertia_curvature = get_matrix(file, "/invariants/9_inertia_curvature", 3 * n, 3 * n);
}

void put_elements(Hdf5File& file, const std::vector<ElementBlock>& blocks) {
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const std::string group = fmt::format("/elements/{}", k + 1);
    put_integers(file, group + "/id", blocks[k].ids);
    put_integers(file, group + "/nodes", blocks[k].connectivity);
    file.set_attribute(group, "type", std::string_view(blocks[k].type));
    file.set_attribute(
        group, "nodes_per_element", static_cast<std::int64_t>(blocks[k].nodes_per_element));
  }
}

void get_elements(const Hdf5File& file, std::vector<ElementBlock>& blocks) {
  blocks.clear();
  for (std::size_t k = 1;; ++k) {
    const std::string group = fmt::format("/elements/{}", k);
    if (!file.has(group)) return;
    ElementBlock block;
    block.type = file.text_attribute(group, "type");
    const std::int64_t per_element = file.integer_attribute(group, "nodes_per_element");
    if (per_element < 0 || per_element > 1000)
      fail(
          file, group, fmt::format("{} nodes per element are not between 0 and 1000", per_element));
    block.nodes_per_element = static_cast<int>(per_element);
    block.ids = file.read_integers(group + "/id");
    block.connectivity = get_integers(
        file, group + "/nodes", block.ids.size() * static_cast<std::size_t>(per_element));
    blocks.push_back(std::move(block));
  }
}

void put_rejected(Hdf5File& file, const std::vector<RejectedMode>& rejected) {
  if (rejected.empty()) return;
  file.write("/rejected/source",
             column<std::string>(rejected, [](const auto& r) { return r.source; }));
  file.write("/rejected/reason", column<std::string>(rejected, [](const auto& r) {
               return name_in(kReasons, r.reason);
             }));
  put_reals(file, "/rejected/eigenvalue", column<double>(rejected, [](const auto& r) {
              return r.eigenvalue;
            }));
  file.write("/rejected/repeats",
             column<std::string>(rejected, [](const auto& r) { return joined(r.repeats); }));
}

void get_rejected(const Hdf5File& file, std::vector<RejectedMode>& rejected) {
  rejected.clear();
  if (!file.has("/rejected")) return;
  const auto sources = file.read_texts("/rejected/source");
  const auto reasons = get_texts(file, "/rejected/reason", sources.size());
  const auto eigenvalues = get_reals(file, "/rejected/eigenvalue", sources.size());
  const auto repeats = get_texts(file, "/rejected/repeats", sources.size());
  for (std::size_t k = 0; k < sources.size(); ++k)
    rejected.push_back({sources[k],
                        value_in(kReasons, reasons[k], file, "/rejected/reason"),
                        eigenvalues[k],
                        split(repeats[k])});
}

void put_path(Hdf5File& file, const ProcessingPath& path) {
  file.make_group("/path");
  file.set_attribute("/path", "orthogonalised", std::int64_t{path.orthogonalised});
  file.set_attribute("/path", "scaled", std::int64_t{path.scaled});
  file.set_attribute("/path", "reject_below", path.reject_below);
  file.set_attribute("/path", "reject_above", path.reject_above);
  file.set_attribute("/path", "rigid_modes", std::int64_t{path.rigid_modes});
}

void get_path(const Hdf5File& file, ProcessingPath& path) {
  path.orthogonalised = file.integer_attribute("/path", "orthogonalised") != 0;
  path.scaled = file.integer_attribute("/path", "scaled") != 0;
  path.reject_below = file.real_attribute("/path", "reject_below");
  path.reject_above = file.real_attribute("/path", "reject_above");
  path.rigid_modes = static_cast<int>(file.integer_attribute("/path", "rigid_modes"));
}

void put_back(Hdf5File& file, const FlexBody& body) {
  if (!body.back) return;
  const BackTransformation& back = *body.back;
  const auto& modes = back.chosen_modes;
  // mode after mode, like the shapes of the body
  file.write("/back/U",
             {back.chosen_shapes.data(), static_cast<std::size_t>(back.chosen_shapes.size())},
             {static_cast<std::uint64_t>(back.chosen_shapes.cols()),
              static_cast<std::uint64_t>(body.node_count()),
              6});
  file.write_matrix("/back/V", back.V);
  put_vector(file, "/back/alpha", back.alpha);
  file.write("/back/kind",
             column<std::string>(modes, [](const auto& m) { return name_of(m.kind); }));
  put_integers(
      file, "/back/number", column<std::int64_t>(modes, [](const auto& m) { return m.number; }));
  put_reals(
      file, "/back/eigenvalue", column<double>(modes, [](const auto& m) { return m.eigenvalue; }));
  put_reals(file, "/back/generalised_mass", column<double>(modes, [](const auto& m) {
              return m.generalised_mass;
            }));
  file.write("/back/source", column<std::string>(modes, [](const auto& m) { return m.source; }));
}

void get_back(const Hdf5File& file, FlexBody& body) {
  if (!file.has("/back")) return;
  BackTransformation back;
  const auto kinds = file.read_texts("/back/kind");
  const auto numbers = get_integers(file, "/back/number", kinds.size());
  const auto eigenvalues = get_reals(file, "/back/eigenvalue", kinds.size());
  const auto masses = get_reals(file, "/back/generalised_mass", kinds.size());
  const auto sources = get_texts(file, "/back/source", kinds.size());
  for (std::size_t k = 0; k < kinds.size(); ++k)
    back.chosen_modes.push_back({get_mode_kind(file, "/back/kind", kinds[k]),
                                 numbers[k],
                                 eigenvalues[k],
                                 masses[k],
                                 sources[k]});
  const auto n_eta = static_cast<Index>(kinds.size());
  const Index rows = 6 * body.node_count();
  const auto U = get_reals(file, "/back/U", static_cast<std::size_t>(rows * n_eta));
  back.chosen_shapes = Eigen::Map<const MatrixXd>(U.data(), rows, n_eta);
  back.V = get_matrix(file, "/back/V", n_eta, body.mode_count());
  back.alpha = get_vector(file, "/back/alpha", body.mode_count());
  body.back = std::move(back);
}

void put_provenance(Hdf5File& file, const Provenance& provenance) {
  file.make_group("/provenance");
  file.set_attribute("/provenance", "program", std::string_view(provenance.program));
  file.set_attribute("/provenance", "options", std::string_view(provenance.options));
  const auto& sources = provenance.sources;
  file.write("/provenance/file",
             column<std::string>(sources, [](const auto& s) { return s.file; }));
  file.write("/provenance/sha256",
             column<std::string>(sources, [](const auto& s) { return s.sha256; }));
}

void get_provenance(const Hdf5File& file, Provenance& provenance) {
  if (!file.has("/provenance")) return;
  provenance.program = file.text_attribute("/provenance", "program");
  provenance.options = file.text_attribute("/provenance", "options");
  const auto names = file.read_texts("/provenance/file");
  const auto hashes = get_texts(file, "/provenance/sha256", names.size());
  provenance.sources.clear();
  for (std::size_t k = 0; k < names.size(); ++k)
    provenance.sources.push_back({names[k], hashes[k]});
}

}  // namespace

void put_vector(Hdf5File& file, const std::string& path, const Eigen::VectorXd& values) {
  file.write(path,
             {values.data(), static_cast<std::size_t>(values.size())},
             {static_cast<std::uint64_t>(values.size())});
}

MatrixXd get_matrix(const Hdf5File& file, const std::string& path, Index rows, Index cols) {
  MatrixXd a = file.read_matrix(path);
  if (a.rows() != rows || a.cols() != cols)
    fail(file, path, fmt::format("is {} x {}, expected {} x {}", a.rows(), a.cols(), rows, cols));
  return a;
}

Eigen::VectorXd get_vector(const Hdf5File& file, const std::string& path, Index size) {
  Eigen::VectorXd values = file.read_vector(path);
  if (values.size() != size)
    fail(file, path, fmt::format("has {} numbers, expected {}", values.size(), size));
  return values;
}

void put_fields(Hdf5File& file, const FlexBody& body) {
  put_modes(file, body.modes);
  if (body.damping) file.write_matrix("/damping", *body.damping);
  put_geometric(file, body);
  put_invariants(file, body.invariants);
  put_integers(file, "/interface_nodes", body.interface_nodes);
  put_elements(file, body.elements);
  put_rejected(file, body.rejected);
  put_path(file, body.path);
  put_back(file, body);
  put_provenance(file, body.provenance);
}

void get_fields(const Hdf5File& file, FlexBody& body) {
  const Index n = body.mode_count();
  get_modes(file, body.modes);
  if (file.has("/damping")) body.damping = get_matrix(file, "/damping", n, n);
  get_geometric(file, body);
  get_invariants(file, n, body.invariants);
  body.interface_nodes = file.read_integers("/interface_nodes");
  get_elements(file, body.elements);
  get_rejected(file, body.rejected);
  get_path(file, body.path);
  get_back(file, body);
  get_provenance(file, body.provenance);
}

}  // namespace femflex::flexfile
