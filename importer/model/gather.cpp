// Reads all files of an import and merges their geometry and constraints. If two files give a grid,
// a coordinate system or a mass differently, that is an error.
#include "model/gather.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "model/constraints.h"
#include "model/expansion.h"
#include "model/kept_rows.h"
#include "model/matrices.h"
#include "model/node_axes.h"
#include "model/rotation_nodes.h"

namespace femflex::importer {
namespace {

/// Positions in two files are equal if their difference is below this fraction of the model size;
/// points of coordinate systems, of their own size (at least 1). Fields of eight columns and single
/// precision hold seven digits, of which a transformation between systems loses one or two.
constexpr double kMaxRelativeDifference = 1e-5;

/// Rank of a file by the number of digits of its positions; 0: the most digits.
int digits_rank(const FileContents& file) {
  if (file.format == "bulk" || file.format == "msc-h5") return 0;
  if (file.format == "op2") return 2;
  if (file.format == "frd") return 3;
  return 1;
}

/// True if both are the same point to within the digits of the files.
bool same_position(const RawGrid& a, const RawGrid& b, double precision) {
  double size = 0.0;
  double difference = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    size = std::max({size, std::abs(a.x[k]), std::abs(b.x[k])});
    difference = std::max(difference, std::abs(a.x[k] - b.x[k]));
  }
  return difference <= precision * size;
}

/// Throws that `grid` of `file` is elsewhere than `other`, of the same or another file.
[[noreturn]] void refuse_position(const FileContents& file,
                                  const RawGrid& grid,
                                  const RawGrid& other,
                                  bool is_same_file) {
  const bool may_have_parts = is_same_file && file.format == "inp";
  throw ModelError("duplicate-grid",
                   fmt::format("grid {} is at ({}, {}, {}) in this file, but at ({}, {}, {}) in {}",
                               grid.id,
                               grid.x[0],
                               grid.x[1],
                               grid.x[2],
                               other.x[0],
                               other.x[1],
                               other.x[2],
                               is_same_file ? "the same file" : "another"),
                   {file.path},
                   may_have_parts
                       ? "write the deck without parts and assemblies, so that each node has a "
                         "number of its own"
                   : is_same_file ? "give each grid a number of its own"
                                  : "import files of one model only");
}

/// Adds the grids of `file`. A grid that two files give differently is an error; positions in
/// different systems are compared later, in basic.
void merge_grids(const FileContents& file,
                 FileContents& all,
                 std::unordered_map<std::int64_t, std::size_t>& seen) {
  const std::size_t first_of_file = all.grids.size();
  for (const RawGrid& grid : file.grids) {
    const auto [it, is_new] = seen.try_emplace(grid.id, all.grids.size());
    if (is_new) {
      all.grids.push_back(grid);
      continue;
    }
    const RawGrid& first = all.grids[it->second];
    if (first.position_system == grid.position_system &&
        !same_position(first, grid, std::max(all.position_precision, file.position_precision)))
      refuse_position(file, grid, first, it->second >= first_of_file);
    if (first.displacement_system != grid.displacement_system)
      throw ModelError(
          "duplicate-grid",
          fmt::format("grid {} has displacement system {} in one file and {} in this one",
                      grid.id,
                      first.displacement_system,
                      grid.displacement_system),
          {file.path},
          "import files of one model only");
  }
}

/// False if a and b define the same system differently. True also if their definitions cannot be
/// compared.
bool same_system(const RawSystem& a, const RawSystem& b) {
  if (a.kind != b.kind) return false;
  if (a.resolved.has_value() != b.resolved.has_value() || a.grids != b.grids) return true;
  if (a.resolved &&
      (a.resolved->axes - b.resolved->axes).cwiseAbs().maxCoeff() > kMaxRelativeDifference)
    return false;
  // points in different reference systems are not compared
  if (a.reference != b.reference) return true;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      const double x = a.points[k][c];
      const double y = b.points[k][c];
      if (std::abs(x - y) > kMaxRelativeDifference * std::max({1.0, std::abs(x), std::abs(y)}))
        return false;
    }
  return true;
}

void merge_systems(const FileContents& file, FileContents& all) {
  for (const RawSystem& system : file.systems) {
    const auto it = std::find_if(all.systems.begin(), all.systems.end(), [&](const RawSystem& s) {
      return s.id == system.id;
    });
    if (it == all.systems.end())
      all.systems.push_back(system);
    else if (!same_system(*it, system))
      throw ModelError(
          "duplicate-system",
          fmt::format("coordinate system {} is defined twice with different values", system.id),
          {file.path},
          "import files of one model only");
  }
}

