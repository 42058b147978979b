// Reads CalculiX and Abaqus decks keyword by keyword: begin_keyword() stores the parameters of a
// keyword line, read_data() passes each data line to the function of the last keyword, finish()
// resolves references to sets, which the deck may define anywhere.
#include "calculix/inp.h"

#include <algorithm>
#include <array>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
#include "bytes/line_steps.h"
#include "calculix/inp_elements.h"
#include "calculix/inp_materials.h"
#include "calculix/inp_scan.h"
#include "calculix/inp_sections.h"
#include "calculix/inp_transforms.h"

namespace femflex::importer {
namespace {

/// GENERATE ranges up to this size are generated in full; longer ones only with ids of the deck.
constexpr std::int64_t kMaxBlindRange = 10'000;

class InpReader {
 public:
  InpReader(const std::filesystem::path& path, Diagnostics& diagnostics, Progress& progress)
      : diagnostics_(diagnostics), progress_(progress), scan_(path) {}

  FileContents read(const std::filesystem::path& path) {
    contents_.encoding = "ascii";
    read_file(path, 0);
    finish();
    return std::move(contents_);
  }

 private:
  using Parameters = std::map<std::string, std::string>;

  [[noreturn]] void fail(const char* code, const std::string& what) const {
    throw ParseError(code, what, {file_, line_, -1, -1, "*" + keyword_});
  }

  std::int64_t integer(std::string_view field) const {
    const auto value = parse_integer(field);
    if (!value) fail("entry", fmt::format("'{}' is not an integer", field.substr(0, 60)));
    return *value;
  }

  double real(const std::vector<std::string_view>& fields, std::size_t i) const {
    if (i >= fields.size() || fields[i].empty()) return 0.0;
    const auto value = parse_real(fields[i]);
    if (!value) fail("entry", fmt::format("'{}' is not a number", fields[i].substr(0, 60)));
    return *value;
  }

  std::string parameter(const std::string& name) const {
    const auto found = parameters_.find(name);
    return found == parameters_.end() ? "" : found->second;
  }

  void read_file(const std::filesystem::path& path, int depth) {
    if (depth > kMaxIncludeDepth || ++files_ > kMaxIncludes)
      fail("include",
           fmt::format("the deck has INCLUDEs nested more than {} deep, or more than {} of them",
                       kMaxIncludeDepth,
                       kMaxIncludes));
    InputFile file(path);
    Lines lines(file.bytes());
    const std::string outer = std::exchange(file_, file.name());
    while (lines.next()) {
      line_ = lines.number();
      const std::string_view line = trimmed(lines.line());
      if (line_ % kLinesPerReport == 0) progress_.step(static_cast<double>(lines.offset()));
      if (line.empty() || is_inp_comment(line)) continue;
      if (line.front() != '*') {
        read_data(line);
        continue;
      }
      std::string keyword_line(line);
      while (!keyword_line.empty() && keyword_line.back() == ',' &&
             lines.next())  // continued keyword lines
        keyword_line += trimmed(lines.line());
      begin_keyword(keyword_line);
      if (keyword_ == "INCLUDE") {
        const auto input = parameters_.find("INPUT");
        if (input == parameters_.end()) fail("include", "INPUT=file is missing");
        const std::filesystem::path inner = path.parent_path() / input->second;
        std::error_code ignored;
        if (std::filesystem::is_regular_file(inner, ignored)) {
          const std::int64_t include_line = line_;
          read_file(inner, depth + 1);
          line_ = include_line;
        } else {
          diagnostics_.warn(
              "include",
              fmt::format("there is no file {}: its contents are missing", inner.string()),
              {file_, line_});
        }
      }
    }
    file_ = outer;
  }

