// Reads CalculiX result files (.frd), text and binary, block by block; the first six columns of a
// block's first line tell its kind. Displacement fields on the same nodes form one group of shapes.
#include "calculix/frd.h"

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

#include "femflex/byte_order.h"
#include "femflex/element_shape.h"
#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
#include "bytes/line_steps.h"

namespace femflex::importer {
namespace {

struct FrdElement {
  const char* name;  ///< NASTRAN name
  ElementShape shape;
};

/// Element kinds in the order of the type numbers of the format, from 1. Mid nodes are already in
/// NASTRAN's order.
constexpr std::array<FrdElement, 12> kFrdElements{{{"CHEXA", ElementShape::hexahedron8},
                                                   {"CPENTA", ElementShape::wedge6},
                                                   {"CTETRA", ElementShape::tetrahedron4},
                                                   {"CHEXA", ElementShape::hexahedron20},
                                                   {"CPENTA", ElementShape::wedge15},
                                                   {"CTETRA", ElementShape::tetrahedron10},
                                                   {"CTRIA3", ElementShape::triangle3},
                                                   {"CTRIA6", ElementShape::triangle6},
                                                   {"CQUAD4", ElementShape::quad4},
                                                   {"CQUAD8", ElementShape::quad8},
                                                   {"CBAR", ElementShape::bar2},
                                                   {"CBEAM3", ElementShape::bar3}}};

/// `count` columns of a line from column `first` (1-based) on, or fewer if the line ends before.
std::string_view columns(std::string_view line, std::size_t first, std::size_t count) {
  return first - 1 < line.size() ? line.substr(first - 1, count) : std::string_view();
}

class FrdReader {
 public:
  FrdReader(InputFile& file, Diagnostics& diagnostics, Progress& progress)
      : file_(file), diagnostics_(diagnostics), progress_(progress), lines_(file.bytes()) {}

  FileContents read() {
    contents_.encoding = "ascii";
    contents_.program = "CalculiX";
    // E12.5 rounds 1.00000 to half a unit of its sixth digit
    constexpr double kPrecision = 5.1e-6;
    contents_.position_precision = kPrecision;
    bool ended = false;
    while (!ended && lines_.next()) {
      const std::string_view line = lines_.line();
      const std::string_view key = trimmed(columns(line, 1, 6));
      if (line.starts_with("    1U")) {
        read_header(line.substr(6));
      } else if (line.starts_with("    2C")) {
        read_nodes();
      } else if (line.starts_with("    3C")) {
        read_elements();
      } else if (line.starts_with("    1P")) {
        read_parameter(line.substr(6));
      } else if (line.starts_with("  100C")) {
        read_field();
      } else if (key == "9999") {
        ended = true;
      } else if (!line.starts_with("    1C") && !trimmed(line).empty()) {
        fail("line", fmt::format("'{}' is not the start of a block", line.substr(0, 40)));
      }
      report_block();
    }
    if (!ended) {
      diagnostics_.warn("truncated",
                        "the file ends without its last line, 9999: the results may be incomplete",
                        {file_.name(), lines_.number()});
    }
    finish();
    return std::move(contents_);
  }

 private:
  using Blocks = std::map<std::pair<std::string, int>, ElementBlock>;

  /// Shapes of one kind on the same nodes.
  struct Group {
    RawModes modes;
    std::vector<std::vector<double>> shapes;
  };

  /// Stresses or strains, means at the same nodes.
  struct StressGroup {
    RawStress stress;
    std::vector<std::int64_t> points;
    std::vector<std::vector<double>> columns;  ///< one per mode or step, six numbers per node
  };

  [[noreturn]] void fail(const char* code, const std::string& what) const {
    if (base_ > 0)
      throw ParseError(
          code, what, {file_.name(), -1, -1, static_cast<std::int64_t>(base_ + lines_.offset())});
    throw ParseError(code, what, {file_.name(), lines_.number()});
  }

