// Reads ANSYS archives command by command. Blocks of nodes, elements and components are read here;
// AnsysDeckLoads reads supports and forces, AnsysSelection the selection of nodes.
#include "ansys/deck.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "ansys/block_columns.h"
#include "ansys/commands.h"
#include "ansys/deck_loads.h"
#include "ansys/elements.h"
#include "ansys/selection.h"
#include "ansys/units.h"
#include "bytes/comma_fields.h"
#include "bytes/input_file.h"
#include "bytes/line_steps.h"

namespace femflex::importer {
namespace {

/// Commands that are counted as unread: constraint equations, loads, masses, materials, and nodes
/// or elements made outside the blocks.
constexpr std::array<std::string_view, 25> kCountedCommands{
    "M",  "N",      "NGEN",  "NROTAT", "E",     "EN",      "EGEN",  "CE",     "CEINTF",
    "CP", "CPINTF", "CERIG", "RBE3",   "R",     "RLBLOCK", "MP",    "MPDATA", "SFE",
    "SF", "SFBEAM", "BF",    "ACEL",   "OMEGA", "CMOMEGA", "FSCALE"};

/// A block: its name and how many rows its head announces; 0: it does not say.
struct Block {
  const char* name;
  std::int64_t announced = 0, rows = 0;

  bool is_complete() const { return announced > 0 && rows >= announced; }
};

/// True for N,R5.3,LOC,-1, which ends a block of nodes.
bool ends_nodes(const std::string& name, const std::vector<std::string_view>& fields) {
  return name == "N" && fields.size() > 3 && upper_case(fields[2]) == "LOC" && fields[3] == "-1";
}

/// True if no field after the name is another number than 0.
bool has_zeros_only(const std::vector<std::string_view>& fields) {
  return std::all_of(fields.begin() + 1, fields.end(), [](std::string_view field) {
    return field.empty() || parse_real(field) == std::optional(0.0);
  });
}

class AnsysDeckReader {
 public:
  AnsysDeckReader(InputFile& file, Diagnostics& diagnostics, Progress& progress)
      : file_(file), diagnostics_(diagnostics), progress_(progress), lines_(file.bytes()) {}

  FileContents read() {
    contents_.encoding = "ascii";
    contents_.program = "ANSYS";
    while (lines_.next()) {
      for (const std::string_view each : ansys_commands(lines_.line())) {
        const std::vector<std::string_view> fields = comma_fields(each);
        command(ansys_command_name(fields[0]), fields, each);
      }
      report_lines(file_, lines_, progress_);
    }
    finish();
    return std::move(contents_);
  }

 private:
  [[noreturn]] void fail(const char* code, const std::string& what) const {
    throw ParseError(code, what, {file_.name(), lines_.number()});
  }

  void command(const std::string& name,
               const std::vector<std::string_view>& fields,
               std::string_view line) {
    if (name == "NBLOCK") {
      has_nodes_ = true;
      read_nodes(fields);
    } else if (name == "EBLOCK") {
      read_elements(fields);
    } else if (name == "ET") {
      if (fields.size() > 2) add_type(fields[1], fields[2]);
    } else if (name == "ETBLOCK") {
      read_types(fields);
    } else if (name == "CMBLOCK") {
      read_component(fields);
    } else if (AnsysDeckLoads::is_load_command(name)) {
      if (!loads_.read(name, fields))
        ++unread_[name];
      else if (name == "D" && AnsysDeckLoads::moves_support(fields))
        ++unread_["D with a value other than 0"];
    } else if (name == "CMDELE") {
      delete_component(fields);
    } else if (name == "/TITLE") {
      const std::size_t comma = line.find(',');
      if (contents_.title.empty() && comma != std::string_view::npos)
        contents_.title = trimmed(line.substr(comma + 1));
    } else if (name == "/UNITS") {
      read_units(fields);
    } else {
      take_other(name, fields);
    }
  }

