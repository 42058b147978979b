// Reads the mesh, the displacement shapes and the stresses of solids of ANSYS result files,
// following their pointers.
#include "ansys/result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/large_pages.h"

#include "ansys/binary_records.h"
#include "ansys/elements.h"
#include "ansys/units.h"
#include "bytes/columns.h"
#include "bytes/finite.h"
#include "bytes/input_file.h"
#include "raw_shapes.h"

namespace femflex::importer {
namespace {

/// Items of the header, counted from 1.
struct HeaderItem {
  enum : std::size_t {
    kPlaces = 4,
    kAnalysis = 8,
    kSets = 9,
    kSetPointers = 11,
    kTimes = 12,
    kNodeOrder = 15,
    kGeometry = 16,
    kUnits = 20,
    kSectors = 21,
    kSetPointersHigh = 41,
    kTimesHigh = 42,
    kNodeOrderHigh = 46,
    kGeometryHigh = 47,
  };
};

/// Items of the geometry header.
struct GeometryItem {
  enum : std::size_t {
    kNodes = 4,
    kElements = 5,
    kTypesOld = 7,
    kPositionsOld = 9,
    kElementTableOld = 11,
    kTypes = 21,
    kPositions = 27,
    kElementTable = 29,
    kTwoTables = 65,  ///< element types are listed by number and pointer, not by number alone
  };
};

/// Items of the header of a data set.
struct SetItem {
  enum : std::size_t {
    kSetNodes = 3,
    kDisplacementsOld = 11,
    kIsImaginary = 19,
    kSetDofs = 20,
    kFirstDof = 21,
    kFieldDofs = 98,  ///< number of further DOFs of each node, after the others
    kDisplacements = 105,
    kElementResultsOld = 12,
    kElementResults = 119,
  };
};

constexpr std::int64_t kModalAnalysis = 2;
constexpr std::int64_t kDampedModalAnalysis = 4 + 2;  // damped
constexpr double kNoResult = 0x1p100;  // what ANSYS writes where a node has no result
constexpr std::size_t kMostDofsOfNode = 64;

class ResultReader {
 public:
  ResultReader(InputFile& file,
               const ReadOptions& options,
               Diagnostics& diagnostics,
               Progress& progress)
      : file_(file),
        options_(options),
        diagnostics_(diagnostics),
        progress_(progress),
        records_(file.bytes(), file.name()) {}

  FileContents read() {
    contents_.encoding = "binary";
    contents_.endian = records_.is_swapped() ? "big" : "little";
    contents_.word_bytes = 4;
    contents_.program = records_.program();
    contents_.title = records_.title();
    header_ = records_.at(static_cast<std::int64_t>(records_.at(0).next()));
    records_.expect_integers(header_, "the header", HeaderItem::kSectors);
    if (const AnsysUnits* units = find_ansys_units(header_.item(HeaderItem::kUnits)))
      contents_.units = units->units();
    read_geometry();
    if (header_.item(HeaderItem::kSectors) > 1)
      diagnostics_.warn("cyclic-symmetry",
                        "the results are those of one cyclic sector: their shapes are left out",
                        {file_.name()});
    else
      read_sets();
    return std::move(contents_);
  }

 private:
  /// Stresses at the corners of elements of one shape.
  struct StressGroup {
    RawStress stress;
    std::vector<std::size_t> elements;         ///< their places in the tables of results
    std::vector<std::vector<double>> columns;  ///< one per data set
  };

  /// A pointer of 64 bits at two items; that of older versions if both are 0.
  static std::int64_t pointer_or_old(const AnsysRecord& record, std::size_t item, std::size_t old) {
    const std::int64_t pointer = record.pointer(item, item + 1);
    return pointer != 0 ? pointer : record.item(old);
  }

  /// A count of things that have a record or a word each. @throws ParseError
  std::size_t checked_count(std::int64_t count, const char* what, const AnsysRecord& record) const {
    if (count < 0 || static_cast<std::uint64_t>(count) > records_.words())
      records_.fail("count", fmt::format("the header claims {} {}", count, what), record.word());
    return static_cast<std::size_t>(count);
  }