  void begin_keyword(std::string_view line) {
    end_element();
    keyword_ = keyword_of(line);
    parameters_.clear();
    const std::size_t comma = line.find(',');
    if (comma != std::string_view::npos) {
      for (const std::string_view field : fields_of(line.substr(comma + 1))) {
        const std::size_t equals = field.find('=');
        std::string value =
            equals == std::string_view::npos ? "" : unquoted(field.substr(equals + 1));
        std::string name;
        for (const char c : trimmed(field.substr(0, equals)))
          if (c != ' ' && c != '\t') name += c;
        parameters_[upper_case(name)] = std::move(value);
      }
    }
    data_lines_ = 0;
    sections_.begin(keyword_, parameters_);
    materials_.begin(keyword_, parameters_);
    if (keyword_ == "TRANSFORM" && step_ == 0) transforms_.begin(parameters_);
    if (keyword_ == "EQUATION") end_equation();
    if (keyword_ == "INSTANCE" || keyword_ == "ENDINSTANCE") {
      placement_ = Eigen::Isometry3d::Identity();
    } else if (keyword_ == "STEP") {
      ++step_;
    } else if (step_ > 0 && (keyword_ == "DLOAD" || keyword_ == "DSLOAD" ||
                             keyword_ == "TEMPERATURE" || keyword_ == "TRANSFORM")) {
      contents_.loads.incomplete.emplace(step_, "*" + keyword_);
    } else if (keyword_ == "ELEMENT") {
      type_ = upper_case(parameter("TYPE"));
      nodes_per_element_ = nodes_of(type_);
      name_ = nastran_name(type_);
    } else if (keyword_ == "RIGIDBODY") {
      begin_rigid_body();
    } else if (keyword_ == "NODE" && !upper_case(parameter("SYSTEM")).empty() &&
               upper_case(parameter("SYSTEM")) != "R") {
      diagnostics_.warn("node-system",
                        "SYSTEM= of *NODE is not supported: the coordinates are read as Cartesian",
                        {file_, line_});
    }
    static const std::vector<std::string> kSupported{
        "NODE",         "ELEMENT",      "NSET",        "ELSET",      "MASS",        "ROTARYINERTIA",
        "BOUNDARY",     "INCLUDE",      "RIGIDBODY",   "PART",       "ENDPART",     "HEADING",
        "TRANSFORM",    "EQUATION",     "CLOAD",       "INSTANCE",   "ENDINSTANCE", "STEP",
        "ENDSTEP",      "ASSEMBLY",     "ENDASSEMBLY", "MATERIAL",   "ELASTIC",     "DENSITY",
        "SOLIDSECTION", "SHELLSECTION", "BEAMSECTION", "ORIENTATION"};
    if (std::find(kSupported.begin(), kSupported.end(), keyword_) == kSupported.end())
      ++unread_[keyword_];
  }

  void read_data(std::string_view line) {
    ++data_lines_;
    if (keyword_.ends_with("SECTION")) sections_.data(fields_of(line));
    if (keyword_.ends_with("SECTION") || keyword_ == "ELASTIC" || keyword_ == "DENSITY" ||
        keyword_ == "ORIENTATION")
      materials_.data(fields_of(line));
    if (keyword_ == "HEADING") {
      if (contents_.title.empty()) contents_.title = std::string(line);
    } else if (keyword_ == "NODE") {
      read_node(line);
    } else if (keyword_ == "ELEMENT") {
      read_element(line);
    } else if (keyword_ == "NSET") {
      read_set(line, upper_case(parameter("NSET")), contents_.node_sets);
    } else if (keyword_ == "ELSET") {
      read_set(line, upper_case(parameter("ELSET")), element_sets_);
    } else if (keyword_ == "MASS" || keyword_ == "ROTARYINERTIA") {
      const auto fields = fields_of(line);
      std::array<double, 6> values{};
      for (std::size_t i = 0; i < 6; ++i)
        values[i] = real(fields, i);
      (keyword_ == "MASS" ? masses_ : inertias_)[upper_case(parameter("ELSET"))] = values;
    } else if (keyword_ == "BOUNDARY") {
      read_boundary(line);
    } else if (keyword_ == "INSTANCE") {
      const auto fields = fields_of(line);
      const auto triple = [&](std::size_t first) {
        return Eigen::Vector3d(
            real(fields, first), real(fields, first + 1), real(fields, first + 2));
      };
      if (data_lines_ == 1) {
        placement_.translation() = triple(0);
      } else if (data_lines_ == 2) {  // rotation: two points of its axis and an angle
        const Eigen::Vector3d from = triple(0);
        const Eigen::Vector3d along = triple(3) - from;
        if (along.isZero(0.0)) fail("entry", "the axis of the instance's rotation has no length");
        const Eigen::AngleAxisd rotation(real(fields, 6) * std::numbers::pi / 180.0,
                                         along.normalized());
        placement_ =
            Eigen::Translation3d(from) * rotation * Eigen::Translation3d(-from) * placement_;
      }
    } else if (keyword_ == "CLOAD") {
      read_load(line);
    } else if (keyword_ == "TRANSFORM" && step_ == 0) {
      transforms_.data(fields_of(line));
    } else if (keyword_ == "EQUATION") {
      read_equation(line);
    }
  }

