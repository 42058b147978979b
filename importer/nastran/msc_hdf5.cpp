// Reads HDF5 result files of MSC Nastran, whose datasets are tables under /NASTRAN. The rows of one
// domain (a mode or load case) are one shape; shapes on the same points form a group.
#include "nastran/msc_hdf5.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"

#include "bytes/input_file.h"
#include "nastran/msc_hdf5_stresses.h"

namespace femflex::importer {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

/// A row of the table DOMAINS: the subcase and the mode, time or frequency of a set of results.
struct Domain {
  std::int64_t id = 0;
  std::int64_t subcase = 0;
  std::int64_t analysis = 0;  ///< 2: normal modes
  std::int64_t mode = 0;
  double value = 0.0;  ///< time, frequency or eigenvalue
  double imaginary = 0.0;
};

/// HDF5 opens files itself, so a gzip file is unpacked into memory first.
io::Hdf5File open_msc(const std::filesystem::path& path) {
  const InputFile file(path);
  return file.unpacked() ? io::Hdf5File::from_memory(file.bytes(), file.name())
                         : io::Hdf5File::open(path);
}

class MscReader {
 public:
  MscReader(const std::filesystem::path& path, Progress& progress)
      : file_(open_msc(path)), progress_(progress) {}

  FileContents read() {
    contents_.encoding = "binary";
    contents_.program = "MSC Nastran";
    if (!file_.has("/NASTRAN")) {
      throw ParseError("not-nastran",
                       "is an HDF5 file without a group /NASTRAN",
                       {file_.name()},
                       "write the file with MDLPRM,HDF5");
    }
    read_nodes();
    for (const auto& [name, kind] : {std::pair{"CORD2R", CoordinateSystem::Kind::rectangular},
                                     std::pair{"CORD2C", CoordinateSystem::Kind::cylindrical},
                                     std::pair{"CORD2S", CoordinateSystem::Kind::spherical}})
      read_systems(std::string("/NASTRAN/INPUT/COORDINATE_SYSTEM/") + name, kind);
    read_resolved_systems();
    read_domains();
    read_eigenvalues();
    for (const char* name :
         {"EIGENVECTOR", "DISPLACEMENT", "EIGENVECTOR_CPLX", "DISPLACEMENT_CPLX"})
      read_shapes(name);
    read_msc_stresses(
        file_, [this](std::int64_t domain) { return stress_shape(domain); }, contents_, progress_);
    list_unread();
    return std::move(contents_);
  }

 private:
  std::vector<std::int64_t> integers(const std::string& path, const std::string& field) const {
    return file_.read_field_integers(path, field);
  }
  std::vector<double> reals(const std::string& path, const std::string& field) const {
    return file_.read_field_reals(path, field);
  }
  bool has_field(const std::string& path, const std::string& field) const {
    const std::vector<std::string> all = file_.fields(path);
    return std::find(all.begin(), all.end(), field) != all.end();
  }
  /// Throws unless `is_consistent`, a condition on the lengths of the fields of one dataset; HDF5
  /// does not ensure it for arrays within records.
  void expect(bool is_consistent, const std::string& path) const {
    if (!is_consistent) {
      throw ParseError("shape", "its fields differ in length", {file_.name(), -1, -1, -1, path});
    }
  }

  void read_nodes() {
    const std::string path = "/NASTRAN/INPUT/NODE/GRID";
    if (file_.has(path)) {
      const auto id = integers(path, "ID");
      const auto cp = integers(path, "CP");
      const auto x = reals(path, "X");
      const auto cd = integers(path, "CD");
      const auto ps = integers(path, "PS");
      const auto se = integers(path, "SEID");
      expect(x.size() == 3 * id.size(), path);
      for (std::size_t i = 0; i < id.size(); ++i) {
        RawGrid grid;
        grid.id = id[i];
        grid.position_system = cp[i];
        grid.x = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
        grid.displacement_system = cd[i];
        if (ps[i] > 0) grid.fixed = std::to_string(ps[i]);
        grid.superelement = se[i];
        contents_.grids.push_back(std::move(grid));
      }
    }
    if (file_.has("/NASTRAN/INPUT/NODE/SPOINT"))
      contents_.scalar_points = integers("/NASTRAN/INPUT/NODE/SPOINT", "ID");
  }