  void read_geometry() {
    const std::int64_t pointer = header_.pointer(HeaderItem::kGeometry, HeaderItem::kGeometryHigh);
    if (pointer == 0) return;
    const AnsysRecord geometry = records_.at(pointer);
    records_.expect_integers(geometry, "the geometry", GeometryItem::kElementTableOld);
    read_nodes(geometry);
    read_elements(geometry, element_types(geometry));
  }

  void read_nodes(const AnsysRecord& geometry) {
    const std::size_t count = checked_count(geometry.item(GeometryItem::kNodes), "nodes", geometry);
    std::int64_t word =
        pointer_or_old(geometry, GeometryItem::kPositions, GeometryItem::kPositionsOld);
    AnsysNodeAxes axes;
    for (std::size_t k = 0; k < count; ++k) {
      const AnsysRecord record = records_.at(word);
      constexpr std::size_t kReals = 7;  // number, x, y, z, three angles
      records_.expect_reals(record, "a node", kReals);
      const double number = record.real(0);
      constexpr double kMaxNode = std::numeric_limits<std::int32_t>::max();
      if (!(number >= 1.0 && number <= kMaxNode))
        records_.fail("node", fmt::format("{} is not the number of a node", number), record.word());
      RawGrid grid;
      grid.id = std::llround(number);
      for (std::size_t c = 0; c < 3; ++c) {
        grid.x[c] = record.real(1 + c);
        if (!std::isfinite(grid.x[c]))
          records_.fail("not-finite", "a coordinate is not finite", record.word());
      }
      grid.displacement_system = axes.system_of({record.real(4), record.real(5), record.real(6)});
      contents_.grids.push_back(std::move(grid));
      word = static_cast<std::int64_t>(record.next());
    }
    contents_.systems = axes.take();
    contents_.position_precision = std::numeric_limits<double>::epsilon();
  }

  /// What an element type is.
  struct Type {
    std::int64_t routine = 0;      ///< 186 of SOLID186
    std::size_t stress_nodes = 0;  ///< number of nodes with stresses: the corners
  };

  /// Element types by their number.
  std::map<std::int64_t, Type> element_types(const AnsysRecord& geometry) const {
    std::map<std::int64_t, Type> out;
    const std::int64_t start =
        pointer_or_old(geometry, GeometryItem::kTypes, GeometryItem::kTypesOld);
    if (start == 0) return out;
    AnsysRecord table = records_.at(start);
    if (geometry.item(GeometryItem::kTwoTables) != 0)
      table = records_.at(static_cast<std::int64_t>(table.next()));
    records_.expect_integers(table, "the element types", 1);
    for (std::size_t k = 0; k < table.count(); ++k) {
      if (table.integer(k) == 0) continue;
      const AnsysRecord type = records_.at(start + table.integer(k));
      records_.expect_integers(type, "an element type", 2);
      constexpr std::size_t kStressNodes = 94;
      const std::int64_t nodes = std::max<std::int64_t>(type.item(kStressNodes), 0);
      out.emplace(type.integer(0), Type{type.integer(1), static_cast<std::size_t>(nodes)});
    }
    return out;
  }

  void read_elements(const AnsysRecord& geometry, const std::map<std::int64_t, Type>& types) {
    const std::size_t count =
        checked_count(geometry.item(GeometryItem::kElements), "elements", geometry);
    const std::int64_t start =
        pointer_or_old(geometry, GeometryItem::kElementTable, GeometryItem::kElementTableOld);
    if (count == 0 || start == 0) return;
    const AnsysRecord table = records_.at(start);
    records_.expect_integers(table, "the elements", count);
    const bool is_wide = table.count() >= 2 * count;  // pointers of two words
    element_count_ = count;
    AnsysElements elements;
    std::vector<std::int64_t> nodes;
    for (std::size_t k = 0; k < count; ++k) {
      const std::int64_t offset = is_wide ? table.pointer(2 * k + 1, 2 * k + 2) : table.integer(k);
      if (offset == 0) continue;
      if (offset < 0 || static_cast<std::uint64_t>(offset) > records_.words())
        records_.fail("pointer", "an element lies outside the file", table.word());
      const AnsysRecord record = records_.at(start + offset);
      constexpr std::size_t kType = 1;    // place of the element type
      constexpr std::size_t kNumber = 8;  // of the element number
      constexpr std::size_t kFirst = 10;  // of the first node
      records_.expect_integers(record, "an element", kFirst);
      nodes.clear();
      for (std::size_t n = kFirst; n < record.count(); ++n)
        nodes.push_back(record.integer(n));
      const auto type = types.find(record.integer(kType));
      if (type == types.end()) {
        elements.add(0, record.integer(kNumber), nodes);
        continue;
      }
      elements.add(type->second.routine, record.integer(kNumber), nodes);
      constexpr std::size_t kSystem = 4;  // of the element; 0: basic
      if (is_ansys_solid(type->second.routine) && record.integer(kSystem) == 0)
        add_stress_element(k, record.integer(kNumber), nodes, type->second.stress_nodes);
    }
    elements.finish(contents_);
  }