  /// Reads a line of *EQUATION: the number of terms on the first line, then node, direction and
  /// coefficient of each term on as many lines as needed. CalculiX eliminates the DOF of the first
  /// term from the matrices.
  void read_equation(std::string_view line) {
    const auto fields = fields_of(line);
    if (terms_ == 0) {
      terms_ = integer(fields.front());
      if (terms_ < 1) fail("entry", "*EQUATION must begin with a positive number of terms");
      return;
    }
    for (std::size_t k = 0; k + 2 < fields.size() && terms_ > 0; k += 3) {
      const std::vector<std::int64_t> nodes = nodes_named(fields[k]);
      if (nodes.size() == 1)
        equation_.push_back(
            {nodes.front(), static_cast<std::int8_t>(integer(fields[k + 1])), real(fields, k + 2)});
      --terms_;
    }
    if (terms_ == 0) end_equation();
  }

  /// Stores the current equation, if it is complete.
  void end_equation() {
    terms_ = 0;
    const std::vector<EquationTerm> terms = std::exchange(equation_, {});
    if (terms.size() < 2 || terms.front().factor == 0.0) return;
    RawConstraint out;
    out.type = "EQUATION";
    out.id = terms.front().node;
    out.law = RawConstraint::Law::equation;
    out.components = std::to_string(terms.front().component);
    out.dependent.push_back(terms.front().node);
    out.dependent_dofs.push_back({terms.front().node, terms.front().component});
    out.factors.push_back(terms.front().factor);
    for (std::size_t k = 1; k < terms.size(); ++k) {
      out.independent.push_back(terms[k].node);
      out.independent_dofs.push_back({terms[k].node, terms[k].component});
      out.factors.push_back(terms[k].factor);
    }
    contents_.rigid_elements.push_back(std::move(out));
  }

  void read_node(std::string_view line) {
    RawGrid grid;
    if (!take_integer(line, grid.id)) fail("entry", "the line must begin with a node number");
    for (std::size_t k = 0; k < 3; ++k) {
      line = trimmed(line);
      if (line.empty()) break;
      if (line.front() != ',') fail("entry", "the fields of *NODE must be separated by commas");
      line = trimmed(line.substr(1));
      if (!line.empty() && line.front() != ',' && !take_real(line, grid.x[k]))
        fail("entry", fmt::format("'{}' is not a number", line.substr(0, 60)));
    }
    Eigen::Map<Eigen::Vector3d> position(grid.x.data());
    position = (placement_ * Eigen::Vector3d(position)).eval();
    const std::string set = upper_case(parameter("NSET"));
    if (!set.empty()) contents_.node_sets[set].push_back(grid.id);
    contents_.grids.push_back(std::move(grid));
  }

  void read_element(std::string_view line) {
    for (const std::string_view field : fields_of(line))
      if (!field.empty()) element_.push_back(integer(field));
    // the lines of an element continue until all nodes are read, or while lines end with a comma
    const bool is_continued = nodes_per_element_ > 0 ? element_.size() < nodes_per_element_ + 1
                                                     : trimmed(line).back() == ',';
    if (!is_continued) end_element();
  }

  /// Stores the current element.
  void end_element() {
    if (element_.empty()) return;
    const std::int64_t id = element_.front();
    std::vector<std::int64_t> nodes(element_.begin() + 1, element_.end());
    element_.clear();
    ++contents_.element_counts[name_.empty() ? type_ : name_];
    const std::string set = upper_case(parameter("ELSET"));
    if (!set.empty()) element_sets_[set].push_back(id);
    if (nodes.size() == 1) point_elements_[id] = nodes.front();
    if (name_.empty() || nodes.size() != nodes_per_element_) return;
    materials_.element(id, type_);
    to_nastran_order(shape_of(name_, static_cast<int>(nodes.size())), nodes);
    ElementBlock& block = blocks_[{name_, nodes.size()}];
    block.type = name_;
    block.nodes_per_element = static_cast<int>(nodes.size());
    block.ids.push_back(id);
    block.connectivity.insert(block.connectivity.end(), nodes.begin(), nodes.end());
  }

