// Reads the data sets of universal files line by line.
#include "exchange/universal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/element_shape.h"
#include "femflex/errors.h"
#include "femflex/importer/statistics.h"
#include "femflex/importer/universal_functions.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
#include "bytes/line_steps.h"
#include "exchange/universal_systems.h"
#include "exchange/universal_units.h"
#include "raw_shapes.h"

namespace femflex::importer {
namespace {

/// A kind of element (FE descriptor): its name and shape, and the places of its nodes in the order
/// of ElementShape.
struct UniversalElement {
  std::int64_t first = 0, last = 0;  ///< numbers of the kinds, inclusive
  const char* name = nullptr;
  ElementShape shape = ElementShape::none;
  std::array<std::int8_t, 20> places{};
};

constexpr auto kUniversalElements = [] {
  using enum ElementShape;
  return std::array{
      UniversalElement{11, 11, "CROD", bar2, {0, 1}},
      UniversalElement{21, 22, "CBAR", bar2, {0, 1}},
      UniversalElement{23, 24, "CBEAM3", bar3, {0, 2, 1}},
      UniversalElement{41, 41, "CTRIA3", triangle3, {0, 1, 2}},
      UniversalElement{42, 42, "CTRIA6", triangle6, {0, 2, 4, 1, 3, 5}},
      UniversalElement{44, 44, "CQUAD4", quad4, {0, 1, 2, 3}},
      UniversalElement{45, 45, "CQUAD8", quad8, {0, 2, 4, 6, 1, 3, 5, 7}},
      UniversalElement{91, 91, "CTRIA3", triangle3, {0, 1, 2}},
      UniversalElement{92, 92, "CTRIA6", triangle6, {0, 2, 4, 1, 3, 5}},
      UniversalElement{94, 94, "CQUAD4", quad4, {0, 1, 2, 3}},
      UniversalElement{95, 95, "CQUAD8", quad8, {0, 2, 4, 6, 1, 3, 5, 7}},
      UniversalElement{111, 111, "CTETRA", tetrahedron4, {0, 1, 2, 3}},
      UniversalElement{112, 112, "CPENTA", wedge6, {0, 1, 2, 3, 4, 5}},
      UniversalElement{
          113, 113, "CPENTA", wedge15, {0, 2, 4, 9, 11, 13, 1, 3, 5, 6, 7, 8, 10, 12, 14}},
      UniversalElement{115, 115, "CHEXA", hexahedron8, {0, 1, 2, 3, 4, 5, 6, 7}},
      UniversalElement{116, 116, "CHEXA", hexahedron20, {0, 2, 4, 6, 12, 14, 16, 18, 1,  3,
                                                         5, 7, 8, 9, 10, 11, 13, 15, 17, 19}},
      UniversalElement{118, 118, "CTETRA", tetrahedron10, {0, 2, 4, 9, 1, 3, 5, 6, 7, 8}},
  };
}();

/// Kinds 11 to 32 are lines, which have a third line of orientation and ends.
bool has_orientation(std::int64_t kind) {
  return kind == 11 || (kind >= 21 && kind <= 24) || kind == 31 || kind == 32;
}

const UniversalElement* find_universal_element(std::int64_t kind) {
  for (const UniversalElement& element : kUniversalElements)
    if (kind >= element.first && kind <= element.last) return &element;
  return nullptr;
}

/// What a set of results says of itself.
struct ResultHead {
  std::int64_t analysis = 0;   ///< 1 static, 2 normal modes, 3 complex modes, 5 frequency response
  std::int64_t quantity = 0;   ///< 8 displacement
  std::int64_t data_type = 0;  ///< 2 and 4 real, 5 and 6 complex
  std::int64_t values = 0;     ///< of each node
  std::int64_t mode = 0;
  double frequency = 0.0;  ///< [1/time]
  std::optional<double> modal_mass;
};

constexpr std::int64_t kUniversalDisplacement = 8;
constexpr std::int64_t kUniversalModes = 2;

class UniversalReader {
 public:
  UniversalReader(InputFile& file, Diagnostics& diagnostics, Progress& progress)
      : file_(file), diagnostics_(diagnostics), progress_(progress), lines_(file.bytes()) {}

  FileContents read() {
    contents_.encoding = "ascii";
    // E13.5 rounds 1.00000 to half a unit of its sixth digit; 2411 has all digits
    contents_.position_precision = std::numeric_limits<double>::epsilon();
    while (next_data_set()) {
      read_data_set();
      report_position(file_, lines_, progress_);
    }
    finish();
    return std::move(contents_);
  }