/// @throws ModelError  the file declares other units than `first`, which declared those of `all`
void merge_units(const FileContents& file, FileContents& all, std::string& first) {
  if (!file.units) return;
  if (!all.units) {
    all.units = file.units;
    first = short_name(file.path);
  } else if (!is_same_scale(*all.units, *file.units)) {
    throw ModelError(
        "units-contradict",
        fmt::format(
            "declares {}, but {} declares {}", text_of(*file.units), first, text_of(*all.units)),
        {file.path},
        "import files of one model in the same units only");
  }
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_once(std::vector<Dof>& to, const std::vector<Dof>& from) {
  std::set<Dof> present(to.begin(), to.end());
  for (const Dof& dof : from)
    if (present.insert(dof).second) to.push_back(dof);
}

void merge_topology(const FileContents& file, FileContents& all) {
  std::set<std::pair<std::string, std::int64_t>> present;
  if (!file.elements.empty())
    for (const ElementBlock& block : all.elements)
      for (const std::int64_t id : block.ids)
        present.emplace(block.type, id);
  const bool is_first_file = present.empty();
  for (const ElementBlock& block : file.elements) {
    ElementBlock kept{block.type, block.nodes_per_element, {}, {}};
    const auto width = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t k = 0; k < block.ids.size(); ++k) {
      if (!is_first_file && present.contains({block.type, block.ids[k]})) continue;
      kept.ids.push_back(block.ids[k]);
      const auto from = block.connectivity.begin() + static_cast<std::ptrdiff_t>(k * width);
      kept.connectivity.insert(
          kept.connectivity.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
    if (!kept.ids.empty()) all.elements.push_back(std::move(kept));
  }
  std::set<std::pair<std::string, std::int64_t>> rigid;
  for (const RigidElement& element : all.rigid_elements)
    rigid.emplace(element.type, element.id);
  for (const RawConstraint& element : file.rigid_elements)
    if (element.type == "MPC" || !rigid.contains({element.type, element.id}))
      all.rigid_elements.push_back(element);
  std::unordered_map<std::int64_t, std::int64_t> node_of_mass;
  for (const RawMass& mass : all.masses)
    node_of_mass.emplace(mass.id, mass.node);
  for (const RawMass& mass : file.masses) {
    const auto [it, is_new_mass] = node_of_mass.emplace(mass.id, mass.node);
    if (is_new_mass) {
      RawMass scaled = mass;
      scaled.mass *= file.mass_factor;
      for (double& inertia : scaled.inertia)
        inertia *= file.mass_factor;
      all.masses.push_back(scaled);
    } else if (it->second != mass.node) {
      throw ModelError(
          "duplicate-mass",
          fmt::format("mass element {} is defined twice with different values", mass.id),
          {file.path},
          "import files of one model only");
    }
  }
  for (const auto& [name, count] : file.element_counts)
    all.element_counts[name] += count;
}

/// True for springs, which may connect a node to ground.
bool may_ground(const std::string& name) {
  for (const char* spring : {"CELAS1",
                             "CELAS2",
                             "CELAS3",
                             "CELAS4",
                             "CBUSH",
                             "CBUSH1D",
                             "GENEL",
                             "SPRING1",
                             "SPRING2",
                             "SPRINGA"})
    if (name == spring) return true;
  return false;
}

/// True for elements that may have mass other than that of CONM cards.
bool has_mass(const std::string& name) {
  return !may_ground(name) && name != "CONM1" && name != "CONM2" && name.substr(0, 5) != "CDAMP" &&
         name.substr(0, 5) != "CHBDY" && name != "CAABSF" && name != "CVISC" && name != "CGAP";
}

/// @throws ModelError  two files give a grid different positions
void check_moved_grids(const std::vector<FileContents>& files,
                       const Gathered& out,
                       Diagnostics& ignored) {
  // grids that another file gives in other systems: compare their basic positions
  double size = 0.0;
  for (const Node& node : out.nodes)
    size = std::max(size, node.position.cwiseAbs().maxCoeff());
  for (const FileContents& file : files) {
    const std::vector<Eigen::Vector3d> positions = basic_positions(file, out.systems, ignored);
    for (std::size_t k = 0; k < positions.size(); ++k) {
      const auto it = std::lower_bound(
          out.nodes.begin(), out.nodes.end(), file.grids[k].id, [](const Node& n, std::int64_t id) {
            return n.id < id;
          });
      if ((positions[k] - it->position).cwiseAbs().maxCoeff() > kMaxRelativeDifference * size)
        throw ModelError("duplicate-grid",
                         fmt::format("grid {} has another position in another file", it->id),
                         {file.path},
                         "import files of one model only");
    }
  }
}

/// True for formats whose readers leave out rows of shapes.
bool streams_shapes(const std::filesystem::path& path) {
  const std::string format = detect_format(path);
  return format == "op2" || format == "frd" || format == "ansys-result";
}

/// Reads the files in their order; with wanted nodes, those with large shapes come last, since the
/// sets of nodes stand in other files.
void read_files(const ImportRequest& request,
                const std::vector<std::filesystem::path>& paths,
                std::vector<FileContents>& files,
                Diagnostics& diagnostics,
                Progress& progress) {
  files.resize(paths.size());
  std::vector<std::size_t> last;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    if (request.keep_nodes && streams_shapes(paths[k]))
      last.push_back(k);
    else
      files[k] = read_contents(paths[k], {}, diagnostics, progress);
  }
  if (!request.keep_nodes) return;
  ReadOptions options;
  const std::vector<std::int64_t> none;
  const bool has_interface =
      !request.interface_nodes.empty() ||
      std::any_of(files.begin(), files.end(), [](const auto& f) { return !f.interface.empty(); });
  if (!has_interface) {  // an OP2 may hold it itself, after the shapes
    options.keep_nodes = &none;
    Diagnostics again;
    for (const std::size_t k : last)
      if (detect_format(paths[k]) == "op2")
        files[k] = read_contents(paths[k], options, again, progress);
  }
  const std::vector<std::int64_t> keep = ids_to_keep(request, files);
  options.keep_nodes = &keep;
  for (const std::size_t k : last)
    files[k] = read_contents(paths[k], options, diagnostics, progress);
  keep_rows(files, keep);
}

std::size_t count_of_loads(const RawLoads& loads) {
  return loads.forces.size() + loads.gravity.size() + loads.pressures.size() +
         loads.rotations.size() + loads.sums.size() + loads.incomplete.size();
}

/// Beside a deck, an OP2 repeats its cards, which would count twice: the kinds that a deck has.
void forget_cards_of_op2(std::vector<FileContents>& files) {
  bool has_rigid = false, has_loads = false, has_fixed = false;
  for (const FileContents& file : files) {
    if (file.format != "bulk") continue;
    has_rigid = has_rigid || !file.rigid_elements.empty();
    has_loads = has_loads || count_of_loads(file.loads) > 0;
    has_fixed = has_fixed || !file.fixed.empty();
  }
  for (FileContents& file : files) {
    if (file.format != "op2") continue;
    if (has_rigid) file.rigid_elements.clear();
    if (has_rigid || has_fixed) file.constraint_sets = {};
    if (has_loads) file.loads = {};
    if (has_fixed) file.fixed.clear();
  }
}

}  // namespace