  /// Frees the part of the file that was read, and tells how far that is.
  void report_block() {
    const std::size_t position = base_ + lines_.offset();
    file_.release_before(position);
    progress_.step(static_cast<double>(position));
  }

  void read_header(std::string_view text) {
    if (text.starts_with("VERSION"))
      contents_.program = "CalculiX " + std::string(trimmed(text.substr(7)));
    static constexpr std::array<std::string_view, 10> kIgnored{
        "USER", "DATE", "TIME", "HOST", "PGM", "VERSION", "COMPILETIME", "DIR", "DBN", "MAT"};
    const bool is_ignored =
        std::any_of(kIgnored.begin(), kIgnored.end(), [&](std::string_view word) {
          return text.starts_with(word);
        });
    if (!is_ignored && contents_.title.empty()) contents_.title = trimmed(text);
  }

  /// Number of columns of an id, according to the form given in the head line of the block.
  static std::size_t id_width(std::string_view head) {
    return parse_integer(columns(head, 74, 2)).value_or(1) == 0 ? 5 : 10;
  }

  /// Bytes of a real in the binary block that begins with this line; 0: the block is text.
  static std::size_t real_width(std::string_view head) {
    const std::int64_t form = parse_integer(columns(head, 74, 2)).value_or(1);
    return form == 2 ? sizeof(float) : form == 3 ? sizeof(double) : 0;
  }

  /// Number of nodes or elements of the block that begins with this line.
  std::size_t count_of(std::string_view head) const {
    const auto count = parse_integer(columns(head, 25, 12));
    if (!count || *count < 0) fail("count", "a binary block does not tell its number of members");
    return static_cast<std::size_t>(*count);
  }

  /// The bytes after the current line.
  std::string_view after_line() const { return file_.bytes().substr(base_ + lines_.next_offset()); }

  /// Goes on with the lines that follow `bytes` bytes after the current line.
  void skip_bytes(std::size_t bytes) {
    base_ += lines_.next_offset() + bytes;
    lines_ = Lines(file_.bytes().substr(base_));
    contents_.encoding = "binary";
  }

  void warn_truncated(const std::string& block) {
    diagnostics_.warn("truncated",
                      fmt::format("the file ends inside a block of {}", block),
                      {file_.name(), lines_.number()});
  }

  /// The number of members of `size` bytes that the rest of the file holds, at most `wanted`; a
  /// warning if there are fewer.
  std::size_t available(std::size_t wanted, std::size_t size, const std::string& block) {
    const std::size_t held = after_line().size() / size;
    if (held < wanted) warn_truncated(block);
    return std::min(held, wanted);
  }

  double real_at(const char* at, std::size_t width) const {
    const double value = width == sizeof(float) ? load<float>(at, false) : load<double>(at, false);
    if (!std::isfinite(value)) fail("value", "a number is not finite");
    return value;
  }

  void read_binary_nodes(std::size_t width) {
    const std::size_t size = sizeof(std::int32_t) + 3 * width;
    const std::size_t count = available(count_of(lines_.line()), size, "nodes");
    const char* at = after_line().data();
    for (std::size_t k = 0; k < count; ++k, at += size) {
      RawGrid grid;
      grid.id = load<std::int32_t>(at, false);
      for (std::size_t c = 0; c < 3; ++c)
        grid.x[c] = real_at(at + sizeof(std::int32_t) + c * width, width);
      contents_.grids.push_back(grid);
    }
    constexpr double kSinglePrecision = 1.2e-7;
    contents_.position_precision =
        width == sizeof(float) ? kSinglePrecision : std::numeric_limits<double>::epsilon();
    skip_bytes(count * size);
  }