 private:
  /// Shapes of one kind on the same nodes.
  struct Group {
    RawModes modes;
    std::vector<std::vector<double>> shapes;
  };

  [[noreturn]] void fail(const char* code, const std::string& what) const {
    throw ParseError(code, what, {file_.name(), lines_.number()});
  }

  static bool is_delimiter(std::string_view line) { return trimmed(line) == "-1"; }

  /// Moves to the number of the next data set; false at the end of the file.
  bool next_data_set() {
    while (lines_.next()) {
      if (trimmed(lines_.line()).empty()) continue;
      if (!is_delimiter(lines_.line())) fail("data-set", "a data set must begin with a line of -1");
      if (!lines_.next()) return false;
      return true;
    }
    return false;
  }

  /// Moves to the next line of the data set. @throws ParseError  the file or the data set ends
  std::string_view row(const char* what) {
    if (!lines_.next()) fail("truncated", fmt::format("the file ends inside {}", what));
    report_lines(file_, lines_, progress_);
    return lines_.line();
  }

  /// The lines up to the end of the data set.
  std::vector<std::string_view> rest_of_set(const char* what) {
    std::vector<std::string_view> out;
    while (next_row(what))
      out.push_back(lines_.line());
    return out;
  }

  /// As row(), but false at the end of the data set.
  bool next_row(const char* what) { return !is_delimiter(row(what)); }

  void read_data_set() {
    std::string_view line = lines_.line();
    std::int64_t number = 0;
    if (!take_integer(line, number))
      fail("data-set", fmt::format("'{}' is not the number of a data set", line.substr(0, 40)));
    switch (number) {
      case 15:
        return read_nodes_of_one_line();
      case 781:
      case 2411:
        return read_nodes_of_two_lines();
      case 780:
      case 2412:
        return read_elements();
      case 18:
        return read_systems();
      case 164:
        return read_units();
      case 2435:
      case 2452:
      case 2467:
      case 2477:
        return read_groups();
      case 55:
        return read_results(false);
      case 2414:
        return read_results(true);
      case 151:
        return read_header();
      case 58:
        return count_function();
      default:
        ++unread_[fmt::format("data set {}", number)];
        skip(trimmed(line).starts_with("b"));
    }
  }

  /// Skips the rest of a data set; a binary one ends where its -1 stands behind 80 columns' text.
  void skip(bool is_binary) {
    while (lines_.next())
      if (is_delimiter(lines_.line()) ||
          (is_binary && (lines_.line().ends_with("    -1") || lines_.line() == "-1")))
        return;
  }

  /// Functions belong to no model; histories of a system read them.
  void count_function() {
    const UniversalFunction function =
        read_universal_function(file_.bytes(), lines_, false, file_.name());
    ++unread_[text_of_function(function.type) + " (58)"];
  }

  void read_header() {
    if (next_row("data set 151")) contents_.title = trimmed(lines_.line());
    skip(false);
  }

  std::vector<double> reals(std::string_view line, std::size_t most) const {
    std::vector<double> out;
    double value = 0.0;
    while (out.size() < most && take_real(line, value))
      out.push_back(value);
    return out;
  }

  std::vector<std::int64_t> integers(std::string_view line, std::size_t least) const {
    std::vector<std::int64_t> out;
    std::int64_t value = 0;
    while (take_integer(line, value))
      out.push_back(value);
    if (out.size() < least || !trimmed(line).empty())
      fail(
          "integers",
          fmt::format(
              "'{}' has {} integers, expected {}", lines_.line().substr(0, 60), out.size(), least));
    return out;
  }

  void add_node(std::int64_t id, std::int64_t system, const std::vector<double>& x) {
    if (x.size() != 3) fail("node", fmt::format("node {} has {} coordinates", id, x.size()));
    RawGrid grid;
    grid.id = id;
    grid.x = {x[0], x[1], x[2]};
    contents_.grids.push_back(std::move(grid));
    if (system > 1 && other_systems_++ == 0) first_other_system_ = id;
  }

  void read_nodes_of_one_line() {
    constexpr double kSixDigits = 5.1e-6;
    contents_.position_precision = kSixDigits;
    while (next_row("the nodes")) {
      std::string_view line = lines_.line();
      std::array<std::int64_t, 4> head{};
      for (std::int64_t& value : head)
        if (!take_integer(line, value)) fail("node", "a node begins with four integers");
      if (head[1] != 0) defined_in_.emplace_back(contents_.grids.size(), head[1]);
      add_node(head[0], head[2], reals(line, 3));
    }
  }