  /// Notes a solid whose stresses will be read if its corners are nodes of their own.
  void add_stress_element(std::size_t place,
                          std::int64_t id,
                          const std::vector<std::int64_t>& nodes,
                          std::size_t corners) {
    if ((corners != 4 && corners != 8) || nodes.size() < corners) return;
    std::vector<std::int64_t> own(nodes.begin(),
                                  nodes.begin() + static_cast<std::ptrdiff_t>(corners));
    std::sort(own.begin(), own.end());
    if (std::adjacent_find(own.begin(), own.end()) != own.end()) return;
    StressGroup& group = stresses_[corners == 4 ? 0 : 1];
    RawStress& stress = group.stress;
    stress.source = "ENS";
    stress.type = corners == 4 ? "CTETRA" : "CHEXA";
    stress.subcase = 1;
    group.elements.push_back(place);
    constexpr std::uint8_t kAllSix = 63;
    for (std::size_t c = 0; c < corners; ++c)
      stress.places.push_back({.element = id,
                               .node = nodes[c],
                               .index = static_cast<std::int32_t>(c),
                               .kind = FeStressPlace::Kind::corner,
                               .axes = FeStressPlace::Axes::basic,
                               .components = kAllSix});
  }

  /// Reads the stresses of a data set whose displacements are the shape `number`.
  void read_stresses(std::int64_t start, const AnsysRecord& set, bool modal, std::int64_t number) {
    const std::int64_t offset =
        pointer_or_old(set, SetItem::kElementResults, SetItem::kElementResultsOld);
    if (offset == 0 || (stresses_[0].elements.empty() && stresses_[1].elements.empty())) return;
    if (offset < 0 || static_cast<std::uint64_t>(offset) > records_.words())
      records_.fail("pointer", "the element results lie outside the file", set.word());
    const AnsysRecord table = records_.at(start + offset);
    records_.expect_integers(table, "the element results", 1);
    const bool is_wide = table.count() >= 2 * element_count_;
    const auto kind = modal ? RawModes::Kind::normal : RawModes::Kind::displacement;
    for (StressGroup& group : stresses_) {
      if (group.elements.empty() || (!group.columns.empty() && group.stress.kind != kind)) continue;
      group.stress.kind = kind;
      std::vector<double> column(6 * group.stress.places.size(),
                                 std::numeric_limits<double>::quiet_NaN());
      const std::size_t corners = group.stress.places.size() / group.elements.size();
      bool has_any = false;
      for (std::size_t k = 0; k < group.elements.size(); ++k) {
        const std::size_t place = group.elements[k];
        const std::int64_t element =
            is_wide ? table.pointer(2 * place + 1, 2 * place + 2) : table.item(place + 1);
        if (element <= 0 || static_cast<std::uint64_t>(element) > records_.words()) continue;
        has_any = add_element_stress(
                      start + offset + element, corners, column.data() + 6 * corners * k) ||
                  has_any;
      }
      if (!has_any) continue;
      group.stress.numbers.push_back(number);
      group.columns.push_back(std::move(column));
    }
  }