Gathered gather(const ImportRequest& request, Diagnostics& diagnostics, Progress& progress) {
  Gathered out;
  std::vector<std::filesystem::path> paths = request.files;
  const auto add_path = [&](const std::filesystem::path& path) {
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  };
  for (const auto* pick : {&request.stiffness, &request.mass, &request.damping})
    if (*pick) add_path((*pick)->path);
  for (const ModesPick& pick : request.modes)
    add_path(pick.path);
  if (paths.empty())
    throw UsageError("no-files", "there is no file to import", {}, "give one or more FE files");
  read_files(request, paths, out.files, diagnostics, progress);

  forget_cards_of_op2(out.files);
  unify_node_axes(out.files);
  std::vector<const FileContents*> by_digits;
  for (const FileContents& file : out.files)
    by_digits.push_back(&file);
  std::stable_sort(by_digits.begin(), by_digits.end(), [](const auto* a, const auto* b) {
    return digits_rank(*a) < digits_rank(*b);
  });
  FileContents& all = out.geometry;
  std::unordered_map<std::int64_t, std::size_t> seen;
  std::string unit_file;
  for (const FileContents* file : by_digits) {
    merge_grids(*file, all, seen);
    if (!file->grids.empty())
      all.position_precision = std::max(all.position_precision, file->position_precision);
    merge_systems(*file, all);
    merge_topology(*file, all);
    append(all.scalar_points, file->scalar_points);
    append(all.loads.forces, file->loads.forces);
    append(all.loads.gravity, file->loads.gravity);
    append(all.loads.pressures, file->loads.pressures);
    append(all.loads.rotations, file->loads.rotations);
    append(all.loads.sums, file->loads.sums);
    append(all.loads.chosen, file->loads.chosen);
    if (all.loads.unread.empty()) all.loads.unread = file->loads.unread;
    all.loads.incomplete.insert(file->loads.incomplete.begin(), file->loads.incomplete.end());
    append_once(all.fixed, file->fixed);
    all.support_axes.insert(file->support_axes.begin(), file->support_axes.end());
    for (const auto& [name, ids] : file->node_sets)
      append(all.node_sets[name], ids);
    append_once(all.interface, file->interface);
    append_once(all.generalised, file->generalised);
    append_once(all.omitted, file->omitted);
    append_once(all.supports, file->supports);
    append(all.constraint_sets.chosen, file->constraint_sets.chosen);
    all.constraint_sets.case_control |= file->constraint_sets.case_control;
    for (const auto& [id, sets] : file->constraint_sets.sums)
      append(all.constraint_sets.sums[id], sets);
    if (all.title.empty()) all.title = file->title;
    if (all.program.empty()) all.program = file->program;
    merge_units(*file, all, unit_file);
  }
  std::sort(all.fixed.begin(), all.fixed.end());
  std::sort(all.scalar_points.begin(), all.scalar_points.end());
  all.scalar_points.erase(std::unique(all.scalar_points.begin(), all.scalar_points.end()),
                          all.scalar_points.end());
  for (const auto& [name, count] : all.element_counts) {
    out.has_grounding_elements = out.has_grounding_elements || may_ground(name);
    out.massless_elements_only = out.massless_elements_only && !has_mass(name);
  }
  out.systems = resolve_systems(all, diagnostics);
  const std::vector<Eigen::Vector3d> positions = basic_positions(all, out.systems, diagnostics);
  for (std::size_t k = 0; k < positions.size(); ++k) {
    out.card_order.push_back(all.grids[k].id);
    out.nodes.push_back({all.grids[k].id, positions[k], all.grids[k].displacement_system});
  }
  std::sort(
      out.nodes.begin(), out.nodes.end(), [](const Node& a, const Node& b) { return a.id < b.id; });
  find_rotation_nodes(out);
  resolve_expansion(out, diagnostics);
  resolve_constraints(request, out, diagnostics);
  Diagnostics ignored;  // these warnings have been given while merging
  if (out.files.size() > 1) check_moved_grids(out.files, out, ignored);
  return out;
}