  void read_nodes_of_two_lines() {
    while (next_row("the nodes")) {
      const std::vector<std::int64_t> head = integers(lines_.line(), 4);
      add_node(head[0], head[2], reals(row("the nodes"), 3));
    }
  }

  void read_elements() {
    std::vector<std::int64_t> nodes;
    while (next_row("the elements")) {
      const std::vector<std::int64_t> head = integers(lines_.line(), 6);
      const std::int64_t count = head[5];
      constexpr std::int64_t kMostNodes = 100'000;  // rigid elements tie whole faces
      if (count < 0 || count > kMostNodes)
        fail("element", fmt::format("element {} claims {} nodes", head[0], count));
      if (has_orientation(head[1])) row("the elements");
      nodes.clear();
      while (static_cast<std::int64_t>(nodes.size()) < count) {
        const std::vector<std::int64_t> some = integers(row("the elements"), 1);
        nodes.insert(nodes.end(), some.begin(), some.end());
      }
      add_element(head[0], head[1], nodes);
    }
  }

  void add_element(std::int64_t id, std::int64_t kind, const std::vector<std::int64_t>& nodes) {
    const UniversalElement* element = find_universal_element(kind);
    const int count = element == nullptr ? 0 : topology_of(element->shape).node_count;
    if (element == nullptr || static_cast<int>(nodes.size()) != count) {
      ++unread_[fmt::format("elements of kind {}", kind)];
      return;
    }
    ElementBlock& block = blocks_[{element->name, count}];
    block.type = element->name;
    block.nodes_per_element = count;
    block.ids.push_back(id);
    for (int k = 0; k < count; ++k)
      block.connectivity.push_back(
          nodes[static_cast<std::size_t>(element->places[static_cast<std::size_t>(k)])]);
    ++contents_.element_counts[element->name];
  }

  void read_units() {
    const std::vector<std::string_view> rows = rest_of_set("the units");
    if (rows.empty()) return;
    std::int64_t number = 0;
    std::string_view line = rows[0];
    take_integer(line, number);
    contents_.units = universal_units(number, rows.size() > 1 ? rows[1] : std::string_view());
    if (!contents_.units)
      diagnostics_.warn(
          "units",
          fmt::format("the system of units {} is not known here: give --units", number),
          {file_.name(), lines_.number()});
  }

  void read_systems() {
    const std::int64_t before = lines_.number();
    std::vector<std::string_view> rows = rest_of_set("the coordinate systems");
    while (!rows.empty() && trimmed(rows.back()).empty())
      rows.pop_back();
    if (const std::optional<std::size_t> bad = read_universal_systems(rows, systems_))
      throw ParseError("system",
                       fmt::format("'{}' does not define a coordinate system",
                                   trimmed(rows[*bad]).substr(0, 60)),
                       {file_.name(), before + 1 + static_cast<std::int64_t>(*bad)});
  }

  /// True if a system, or one that it refers to, is cylindrical or spherical: the unit of its
  /// angles is not in the file.
  bool is_curved(std::int64_t number) const {
    for (std::size_t depth = 0; depth <= systems_.size(); ++depth) {
      const auto found = std::find_if(systems_.begin(), systems_.end(), [&](const RawSystem& each) {
        return each.id == number;
      });
      if (found == systems_.end()) return false;
      if (found->kind != CoordinateSystem::Kind::rectangular) return true;
      number = found->reference;
    }
    return false;  // the references go round
  }

  /// Places the nodes that are defined in systems of their own (data set 15). 0 and, unless the
  /// file gives it, 1 are the global system.
  void place_nodes() {
    if (defined_in_.empty()) return;
    const auto has = [&](std::int64_t number) {
      return std::any_of(systems_.begin(), systems_.end(), [&](const RawSystem& each) {
        return each.id == number;
      });
    };
    const bool has_first = has(1);
    FileContents own;
    own.path = file_.name();
    own.systems = systems_;
    if (!has_first)
      for (RawSystem& each : own.systems)
        if (each.reference == 1) each.reference = 0;
    std::map<std::int64_t, CoordinateSystem> global;
    for (const CoordinateSystem& each : resolve_systems(own, diagnostics_))
      global[each.id] = each;
    std::int64_t unknown = 0;
    std::int64_t first = 0;
    for (const auto& [place, number] : defined_in_) {
      RawGrid& grid = contents_.grids[place];
      if (number == 1 && !has_first) continue;
      if (is_curved(number))
        throw ParseError(
            "definition-system",
            fmt::format("node {} is defined in system {}, which is not Cartesian", grid.id, number),
            {file_.name()},
            "export the nodes in global Cartesian coordinates (data set 2411)");
      const auto system = global.find(number);
      if (system != global.end()) {
        const Eigen::Vector3d x = system->second.to_basic({grid.x[0], grid.x[1], grid.x[2]});
        grid.x = {x.x(), x.y(), x.z()};
      } else if (unknown++ == 0) {
        first = grid.id;
      }
    }
    if (unknown > 0)
      diagnostics_.warn("definition-system",
                        fmt::format("{} nodes, the first is {}, are defined in systems that the "
                                    "file does not hold: their coordinates are taken as global",
                                    unknown,
                                    first),
                        {file_.name()});
  }

