// Reads ANSYS archives command by command; blocks have columns of fixed width.
#include "ansys/deck.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "ansys/elements.h"
#include "bytes/input_file.h"
#include "bytes/line_steps.h"

namespace femflex::importer {
namespace {

constexpr std::array<std::string_view, 6> kAnsysDofLabels{"UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"};
constexpr std::array<std::string_view, 6> kAnsysForceLabels{"FX", "FY", "FZ", "MX", "MY", "MZ"};

/// The set of loads before the first SOLVE; each SOLVE makes a set of the forces that are present.
constexpr std::int64_t kAnsysFirstLoadSet = 1;

/// Commands that tie or weigh nodes, or make some, by other ways than the blocks.
constexpr std::array<std::string_view, 20> kCountedCommands{
    "M",  "N",      "E",   "EN", "CE", "CP",   "CERIG", "RBE3", "R",     "RLBLOCK",
    "MP", "MPDATA", "SFE", "SF", "BF", "ACEL", "DDELE", "FCUM", "FDELE", "FSCALE"};

/// Commands that select nodes by the entities that they belong to.
constexpr std::array<std::string_view, 5> kAnsysSelections{"NSLA", "NSLE", "NSLK", "NSLL", "NSLV"};

/// The command of a line in upper case, and its fields.
std::vector<std::string_view> command_fields(std::string_view line) {
  line = line.substr(0, line.find('!'));
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t comma = line.find(',');
    out.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

constexpr std::size_t kNoText = std::string_view::npos;

/// Columns of a block, from a Fortran format such as (3i9,6e21.13e3) or (1i7,2i9,6e21.13).
struct BlockColumns {
  struct Field {
    std::size_t start = 0, width = 0;
  };
  std::vector<Field> integers;
  std::size_t real_start = 0, real_width = 0;
};

class AnsysDeckReader {
 public:
  AnsysDeckReader(InputFile& file, Diagnostics& diagnostics, Progress& progress)
      : file_(file), diagnostics_(diagnostics), progress_(progress), lines_(file.bytes()) {}

  FileContents read() {
    contents_.encoding = "ascii";
    contents_.program = "ANSYS";
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.empty() || line.front() == '!') continue;
      const std::vector<std::string_view> fields = command_fields(line);
      command(upper_case(fields[0]), fields, line);
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
      read_nodes();
    } else if (name == "EBLOCK") {
      read_elements(fields);
    } else if (name == "ET") {
      if (fields.size() > 2) add_type(fields[1], fields[2]);
    } else if (name == "ETBLOCK") {
      read_types();
    } else if (name == "CMBLOCK") {
      read_component(fields);
    } else if (name == "D") {
      add_constraint(fields);
    } else if (name == "F") {
      add_force(fields);
    } else if (name == "FDELE" && fields.size() > 1) {
      delete_forces(fields);
    } else if (name == "DDELE" && fields.size() > 1) {
      delete_constraints(fields);
    } else if (name == "FCUM") {
      read_sum_rule(fields);
    } else if (name == "SOLVE") {
      store_load_set();
    } else if (name == "CMSEL" || name == "NSEL" || name == "ALLSEL") {
      select_nodes(name, fields);
    } else if (std::find(kAnsysSelections.begin(), kAnsysSelections.end(), name) !=
               kAnsysSelections.end()) {
      selection_ = Selection::unknown;
    } else if (name == "CM") {
      name_selection(fields);
    } else if (name == "CMDELE" || name == "CMDEL") {
      delete_component(fields);
    } else if (name == "/TITLE") {
      const std::size_t comma = line.find(',');
      if (contents_.title.empty() && comma != std::string_view::npos)
        contents_.title = trimmed(line.substr(comma + 1));
    } else if (name == "/UNITS") {
      read_units(fields);
    } else if (name == "N" && fields.size() > 3 && fields[3] == "-1") {
      // the end of an NBLOCK: N,R5.3,LOC,-1
    } else if (std::find(kCountedCommands.begin(), kCountedCommands.end(), name) !=
               kCountedCommands.end()) {
      ++unread_[name];
    }
  }