  void read_set(std::string_view line,
                const std::string& name,
                std::map<std::string, std::vector<std::int64_t>>& sets) {
    const auto fields = fields_of(line);
    std::vector<std::int64_t>& set = sets[name];
    if (parameters_.contains("GENERATE")) {
      if (fields.size() < 2) fail("entry", "GENERATE needs first, last and step");
      const std::int64_t first = integer(fields[0]);
      const std::int64_t last = integer(fields[1]);
      const std::int64_t step = fields.size() > 2 ? integer(fields[2]) : 1;
      constexpr std::int64_t kMaxId = std::int64_t{1} << 60;
      if (step < 1 || last < first || first < -kMaxId || last > kMaxId)
        fail("entry",
             fmt::format("the range {} to {} with step {} is empty or exceeds the limit of ids",
                         first,
                         last,
                         step));
      const std::int64_t count = (last - first) / step + 1;
      // keep only ids that the deck has, so that one line cannot demand much memory
      if (count > kMaxBlindRange) {
        const std::vector<std::int64_t>& ids = scan_.ids();
        const auto begin = std::lower_bound(ids.begin(), ids.end(), first);
        const auto end = std::upper_bound(begin, ids.end(), last);
        count_members(static_cast<std::size_t>(end - begin));
        for (auto id = begin; id != end; ++id)
          if ((*id - first) % step == 0) set.push_back(*id);
        return;
      }
      count_members(static_cast<std::size_t>(count));
      for (std::int64_t k = 0; k < count; ++k)  // counted, because last + step may overflow
        set.push_back(first + k * step);
      return;
    }
    for (const std::string_view field : fields) {
      if (field.empty()) continue;
      if (const auto id = parse_integer(field)) {
        set.push_back(*id);
        continue;
      }
      // the name of another set, whose members are added; of `instance.label` only the label counts
      std::string other = upper_case(field);
      const std::size_t dot = other.find_last_of('.');
      if (dot != std::string::npos) other = other.substr(dot + 1);
      if (const auto id = parse_integer(other)) {
        set.push_back(*id);
      } else if (const auto found = sets.find(other);
                 found != sets.end() && &found->second != &set) {
        count_members(found->second.size());
        set.insert(set.end(), found->second.begin(), found->second.end());
      }
    }
  }

  /// Adds `count` to the total number of set members and fails if it is far larger than the deck is
  /// long: ranges and sets of sets let a short deck name very many members.
  void count_members(std::size_t count) {
    generated_ += static_cast<std::int64_t>(count);
    if (generated_ <= 16 * kMaxBlindRange) return;
    if (generated_ > 16 * kMaxBlindRange + 4 * scan_.bytes())
      fail("entry",
           fmt::format(
               "the sets of the deck have more than {} members, far more than its size allows",
               generated_));
  }

  /// The nodes that a field names by an id or by a set; empty if there is no such set.
  std::vector<std::int64_t> nodes_named(std::string_view field) const {
    std::string name = upper_case(field);
    const std::size_t dot = name.find_last_of('.');
    if (dot != std::string::npos) name = name.substr(dot + 1);
    if (const auto id = parse_integer(name)) return {*id};
    const auto found = contents_.node_sets.find(name);
    return found == contents_.node_sets.end() ? std::vector<std::int64_t>() : found->second;
  }

  void read_boundary(std::string_view line) {
    const auto fields = fields_of(line);
    if (fields.size() < 2) return;
    const auto first = parse_integer(fields[1]);
    if (!first) {  // named conditions: ENCASTRE, PINNED and symmetries
      ++unread_["BOUNDARY " + upper_case(fields[1])];
      return;
    }
    const std::int64_t last = fields.size() > 2 && !fields[2].empty() ? integer(fields[2]) : *first;
    const std::vector<std::int64_t> nodes = nodes_named(fields[0]);
    count_members(nodes.size());
    for (const std::int64_t node : nodes) {
      for (std::int64_t c = std::max<std::int64_t>(*first, 1); c <= std::min<std::int64_t>(last, 6);
           ++c)
        contents_.fixed.push_back({node, static_cast<std::int8_t>(c)});
    }
  }

  /// Reads a force of the current step: node or set, direction 1..6, value.
  void read_load(std::string_view line) {
    const auto fields = fields_of(line);
    if (fields.size() < 3) fail("entry", "the line needs a node or set, a direction and a value");
    const std::int64_t direction = integer(fields[1]);
    if (direction < 1 || direction > 6) {
      ++unread_["CLOAD on direction " + std::string(fields[1])];
      contents_.loads.incomplete.emplace(step_, "*CLOAD on a direction other than 1 to 6");
      return;
    }
    const std::vector<std::int64_t> nodes = nodes_named(fields[0]);
    count_members(nodes.size());
    for (const std::int64_t node : nodes) {
      RawForce force;
      force.set = step_;
      force.node = node;
      force.is_moment = direction > 3;
      force.value[static_cast<std::size_t>((direction - 1) % 3)] = real(fields, 2);
      contents_.loads.forces.push_back(force);
    }
  }

