// Reads CalculiX result files (.frd), text and binary, block by block; the first six columns of a
// block's first line tell its kind.
#include "calculix/frd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
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
#include "calculix/frd_binary.h"
#include "calculix/frd_results.h"
#include "raw_shapes.h"

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
  FrdReader(InputFile& file,
            const ReadOptions& options,
            Diagnostics& diagnostics,
            Progress& progress)
      : file_(file),
        options_(options),
        diagnostics_(diagnostics),
        progress_(progress),
        lines_(file.bytes()) {}

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
    const BinaryEntries entries{after_line().data(), count, stored, width};
    const std::size_t size = entries.stride();
    if (available(count, size, fmt::format("results ({}): it is left out", name)) < count) {
      skip_bytes(after_line().size());
      return;
    }
    const bool is_displacement = name == "DISP" && stored <= 6;
    const bool is_stress = (name == "STRESS" || name == "TOSTRAIN") && stored == 6;
    if (is_displacement || is_stress)
      copy_binary_field(entries,
                        FrdField{.name = name,
                                 .is_modal = modal,
                                 .frequency_or_time = value,
                                 .components = components_for(stored)});
    else
      ++unread_[name];
    skip_bytes(count * size);
  }

  void copy_binary_field(const BinaryEntries& entries, FrdField field) {
    const std::string name = field.name;
    const std::span<const std::int64_t> last = results_.nodes_of_last_group(field);
    bool all = options_.keep_nodes == nullptr && !last.empty() && last.size() == entries.count;
    for (std::size_t k = 0; all && k < entries.count; ++k)
      all = entries.id(k) == last[k];
    field.is_on_last_nodes = all;
    if (!all) field.nodes = kept_points(entries);
    const std::size_t expected =
        after_line().size() / std::max<std::size_t>(entries.count * entries.stride(), 1);
    if (name == "DISP") {
      double* const to = results_.new_shape(std::move(field), expected);
      if (!copy_entries(entries, all ? nullptr : &places_, to))
        fail("value", "a number is not finite");
      return;
    }
    double* const to = results_.new_stress(std::move(field), expected);
    if (to == nullptr) {
      ++unread_[name + " without displacements"];
    } else if (copy_entries(entries, all ? nullptr : &places_, to)) {
      results_.double_shear_strains();
    } else {  // stresses that overflowed are left out, so that the shapes can still be read
      results_.drop_stress();
      ++unread_[name];
    }
  }

  /// The ids of the entries of a field that are wanted; their places are put into places_.
  std::vector<std::int64_t> kept_points(const BinaryEntries& entries) {
    std::vector<std::int64_t> points;
    points.reserve(options_.keep_nodes == nullptr ? entries.count : 0);
    places_.clear();
    places_.reserve(options_.keep_nodes == nullptr ? entries.count : 0);
    for (std::size_t k = 0; k < entries.count; ++k) {
      const std::int64_t id = entries.id(k);
      if (!options_.keeps(id)) continue;
      points.push_back(id);
      places_.push_back(k);
    }
    return points;
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
    if (text.starts_with("STEP"))
      results_.begin_step();
    else if (text.starts_with("GM "))
      results_.set_generalised_mass(value());
    else if (text.starts_with("GK "))
      results_.set_eigenvalue(value());
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
    bool has_six = true, is_kept = true;
    std::size_t most = 1;  // values of a node
    const auto store = [&] {
      if (row.empty()) return;
      has_six = has_six && row.size() == 6;
      most = std::max(most, row.size());
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
        const std::int64_t id = take_id(line, width);
        is_kept = options_.keeps(id);
        if (is_kept) points.push_back(id);
      }
      if (!is_kept && (line.starts_with(" -1") || line.starts_with(" -2"))) continue;
      if (line.starts_with(" -1") || line.starts_with(" -2")) {
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
    const bool is_whole = is_displacement || has_six;
    FrdField field{
        .name = name, .is_modal = modal, .frequency_or_time = value, .nodes = std::move(points)};
    if (is_displacement) field.components = components_for(most);
    if (is_whole)
      add_text_field(std::move(field), shape);
    else
      ++unread_[name];
  }

  /// Adds a field of a text file. `values`: six for each node, of which displacements take three if
  /// these are all that the file gives.
  void add_text_field(FrdField field, const std::vector<double>& values) {
    const bool is_displacement = field.name == "DISP";
    const std::string name = field.name;
    const std::size_t count = field.nodes.size();
    const auto per_node = static_cast<std::size_t>(field.components);
    double* const to = is_displacement ? results_.new_shape(std::move(field), 0)
                                       : results_.new_stress(std::move(field), 0);
    if (to == nullptr) {
      ++unread_[name + " without displacements"];
      return;
    }
    for (std::size_t k = 0; k < count; ++k)
      std::copy_n(values.data() + 6 * k, per_node, to + per_node * k);
    if (!is_displacement) results_.double_shear_strains();
  }

  void finish() {
    results_.finish(contents_);
    for (const auto& [name, count] : unread_)
      contents_.unread.push_back({name, count});
  }

  InputFile& file_;
  const ReadOptions& options_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  Lines lines_;
  std::size_t base_ = 0;  ///< position in the file of the text that lines_ walks through
  FileContents contents_;
  FrdResults results_;
  std::vector<std::size_t> places_;  ///< wanted entries of the current binary field
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
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress) {
  InputFile file(path);
  return FrdReader(file, options, diagnostics, progress).read();
}

}  // namespace femflex::importer
