// Reads MED files through the HDF5 layer: nodes, elements, groups as sets of nodes, displacements.
#include "exchange/med.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/element_shape.h"
#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
#include "raw_shapes.h"

namespace femflex::importer {
namespace {

/// A kind of element: its name in the file and here, and the places of its nodes in the order of
/// ElementShape.
struct MedElement {
  const char* kind = nullptr;
  const char* name = nullptr;
  ElementShape shape = ElementShape::none;
  std::array<std::int8_t, 20> places{};
};

constexpr auto kMedElements = [] {
  using enum ElementShape;
  return std::array{
      MedElement{"SE2", "CBAR", bar2, {0, 1}},
      MedElement{"SE3", "CBEAM3", bar3, {0, 1, 2}},
      MedElement{"TR3", "CTRIA3", triangle3, {0, 1, 2}},
      MedElement{"TR6", "CTRIA6", triangle6, {0, 1, 2, 3, 4, 5}},
      MedElement{"QU4", "CQUAD4", quad4, {0, 1, 2, 3}},
      MedElement{"QU8", "CQUAD8", quad8, {0, 1, 2, 3, 4, 5, 6, 7}},
      MedElement{"TE4", "CTETRA", tetrahedron4, {0, 2, 1, 3}},
      MedElement{"T10", "CTETRA", tetrahedron10, {0, 2, 1, 3, 6, 5, 4, 7, 9, 8}},
      MedElement{"PY5", "CPYRAM", pyramid5, {0, 3, 2, 1, 4}},
      MedElement{"P13", "CPYRAM", pyramid13, {0, 3, 2, 1, 4, 8, 7, 6, 5, 9, 12, 11, 10}},
      MedElement{"PE6", "CPENTA", wedge6, {0, 2, 1, 3, 5, 4}},
      MedElement{"P15", "CPENTA", wedge15, {0, 2, 1, 3, 5, 4, 8, 7, 6, 12, 14, 13, 11, 10, 9}},
      MedElement{"HE8", "CHEXA", hexahedron8, {0, 3, 2, 1, 4, 7, 6, 5}},
      MedElement{"H20", "CHEXA", hexahedron20, {0, 3, 2,  1,  4,  7,  6,  5,  11, 10,
                                                9, 8, 16, 19, 18, 17, 15, 14, 13, 12}},
  };
}();

const MedElement* find_med_element(const std::string& kind) {
  for (const MedElement& element : kMedElements)
    if (kind == element.kind) return &element;
  return nullptr;
}

/// Place of a displacement component among the six of a node; -1: it is not a displacement.
int place_of_component(const std::string& name) {
  constexpr std::array<const char*, 6> kNames{"DX", "DY", "DZ", "DRX", "DRY", "DRZ"};
  for (std::size_t k = 0; k < kNames.size(); ++k)
    if (name == kNames[k]) return static_cast<int>(k);
  return -1;
}

io::Hdf5File open_med(const std::filesystem::path& path) {
  const InputFile file(path);
  return file.unpacked() ? io::Hdf5File::from_memory(file.bytes(), file.name())
                         : io::Hdf5File::open(path);
}

class MedReader {
 public:
  MedReader(const std::filesystem::path& path, Diagnostics& diagnostics, Progress& progress)
      : file_(open_med(path)), diagnostics_(diagnostics), progress_(progress) {}

  FileContents read() {
    contents_.encoding = "binary";
    contents_.program = version();
    contents_.position_precision = std::numeric_limits<double>::epsilon();
    find_mesh();
    read_nodes();
    const std::map<std::int64_t, std::vector<std::string>> of_nodes = families("NOEUD");
    add_groups_of_nodes(of_nodes);
    read_elements(families("ELEME"));
    read_fields();
    for (const auto& [what, count] : unread_)
      contents_.unread.push_back({what, count});
    return std::move(contents_);
  }

 private:
  [[noreturn]] void fail(const char* code,
                         const std::string& what,
                         const std::string& path,
                         const char* remedy = "export the file again") const {
    throw ParseError(code, what, {file_.name(), -1, -1, -1, path}, remedy);
  }

  std::string version() const {
    const std::string path = "/INFOS_GENERALES";
    if (!file_.has(path) || !file_.has_attribute(path, "MAJ") || !file_.has_attribute(path, "MIN"))
      return "MED";
    return fmt::format(
        "MED {}.{}", file_.integer_attribute(path, "MAJ"), file_.integer_attribute(path, "MIN"));
  }