  void read_binary_elements() {
    constexpr std::size_t kInteger = sizeof(std::int32_t);
    constexpr std::size_t kHead = 4;  // id, type, group, material
    const std::size_t count = count_of(lines_.line());
    const std::string_view bytes = after_line();
    Blocks blocks;
    std::vector<std::int64_t> nodes;
    std::size_t at = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (bytes.size() - at < kHead * kInteger) {
        warn_truncated("elements");
        at = bytes.size();
        break;
      }
      const std::int64_t id = load<std::int32_t>(bytes.data() + at, false);
      const std::int64_t kind = load<std::int32_t>(bytes.data() + at + kInteger, false);
      if (kind < 1 || kind > static_cast<std::int64_t>(kFrdElements.size()))
        fail("element", fmt::format("element {} has the unknown type {}", id, kind));
      const auto& type = kFrdElements[static_cast<std::size_t>(kind) - 1];
      const auto width = static_cast<std::size_t>(topology_of(type.shape).node_count);
      if ((bytes.size() - at) / kInteger < kHead + width) {
        warn_truncated("elements");
        at = bytes.size();
        break;
      }
      nodes.clear();
      for (std::size_t n = 0; n < width; ++n)
        nodes.push_back(load<std::int32_t>(bytes.data() + at + (kHead + n) * kInteger, false));
      store_element(id, kind, nodes, blocks);
      at += (kHead + width) * kInteger;
    }
    for (auto& [key, block] : blocks)
      contents_.elements.push_back(std::move(block));
    skip_bytes(at);
  }

  /// Reads the values of a binary field, behind the lines of its components.
  void read_binary_field(const std::string& name, bool modal, double value, std::string_view head) {
    const std::size_t width = real_width(head);
    const std::size_t count = count_of(head);
    std::size_t stored = 0;  // components in the file: a last field of 1 says that one is derived
    while (lines_.peek().starts_with(" -5") && lines_.next())
      stored += parse_integer(columns(lines_.line(), 34, 5)).value_or(0) == 1 ? 0 : 1;
    if (stored == 0) fail("field", fmt::format("the field {} has no components", name));
    const std::size_t size = sizeof(std::int32_t) + stored * width;
    if (available(count, size, fmt::format("results ({}): it is left out", name)) < count) {
      skip_bytes(after_line().size());
      return;
    }
    const bool is_displacement = name == "DISP" && stored <= 6;
    const bool is_stress = (name == "STRESS" || name == "TOSTRAIN") && stored == 6;
    if (is_displacement || is_stress) {
      const char* at = after_line().data();
      std::vector<std::int64_t> points;
      std::vector<double> shape(6 * count, 0.0);
      for (std::size_t k = 0; k < count; ++k, at += size) {
        points.push_back(load<std::int32_t>(at, false));
        for (std::size_t c = 0; c < stored; ++c)
          shape[6 * k + c] = real_at(at + sizeof(std::int32_t) + c * width, width);
      }
      if (is_displacement)
        add_shape(modal, value, std::move(points), std::move(shape));
      else
        add_stress(name, modal, value, points, shape);
    } else {
      ++unread_[name];
    }
    skip_bytes(count * size);
  }

  /// Adds an element if its type is known and it has the right number of nodes.
  void store_element(std::int64_t id,
                     std::int64_t kind,
                     const std::vector<std::int64_t>& nodes,
                     Blocks& blocks) {
    if (kind < 1 || kind > static_cast<std::int64_t>(kFrdElements.size())) return;
    const FrdElement& type = kFrdElements[static_cast<std::size_t>(kind) - 1];
    const int count = topology_of(type.shape).node_count;
    if (static_cast<int>(nodes.size()) != count) return;
    ElementBlock& block = blocks[{type.name, count}];
    block.type = type.name;
    block.nodes_per_element = count;
    block.ids.push_back(id);
    block.connectivity.insert(block.connectivity.end(), nodes.begin(), nodes.end());
    ++contents_.element_counts[type.name];
  }

  std::int64_t take_id(std::string_view line, std::size_t width) const {
    const auto id = parse_integer(columns(line, 4, width));
    if (!id) {
      fail("node",
           fmt::format("'{}' has no number in columns 4 to {}", line.substr(0, 40), 3 + width));
    }
    return *id;
  }

