// Reads CalculiX and Abaqus decks keyword by keyword: begin_keyword() stores the parameters of a
// keyword line, read_data() passes each data line to the function of the last keyword. Supports,
// forces and constraints on sets are made by finish(), since the deck may define a set anywhere.
#include "calculix/inp.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numbers>
#include <set>
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
#include "calculix/inp_amplitudes.h"
#include "calculix/inp_constraints.h"
#include "calculix/inp_dialect.h"
#include "calculix/inp_distributed.h"
#include "calculix/inp_elements.h"
#include "calculix/inp_forces.h"
#include "calculix/inp_masses.h"
#include "calculix/inp_materials.h"
#include "calculix/inp_names.h"
#include "calculix/inp_rewrite.h"
#include "calculix/inp_scan.h"
#include "calculix/inp_sections.h"
#include "calculix/inp_sets.h"
#include "calculix/inp_supports.h"
#include "calculix/inp_surfaces.h"
#include "calculix/inp_temperatures.h"
#include "calculix/inp_transforms.h"

namespace femflex::importer {
namespace {

/// The DOFs that a named condition of *BOUNDARY holds; empty for other names.
std::string_view held_by(std::string_view condition) {
  static const std::map<std::string_view, std::string_view> kConditions{{"ENCASTRE", "123456"},
                                                                        {"PINNED", "123"},
                                                                        {"XSYMM", "156"},
                                                                        {"YSYMM", "246"},
                                                                        {"ZSYMM", "345"},
                                                                        {"XASYMM", "234"},
                                                                        {"YASYMM", "135"},
                                                                        {"ZASYMM", "126"}};
  const auto found = kConditions.find(condition);
  return found == kConditions.end() ? std::string_view() : found->second;
}

/// What makes the loads of a step incomplete: a support that is pushed or pulled.
constexpr const char* kMovingSupport = "BOUNDARY with a value other than 0";

/// How many of each had been read at a place of the deck.
struct Counts {
  std::size_t nodes = 0, transforms = 0, sections = 0;
};

class InpReader {
 public:
  InpReader(Diagnostics& diagnostics, Progress& progress)
      : diagnostics_(diagnostics), progress_(progress) {}

  FileContents read(const std::filesystem::path& path) {
    contents_.encoding = "ascii";
    read_file(path, 0);
    finish();
    return std::move(contents_);
  }

 private:
  using Parameters = std::map<std::string, std::string>;

  Where here() const { return {file_, line_, -1, -1, "*" + keyword_}; }

  [[noreturn]] void fail(const char* code, const std::string& what) const {
    throw ParseError(code, what, here());
  }

  std::int64_t integer(std::string_view field) const {
    const auto value = parse_integer(field);
    if (!value) fail("entry", fmt::format("'{}' is not an integer", field.substr(0, 60)));
    return *value;
  }

  /// An id, which may stand behind the name of an instance.
  std::int64_t node_id(std::string_view field) const {
    const auto value = names_.id_of(field);
    return value ? *value : integer(field);
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
    bytes_ += static_cast<std::int64_t>(file.bytes().size());
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
        if (!is_inp_comment(trimmed(lines.line()))) keyword_line += trimmed(lines.line());
      // the lines of an INCLUDE stand in its place, also amid the data lines of a keyword
      const bool is_include = keyword_of(keyword_line) == "INCLUDE";
      if (!is_include) begin_keyword(keyword_line);
      const Parameters parameters = is_include ? parameters_in(keyword_line) : parameters_;
      const auto input = parameters.find("INPUT");
      if (is_include && input == parameters.end()) fail("include", "INPUT=file is missing");
      if (input != parameters.end()) include(path.parent_path() / input->second, depth);
    }
    file_ = outer;
  }