  /// Finds the group with nodes and elements: that of the only step of the only mesh.
  void find_mesh() {
    if (!file_.has("/ENS_MAA")) fail("no-mesh", "the file has no mesh", "/ENS_MAA");
    const std::vector<std::string> meshes = file_.children("/ENS_MAA");
    if (meshes.size() != 1)
      fail("meshes",
           fmt::format("the file has {} meshes ({})", meshes.size(), fmt::join(meshes, ", ")),
           "/ENS_MAA",
           "export one mesh alone");
    mesh_ = meshes.front();
    contents_.title = mesh_;
    std::string path = "/ENS_MAA/" + mesh_;
    constexpr std::int64_t kUnstructured = 0;
    if (file_.has_attribute(path, "TYP") && file_.integer_attribute(path, "TYP") != kUnstructured)
      fail("structured", "the mesh is a structured grid", path, "export it as unstructured");
    constexpr std::int64_t kCartesian = 0;  // 1 cylindrical, 2 spherical; negative: not told
    if (file_.has_attribute(path, "REP") && file_.integer_attribute(path, "REP") > kCartesian)
      fail("coordinates",
           "the coordinates are cylindrical or spherical",
           path,
           "export the mesh with Cartesian ones");
    dimension_ = file_.has_attribute(path, "ESP") ? file_.integer_attribute(path, "ESP")
                                                  : file_.integer_attribute(path, "DIM");
    if (dimension_ < 1 || dimension_ > 3)
      fail("dimension", fmt::format("the mesh has {} dimensions", dimension_), path);
    if (!file_.has(path + "/NOE")) {  // MED 3 has steps
      const std::vector<std::string> steps = file_.children(path);
      if (steps.empty()) fail("no-mesh", "the mesh is empty", path);
      if (steps.size() > 1)
        diagnostics_.warn("mesh-steps",
                          fmt::format("the mesh has {} steps; the first one is read", steps.size()),
                          {file_.name()});
      path += "/" + steps.front();
    }
    mesh_path_ = path;
  }

  /// Numbers of nodes or elements; counted on from `first` if the file has none.
  std::vector<std::int64_t> numbers(const std::string& path,
                                    std::size_t count,
                                    std::int64_t first) const {
    std::vector<std::int64_t> out;
    if (file_.has(path)) {
      out = file_.read_integers(path);
      if (out.size() != count)
        fail("numbers", fmt::format("there are {} numbers for {}", out.size(), count), path);
      if (std::any_of(out.begin(), out.end(), [](std::int64_t id) { return id < 1; }))
        fail("numbers", "a number is below 1", path);
      return out;
    }
    for (std::size_t k = 0; k < count; ++k)
      out.push_back(first + static_cast<std::int64_t>(k));
    return out;
  }

  void read_nodes() {
    const std::string path = mesh_path_ + "/NOE/COO";
    const std::vector<double> x = file_.read_reals(path);
    const auto dimension = static_cast<std::size_t>(dimension_);
    const std::size_t count = x.size() / dimension;
    if (x.size() != count * dimension)
      fail("nodes", fmt::format("{} coordinates are not {} a node", x.size(), dimension), path);
    nodes_ = numbers(mesh_path_ + "/NOE/NUM", count, 1);
    if (std::set<std::int64_t>(nodes_.begin(), nodes_.end()).size() != count)
      fail("numbers", "two nodes have one number", mesh_path_ + "/NOE/NUM");
    for (std::size_t k = 0; k < count; ++k) {
      RawGrid grid;
      grid.id = nodes_[k];
      for (std::size_t c = 0; c < dimension; ++c) {
        grid.x[c] = x[c * count + k];
        if (!std::isfinite(grid.x[c])) fail("not-finite", "a coordinate is not finite", path);
      }
      contents_.grids.push_back(std::move(grid));
    }
  }

  /// Groups of each family of nodes (NOEUD) or elements (ELEME), by its number.
  std::map<std::int64_t, std::vector<std::string>> families(const std::string& kind) const {
    std::map<std::int64_t, std::vector<std::string>> out;
    std::string root = "/FAS/" + mesh_ + "/" + kind;
    if (!file_.has(root)) root = mesh_path_ + "/FAS/" + kind;  // MED 2
    if (!file_.has(root)) return out;
    for (const std::string& name : file_.children(root)) {
      const std::string groups = root + "/" + name + "/GRO/NOM";
      if (file_.has(groups))
        out[file_.integer_attribute(root + "/" + name, "NUM")] = file_.read_texts(groups);
    }
    return out;
  }

  /// Families of `count` nodes or elements; empty if the file has none.
  std::vector<std::int64_t> family_numbers(const std::string& path, std::size_t count) const {
    if (!file_.has(path)) return {};
    std::vector<std::int64_t> out = file_.read_integers(path);
    if (out.size() != count)
      fail("families", fmt::format("there are {} families for {}", out.size(), count), path);
    return out;
  }

  void add_groups_of_nodes(const std::map<std::int64_t, std::vector<std::string>>& groups) {
    const std::vector<std::int64_t> family = family_numbers(mesh_path_ + "/NOE/FAM", nodes_.size());
    for (std::size_t k = 0; k < family.size(); ++k)
      if (const auto found = groups.find(family[k]); found != groups.end())
        for (const std::string& name : found->second)
          contents_.node_sets[name].push_back(nodes_[k]);
  }