  void read_groups() {
    constexpr std::size_t kCount = 7;  // place of the number of members
    constexpr std::int64_t kNodes = 7;
    while (next_row("the groups")) {
      const std::vector<std::int64_t> head = integers(lines_.line(), kCount + 1);
      const std::string name(trimmed(row("the groups")));
      std::vector<std::int64_t> nodes;
      std::int64_t left = head[kCount];
      while (left > 0) {
        const std::vector<std::int64_t> members = integers(row("the groups"), 4);
        for (std::size_t k = 0; k + 3 < members.size() && left > 0; k += 4, --left)
          if (members[k] == kNodes) nodes.push_back(members[k + 1]);
      }
      if (!nodes.empty())
        contents_.node_sets[name.empty() ? fmt::format("GROUP{}", head[0]) : name] =
            std::move(nodes);
    }
  }

  ResultHead head_of_55() {
    constexpr int kTextLines = 5;
    for (int k = 0; k < kTextLines; ++k)
      row("data set 55");
    ResultHead head = kinds(integers(row("data set 55"), 6));
    const std::vector<std::int64_t> numbers = integers(row("data set 55"), 2);
    if (head.analysis == kUniversalModes && numbers.size() > 3) head.mode = numbers[3];
    const std::vector<double> values = reals(row("data set 55"), 6);
    if (!values.empty()) head.frequency = values[0];
    if (head.analysis == kUniversalModes && values.size() > 1) head.modal_mass = values[1];
    return head;
  }

  ResultHead head_of_2414() {
    constexpr int kTextLines = 2;  // number and name
    for (int k = 0; k < kTextLines; ++k)
      row("data set 2414");
    location_ = integers(row("data set 2414"), 1)[0];
    constexpr int kIdLines = 5;
    for (int k = 0; k < kIdLines; ++k)
      row("data set 2414");
    ResultHead head = kinds(integers(row("data set 2414"), 6));
    const std::vector<std::int64_t> numbers = integers(row("data set 2414"), 8);
    row("data set 2414");
    const std::vector<double> values = reals(row("data set 2414"), 6);
    row("data set 2414");
    constexpr std::size_t kMode = 5, kFrequency = 1, kModalMass = 3;
    head.mode = numbers[kMode];
    if (values.size() > kFrequency) head.frequency = values[kFrequency];
    if (values.size() > kModalMass && values[kModalMass] > 0.0)
      head.modal_mass = values[kModalMass];
    return head;
  }

  static ResultHead kinds(const std::vector<std::int64_t>& numbers) {
    ResultHead head;
    head.analysis = numbers[1];
    head.quantity = numbers[3];
    head.data_type = numbers[4];
    head.values = numbers[5];
    return head;
  }

  void read_results(bool is_newer) {
    constexpr std::int64_t kAtNodes = 1;
    constexpr std::int64_t kReal = 2, kDouble = 4;
    location_ = kAtNodes;
    const ResultHead head = is_newer ? head_of_2414() : head_of_55();
    const bool is_real = head.data_type == kReal || head.data_type == kDouble;
    if (location_ != kAtNodes || head.quantity != kUniversalDisplacement || !is_real ||
        (head.values != 3 && head.values != 6)) {
      ++unread_[!is_real && head.quantity == kUniversalDisplacement
                    ? std::string("complex shapes")
                    : fmt::format("results of quantity {}", head.quantity)];
      skip(false);
      return;
    }
    std::vector<std::int64_t> points;
    std::vector<double> shape;
    std::vector<double> values;
    while (next_row("the results")) {
      points.push_back(integers(lines_.line(), 1)[0]);
      values.clear();
      while (static_cast<std::int64_t>(values.size()) < head.values) {
        const std::vector<double> some = reals(row("the results"), 6);
        if (some.empty())
          fail("results", fmt::format("node {} has {} values", points.back(), values.size()));
        values.insert(values.end(), some.begin(), some.end());
      }
      if (static_cast<std::int64_t>(values.size()) > head.values)
        fail("results",
             fmt::format(
                 "node {} has {} values, expected {}", points.back(), values.size(), head.values));
      shape.insert(shape.end(), values.begin(), values.end());
    }
    add_shape(head, std::move(points), std::move(shape));
  }