  /// Commands that command() does not name: those that select nodes, and those that are only
  /// counted.
  void take_other(const std::string& name, const std::vector<std::string_view>& fields) {
    if (ends_nodes(name, fields)) return;
    if (selection_.take(name, fields)) {
      if (name == "CM" && !selection_.is_known()) ++unread_["CM of unknown nodes"];
      return;
    }
    if ((name == "ACEL" || name == "OMEGA") && has_zeros_only(fields)) return;  // CDWRITE's own
    if (std::find(kCountedCommands.begin(), kCountedCommands.end(), name) != kCountedCommands.end())
      ++unread_[name];
  }

  /// Reads the format line of a block.
  BlockColumns read_columns(const char* block) {
    if (!lines_.next()) fail("truncated", fmt::format("the file ends after {}", block));
    const std::optional<BlockColumns> out = block_columns_of(trimmed(lines_.line()));
    if (!out)
      fail(
          "format",
          fmt::format("'{}' is not a format such as (3i9,6e21.13e3)", lines_.line().substr(0, 40)));
    return *out;
  }

  /// Field `k` of the head of a block as a number; 0 if it has none.
  static std::int64_t number_in(const std::vector<std::string_view>& fields, std::size_t k) {
    return fields.size() > k ? parse_integer(fields[k]).value_or(0) : 0;
  }

  /// Moves to the next row of a block; false at its end: -1, and N,R5.3,LOC,-1 for nodes. A block
  /// with all rows that its head announces may end at any other line.
  bool next_row(Block& block) {
    if (!lines_.next()) {
      if (block.is_complete()) return false;
      fail("truncated", fmt::format("the file ends inside {}", block.name));
    }
    report_lines(file_, lines_, progress_);
    const std::string_view line = trimmed(lines_.line());
    if (ends_block(line)) {
      check_count(block);
      return false;
    }
    if (!line.empty() && (line.front() == '-' || is_digit(line.front()))) {
      ++block.rows;
      return true;
    }
    if (line.starts_with("**"))
      fail("number", fmt::format("a number of {} did not fit its columns", block.name));
    if (!block.is_complete())
      fail("truncated",
           fmt::format("{} stops after {} rows at '{}', without -1",
                       block.name,
                       block.rows,
                       line.substr(0, 40)));
    lines_.back();
    return false;
  }

  static bool ends_block(std::string_view line) {
    if (line == "-1" || line.starts_with("-1,")) return true;
    if (!line.starts_with("N,") && !line.starts_with("n,")) return false;
    const std::vector<std::string_view> fields = comma_fields(line);
    return ends_nodes("N", fields);
  }

  void check_count(const Block& block) {
    if (block.rows < block.announced)
      diagnostics_.warn(
          "block-count",
          fmt::format("{} announces {} rows, but has {}; check that the file is whole",
                      block.name,
                      block.announced,
                      block.rows),
          {file_.name(), lines_.number()});
  }

  std::int64_t integer_at(const BlockColumns& columns, std::size_t column) const {
    const std::string_view line = lines_.line();
    if (column >= columns.integers.size() || columns.integers[column].start >= line.size())
      return 0;
    const auto& [at, width] = columns.integers[column];
    std::string_view field = line.substr(at, width);
    std::int64_t value = 0;
    // text left in the field means that the columns are not as wide as the format says
    if ((!take_integer(field, value) || !field.empty()) && !trimmed(field).empty())
      fail("number",
           fmt::format("'{}' is not an integer in the columns of the format",
                       line.substr(at, width)));
    return value;
  }

  void read_nodes(const std::vector<std::string_view>& fields) {
    constexpr std::size_t kCount = 4;  // behind the largest number of a node
    const BlockColumns columns = read_columns("NBLOCK");
    if (columns.real_width == 0) fail("format", "the format of NBLOCK has no reals");
    Block block{"NBLOCK", number_in(fields, kCount)};
    while (next_row(block)) {
      const std::string_view line = lines_.line();
      const std::int64_t id = integer_at(columns, 0);
      if (id < 1) fail("node", fmt::format("{} is not the number of a node", id));
      std::array<double, 6> values{};
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::size_t at = columns.real_start + k * columns.real_width;
        if (at >= line.size()) break;
        std::string_view field = line.substr(at, columns.real_width);
        if ((!take_real(field, values[k]) || !field.empty()) && !trimmed(field).empty())
          fail("number",
               fmt::format("'{}' is not a number in the columns of the format",
                           line.substr(at, columns.real_width)));
      }
      RawGrid grid;
      grid.id = id;
      grid.x = {values[0], values[1], values[2]};
      grid.displacement_system = axes_.system_of({values[3], values[4], values[5]});
      contents_.grids.push_back(std::move(grid));
    }
  }