bool is_same_scale(const Units& a, const Units& b) {
  constexpr double kRounding = 1e-6;
  const auto differ = [](double x, double y) { return std::abs(x - y) > kRounding * y; };
  return !differ(a.length, b.length) && !differ(a.mass, b.mass) && !differ(a.time, b.time);
}

std::string text_of(const Units& units) {
  const auto names = unit_names();
  if (std::find(names.begin(), names.end(), units.name) != names.end()) return units.name;
  return fmt::format(
      "units of {:.6g} m, {:.6g} kg and {:.6g} s", units.length, units.mass, units.time);
}

const FileContents& file_of(const Gathered& gathered, const std::filesystem::path& path) {
  for (const FileContents& file : gathered.files)
    if (file.path == path.string()) return file;
  throw UsageError("no-such-file", "was not read", {path.string()});
}

Eigen::Matrix3d displacement_axes(const Gathered& gathered, std::int64_t node) {
  const auto it = std::lower_bound(
      gathered.nodes.begin(), gathered.nodes.end(), node, [](const Node& n, std::int64_t id) {
        return n.id < id;
      });
  if (it == gathered.nodes.end() || it->id != node || it->displacement_system <= 0)
    return Eigen::Matrix3d::Identity();
  const auto system =
      std::lower_bound(gathered.systems.begin(),
                       gathered.systems.end(),
                       it->displacement_system,
                       [](const CoordinateSystem& s, std::int64_t id) { return s.id < id; });
  if (system == gathered.systems.end() || system->id != it->displacement_system)
    throw ModelError(
        "displacement-system",
        fmt::format("the displacements of node {} are in the unknown coordinate system "
                    "{}",
                    node,
                    it->displacement_system),
        {},
        "add the file with the coordinate systems to the input");
  return system->axes_at(it->position);
}

}  // namespace femflex::importer