  void add_shape(const ResultHead& head,
                 std::vector<std::int64_t> points,
                 std::vector<double> shape) {
    const bool modal = head.analysis == kUniversalModes;
    const auto kind = modal ? RawModes::Kind::normal : RawModes::Kind::displacement;
    const Eigen::Index components = components_for(static_cast<std::size_t>(head.values));
    if (groups_.empty() || groups_.back().modes.kind != kind ||
        groups_.back().modes.components != components || groups_.back().modes.points != points) {
      groups_.emplace_back();
      RawModes& modes = groups_.back().modes;
      modes = shapes_at_grids("DISP", kind, RawModes::Frame::basic, std::move(points), components);
      modes.single_precision = true;
    }
    RawModes& modes = groups_.back().modes;
    groups_.back().shapes.push_back(std::move(shape));
    modes.numbers.push_back(modal ? ++modes_ : ++steps_);
    if (!modal) return;
    const double omega = 2.0 * std::numbers::pi * head.frequency;
    modes.frequencies_hz.push_back(head.frequency);
    modes.eigenvalues.push_back(omega * omega);
    if (head.modal_mass) modes.generalised_mass.push_back(*head.modal_mass);
  }

  void finish() {
    place_nodes();
    for (auto& [key, block] : blocks_)
      contents_.elements.push_back(std::move(block));
    for (Group& group : groups_) {
      const Eigen::Index rows =
          group.modes.components * static_cast<Eigen::Index>(group.modes.points.size());
      group.modes.shapes.resize(rows, static_cast<Eigen::Index>(group.shapes.size()));
      for (std::size_t j = 0; j < group.shapes.size(); ++j)
        group.modes.shapes.col(static_cast<Eigen::Index>(j)) =
            Eigen::Map<const Eigen::VectorXd>(group.shapes[j].data(), rows);
      if (group.modes.generalised_mass.size() != group.shapes.size())
        group.modes.generalised_mass.clear();
      contents_.modes.push_back(std::move(group.modes));
    }
    for (const auto& [what, count] : unread_)
      contents_.unread.push_back({what, count});
    if (other_systems_ > 0 && !contents_.modes.empty())
      diagnostics_.warn(
          "displacement-system",
          fmt::format("{} nodes, the first is {}, have a displacement system of their own: the "
                      "shapes are taken along basic directions nevertheless",
                      other_systems_,
                      first_other_system_),
          {file_.name()});
  }

  InputFile& file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  Lines lines_;
  FileContents contents_;
  std::map<std::pair<std::string, int>, ElementBlock> blocks_;
  std::vector<Group> groups_;
  std::vector<RawSystem> systems_;
  std::vector<std::pair<std::size_t, std::int64_t>> defined_in_;  ///< places of grids, and systems
  std::map<std::string, std::int64_t> unread_;
  std::int64_t location_ = 1;           ///< of the results: 1 at nodes
  std::int64_t modes_ = 0, steps_ = 0;  ///< shapes of each kind so far
  std::int64_t other_systems_ = 0, first_other_system_ = 0;
};

}  // namespace

bool is_universal(const FileHead& head) {
  Lines lines(head.bytes);
  while (lines.next() && trimmed(lines.line()).empty()) {
  }
  if (trimmed(lines.line()) != "-1" || !lines.next()) return false;
  std::string_view line = lines.line();
  std::int64_t number = 0;
  constexpr std::int64_t kFemap = 100;  // the first block of a FEMAP neutral file
  return take_integer(line, number) && number > 0 && number != kFemap &&
         (trimmed(line).empty() || trimmed(line).starts_with("b"));
}

FileContents read_universal(const std::filesystem::path& path,
                            const ReadOptions& /*options*/,
                            Diagnostics& diagnostics,
                            Progress& progress) {
  InputFile file(path);
  return UniversalReader(file, diagnostics, progress).read();
}

}  // namespace femflex::importer