  void read_systems(const std::string& path, CoordinateSystem::Kind kind) {
    if (!file_.has(path)) return;
    const auto id = integers(path, "CID");
    const auto reference = integers(path, "RID");
    std::array<std::vector<double>, 9> points;
    for (std::size_t k = 0; k < 9; ++k)
      points[k] = reals(path, std::string(1, "ABC"[k / 3]) + static_cast<char>('1' + k % 3));
    for (std::size_t i = 0; i < id.size(); ++i) {
      RawSystem system;
      system.id = id[i];
      system.kind = kind;
      system.reference = reference[i];
      for (std::size_t k = 0; k < 9; ++k)
        system.points[k / 3][k % 3] = points[k][i];
      contents_.systems.push_back(system);
    }
  }

  /// Adds the systems that no CORD2x declares from the table TRANSFORMATION, which holds the origin
  /// and axes of every system in the basic system.
  void read_resolved_systems() {
    const std::string group = "/NASTRAN/INPUT/COORDINATE_SYSTEM/TRANSFORMATION/";
    if (!file_.has(group + "IDENTITY") || !file_.has(group + "RDATA")) return;
    const std::string path = group + "IDENTITY";
    const auto id = integers(path, "CID");
    const auto type = integers(path, "TYPE");
    const auto start = integers(path, "RINDEX");
    const std::vector<std::string> names = file_.fields(group + "RDATA");
    const std::vector<double> data =
        names.empty() ? file_.read_reals(group + "RDATA") : reals(group + "RDATA", names.front());
    for (std::size_t i = 0; i < id.size(); ++i) {
      const bool is_declared = std::any_of(contents_.systems.begin(),
                                           contents_.systems.end(),
                                           [&](const RawSystem& s) { return s.id == id[i]; });
      if (is_declared || type[i] < 1 || type[i] > 3 || start[i] < 1 ||
          static_cast<std::size_t>(start[i]) + 11 > data.size())
        continue;
      const double* from = data.data() + start[i] - 1;
      CoordinateSystem system;
      system.id = id[i];
      system.kind = static_cast<CoordinateSystem::Kind>(type[i]);
      for (Eigen::Index r = 0; r < 3; ++r) {
        system.origin(r) = from[r];
        for (Eigen::Index c = 0; c < 3; ++c)
          system.axes(r, c) = from[3 + 3 * r + c];
      }
      constexpr double kMaxAxesError = 1e-6;  // the file holds double precision
      if ((system.axes.transpose() * system.axes - Eigen::Matrix3d::Identity()).norm() >
          kMaxAxesError)
        continue;
      RawSystem raw;
      raw.id = system.id;
      raw.kind = system.kind;
      raw.resolved = system;
      contents_.systems.push_back(raw);
    }
  }

  void read_domains() {
    const std::string path = "/NASTRAN/RESULT/DOMAINS";
    if (!file_.has(path)) return;
    const auto id = integers(path, "ID");
    const auto subcase = integers(path, "SUBCASE");
    const auto analysis = integers(path, "ANALYSIS");
    const auto mode = integers(path, "MODE");
    const auto value = reals(path, "TIME_FREQ_EIGR");
    const auto imaginary = reals(path, "EIGI");
    for (std::size_t i = 0; i < id.size(); ++i)
      domains_[id[i]] = {id[i], subcase[i], analysis[i], mode[i], value[i], imaginary[i]};
  }

  void read_eigenvalues() {
    const std::string path = "/NASTRAN/RESULT/SUMMARY/EIGENVALUE";
    if (!file_.has(path)) return;
    const auto domain = integers(path, "DOMAIN_ID");
    const auto mode = integers(path, "MODE");
    const auto value = reals(path, "EIGEN");
    const auto hertz = reals(path, "FREQ");
    const auto mass = reals(path, "MASS");
    std::map<std::int64_t, RawEigenvalues> tables;  // eigenvalue tables, by subcase
    for (std::size_t i = 0; i < mode.size(); ++i) {
      const auto found = domains_.find(domain[i]);
      const std::int64_t subcase = found == domains_.end() ? 0 : found->second.subcase;
      RawEigenvalues& table = tables[subcase];
      table.source = "EIGENVALUE";
      table.subcase = subcase;
      table.mode.push_back(mode[i]);
      table.eigenvalue.push_back(value[i]);
      table.frequency_hz.push_back(hertz[i]);
      table.generalised_mass.push_back(mass[i]);
    }
    for (auto& [subcase, table] : tables)
      contents_.eigenvalues.push_back(std::move(table));
  }