  void read_elements(const std::vector<std::string_view>& fields) {
    if (fields.size() < 3 || upper_case(fields[2]) != "SOLID") {
      ++unread_["EBLOCK without SOLID"];
      return;
    }
    const BlockColumns columns = read_columns("EBLOCK");
    constexpr std::size_t kType = 1, kNodeCount = 8, kNumber = 10, kFirst = 11, kOnFirstLine = 8;
    constexpr std::int64_t kMostNodes = 1000;  // superelements and contact areas have hundreds
    constexpr std::size_t kCount = 4;          // behind the largest number of an element
    Block block{"EBLOCK", number_in(fields, kCount)};
    std::vector<std::int64_t> nodes;
    while (next_row(block)) {
      const std::int64_t count = integer_at(columns, kNodeCount);
      const std::int64_t type = integer_at(columns, kType);
      const std::int64_t id = integer_at(columns, kNumber);
      if (count < 0 || count > kMostNodes)
        fail("element", fmt::format("element {} claims {} nodes", id, count));
      nodes.clear();
      const auto wanted = static_cast<std::size_t>(count);
      std::size_t place = kFirst;
      for (std::size_t k = 0; k < wanted; ++k, ++place) {
        if (k == kOnFirstLine || place == columns.integers.size()) {
          if (!lines_.next()) fail("truncated", fmt::format("the file ends inside element {}", id));
          place = 0;
        }
        if (columns.integers[place].start >= lines_.line().size())
          fail("truncated",
               fmt::format("element {} has {} of its {} nodes", id, nodes.size(), count));
        nodes.push_back(integer_at(columns, place));
      }
      rows_.push_back({type, id, elements_nodes_.size(), wanted});
      elements_nodes_.insert(elements_nodes_.end(), nodes.begin(), nodes.end());
    }
  }

  /// `what`: 186, SOLID186.
  void add_type(std::string_view number, std::string_view what) {
    const auto type = parse_integer(number);
    const std::size_t digits = what.find_last_not_of("0123456789");
    const auto routine =
        parse_integer(digits == std::string_view::npos ? what : what.substr(digits + 1));
    if (type && routine) routines_[*type] = *routine;
  }

  void read_types(const std::vector<std::string_view>& fields) {
    const BlockColumns columns = read_columns("ETBLOCK");
    Block block{"ETBLOCK", number_in(fields, 1)};
    while (next_row(block))
      routines_[integer_at(columns, 0)] = integer_at(columns, 1);
  }

  void read_component(const std::vector<std::string_view>& fields) {
    const bool is_nodes = fields.size() > 2 && upper_case(fields[2]).starts_with("NODE");
    const BlockColumns columns = read_columns("CMBLOCK");
    std::vector<std::int64_t> ids;
    std::int64_t left = number_in(fields, 3);
    while (left > 0) {
      move_to_numbers(left);
      for (std::size_t k = 0; k < columns.integers.size() && left > 0 &&
                              columns.integers[k].start < lines_.line().size();
           ++k, --left)
        add_member(integer_at(columns, k), ids);
    }
    if (is_nodes)
      selection_.add_component(fields[1], ids);
    else if (fields.size() > 1)
      selection_.add_other_component(fields[1]);
  }

  void delete_component(const std::vector<std::string_view>& fields) {
    if (fields.size() > 1) selection_.remove_component(upper_case(fields[1]));
  }