  void include(const std::filesystem::path& path, int depth) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
      diagnostics_.warn("include",
                        fmt::format("there is no file {}: its contents are missing", path.string()),
                        {file_, line_});
      return;
    }
    const std::int64_t line = line_;
    read_file(path, depth + 1);
    line_ = line;
  }

  static Parameters parameters_in(std::string_view line) {
    Parameters out;
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) return out;
    for (const std::string_view field : fields_of(line.substr(comma + 1))) {
      const std::size_t equals = field.find('=');
      std::string name;
      for (const char c : trimmed(field.substr(0, equals)))
        if (c != ' ' && c != '\t') name += c;
      out[upper_case(name)] =
          equals == std::string_view::npos ? "" : unquoted(field.substr(equals + 1));
    }
    return out;
  }

  void begin_keyword(std::string_view line) {
    end_element();
    keyword_ = keyword_of(line);
    parameters_ = parameters_in(line);
    for (const char* set : {"NSET", "ELSET", "TIENSET", "PINNSET", "REFNODE", "ROTNODE", "SURFACE"})
      if (const auto named = parameters_.find(set); named != parameters_.end())
        named->second = names_.here(named->second);
    data_lines_ = 0;
    is_imaginary_ = begin_imaginary();
    sections_.begin(keyword_, parameters_);
    materials_.begin(keyword_, parameters_);
    surfaces_.begin(keyword_, parameters_);
    if (keyword_ == "TRANSFORM" && step_ == 0) transforms_.begin(parameters_, here());
    constraints_.begin(keyword_, parameters_, here());
    supports_.begin(keyword_, step_, upper_case(parameter("OP")) == "NEW");
    dialect_.begin(keyword_, parameters_);
    if (keyword_ == "STEP") ++step_;
    amplitudes_.begin(keyword_, parameters_, step_);
    if (keyword_ == "PART") {
      part_ = upper_case(parameter("NAME"));
      parts_[part_] = {counts(), counts()};
      names_.begin_scope(part_);
    } else if (keyword_ == "ENDPART") {
      names_.end_scope();
      if (const auto part = parts_.find(part_); part != parts_.end()) part->second.last = counts();
    } else if (keyword_ == "INSTANCE") {
      begin_instance();
    } else if (keyword_ == "ENDINSTANCE") {
      end_instance();
    } else if (keyword_ == "STEP") {
      if (parameters_.contains("PERTURBATION")) forces_.begin_perturbation(step_);
    } else if (keyword_ == "CLOAD" && upper_case(parameter("OP")) == "NEW") {
      forces_.begin_anew(step_);
    } else if (keyword_ == "NSET") {
      begin_node_set();
    } else if (keyword_ == "ROTARYINERTIA" && parameters_.contains("ORIENTATION")) {
      ++unread_["ROTARY INERTIA, ORIENTATION"];
    } else if (step_ > 0 && (keyword_ == "TEMPERATURE" || keyword_ == "TRANSFORM")) {
      contents_.loads.incomplete.emplace(step_, "*" + keyword_);
      if (keyword_ == "TEMPERATURE") temperatures_.change();
    } else if (keyword_ == "ELEMENT") {
      type_ = upper_case(parameter("TYPE"));
      nodes_per_element_ = nodes_of(type_);
      name_ = nastran_name(type_);
    } else if (keyword_ == "NODE" && !upper_case(parameter("SYSTEM")).empty() &&
               upper_case(parameter("SYSTEM")) != "R") {
      diagnostics_.warn("node-system",
                        "SYSTEM= of *NODE is not supported: the coordinates are read as Cartesian",
                        {file_, line_});
    }
    distributed_.begin(
        is_imaginary_ ? "" : keyword_, parameters_, step_, forces_.is_perturbation(step_));
    static const std::vector<std::string> kSupported{
        "NODE",          "ELEMENT",     "NSET",        "ELSET",     "MASS",
        "ROTARYINERTIA", "BOUNDARY",    "INCLUDE",     "RIGIDBODY", "PART",
        "ENDPART",       "HEADING",     "TRANSFORM",   "EQUATION",  "CLOAD",
        "INSTANCE",      "ENDINSTANCE", "STEP",        "ENDSTEP",   "ASSEMBLY",
        "ENDASSEMBLY",   "MATERIAL",    "ELASTIC",     "DENSITY",   "SOLIDSECTION",
        "SHELLSECTION",  "BEAMSECTION", "ORIENTATION", "DLOAD",     "DSLOAD",
        "SURFACE",       "COUPLING",    "AMPLITUDE",   "STATIC"};
    const bool is_supported =
        std::find(kSupported.begin(), kSupported.end(), keyword_) != kSupported.end() ||
        constraints_.is_kinematic() || is_initial_temperature();
    if (!is_supported) ++unread_[keyword_];
  }

  /// True for loads of the imaginary part, which make their step incomplete.
  bool begin_imaginary() {
    const bool is_load = keyword_ == "CLOAD" || keyword_ == "DLOAD" || keyword_ == "DSLOAD";
    const bool is_imaginary =
        is_load && (parameter("LOADCASE") == "2" || parameters_.contains("IMAGINARY"));
    if (is_imaginary)
      contents_.loads.incomplete.emplace(step_, "*" + keyword_ + " of the imaginary part");
    return is_imaginary;
  }

  void begin_node_set() {
    const std::string set = parameter("NSET");
    if (parameters_.contains("UNSORTED")) node_sets_.keep_order(set);
    if (parameters_.contains("ELSET"))
      nodes_of_elements_.push_back({set, parameter("ELSET"), here()});
  }

  void read_data(std::string_view line) {
    ++data_lines_;
    if (keyword_.ends_with("SECTION")) sections_.data(fields_of(line));
    if (keyword_.ends_with("SECTION") || keyword_ == "ELASTIC" || keyword_ == "DENSITY" ||
        keyword_ == "ORIENTATION")
      materials_.data(fields_of(line));
    amplitudes_.data(fields_of(line));
    distributed_.data(fields_of(line), here());
    surfaces_.data(fields_of(line), here());
    if (keyword_ == "HEADING") {
      if (contents_.title.empty()) contents_.title = std::string(line);
    } else if (keyword_ == "NODE") {
      read_node(line);
    } else if (keyword_ == "ELEMENT") {
      read_element(line);
    } else if (keyword_ == "NSET") {
      read_set(line, parameter("NSET"), node_sets_);
    } else if (keyword_ == "ELSET") {
      read_set(line, parameter("ELSET"), element_sets_);
    } else if (keyword_ == "MASS" || keyword_ == "ROTARYINERTIA") {
      const auto fields = fields_of(line);
      std::array<double, 6> values{};
      for (std::size_t i = 0; i < 6; ++i)
        values[i] = real(fields, i);
      const std::string set = parameter("ELSET");
      if (keyword_ == "MASS")
        masses_.set_mass(set, values);
      else
        masses_.set_inertia(set, values);
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
      if (!is_imaginary_) read_load(line);
    } else if (is_initial_temperature()) {
      read_temperature(line);
    } else if (keyword_ == "TRANSFORM" && step_ == 0) {
      transforms_.data(fields_of(line));
    } else if (keyword_ == "EQUATION" || keyword_ == "KINEMATIC") {
      constraints_.data(fields_of(line), here());
    }
  }

  void begin_instance() {
    placement_ = Eigen::Isometry3d::Identity();
    instance_part_ = upper_case(parameter("PART"));
    first_of_instance_ = counts();
    const std::string name = upper_case(parameter("NAME"));
    names_.add_instance(name, instance_part_);
    names_.begin_scope(name);
  }

  Counts counts() const {
    return {contents_.grids.size(), transforms_.count(), materials_.section_count()};
  }

  /// Turns the axes of the cards [first, last) with the current instance.
  void place_axes(const Counts& first, const Counts& last) {
    transforms_.place(first.transforms, last.transforms, placement_);
    materials_.turn(first.sections, last.sections, placement_.linear());
  }

  /// Moves the nodes of the part that the instance places. Nodes inside the instance itself were
  /// moved when they were read. Axes turn in both cases.
  void end_instance() {
    const auto part = parts_.find(instance_part_);
    if (part != parts_.end() && contents_.grids.size() == first_of_instance_.nodes) {
      if (std::exchange(part->second.is_placed, true))
        throw ParseError("instances",
                         fmt::format("part {} has more than one instance", instance_part_),
                         here(),
                         "write the deck without parts and assemblies, so that each node has a "
                         "number of its own");
      for (std::size_t k = part->second.first.nodes; k < part->second.last.nodes; ++k)
        place(contents_.grids[k]);
      place_axes(part->second.first, part->second.last);
    }
    place_axes(first_of_instance_, counts());
    names_.end_scope();
    placement_ = Eigen::Isometry3d::Identity();
  }

  void place(RawGrid& grid) {
    if (!placement_.linear().isIdentity(0.0)) turned_[grid.id] = placement_.linear();
    Eigen::Map<Eigen::Vector3d> position(grid.x.data());
    position = (placement_ * Eigen::Vector3d(position)).eval();
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
    place(grid);
    const std::string set = parameter("NSET");
    if (!set.empty()) node_sets_.add(set, grid.id);
    contents_.grids.push_back(std::move(grid));
  }

  void read_element(std::string_view line) {
    for (const std::string_view field : fields_of(line))
      if (!field.empty()) element_.push_back(node_id(field));
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
    const std::string set = parameter("ELSET");
    if (!set.empty()) element_sets_.add(set, id);
    element_ids_.push_back(id);
    if (nodes.size() == 1) masses_.add_element(id, nodes.front());
    if (name_.empty()) return;
    if (nodes.size() > nodes_per_element_ && type_.starts_with("B")) {
      ++unread_["ELEMENT: orientation nodes of beams"];
      nodes.resize(nodes_per_element_);
    }
    if (nodes.size() != nodes_per_element_)
      fail("entry",
           fmt::format("element {} of type {} has {} nodes; expected {}",
                       id,
                       type_,
                       nodes.size(),
                       nodes_per_element_));
    materials_.element(id, type_);
    to_nastran_order(shape_of(name_, static_cast<int>(nodes.size())), nodes);
    ElementBlock& block = blocks_[{name_, nodes.size()}];
    block.type = name_;
    block.nodes_per_element = static_cast<int>(nodes.size());
    block.ids.push_back(id);
    block.connectivity.insert(block.connectivity.end(), nodes.begin(), nodes.end());
  }

  void read_set(std::string_view line, const std::string& name, InpSets& sets) {
    if (parameters_.contains("GENERATE")) {
      sets.add_range(name, fields_of(line), here());
    } else {
      sets.add_line(name, fields_of(line), here());
    }
  }

  void read_boundary(std::string_view line) {
    const auto fields = fields_of(line);
    if (fields.size() < 2) return;
    std::string components;
    // FIXED holds what the step before has moved, SUBMODEL moves as another model does
    InpSupports::Motion motion{.amplitude = InpAmplitudes::name_in(parameters_)};
    motion.is_unknown = step_ > 0 && ((parameters_.contains("FIXED") && step_ > 1) ||
                                      parameters_.contains("SUBMODEL"));
    if (const auto first = parse_integer(fields[1])) {
      const std::int64_t last =
          fields.size() > 2 && !fields[2].empty() ? integer(fields[2]) : *first;
      for (std::int64_t c = std::max<std::int64_t>(*first, 1); c <= std::min<std::int64_t>(last, 6);
           ++c)
        components += static_cast<char>('0' + c);
      motion.value = real(fields, 3);
      motions_.emplace_back(step_, motion);
    } else {
      components = held_by(upper_case(fields[1]));
      if (components.empty()) ++unread_["BOUNDARY " + upper_case(fields[1])];
    }
    on_nodes(fields[0], [this, components, motion, step = step_](std::int64_t node) {
      for (const char c : components)
        supports_.add(step, {node, static_cast<std::int8_t>(c - '0')}, motion);
    });
  }

  bool is_initial_temperature() const {
    return keyword_ == "INITIALCONDITIONS" && upper_case(parameter("TYPE")) == "TEMPERATURE";
  }

  /// Reads an initial temperature: node or set, value.
  void read_temperature(std::string_view line) {
    const auto fields = fields_of(line);
    if (fields.size() < 2) return;
    on_nodes(fields[0],
             [this, value = real(fields, 1), order = ++temperature_lines_](std::int64_t node) {
               temperatures_.set(node, value, order);
             });
  }

  /// Calls `apply` with each node that `field` names: now if it is an id, else in finish(), when
  /// all sets are known.
  void on_nodes(std::string_view field, std::function<void(std::int64_t)> apply) {
    if (const auto id = parse_integer(field)) {
      apply(*id);
    } else {
      on_sets_.push_back({names_.here(field), here(), std::move(apply)});
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
    RawForce force;
    force.set = step_;
    force.is_moment = direction > 3;
    force.value[static_cast<std::size_t>((direction - 1) % 3)] = real(fields, 2);
    const std::string amplitude = InpAmplitudes::name_in(parameters_);
    on_nodes(fields[0], [this, force, direction, amplitude](std::int64_t node) {
      RawForce on_node = force;
      on_node.node = node;
      forces_.add(on_node, direction, amplitude);
    });
  }

  void apply_to_sets() {
    for (const OnSet& each : on_sets_) {
      const auto nodes = node_sets_.members_of(each.set, each.where);
      if (!nodes)
        diagnostics_.warn(
            "unknown-set", fmt::format("the deck has no node set {}", each.set), each.where);
      for (const std::int64_t node : nodes.value_or(InpSets::Members{}))
        each.apply(node);
    }
  }

  /// Tells once that loads have the size of their lines, whatever time makes of them.
  void warn_of_amplitude() {
    if (!amplitudes_.unknown()) return;
    const auto& [name, step] = *amplitudes_.unknown();
    diagnostics_.warn("amplitude",
                      fmt::format("loads with AMPLITUDE={} have the size that is written: its "
                                  "factor at the end of step {} is not known (tables at the end "
                                  "of *STATIC steps are)",
                                  name,
                                  step),
                      {file_});
  }

  /// Makes the steps incomplete in which supports move.
  void add_moving_supports() {
    std::set<std::int64_t> steps = forces_.steps();
    for (const std::int64_t step : supports_.moving_steps(step_, amplitudes_))
      if (steps.contains(step) ||
          (amplitudes_.is_static(step) && supports_.moves_by_itself(step, amplitudes_)))
        contents_.loads.incomplete.emplace(step, "*" + std::string(kMovingSupport));
    for (const auto& [step, motion] : motions_)
      if (motion.value != 0.0 && motion.is_moved(step, step, amplitudes_))
        ++unread_[kMovingSupport];
  }

  /// The loads of all steps by the rules of one program, for comparison.
  RawLoads loads_by_rules(bool is_abaqus) {
    InpForces forces = forces_;
    InpDistributed distributed = distributed_;
    InpSets element_sets = element_sets_;
    InpAmplitudes amplitudes = amplitudes_;
    const RawLoads before = contents_.loads;
    amplitudes.finish(is_abaqus);
    forces.finish(step_, is_abaqus, amplitudes, contents_.loads);
    distributed.finish(forces.steps(), is_abaqus, element_sets, amplitudes, contents_);
    return std::exchange(contents_.loads, before);
  }

  /// Tells of a step whose loads depend on the program that the deck is for, if it does not say so.
  void warn_of_rules() {
    if (dialect_.is_abaqus() || dialect_.is_calculix() || !forces_.has_perturbations()) return;
    const std::int64_t step = step_that_differs(loads_by_rules(false), loads_by_rules(true));
    if (step == 0) return;
    diagnostics_.warn(
        "step-rules",
        fmt::format("the loads of step {} are those of CalculiX; Abaqus, where a perturbation "
                    "stands alone between the other steps, has others, and nothing in the deck "
                    "tells which of the programs it is for: give the loads of every step anew "
                    "(OP=NEW), or, for Abaqus, *PREPRINT",
                    step),
        {file_});
  }

  /// Adds the loads of all steps, in basic directions.
  void add_loads() {
    // a step with distributed loads alone keeps the forces, too
    for (const std::int64_t step : distributed_.steps())
      forces_.add_step(step);
    warn_of_rules();
    const bool is_abaqus = dialect_.is_abaqus();
    amplitudes_.finish(is_abaqus);
    forces_.finish(step_, is_abaqus, amplitudes_, contents_.loads);
    add_moving_supports();
    for (RawForce& force : contents_.loads.forces)
      if (const auto axes = contents_.support_axes.find(force.node);
          axes != contents_.support_axes.end()) {
        Eigen::Map<Eigen::Vector3d> value(force.value.data());
        value = (axes->second * Eigen::Vector3d(value)).eval();
      }
    distributed_.finish(forces_.steps(), is_abaqus, element_sets_, amplitudes_, contents_);
    warn_of_amplitude();
  }

  /// Completes the sets, of which a deck may name any before it defines it.
  void resolve_sets() {
    std::vector<std::int64_t> ids;
    for (const RawGrid& grid : contents_.grids)
      ids.push_back(grid.id);
    element_sets_.resolve(std::move(element_ids_), bytes_, diagnostics_);
    for (const OfElements& each : nodes_of_elements_) {
      const auto elements = element_sets_.members_of(each.elements, each.where);
      if (!elements)
        diagnostics_.warn("unknown-set",
                          fmt::format("the deck has no element set {}", each.elements),
                          each.where);
      for (const std::int64_t node :
           inp_nodes_of_elements(elements.value_or(InpSets::Members{}), contents_.elements))
        node_sets_.add(each.set, node);
    }
    node_sets_.resolve(std::move(ids), bytes_, diagnostics_);
  }

  void finish() {
    end_element();
    for (auto& [key, block] : blocks_)
      contents_.elements.push_back(std::move(block));
    resolve_sets();
    apply_to_sets();
    contents_.fixed = supports_.finish(step_, file_, diagnostics_);
    sections_.finish(element_sets_, contents_.sections);
    materials_.finish(
        element_sets_, temperatures_.of(contents_.elements), file_, contents_, diagnostics_);
    constraints_.finish(node_sets_, element_sets_, contents_, diagnostics_);
    contents_.node_sets = node_sets_.by_name();
    contents_.support_axes = transforms_.axes_by_node(contents_.grids, node_sets_, diagnostics_);
    masses_.finish(element_sets_, turned_, file_, contents_, diagnostics_);
    add_loads();
    turn_equations(contents_);
    if (!dialect_.is_abaqus()) drop_idle_rotations(contents_, diagnostics_);
    name_rotations(contents_, diagnostics_);
    for (const auto& [keyword, count] : unread_)
      contents_.unread.push_back({"*" + keyword, count});
  }

  Diagnostics& diagnostics_;
  Progress& progress_;
  FileContents contents_;
  InpNames names_;
  InpSections sections_;
  InpMaterials materials_;
  InpTransforms transforms_;
  InpSets node_sets_{names_}, element_sets_{names_};
  InpSurfaces surfaces_{names_};
  InpConstraints constraints_{names_, surfaces_};
  InpDistributed distributed_{names_, surfaces_};
  InpSupports supports_;
  std::vector<std::pair<std::int64_t, InpSupports::Motion>> motions_;  ///< of *BOUNDARY, by step
  InpAmplitudes amplitudes_;
  InpTemperatures temperatures_;
  struct OfElements {  ///< *NSET, ELSET=: the nodes of elements
    std::string set, elements;
    Where where;
  };
  std::vector<OfElements> nodes_of_elements_;
  struct OnSet {  ///< what a line does to each node of a set
    std::string set;
    Where where;
    std::function<void(std::int64_t)> apply;
  };
  std::vector<OnSet> on_sets_;
  InpForces forces_;
  InpDialect dialect_;
  InpMasses masses_;
  std::string file_, keyword_;
  std::string type_, name_;  ///< type of the current *ELEMENT, and NASTRAN's name of the type
  std::int64_t line_ = 0, data_lines_ = 0, files_ = 0;
  std::int64_t temperature_lines_ = 0;  ///< initial temperatures so far
  std::int64_t bytes_ = 0;              ///< of all files so far
  bool is_imaginary_ = false;           ///< the current loads are those of the imaginary part
  std::vector<std::int64_t> element_ids_;
  Parameters parameters_;
  /// position and orientation of the current instance
  Eigen::Isometry3d placement_ = Eigen::Isometry3d::Identity();
  struct Part {  ///< what was read before it and up to its end
    Counts first, last;
    bool is_placed = false;  ///< by an instance
  };
  std::map<std::string, Part> parts_;
  std::map<std::int64_t, Eigen::Matrix3d> turned_;  ///< axes of the nodes in turned instances
  std::string part_, instance_part_;  ///< names of the current part, and of the instance's part
  Counts first_of_instance_;          ///< what was read before the current instance
  std::int64_t step_ = 0;             ///< number of *STEPs so far
  std::size_t nodes_per_element_ = 0;
  std::vector<std::int64_t> element_;  ///< id and nodes of the current element
  std::map<std::pair<std::string, std::size_t>, ElementBlock> blocks_;
  std::map<std::string, std::int64_t> unread_;
};

}  // namespace

FileContents read_inp(const std::filesystem::path& path,
                      const ReadOptions& /*options*/,
                      Diagnostics& diagnostics,
                      Progress& progress) {
  return InpReader(diagnostics, progress).read(path);
}

}  // namespace femflex::importer