  void read_elements(const std::map<std::int64_t, std::vector<std::string>>& groups) {
    const std::string root = mesh_path_ + "/MAI";
    if (!file_.has(root)) return;
    std::int64_t next = 1;
    std::map<std::string, std::set<std::int64_t>> sets;
    for (const std::string& kind : file_.children(root)) {
      const MedElement* element = find_med_element(kind);
      const std::string path = root + "/" + kind;
      if (element == nullptr || !file_.has(path + "/NOD")) {
        ++unread_["elements " + kind];
        continue;
      }
      const std::vector<std::int64_t> nodes = file_.read_integers(path + "/NOD");
      const auto width = static_cast<std::size_t>(topology_of(element->shape).node_count);
      const std::size_t count = nodes.size() / width;
      if (nodes.size() != count * width)
        fail("elements",
             fmt::format("{} nodes are not {} an element", nodes.size(), width),
             path + "/NOD");
      ElementBlock block{
          element->name, static_cast<int>(width), numbers(path + "/NUM", count, next), {}};
      next += static_cast<std::int64_t>(count);
      const std::vector<std::int64_t> family = family_numbers(path + "/FAM", count);
      for (std::size_t e = 0; e < count; ++e) {
        const auto found = family.empty() ? groups.end() : groups.find(family[e]);
        for (std::size_t k = 0; k < width; ++k) {
          const std::int64_t node =
              node_at(nodes[static_cast<std::size_t>(element->places[k]) * count + e], path);
          block.connectivity.push_back(node);
          if (found == groups.end()) continue;
          for (const std::string& name : found->second)
            sets[name].insert(node);
        }
      }
      contents_.element_counts[element->name] += static_cast<std::int64_t>(count);
      contents_.elements.push_back(std::move(block));
    }
    // a group of elements is the set of its nodes; a group of nodes with this name goes first
    for (auto& [name, ids] : sets)
      if (!contents_.node_sets.contains(name))
        contents_.node_sets[name].assign(ids.begin(), ids.end());
  }

  /// Number of the node at a place counted from 1.
  std::int64_t node_at(std::int64_t place, const std::string& path) const {
    if (place < 1 || place > static_cast<std::int64_t>(nodes_.size()))
      fail("node", fmt::format("node {} is not among the {}", place, nodes_.size()), path);
    return nodes_[static_cast<std::size_t>(place - 1)];
  }

  /// A step of a field.
  struct Step {
    std::int64_t number = 0, order = 0;
    double value = 0.0;  ///< PDT
    std::string path;    ///< of its values at nodes
    std::string profile;
  };

  void read_fields() {
    if (!file_.has("/CHA")) return;
    for (const std::string& field : file_.children("/CHA")) {
      const std::string path = "/CHA/" + field;
      const std::vector<int> places = places_of(path);
      if (file_.has_attribute(path, "MAI") && file_.text_attribute(path, "MAI") != mesh_) {
        ++unread_["field " + field + " of another mesh"];
        continue;
      }
      const std::vector<Step> steps = steps_of(path, field);
      const bool has_translation =
          std::any_of(places.begin(), places.end(), [](int k) { return k >= 0 && k < 3; });
      if (!has_translation || steps.empty())
        ++unread_["field " + field];
      else
        add_shapes(field, places, steps);
      progress_.step(static_cast<double>(contents_.modes.size()));
    }
  }

  /// Place of each component of a field among the six of a node, or -1.
  std::vector<int> places_of(const std::string& path) const {
    constexpr std::size_t kWidth = 16;
    constexpr std::int64_t kMostComponents = 1000;
    std::vector<int> out;
    if (!file_.has_attribute(path, "NOM") || !file_.has_attribute(path, "NCO")) return out;
    const std::string names = file_.text_attribute(path, "NOM");
    const std::int64_t count = file_.integer_attribute(path, "NCO");
    for (std::int64_t k = 0; k < std::min(count, kMostComponents); ++k) {
      const std::size_t at = static_cast<std::size_t>(k) * kWidth;
      out.push_back(at < names.size()
                        ? place_of_component(std::string(trimmed(names.substr(at, kWidth))))
                        : -1);
    }
    return out;
  }