  /// Reads the format line of a block.
  BlockColumns read_columns(const char* block) {
    if (!lines_.next()) fail("truncated", fmt::format("the file ends after {}", block));
    std::string_view text = trimmed(lines_.line());
    BlockColumns out;
    std::size_t end = 0;                         // of the fields so far
    constexpr std::int64_t kMostDigits = 18;     // what 64 bits hold
    constexpr std::int64_t kMostColumns = 1000;  // a line of a deck has a few hundred
    const auto refuse = [&] {
      fail(
          "format",
          fmt::format("'{}' is not a format such as (3i9,6e21.13e3)", lines_.line().substr(0, 40)));
    };
    if (!text.starts_with("(") || !text.ends_with(")")) refuse();
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
      std::int64_t count = 1;
      std::int64_t width = 0;
      if (text.front() >= '0' && text.front() <= '9') take_integer(text, count);
      const char kind = text.empty() ? ' ' : text.front();
      text.remove_prefix(text.empty() ? 0 : 1);
      if (!take_integer(text, width) || count < 1 || width < 1 || count > kMostColumns ||
          width > kMostColumns)
        refuse();
      if (kind == 'i' || kind == 'I') {
        if (width > kMostDigits) refuse();
        for (std::int64_t k = 0; k < count; ++k)
          out.integers.push_back(
              {end + static_cast<std::size_t>(k * width), static_cast<std::size_t>(width)});
      } else if (out.real_width == 0 && std::string_view("eEgG").find(kind) != kNoText) {
        out.real_start = end;
        out.real_width = static_cast<std::size_t>(width);
      }
      end += static_cast<std::size_t>(count * width);
      const std::size_t comma = text.find(',');
      text.remove_prefix(comma == kNoText ? text.size() : comma + 1);
    }
    if (out.integers.empty() || out.integers.size() > kMostColumns) refuse();
    return out;
  }

  /// Moves to the next line of a block; false at its end: -1, or a line that is not a number.
  bool next_row(const char* block) {
    if (!lines_.next()) fail("truncated", fmt::format("the file ends inside {}", block));
    report_lines(file_, lines_, progress_);
    std::string_view line = trimmed(lines_.line());
    if (line.empty()) return false;
    const bool is_number = line.front() == '-' || (line.front() >= '0' && line.front() <= '9');
    if (!is_number && line.starts_with("**"))
      fail("number", fmt::format("a number of {} did not fit its columns", block));
    if (!is_number) lines_.back();
    return is_number && line != "-1" && !line.starts_with("-1,");
  }

  std::int64_t integer_at(const BlockColumns& columns, std::size_t column) const {
    const std::string_view line = lines_.line();
    if (column >= columns.integers.size() || columns.integers[column].start >= line.size())
      return 0;
    const auto& [at, width] = columns.integers[column];
    std::string_view field = line.substr(at, width);
    std::int64_t value = 0;
    // what is left of the field tells columns of another width
    if ((!take_integer(field, value) || !field.empty()) && !trimmed(field).empty())
      fail("number",
           fmt::format("'{}' is not an integer in the columns of the format",
                       line.substr(at, width)));
    return value;
  }