  /// Reads the stresses of one element to `to`; false if it has none.
  bool add_element_stress(std::int64_t word, std::size_t corners, double* to) const {
    const AnsysRecord pointers = records_.at(word);
    constexpr std::size_t kStresses = 3;
    records_.expect_integers(pointers, "the results of an element", 0);
    const std::int64_t offset = pointers.item(kStresses);
    if (offset <= 0) return false;
    const AnsysRecord values = records_.at(word + offset);
    // older versions write the principal stresses behind the six components
    const std::size_t width = values.count() / corners;
    if (width < 6 || values.is_integer()) return false;
    for (std::size_t c = 0; c < corners; ++c)
      for (std::size_t k = 0; k < 6; ++k) {
        const double value = values.real(c * width + k);
        if (value != kNoResult) to[6 * c + k] = value;
      }
    return true;
  }

  void read_sets() {
    const std::size_t sets = checked_count(header_.item(HeaderItem::kSets), "data sets", header_);
    const std::size_t places =
        checked_count(header_.item(HeaderItem::kPlaces), "data sets", header_);
    if (sets == 0) return;
    const AnsysRecord pointers =
        records_.at(header_.pointer(HeaderItem::kSetPointers, HeaderItem::kSetPointersHigh));
    records_.expect_integers(pointers, "the data sets", std::max(sets, places));
    const bool is_wide = pointers.count() >= 2 * places && sets <= places;
    const AnsysRecord times =
        records_.at(header_.pointer(HeaderItem::kTimes, HeaderItem::kTimesHigh));
    records_.expect_reals(times, "frequencies and times", sets);
    const AnsysRecord order =
        records_.at(header_.pointer(HeaderItem::kNodeOrder, HeaderItem::kNodeOrderHigh));
    records_.expect_integers(order, "the order of the nodes", 1);
    const auto start_of = [&](std::size_t k) {
      return is_wide ? pointers.pointer(k + 1, places + k + 1) : pointers.integer(k);
    };
    for (std::size_t k = 0; k < sets; ++k) {
      const std::int64_t start = start_of(k);
      sets_left_ = sets - k;
      if (start == 0) {  // the header stands there: a run that stopped did not write the set
        ++unread_["data sets that were not written"];
        continue;
      }
      const bool is_complex = is_imaginary(start) || (k + 1 < sets && start_of(k + 1) != 0 &&
                                                      is_imaginary(start_of(k + 1)));
      read_set(start, is_complex, times.real(k), order);
      file_.release_before(4 * static_cast<std::size_t>(std::max<std::int64_t>(start, 0)));
      progress_.step(static_cast<double>(file_.bytes().size()) * static_cast<double>(k + 1) /
                     static_cast<double>(sets));
    }
    finish();
  }

  /// True if a data set holds the imaginary part of the one before it.
  bool is_imaginary(std::int64_t start) const {
    const AnsysRecord set = records_.at(start);
    records_.expect_integers(set, "a data set", SetItem::kFirstDof);
    return set.item(SetItem::kIsImaginary) != 0;
  }

  void read_set(std::int64_t start, bool is_complex, double time, const AnsysRecord& order) {
    const AnsysRecord set = records_.at(start);
    const std::int64_t kind = header_.item(HeaderItem::kAnalysis);
    if (is_complex || kind == kDampedModalAnalysis) {
      ++unread_[kComplexShapes];
      return;
    }
    const std::int64_t offset =
        pointer_or_old(set, SetItem::kDisplacements, SetItem::kDisplacementsOld);
    if (offset == 0) {
      ++unread_["data sets without displacements"];
      return;
    }
    const auto dofs = static_cast<std::uint64_t>(set.item(SetItem::kSetDofs));
    const auto fields = static_cast<std::uint64_t>(set.item(SetItem::kFieldDofs));
    if (dofs < 1 || dofs > kMostDofsOfNode || fields > kMostDofsOfNode ||
        set.count() < SetItem::kFirstDof - 1 + dofs)
      records_.fail("dofs", fmt::format("a data set claims {} DOFs per node", dofs), set.word());
    if (offset < 0 || static_cast<std::uint64_t>(offset) > records_.words())
      records_.fail("pointer", "the displacements lie outside the file", set.word());
    const auto width = static_cast<std::size_t>(dofs + fields);
    const AnsysRecord values = records_.at(start + offset, order.count() * width);
    records_.expect_reals(values, "displacements", width);
    add_shape(set, values, width, order, kind == kModalAnalysis, time);
  }