  std::vector<Step> steps_of(const std::string& field, const std::string& name_of_field) {
    std::vector<Step> out;
    for (const std::string& name : file_.children(field)) {
      const std::string path = field + "/" + name;
      bool is_first = true;  // of its profiles
      if (!file_.has(path + "/NOE") || !file_.has_attribute(path, "PDT")) continue;
      for (const std::string& profile : file_.children(path + "/NOE")) {
        const std::string values = path + "/NOE/" + profile + "/CO";
        if (!file_.has(values)) continue;
        if (!std::exchange(is_first, false)) {
          ++unread_["further profiles of field " + name_of_field];
          continue;
        }
        out.push_back({file_.integer_attribute(path, "NDT"),
                       file_.integer_attribute(path, "NOR"),
                       file_.real_attribute(path, "PDT"),
                       values,
                       profile});
      }
    }
    std::sort(out.begin(), out.end(), [](const Step& a, const Step& b) {
      return std::pair(a.number, a.order) < std::pair(b.number, b.order);
    });
    return out;
  }

  std::vector<std::int64_t> points_of(const Step& step) const {
    const std::string path = "/PROFILS/" + step.profile + "/PFL";
    if (step.profile == "MED_NO_PROFILE_INTERNAL" || !file_.has(path)) return nodes_;
    std::vector<std::int64_t> out;
    for (const std::int64_t place : file_.read_integers(path))
      out.push_back(node_at(place, path));
    return out;
  }

  /// The file does not say whether steps are modes or times. Modes are numbered from 1 and have
  /// rising frequencies; results over time begin with number 0 or at time 0.
  bool are_modes(const std::string& field, const std::vector<Step>& steps) const {
    const bool is_rising = std::is_sorted(
        steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.value < b.value; });
    if (steps.front().number < 1 || !is_rising || !(steps.back().value > 0.0)) return false;
    if (lower_case(field).find("mod") == std::string::npos)
      diagnostics_.warn("steps-as-modes",
                        fmt::format("the {} steps of field {} are taken for modes, and their "
                                    "values, {:.6g} to {:.6g}, for frequencies [Hz]",
                                    steps.size(),
                                    field,
                                    steps.front().value,
                                    steps.back().value),
                        {file_.name()});
    return true;
  }

  /// Adds the steps of a field; those on the same nodes become one group.
  void add_shapes(const std::string& field,
                  const std::vector<int>& places,
                  const std::vector<Step>& steps) {
    const bool modal = are_modes(field, steps);
    const bool has_rotation =
        std::any_of(places.begin(), places.end(), [](int k) { return k >= 3; });
    for (std::size_t first = 0, end = 0; first < steps.size(); first = end) {
      while (end < steps.size() && steps[end].profile == steps[first].profile)
        ++end;
      RawModes modes =
          shapes_at_grids(field,
                          modal ? RawModes::Kind::normal : RawModes::Kind::displacement,
                          RawModes::Frame::basic,
                          points_of(steps[first]),
                          has_rotation ? 6 : 3);
      modes.shapes.setZero(modes.components * static_cast<Eigen::Index>(modes.points.size()),
                           static_cast<Eigen::Index>(end - first));
      for (std::size_t k = first; k < end; ++k) {
        fill_shape(places, steps[k], static_cast<Eigen::Index>(k - first), modes);
        modes.numbers.push_back(steps[k].number);
        if (!modal) continue;
        const double omega = 2.0 * std::numbers::pi * steps[k].value;
        modes.frequencies_hz.push_back(steps[k].value);
        modes.eigenvalues.push_back(omega * omega);
      }
      contents_.modes.push_back(std::move(modes));
    }
  }

  void fill_shape(const std::vector<int>& places,
                  const Step& step,
                  Eigen::Index column,
                  RawModes& modes) const {
    const std::vector<double> values = file_.read_reals(step.path);
    const std::size_t count = modes.points.size();
    if (values.size() != count * places.size())
      fail("field",
           fmt::format(
               "{} values are not {} components of {} nodes", values.size(), places.size(), count),
           step.path);
    for (std::size_t c = 0; c < places.size(); ++c) {
      if (places[c] < 0) continue;
      for (std::size_t k = 0; k < count; ++k) {
        const double value = values[c * count + k];
        if (!std::isfinite(value)) fail("not-finite", "a displacement is not finite", step.path);
        modes.shapes(modes.components * static_cast<Eigen::Index>(k) + places[c], column) = value;
      }
    }
  }

  io::Hdf5File file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  FileContents contents_;
  std::string mesh_, mesh_path_;
  std::int64_t dimension_ = 3;
  std::vector<std::int64_t> nodes_;  ///< numbers, in the order of the file
  std::map<std::string, std::int64_t> unread_;
};

}  // namespace

bool is_med(const FileHead& head) {
  return head.bytes.starts_with(io::kHdf5Signature) &&
         (head.bytes.find("ENS_MAA") != std::string_view::npos ||
          head.bytes.find("INFOS_GENERALES") != std::string_view::npos);
}

FileContents read_med(const std::filesystem::path& path,
                      const ReadOptions& /*options*/,
                      Diagnostics& diagnostics,
                      Progress& progress) {
  return MedReader(path, diagnostics, progress).read();
}

}  // namespace femflex::importer