  void read_nodes() {
    const BlockColumns columns = read_columns("NBLOCK");
    if (columns.real_width == 0) fail("format", "the format of NBLOCK has no reals");
    while (next_row("NBLOCK")) {
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
    std::vector<std::int64_t> nodes;
    while (next_row("EBLOCK")) {
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

  void read_types() {
    const BlockColumns columns = read_columns("ETBLOCK");
    while (next_row("ETBLOCK"))
      routines_[integer_at(columns, 0)] = integer_at(columns, 1);
  }

  void read_component(const std::vector<std::string_view>& fields) {
    const bool is_nodes = fields.size() > 2 && upper_case(fields[2]) == "NODE";
    const BlockColumns columns = read_columns("CMBLOCK");
    std::vector<std::int64_t> unused;
    std::vector<std::int64_t>& ids =
        is_nodes ? contents_.node_sets[std::string(fields[1])] : unused;
    ids.clear();  // a name that is given again has the new members alone
    std::int64_t left =
        fields.size() > 3 ? parse_integer(fields[3]).value_or(0) : 0;  // numbers in the block
    while (left > 0 && next_row_of_numbers()) {
      for (std::size_t k = 0; k < columns.integers.size() && left > 0 &&
                              columns.integers[k].start < lines_.line().size();
           ++k, --left)
        add_member(integer_at(columns, k), ids);
    }
    if (is_nodes)
      components_[upper_case(fields[1])] = ids;
    else if (fields.size() > 1)
      other_components_.insert(upper_case(fields[1]));
  }

  void delete_component(const std::vector<std::string_view>& fields) {
    const std::string name = fields.size() > 1 ? upper_case(fields[1]) : "";
    components_.erase(name);
    other_components_.erase(name);
    std::erase_if(contents_.node_sets,
                  [&](const auto& set) { return upper_case(set.first) == name; });
  }

  /// As next_row(), but a block of a component may begin with -1.
  bool next_row_of_numbers() {
    if (!lines_.next()) fail("truncated", "the file ends inside CMBLOCK");
    const std::string_view line = trimmed(lines_.line());
    const bool is_number =
        !line.empty() && (line.front() == '-' || (line.front() >= '0' && line.front() <= '9'));
    if (!is_number) lines_.back();
    return is_number;
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

  /// Follows commands that select nodes, as far as they name components. Other selections by NSEL
  /// leave it open which nodes are selected.
  void select_nodes(const std::string& name, const std::vector<std::string_view>& fields) {
    const auto field = [&](std::size_t k) {
      return k < fields.size() ? upper_case(fields[k]) : std::string();
    };
    // ALLSEL,BELOW selects what belongs to the selected entities
    if (name == "ALLSEL" && field(1) == "BELOW") {
      if (selection_ != Selection::all) selection_ = Selection::unknown;
      return;
    }
    const bool takes_all = name == "ALLSEL" || field(1) == "ALL" ||
                           (name == "CMSEL" && field(1) == "S" && field(2).empty());
    const auto set = name == "CMSEL" ? component(field(2)) : components_.end();
    if (takes_all) {
      selection_ = Selection::all;
    } else if (field(1) == "NONE") {
      selection_ = Selection::listed;
      selected_.clear();
    } else if (name == "CMSEL" && other_components_.contains(field(2))) {
      // a component of elements, say, leaves the nodes as they are
    } else if (set != components_.end() && (field(1).empty() || field(1) == "S")) {
      selection_ = Selection::listed;
      selected_ = set->second;
    } else if (set != components_.end() && field(1) == "A" && selection_ == Selection::listed) {
      selected_.insert(selected_.end(), set->second.begin(), set->second.end());
    } else {
      selection_ = Selection::unknown;
    }
  }

  /// CM, name, entity: the selected nodes become a component.
  void name_selection(const std::vector<std::string_view>& fields) {
    const std::string name = fields.size() > 1 ? upper_case(fields[1]) : "";
    const std::string entity = fields.size() > 2 ? upper_case(fields[2]) : "";
    components_.erase(name);
    other_components_.erase(name);
    if (!entity.starts_with("NODE"))
      other_components_.insert(name);
    else if (selection_ != Selection::unknown)
      components_[name] = selected_nodes();
  }

  /// Empty if the selection is not known.
  std::vector<std::int64_t> selected_nodes() const {
    if (selection_ == Selection::listed) return selected_;
    std::vector<std::int64_t> all;
    if (selection_ == Selection::all)
      for (const RawGrid& grid : contents_.grids)
        all.push_back(grid.id);
    return all;
  }

  using Components = std::map<std::string, std::vector<std::int64_t>>;
  Components::const_iterator component(const std::string& name) const {
    return components_.find(name);
  }

  /// The nodes of D and F: a node, or node to NEND by NINC (fields 5 and 6), a component, or ALL
  /// selected nodes. Empty if they are not known.
  /// @param end  field of NEND
  std::vector<std::int64_t> nodes_of(const std::vector<std::string_view>& fields,
                                     std::size_t end = 5) const {
    const std::string name = upper_case(fields[1]);
    if (name == "ALL") return selected_nodes();
    if (const auto set = component(name); set != components_.end()) return set->second;
    const auto first = parse_integer(name);
    if (!first) return {};
    const auto number = [&](std::size_t k, std::int64_t otherwise) {
      return k < fields.size() && !fields[k].empty() ? parse_integer(fields[k]).value_or(otherwise)
                                                     : otherwise;
    };
    const std::int64_t last = number(end, *first);
    const std::int64_t step = std::max<std::int64_t>(number(end + 1, 1), 1);
    if (last <= *first) return {*first};
    std::vector<std::int64_t> out;  // the nodes that there are: a range may be very long
    for (const RawGrid& grid : contents_.grids)
      if (grid.id >= *first && grid.id <= last && (grid.id - *first) % step == 0)
        out.push_back(grid.id);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  /// D, node, label, value, value2, NEND, NINC, and up to five more labels.
  void add_constraint(const std::vector<std::string_view>& fields) {
    const std::vector<std::int64_t> nodes =
        fields.size() > 2 ? nodes_of(fields) : std::vector<std::int64_t>{};
    constexpr std::size_t kFirstLabel = 2, kMoreLabels = 7, kEndOfLabels = 12;
    std::set<std::int8_t> components;
    bool is_known = !nodes.empty();
    for (std::size_t k = kFirstLabel; k < std::min(fields.size(), kEndOfLabels); ++k) {
      if (k > kFirstLabel && k < kMoreLabels) continue;
      const std::string label = upper_case(fields[k]);
      if (label.empty() && k >= kMoreLabels) continue;
      const auto found = std::find(kAnsysDofLabels.begin(), kAnsysDofLabels.end(), label);
      is_known = is_known && (found != kAnsysDofLabels.end() || label == "ALL");
      for (std::size_t c = 0; c < kAnsysDofLabels.size(); ++c)
        if (label == "ALL" || label == kAnsysDofLabels[c])
          components.insert(static_cast<std::int8_t>(c + 1));
    }
    if (!is_known) {
      ++unread_["D"];
      return;
    }
    constexpr std::size_t kValue = 3;
    if (fields.size() > kValue && !fields[kValue].empty() &&
        parse_real(fields[kValue]) != std::optional(0.0))
      ++unread_["D with a value other than 0"];
    for (const std::int64_t node : nodes)
      for (const std::int8_t component : components)
        contents_.fixed.push_back({node, component});
  }

  /// F, node, label, value, value2, NEND, NINC. A force replaces the one of this label at the node.
  void add_force(const std::vector<std::string_view>& fields) {
    const std::vector<std::int64_t> nodes =
        fields.size() > 3 ? nodes_of(fields) : std::vector<std::int64_t>{};
    const auto value = fields.size() > 3 ? parse_real(fields[3]) : std::nullopt;
    const std::string label = fields.size() > 3 ? upper_case(fields[2]) : "";
    const auto found = std::find(kAnsysForceLabels.begin(), kAnsysForceLabels.end(), label);
    if (nodes.empty() || !value || found == kAnsysForceLabels.end()) {
      ++unread_["F"];
      return;
    }
    for (const std::int64_t node : nodes) {
      double& force = forces_[{node, static_cast<std::size_t>(found - kAnsysForceLabels.begin())}];
      force = adds_forces_ ? force + *value : *value;
    }
    has_new_forces_ = true;
  }

  /// FCUM, rule: ADD adds the forces that follow to those present, REPL (or nothing) replaces them.
  /// Factors and IGNO are not read.
  void read_sum_rule(const std::vector<std::string_view>& fields) {
    const std::string rule = fields.size() > 1 ? upper_case(fields[1]) : "";
    const bool has_factors =
        std::any_of(fields.begin() + std::min<std::ptrdiff_t>(2, std::ssize(fields)),
                    fields.end(),
                    [](std::string_view field) { return !field.empty(); });
    if (has_factors || (rule != "ADD" && rule != "REPL" && !rule.empty())) {
      ++unread_["FCUM"];
      return;
    }
    adds_forces_ = rule == "ADD";
  }

  /// True at the places of `labels` that a label of FDELE or DDELE names; none if it is unknown.
  static std::array<bool, 6> labelled(const std::vector<std::string_view>& fields,
                                      const std::array<std::string_view, 6>& labels) {
    const std::string label = fields.size() > 2 ? upper_case(fields[2]) : "";
    std::array<bool, 6> out{};
    for (std::size_t k = 0; k < labels.size(); ++k)
      out[k] = label.empty() || label == "ALL" || label == labels[k];
    return out;
  }

  /// The nodes and the labels that FDELE or DDELE deletes, node, label, NEND, NINC; nothing, and
  /// the command counts as unread, if they are not known.
  std::set<std::pair<std::int64_t, std::size_t>> deleted(
      const char* name,
      const std::vector<std::string_view>& fields,
      const std::array<std::string_view, 6>& labels) {
    std::set<std::pair<std::int64_t, std::size_t>> out;
    const std::array<bool, 6> is_meant = labelled(fields, labels);
    for (const std::int64_t node : nodes_of(fields, 3))
      for (std::size_t k = 0; k < is_meant.size(); ++k)
        if (is_meant[k]) out.emplace(node, k);
    const bool is_of_none = upper_case(fields[1]) == "ALL" && selection_ == Selection::listed;
    if (out.empty() && !is_of_none) ++unread_[name];
    return out;
  }

  void delete_forces(const std::vector<std::string_view>& fields) {
    const auto places = deleted("FDELE", fields, kAnsysForceLabels);
    if (std::erase_if(forces_, [&](const auto& force) { return places.contains(force.first); }) > 0)
      has_new_forces_ = true;
  }

  void delete_constraints(const std::vector<std::string_view>& fields) {
    const auto places = deleted("DDELE", fields, kAnsysDofLabels);
    std::erase_if(contents_.fixed, [&](const Dof& dof) {
      return places.contains({dof.node, static_cast<std::size_t>(dof.component - 1)});
    });
  }

  /// Makes a load set of the forces that are present, as SOLVE does.
  void store_load_set() {
    if (!has_new_forces_) return;
    has_new_forces_ = false;
    for (const auto& [place, value] : forces_) {
      RawForce force;
      force.set = load_set_;
      force.node = place.first;
      force.is_moment = place.second >= 3;
      force.value[place.second % 3] = value;
      contents_.loads.forces.push_back(force);
    }
    ++load_set_;
  }

  void read_units(const std::vector<std::string_view>& fields) {
    const std::string name = fields.size() > 1 ? upper_case(fields[1]) : "";
    if (name == "SI" || name == "MKS") contents_.units = parse_units("m-kg-s");
    if (name == "CGS") contents_.units = parse_units("cm-g-s");
    if (name == "MPA") contents_.units = parse_units("mm-t-s");
    if (name == "UMKS" || name == "BFT" || name == "BIN") ++unread_["/UNITS"];
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
    store_load_set();
    for (const auto& [command, what] : {std::pair{"D", "supports are missing"},
                                        std::pair{"F", "forces are missing"},
                                        std::pair{"DDELE", "supports are too many"},
                                        std::pair{"FDELE", "forces are too many"},
                                        std::pair{"FCUM", "forces are wrong"},
                                        std::pair{"FSCALE", "forces are wrong"}})
      if (const auto found = unread_.find(command); found != unread_.end())
        diagnostics_.warn(
            "not-read",
            fmt::format("{} commands {} are not read, so that {}: they name other nodes, "
                        "labels or rules than known ones; write the deck by CDWRITE",
                        found->second,
                        command,
                        what),
            {file_.name()});
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

  enum class Selection : std::uint8_t { all, listed, unknown };

  InputFile& file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  Lines lines_;
  FileContents contents_;
  Components components_;                   ///< nodes by name in upper case
  std::set<std::string> other_components_;  ///< of elements and other entities
  Selection selection_ = Selection::all;
  std::vector<std::int64_t> selected_;                             ///< if the selection is `listed`
  std::map<std::pair<std::int64_t, std::size_t>, double> forces_;  ///< by node and label
  bool has_new_forces_ = false, has_nodes_ = false;
  bool adds_forces_ = false;  ///< FCUM,ADD
  std::int64_t load_set_ = kAnsysFirstLoadSet;
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