  /// Node numbers of the rows of a data set.
  std::vector<std::int64_t> points_of(const AnsysRecord& values,
                                      std::size_t count,
                                      const AnsysRecord& order,
                                      bool is_whole) const {
    std::vector<std::int64_t> out(count);
    if (is_whole) {
      for (std::size_t k = 0; k < count; ++k)
        out[k] = order.integer(k);
      return out;
    }
    const AnsysRecord places = records_.at(static_cast<std::int64_t>(values.next()), count);
    records_.expect_integers(places, "the nodes of a data set", count);
    for (std::size_t k = 0; k < count; ++k) {
      const std::int64_t place = places.integer(k);
      if (place < 1 || place > static_cast<std::int64_t>(order.count()))
        records_.fail("node", fmt::format("there is no node at place {}", place), places.word());
      out[k] = order.integer(static_cast<std::size_t>(place - 1));
    }
    return out;
  }

  /// Leaves the wanted nodes in `points`; their places before.
  std::vector<std::size_t> keep_wanted(std::vector<std::int64_t>& points) const {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (options_.keeps(points[k])) {
        points[places.size()] = points[k];
        places.push_back(k);
      }
    points.resize(places.size());
    return places;
  }

  void add_shape(const AnsysRecord& set,
                 const AnsysRecord& values,
                 std::size_t width,
                 const AnsysRecord& order,
                 bool modal,
                 double time) {
    const std::size_t expected = checked_count(set.item(SetItem::kSetNodes), "nodes", set);
    const auto kind = modal ? RawModes::Kind::normal : RawModes::Kind::displacement;
    const std::size_t count = std::min(values.count() / width, order.count());
    const DofPlaces dofs = places_of_dofs(set, width);
    const Eigen::Index components = has_rotations(dofs, width) ? 6 : 3;
    const bool is_whole = count >= expected;  // its nodes are the first ones of the order
    const auto fits_last = [&] {
      return !groups_.empty() && groups_.back().kind == kind &&
             groups_.back().components == components;
    };
    if (!is_whole || whole_count_ != count || !fits_last()) {
      std::vector<std::int64_t> points = points_of(values, count, order, is_whole);
      places_ = keep_wanted(points);
      if (!fits_last() || groups_.back().points != points)
        begin_group(kind, std::move(points), components, values.width() == 4);
      whole_count_ = is_whole ? count : kNone;
    }
    RawModes& modes = groups_.back();
    fill_shape(values,
               width,
               {dofs.data(), static_cast<std::size_t>(components)},
               modes.shapes.col(static_cast<Eigen::Index>(modes.numbers.size())));
    modes.numbers.push_back(modal ? ++modes_ : ++steps_);
    read_stresses(static_cast<std::int64_t>(set.word()), set, modal, modes.numbers.back());
    if (!modal) return;
    const double omega = 2.0 * std::numbers::pi * time;
    modes.frequencies_hz.push_back(time);
    modes.eigenvalues.push_back(omega * omega);
  }

  /// Begins a group of shapes with room for all data sets that are left.
  void begin_group(RawModes::Kind kind,
                   std::vector<std::int64_t> points,
                   Eigen::Index components,
                   bool is_single) {
    // compressed records can be short: a thousand times the file is more than shapes need
    constexpr double kMostExpansion = 1000.0;
    const double bytes = static_cast<double>(sizeof(double)) * static_cast<double>(components) *
                         static_cast<double>(points.size()) * static_cast<double>(sets_left_);
    if (bytes > kMostExpansion * static_cast<double>(file_.bytes().size()))
      records_.fail(
          "sets",
          fmt::format("{} data sets of {} nodes do not fit the file", sets_left_, points.size()),
          header_.word());
    if (!groups_.empty()) trim(groups_.back());
    RawModes& modes = groups_.emplace_back(
        shapes_at_grids("NSL", kind, RawModes::Frame::nodal, std::move(points), components));
    modes.single_precision = is_single;
    modes.shapes.resize(components * static_cast<Eigen::Index>(modes.points.size()),
                        static_cast<Eigen::Index>(sets_left_));
    LargePages().ask(modes.shapes.data(),
                     static_cast<std::size_t>(modes.shapes.size()) * sizeof(double));
  }