  /// Reads numbers of 12 columns each, which may touch.
  void take_values(std::string_view line, std::size_t from, std::vector<double>& values) const {
    for (std::size_t at = from; at < line.size(); at += 12) {
      std::string_view field = line.substr(at, 12);
      if (trimmed(field).empty()) break;
      double value = 0.0;
      if (!take_real(field, value) || !trimmed(field).empty())
        fail("value", fmt::format("'{}' is not a number", line.substr(at, 12)));
      values.push_back(value);
    }
  }

  /// Moves to the next line of a block; false at its end (-3) or, with a warning, at the end of
  /// the file.
  bool next_row(const char* block) {
    if (!lines_.next()) {
      diagnostics_.warn("truncated",
                        fmt::format("the file ends inside a block of {}", block),
                        {file_.name(), lines_.number()});
      return false;
    }
    report_lines(file_, lines_, progress_);
    return !lines_.line().starts_with(" -3");
  }

  void read_nodes() {
    if (const std::size_t reals = real_width(lines_.line()); reals > 0) {
      read_binary_nodes(reals);
      return;
    }
    const std::size_t width = id_width(lines_.line());
    std::vector<double> values;
    while (next_row("nodes")) {
      const std::string_view line = lines_.line();
      if (!line.starts_with(" -1")) fail("node", "the line of a node must begin with -1");
      values.clear();
      take_values(line, 3 + width, values);
      if (values.size() != 3) {
        if (lines_.remaining() == 0) return;  // the file was cut off inside this line
        fail("node", fmt::format("a node has {} coordinates, expected 3", values.size()));
      }
      RawGrid grid;
      grid.id = take_id(line, width);
      grid.x = {values[0], values[1], values[2]};
      contents_.grids.push_back(grid);
    }
  }

  void read_elements() {
    const std::size_t width = id_width(lines_.line());
    if (real_width(lines_.line()) > 0) {
      read_binary_elements();
      return;
    }
    Blocks blocks;
    std::int64_t id = 0;
    std::int64_t kind = 0;
    std::vector<std::int64_t> nodes;
    while (next_row("elements")) {
      std::string_view line = lines_.line();
      if (line.starts_with(" -1")) {
        store_element(id, kind, nodes, blocks);
        nodes.clear();
        id = take_id(line, width);
        kind = parse_integer(columns(line, 4 + width, 5)).value_or(0);
      } else if (line.starts_with(" -2")) {
        for (std::size_t at = 3; at < line.size(); at += width) {
          const auto node = parse_integer(line.substr(at, width));
          if (!node) break;
          nodes.push_back(*node);
        }
      } else {
        fail("element", "the line of an element must begin with -1 or -2");
      }
    }
    store_element(id, kind, nodes, blocks);
    for (auto& [key, block] : blocks)
      contents_.elements.push_back(std::move(block));
  }

  void read_parameter(std::string_view text) {
    const auto value = [&] { return parse_real(text.substr(3).substr(0, 40)); };
    if (text.starts_with("STEP")) {
      generalised_mass_.reset();
      eigenvalue_.reset();
    } else if (text.starts_with("GM ")) {
      generalised_mass_ = value();
    } else if (text.starts_with("GK ")) {
      eigenvalue_ = value();
    }
  }