  /// Moves to the next row of a component. As next_row(), but -1 does not end the block; its end
  /// follows from the number of items.
  void move_to_numbers(std::int64_t left) {
    if (!lines_.next()) fail("truncated", "the file ends inside CMBLOCK");
    const std::string_view line = trimmed(lines_.line());
    if (line.empty() || (line.front() != '-' && !is_digit(line.front())))
      fail("truncated",
           fmt::format(
               "CMBLOCK stops at '{}', {} numbers before its end", line.substr(0, 40), left));
  }

  void add_member(std::int64_t number, std::vector<std::int64_t>& ids) const {
    if (number >= 0 || ids.empty()) {
      if (number > 0) ids.push_back(number);
      return;
    }
    constexpr std::int64_t kMostMembers = 10'000'000;  // a range is a few bytes of text
    const std::int64_t last = ids.back();
    if (-number < last || -number - last > kMostMembers)
      fail("component", fmt::format("{} to {} is not a range of nodes", last, -number));
    for (std::int64_t id = last + 1; id <= -number; ++id)
      ids.push_back(id);
  }

  void read_units(const std::vector<std::string_view>& fields) {
    if (fields.size() < 2) return;
    const AnsysUnits* units = find_ansys_units(upper_case(fields[1]));
    contents_.units = units != nullptr ? units->units() : std::nullopt;
    if (units != nullptr && !contents_.units) ++unread_["/UNITS"];
  }

  void finish() {
    if (!has_nodes_)
      throw ParseError("no-nodes",
                       "is input of ANSYS without a block of nodes (NBLOCK)",
                       {file_.name()},
                       "write the mesh as an archive, CDWRITE,DB,part,cdb");
    AnsysElements elements;
    for (const ElementRow& row : rows_) {
      const auto routine = routines_.find(row.type);
      elements.add(routine == routines_.end() ? 0 : routine->second,
                   row.id,
                   std::span(elements_nodes_).subspan(row.first, row.count));
    }
    elements.finish(contents_);
    contents_.node_sets = selection_.components();
    loads_.store_load_set();
    warn_of_unread_loads(unread_, file_.name(), diagnostics_);
    contents_.systems = axes_.take();
    std::map<std::int64_t, std::int64_t> rotated;
    for (const RawGrid& grid : contents_.grids)
      if (grid.displacement_system != 0) rotated.emplace(grid.id, grid.displacement_system);
    for (RawForce& force : contents_.loads.forces)
      if (const auto found = rotated.find(force.node); found != rotated.end())
        force.system = found->second;
    for (const auto& [what, count] : unread_)
      contents_.unread.push_back({what, count});
  }

  struct ElementRow {
    std::int64_t type = 0, id = 0;
    std::size_t first = 0, count = 0;  ///< in elements_nodes_
  };

  InputFile& file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  Lines lines_;
  FileContents contents_;
  AnsysSelection selection_{contents_.grids};
  AnsysDeckLoads loads_{selection_, contents_.fixed, contents_.loads};
  bool has_nodes_ = false;
  AnsysNodeAxes axes_;
  std::map<std::int64_t, std::int64_t> routines_;  ///< routine number by element type
  std::vector<ElementRow> rows_;
  std::vector<std::int64_t> elements_nodes_;
  std::map<std::string, std::int64_t> unread_;
};

}  // namespace

bool is_ansys_deck(const FileHead& head) {
  for (const std::string_view word : {"NBLOCK,", "nblock,"})
    for (std::size_t at = head.bytes.find(word); at != std::string_view::npos;
         at = head.bytes.find(word, at + 1))
      if (at == 0 || head.bytes[at - 1] == '\n' || head.bytes[at - 1] == '\r') return true;
  // an archive may begin with arrays of any length
  return head.bytes.starts_with("/COM,ANSYS") && head.bytes.size() < head.size;
}

FileContents read_ansys_deck(const std::filesystem::path& path,
                             const ReadOptions& /*options*/,
                             Diagnostics& diagnostics,
                             Progress& progress) {
  InputFile file(path);
  return AnsysDeckReader(file, diagnostics, progress).read();
}

}  // namespace femflex::importer