  /// Gives back the room for data sets that did not join the group.
  static void trim(RawModes& modes) {
    const auto count = static_cast<Eigen::Index>(modes.numbers.size());
    if (count != modes.shapes.cols()) modes.shapes.conservativeResize(Eigen::NoChange, count);
  }

  /// Place of each component among the `width` DOFs of a node; `width`: it is not among them.
  using DofPlaces = std::array<std::size_t, 6>;

  static DofPlaces places_of_dofs(const AnsysRecord& set, std::size_t width) {
    DofPlaces place{};
    place.fill(width);
    for (std::size_t d = 0; d < static_cast<std::size_t>(set.item(SetItem::kSetDofs)); ++d)
      if (const auto component = component_of_ansys_dof(set.item(SetItem::kFirstDof + d));
          component != 0)
        place[static_cast<std::size_t>(component - 1)] = d;
    return place;
  }

  static bool has_rotations(const DofPlaces& place, std::size_t width) {
    return std::any_of(place.begin() + 3, place.end(), [&](std::size_t d) { return d < width; });
  }

  /// Puts the displacements of a data set into one row for each of these DOFs of each wanted node.
  void fill_shape(const AnsysRecord& values,
                  std::size_t width,
                  std::span<const std::size_t> place,
                  Eigen::Ref<Eigen::VectorXd> shape) const {
    FiniteCheck check;
    values.with_reals([&](const auto& real) {
      double* to = shape.data();
      for (const std::size_t k : places_)
        for (const std::size_t d : place) {
          const double value = d < width ? real(k * width + d) : 0.0;
          check.see(value);
          *to++ = value == kNoResult ? 0.0 : value;
        }
    });
    if (!check.all_finite())
      records_.fail("not-finite", "a displacement is not finite", values.word());
  }

  void finish() {
    for (RawModes& modes : groups_) {
      trim(modes);
      contents_.modes.push_back(std::move(modes));
    }
    for (StressGroup& group : stresses_) {
      if (group.columns.empty()) continue;
      group.stress.values = side_by_side(group.columns);
      contents_.stresses.push_back(std::move(group.stress));
    }
    for (const auto& [what, count] : unread_)
      contents_.unread.push_back({what, count});
    if (const auto found = unread_.find(kComplexShapes); found != unread_.end())
      diagnostics_.warn("complex-modes",
                        fmt::format("{} data sets of complex shapes are left out: both parts of a "
                                    "shape, not its real part alone",
                                    found->second),
                        {file_.name()});
  }

  static constexpr const char* kComplexShapes = "complex shapes";

  InputFile& file_;
  const ReadOptions& options_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  AnsysRecords records_;
  AnsysRecord header_;
  FileContents contents_;
  std::vector<RawModes> groups_;  ///< shapes of one kind on the same nodes
  std::size_t sets_left_ = 0;     ///< data sets from the current one on
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> places_;  ///< of the wanted nodes in the last data set
  std::size_t whole_count_ = kNone;  ///< nodes of the last data set, if they are the first ones
  std::size_t element_count_ = 0;
  std::array<StressGroup, 2> stresses_;  ///< of tetrahedra, of bricks
  std::map<std::string, std::int64_t> unread_;
  std::int64_t modes_ = 0, steps_ = 0;  ///< shapes of each kind so far
};

}  // namespace

bool is_ansys_result(const FileHead& head) {
  return is_ansys_file(head, AnsysFile::result);
}

FileContents read_ansys_result(const std::filesystem::path& path,
                               const ReadOptions& options,
                               Diagnostics& diagnostics,
                               Progress& progress) {
  InputFile file(path);
  return ResultReader(file, options, diagnostics, progress).read();
}

}  // namespace femflex::importer