  void read_field() {
    const std::string_view head = lines_.line();
    const std::size_t width = id_width(head);
    const double value = parse_real(columns(head, 13, 12)).value_or(0.0);
    const bool modal = parse_integer(columns(head, 57, 2)).value_or(0) == 2;
    if (!next_row("results")) return;
    if (!lines_.line().starts_with(" -4"))
      fail("field", "expected a line -4 with the name of the field");
    const std::string name(trimmed(columns(lines_.line(), 6, 8)));
    if (real_width(head) > 0) {
      read_binary_field(name, modal, value, head);
      return;
    }
    const bool is_displacement = name == "DISP";
    bool is_stress = name == "STRESS" || name == "TOSTRAIN";
    std::vector<std::int64_t> points;
    std::vector<double> shape;
    std::vector<double> row;
    bool has_six = true;
    const auto store = [&] {
      if (row.empty()) return;
      has_six = has_six && row.size() == 6;
      row.resize(6, 0.0);
      shape.insert(shape.end(), row.begin(), row.end());
      row.clear();
    };
    for (;;) {
      if (!lines_.next()) {
        diagnostics_.warn("truncated",
                          fmt::format("the file ends inside the field {}: it is left out", name),
                          {file_.name(), lines_.number()});
        return;
      }
      const std::string_view line = lines_.line();
      if (line.starts_with(" -3")) break;
      if (!(is_displacement || is_stress) || line.starts_with(" -5")) continue;
      // stresses that overflowed (NaN, ****) are skipped, so that the shapes can still be read
      if (is_stress && line.find_first_not_of("0123456789+-.Ee ") != std::string_view::npos) {
        is_stress = false;
        continue;
      }
      if (line.starts_with(" -1")) {
        store();
        points.push_back(take_id(line, width));
        take_values(line, 3 + width, row);
      } else if (line.starts_with(" -2")) {
        take_values(line, 3 + width, row);
      } else {
        fail("field",
             fmt::format("unexpected line '{}' in the field {}", line.substr(0, 40), name));
      }
      if (row.empty() || row.size() > 6) {
        if (lines_.remaining() == 0) continue;
        fail("field", fmt::format("a node of {} has {} values, expected 1 to 6", name, row.size()));
      }
    }
    if (!(is_displacement || is_stress)) {
      ++unread_[name];
      return;
    }
    store();
    if (shape.size() != 6 * points.size())
      fail("field", fmt::format("a node of {} has no values", name));
    if (is_displacement)
      add_shape(modal, value, std::move(points), std::move(shape));
    else if (has_six)
      add_stress(name, modal, value, points, shape);
    else
      ++unread_[name];
  }

  /// Adds a field of stresses or strains if the last displacement field belongs to the same mode or
  /// step.
  void add_stress(const std::string& name,
                  bool modal,
                  double value,
                  const std::vector<std::int64_t>& points,
                  const std::vector<double>& values) {
    if (!last_shape_ || last_shape_->first != modal || last_shape_->second != value) {
      ++unread_[name + " without displacements"];
      return;
    }
    const auto kind = modal ? RawModes::Kind::normal : RawModes::Kind::displacement;
    const auto matches = [&](const StressGroup& group) {
      return group.stress.source == name && group.stress.kind == kind && group.points == points;
    };
    auto group = std::find_if(stresses_.begin(), stresses_.end(), matches);
    if (group == stresses_.end()) {
      stresses_.emplace_back();
      group = stresses_.end() - 1;
      group->points = points;
      group->stress.source = name;
      group->stress.type = "NODE";
      group->stress.kind = kind;
      group->stress.is_strain = name == "TOSTRAIN";
      group->stress.subcase = 1;
      constexpr std::uint8_t kAllSix = 63;
      for (const std::int64_t point : points)
        group->stress.places.push_back({.node = point,
                                        .kind = FeStressPlace::Kind::node,
                                        .axes = FeStressPlace::Axes::basic,
                                        .components = kAllSix});
    }
    group->stress.numbers.push_back(modal ? modes_ : steps_);
    group->columns.push_back(values);
    if (!group->stress.is_strain) return;
    std::vector<double>& column = group->columns.back();
    for (std::size_t k = 0; k < column.size(); ++k)
      if (k % 6 >= 3) column[k] *= 2.0;  // engineering shear strain: gamma_xy = 2 epsilon_xy
  }