  /// The rows [first, end) of a dataset that belong to one domain: one shape.
  struct Block {
    std::size_t first = 0, end = 0;
    Domain domain;
  };
  /// The blocks [first, end), of one subcase and on the same points: the columns of `modes`.
  struct Group {
    std::size_t first = 0, end = 0;
    RawModes modes;
  };

  static std::vector<Block> blocks_of(const std::vector<std::int64_t>& domain,
                                      const std::map<std::int64_t, Domain>& domains) {
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      if (blocks.empty() || domain[i] != domain[i - 1]) {
        const auto found = domains.find(domain[i]);
        blocks.push_back({i, i, found == domains.end() ? Domain{} : found->second});
      }
      blocks.back().end = i + 1;
    }
    return blocks;
  }

  void read_shapes(const std::string& name) {
    const std::string path = "/NASTRAN/RESULT/NODAL/" + name;
    if (!file_.has(path)) return;
    const bool is_complex = name.ends_with("_CPLX");
    const bool is_mode = name.starts_with("EIGENVECTOR");
    const auto id = integers(path, "ID");
    const std::vector<Block> blocks = blocks_of(integers(path, "DOMAIN_ID"), domains_);
    const auto at = [&](std::size_t row) { return id.begin() + static_cast<std::ptrdiff_t>(row); };
    std::vector<Group> groups;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const Block& block = blocks[b];
      const bool is_same_group = !groups.empty() &&
                                 groups.back().modes.subcase == block.domain.subcase &&
                                 std::equal(at(block.first),
                                            at(block.end),
                                            groups.back().modes.points.begin(),
                                            groups.back().modes.points.end());
      if (!is_same_group) {
        groups.push_back({b, b, {}});
        RawModes& modes = groups.back().modes;
        modes.source = name;
        modes.subcase = block.domain.subcase;
        modes.kind = is_complex ? RawModes::Kind::complex
                     : is_mode  ? RawModes::Kind::normal
                                : RawModes::Kind::displacement;
        modes.points.assign(at(block.first), at(block.end));
        mark_scalars(modes);
      }
      groups.back().end = b + 1;
      add_values(groups.back().modes, block.domain, is_mode);
    }
    for (Group& group : groups) {
      const auto rows = static_cast<Eigen::Index>(6 * group.modes.points.size());
      const auto count = static_cast<Eigen::Index>(group.end - group.first);
      group.modes.shapes.resize(rows, count);
      if (is_complex) group.modes.imaginary.resize(rows, count);
    }
    fill_shapes(path, is_complex ? "R" : "", blocks, groups, &RawModes::shapes);
    if (is_complex) fill_shapes(path, "I", blocks, groups, &RawModes::imaginary);
    for (Group& group : groups) {
      join_masses(group.modes, blocks, group.first, group.end);
      contents_.modes.push_back(std::move(group.modes));
    }
  }

  /// Fills `part` of all groups component by component, so that only one field of the dataset is in
  /// memory at a time.
  void fill_shapes(const std::string& path,
                   const std::string& suffix,
                   const std::vector<Block>& blocks,
                   std::vector<Group>& groups,
                   Eigen::MatrixXd RawModes::*part) {
    static constexpr std::array<const char*, 6> components{"X", "Y", "Z", "RX", "RY", "RZ"};
    for (std::size_t c = 0; c < 6; ++c) {
      const std::vector<double> values = reals(path, components[c] + suffix);
      for (Group& group : groups) {
        for (std::size_t k = group.first; k < group.end; ++k) {
          for (std::size_t i = blocks[k].first; i < blocks[k].end; ++i) {
            (group.modes.*part)(static_cast<Eigen::Index>(6 * (i - blocks[k].first) + c),
                                static_cast<Eigen::Index>(k - group.first)) = values[i];
          }
        }
      }
      progress_.step(static_cast<double>(c));
    }
  }

  void mark_scalars(RawModes& modes) const {
    std::vector<std::int64_t> scalars = contents_.scalar_points;
    std::sort(scalars.begin(), scalars.end());
    for (const std::int64_t point : modes.points)
      modes.is_scalar.push_back(std::binary_search(scalars.begin(), scalars.end(), point) ? 1 : 0);
  }

  /// True for results of normal modes and of buckling modes; other results belong to loads.
  static bool is_modal(const Domain& domain) {
    return domain.analysis == 2 || domain.analysis == 7 || domain.analysis == 8;
  }

  /// Number by which shapes and stresses find each other: of the mode, else of the domain.
  static std::int64_t number_of(const Domain& domain) {
    return is_modal(domain) && domain.mode > 0 ? domain.mode : domain.id;
  }

  StressShape stress_shape(std::int64_t id) const {
    const auto found = domains_.find(id);
    const Domain domain = found == domains_.end() ? Domain{} : found->second;
    StressShape out;
    out.kind = is_modal(domain) ? RawModes::Kind::normal : RawModes::Kind::displacement;
    out.subcase = domain.subcase;
    out.number = number_of(domain);
    return out;
  }

  static void add_values(RawModes& modes, const Domain& domain, bool is_mode) {
    modes.numbers.push_back(number_of(domain));
    if (!is_mode) {
      if (modes.kind == RawModes::Kind::complex) modes.frequencies_hz.push_back(domain.value);
      return;
    }
    modes.eigenvalues.push_back(domain.value);
    if (modes.kind == RawModes::Kind::complex) {
      modes.eigenvalues_imaginary.push_back(domain.imaginary);
      modes.frequencies_hz.push_back(std::abs(domain.imaginary) / kTwoPi);
    } else if (domain.analysis == 2) {
      modes.frequencies_hz.push_back(std::sqrt(std::abs(domain.value)) / kTwoPi);
    }
  }

  /// Adds the generalised masses of blocks [first, end), found by mode number.
  void join_masses(RawModes& modes,
                   const std::vector<Block>& blocks,
                   std::size_t first,
                   std::size_t end) const {
    if (modes.kind != RawModes::Kind::normal) return;
    for (const RawEigenvalues& table : contents_.eigenvalues) {
      if (table.subcase != 0 && table.subcase != modes.subcase) continue;
      std::vector<double> mass;
      for (std::size_t k = first; k < end; ++k) {
        const auto found = std::find(table.mode.begin(), table.mode.end(), blocks[k].domain.mode);
        if (found == table.mode.end()) return;
        mass.push_back(
            table.generalised_mass[static_cast<std::size_t>(found - table.mode.begin())]);
      }
      modes.generalised_mass = std::move(mass);
      return;
    }
  }

  void list_unread() {
    if (!file_.has("/NASTRAN/RESULT/NODAL")) return;
    for (const std::string& name : file_.children("/NASTRAN/RESULT/NODAL")) {
      if (!name.starts_with("EIGENVECTOR") && !name.starts_with("DISPLACEMENT"))
        contents_.unread.push_back({"NODAL/" + name, 1});
    }
    if (file_.has("/NASTRAN/RESULT/MATRIX")) {
      for (const std::string& name : file_.children("/NASTRAN/RESULT/MATRIX"))
        contents_.unread.push_back({"MATRIX/" + name, 1});
    }
  }

  io::Hdf5File file_;
  Progress& progress_;
  FileContents contents_;
  std::map<std::int64_t, Domain> domains_;
};

}  // namespace

bool is_msc_hdf5(const FileHead& head) {
  return head.bytes.starts_with(io::kHdf5Signature) &&
         head.bytes.find("NASTRAN") != std::string_view::npos &&
         head.bytes.find("femflex_version") == std::string_view::npos;
}

FileContents read_msc_hdf5(const std::filesystem::path& path,
                           const ReadOptions& /*options*/,
                           Diagnostics& /*diagnostics*/,
                           Progress& progress) {
  return MscReader(path, progress).read();
}

}  // namespace femflex::importer