  void begin_rigid_body() {
    RawConstraint rigid;
    rigid.law = RawConstraint::Law::rigid;
    rigid.type = "RIGID BODY";
    rigid.components = "123456";
    const auto reference = parse_integer(parameter("REFNODE"));
    if (!reference) return;
    rigid.id = *reference;
    rigid.independent.push_back(*reference);
    for (std::int8_t c = 1; c <= 6; ++c)
      rigid.independent_dofs.push_back({*reference, c});
    if (const auto rotation = parse_integer(parameter("ROTNODE"))) {
      rigid.independent.push_back(*rotation);
      contents_.rotation_nodes[*rotation] = *reference;
    }
    const std::string set = parameter("NSET").empty() ? parameter("TIENSET") : parameter("NSET");
    rigid.dependent = nodes_named(set);
    count_members(rigid.dependent.size());
    contents_.rigid_elements.push_back(std::move(rigid));
  }

  void finish() {
    end_element();
    for (auto& [key, block] : blocks_)
      contents_.elements.push_back(std::move(block));
    const auto add_masses = [&](const std::map<std::string, std::array<double, 6>>& values,
                                bool rotary) {
      for (const auto& [set, value] : values) {
        for (const std::int64_t id : element_sets_[set]) {
          const auto node = point_elements_.find(id);
          if (node == point_elements_.end()) continue;
          RawMass mass;
          mass.id = id;
          mass.node = node->second;
          if (rotary) {  // reorder I11 I22 I33 I12 I13 I23 to I11 I21 I22 I31 I32 I33
            mass.inertia = {value[0], value[3], value[1], value[4], value[5], value[2]};
          } else {
            mass.mass = value[0];
          }
          contents_.masses.push_back(mass);
        }
      }
    };
    sections_.finish(element_sets_, contents_.sections);
    materials_.finish(element_sets_, contents_);
    end_equation();
    contents_.support_axes = transforms_.axes_by_node(contents_.grids, contents_.node_sets);
    for (RawForce& force : contents_.loads.forces)
      if (const auto axes = contents_.support_axes.find(force.node);
          axes != contents_.support_axes.end()) {
        Eigen::Map<Eigen::Vector3d> value(force.value.data());
        value = (axes->second * Eigen::Vector3d(value)).eval();
      }
    std::erase_if(contents_.rigid_elements, [&](const RawConstraint& element) {
      const auto has_local_axes = [&](const Dof& dof) {
        return contents_.support_axes.contains(dof.node);
      };
      const bool is_unsupported =
          element.type == "EQUATION" &&
          (has_local_axes(element.dependent_dofs.front()) ||
           std::any_of(
               element.independent_dofs.begin(), element.independent_dofs.end(), has_local_axes));
      if (is_unsupported) ++unread_["EQUATION"];
      return is_unsupported;
    });
    add_masses(masses_, false);
    add_masses(inertias_, true);
    for (const auto& [keyword, count] : unread_)
      contents_.unread.push_back({"*" + keyword, count});
  }

  Diagnostics& diagnostics_;
  Progress& progress_;
  FileContents contents_;
  InpSections sections_;
  InpMaterials materials_;
  InpTransforms transforms_;
  struct EquationTerm {
    std::int64_t node = 0;
    std::int8_t component = 0;
    double factor = 0.0;
  };
  std::vector<EquationTerm> equation_;  // terms of the current equation
  std::int64_t terms_ = 0;              // number of terms of this equation not read yet
  InpScan scan_;
  std::string file_, keyword_;
  std::string type_, name_;  ///< type of the current *ELEMENT, and NASTRAN's name of the type
  std::int64_t line_ = 0, data_lines_ = 0, generated_ = 0, files_ = 0;
  Parameters parameters_;
  /// position and orientation of the current instance
  Eigen::Isometry3d placement_ = Eigen::Isometry3d::Identity();
  std::int64_t step_ = 0;  ///< number of *STEPs so far
  std::size_t nodes_per_element_ = 0;
  std::vector<std::int64_t> element_;  ///< id and nodes of the current element
  std::map<std::pair<std::string, std::size_t>, ElementBlock> blocks_;
  std::map<std::string, std::vector<std::int64_t>> element_sets_;
  std::map<std::int64_t, std::int64_t> point_elements_;  ///< node of each element with one node
  std::map<std::string, std::array<double, 6>> masses_, inertias_;
  std::map<std::string, std::int64_t> unread_;
};

}  // namespace

FileContents read_inp(const std::filesystem::path& path,
                      const ReadOptions& /*options*/,
                      Diagnostics& diagnostics,
                      Progress& progress) {
  return InpReader(path, diagnostics, progress).read(path);
}

}  // namespace femflex::importer