  /// Adds a displacement field. `value` is the frequency [Hz] of a mode, or the time of a step.
  void add_shape(bool modal,
                 double value,
                 std::vector<std::int64_t> points,
                 std::vector<double> shape) {
    const auto kind = modal ? RawModes::Kind::normal : RawModes::Kind::displacement;
    if (groups_.empty() || groups_.back().modes.kind != kind ||
        groups_.back().modes.points != points) {
      groups_.emplace_back();
      RawModes& modes = groups_.back().modes;
      modes.source = "DISP";
      modes.kind = kind;
      modes.frame = RawModes::Frame::basic;
      modes.subcase = 1;
      modes.single_precision = true;
      modes.is_scalar.assign(points.size(), 0);
      modes.points = std::move(points);
    }
    Group& group = groups_.back();
    last_shape_ = {modal, value};
    group.modes.numbers.push_back(modal ? ++modes_ : ++steps_);
    group.shapes.push_back(std::move(shape));
    if (modal) {
      const double omega = 2.0 * std::numbers::pi * value;
      group.modes.frequencies_hz.push_back(value);
      // the frequency has up to 10 digits but no sign; 1PGK has 7 digits and the sign
      const double sign = eigenvalue_ && *eigenvalue_ < 0.0 ? -1.0 : 1.0;
      group.modes.eigenvalues.push_back(value != 0.0 ? sign * omega * omega
                                                     : eigenvalue_.value_or(0.0));
      if (generalised_mass_) group.modes.generalised_mass.push_back(*generalised_mass_);
    }
    eigenvalue_.reset();
    generalised_mass_.reset();
  }

  void finish() {
    for (Group& group : groups_) {
      RawModes& modes = group.modes;
      const auto rows = static_cast<Eigen::Index>(6 * modes.points.size());
      modes.shapes.resize(rows, static_cast<Eigen::Index>(group.shapes.size()));
      for (std::size_t j = 0; j < group.shapes.size(); ++j) {
        modes.shapes.col(static_cast<Eigen::Index>(j)) =
            Eigen::Map<const Eigen::VectorXd>(group.shapes[j].data(), rows);
      }
      if (modes.generalised_mass.size() != group.shapes.size()) modes.generalised_mass.clear();
      contents_.modes.push_back(std::move(modes));
    }
    for (StressGroup& group : stresses_) {
      RawStress& stress = group.stress;
      const auto rows = static_cast<Eigen::Index>(6 * group.points.size());
      stress.values.resize(rows, static_cast<Eigen::Index>(group.columns.size()));
      for (std::size_t j = 0; j < group.columns.size(); ++j)
        stress.values.col(static_cast<Eigen::Index>(j)) =
            Eigen::Map<const Eigen::VectorXd>(group.columns[j].data(), rows);
      contents_.stresses.push_back(std::move(stress));
    }
    for (const auto& [name, count] : unread_)
      contents_.unread.push_back({name, count});
  }

  InputFile& file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  Lines lines_;
  std::size_t base_ = 0;  ///< position in the file of the text that lines_ walks through
  FileContents contents_;
  std::vector<Group> groups_;
  std::vector<StressGroup> stresses_;
  std::int64_t modes_ = 0, steps_ = 0;                 ///< shapes of each kind so far
  std::optional<std::pair<bool, double>> last_shape_;  ///< modal, and frequency or time
  std::optional<double> eigenvalue_, generalised_mass_;
  std::map<std::string, std::int64_t> unread_;
};

}  // namespace

bool is_frd(const FileHead& head) {
  if (!head.bytes.starts_with("    1C") && !head.bytes.starts_with("    1U") &&
      !head.bytes.starts_with("    2C"))
    return false;
  return head.bytes.find("\n    1U") != std::string_view::npos ||
         head.bytes.find("    2C") != std::string_view::npos;
}

FileContents read_frd(const std::filesystem::path& path,
                      const ReadOptions& /*options*/,
                      Diagnostics& diagnostics,
                      Progress& progress) {
  InputFile file(path);
  return FrdReader(file, diagnostics, progress).read();
}

}  // namespace femflex::importer
