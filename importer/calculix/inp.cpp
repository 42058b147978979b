// Reads CalculiX and Abaqus decks keyword by keyword: begin_keyword() stores the parameters of a
// keyword line, read_data() passes each data line to the function of the last keyword. Supports,
// forces and constraints on sets are made by finish(), since the deck may define a set anywhere.
#include "calculix/inp.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "calculix/inp_amplitudes.h"
#include "calculix/inp_constraints.h"
#include "calculix/inp_dialect.h"
#include "calculix/inp_distributed.h"
#include "calculix/inp_element_lines.h"
#include "calculix/inp_files.h"
#include "calculix/inp_forces.h"
#include "calculix/inp_instances.h"
#include "calculix/inp_keyword.h"
#include "calculix/inp_masses.h"
#include "calculix/inp_materials.h"
#include "calculix/inp_names.h"
#include "calculix/inp_rewrite.h"
#include "calculix/inp_scan.h"
#include "calculix/inp_sections.h"
#include "calculix/inp_sets.h"
#include "calculix/inp_supports.h"
#include "calculix/inp_surfaces.h"
#include "calculix/inp_systems.h"
#include "calculix/inp_temperatures.h"
#include "calculix/inp_transforms.h"

namespace femflex::importer {
namespace {

/// Reason why the loads of a step are incomplete: a support has a prescribed displacement other
/// than 0.
constexpr const char* kMovingSupport = "BOUNDARY with a value other than 0";

class InpReader : public InpLineSink {
 public:
  InpReader(Diagnostics& diagnostics, Progress& progress)
      : diagnostics_(diagnostics), files_(*this, diagnostics, progress) {}

  FileContents read(const std::filesystem::path& path) {
    contents_.encoding = "ascii";
    contents_.path = path.string();
    files_.read(path);
    finish();
    return std::move(contents_);
  }

 private:
  using Fields = std::vector<std::string_view>;

  Where here() const {
    Where out = files_.here();
    out.record = "*" + keyword_;
    return out;
  }

  [[noreturn]] void fail(const char* code, const std::string& what) const {
    throw ParseError(code, what, here());
  }

  void begin_keyword(InpKeyword keyword) override {
    elements_.end(here());
    keyword_ = keyword.name;
    parameters_ = std::move(keyword.parameters);
    for (const char* set : {"NSET", "ELSET", "TIENSET", "PINNSET", "REFNODE", "ROTNODE", "SURFACE"})
      if (parameters_.has(set)) parameters_.set(set, names_.here(parameters_.text(set)));
    const Where where = here();
    is_imaginary_ = begin_imaginary();
    sections_.begin(keyword_, parameters_);
    materials_.begin(keyword_, parameters_);
    surfaces_.begin(keyword_, parameters_);
    systems_.begin(keyword_, parameters_, where);
    if (keyword_ == "TRANSFORM" && step_ == 0) transforms_.begin(parameters_, where);
    constraints_.begin(keyword_, parameters_, where);
    supports_.begin(keyword_, step_, parameters_.word("OP") == "NEW");
    dialect_.begin(keyword_, parameters_);
    if (keyword_ == "STEP") ++step_;
    amplitudes_.begin(keyword_, parameters_, step_);
    instances_.begin(keyword_, parameters_, where);
    if (keyword_ == "STEP") {
      if (parameters_.has("PERTURBATION")) forces_.begin_perturbation(step_);
    } else if (keyword_ == "CLOAD" && parameters_.word("OP") == "NEW") {
      forces_.begin_anew(step_);
    } else if (keyword_ == "NSET") {
      begin_node_set();
    } else if (keyword_ == "ROTARYINERTIA" && parameters_.has("ORIENTATION")) {
      ++unread_["ROTARY INERTIA, ORIENTATION"];
    } else if (step_ > 0 && (keyword_ == "TEMPERATURE" || keyword_ == "TRANSFORM")) {
      contents_.loads.incomplete.emplace(step_, "*" + keyword_);
      if (keyword_ == "TEMPERATURE") temperatures_.change();
    } else if (keyword_ == "ELEMENT") {
      elements_.begin(parameters_);
    } else if (keyword_ == "NGEN" || keyword_ == "NFILL" || keyword_ == "NCOPY") {
      generated_nodes_ = where;
    } else if (keyword_ == "NMAP") {
      fail("moved-nodes", "it moves nodes, which is not supported: give all nodes by *NODE");
    }
    distributed_.begin(
        is_imaginary_ ? "" : keyword_, parameters_, step_, forces_.is_perturbation(step_));
    if (!is_read_everywhere(keyword_) && !constraints_.is_kinematic() && !is_initial_temperature())
      ++unread_[keyword_];
  }

  /// True for loads of the imaginary part, which make their step incomplete.
  bool begin_imaginary() {
    const bool is_load = keyword_ == "CLOAD" || keyword_ == "DLOAD" || keyword_ == "DSLOAD";
    const bool is_imaginary =
        is_load && (parameters_.text("LOADCASE") == "2" || parameters_.has("IMAGINARY"));
    if (is_imaginary)
      contents_.loads.incomplete.emplace(step_, "*" + keyword_ + " of the imaginary part");
    return is_imaginary;
  }

  void begin_node_set() {
    const std::string set = parameters_.text("NSET");
    if (parameters_.has("UNSORTED")) node_sets_.keep_order(set);
    if (parameters_.has("ELSET"))
      nodes_of_elements_.push_back({set, parameters_.text("ELSET"), here()});
  }

  void read_data(std::string_view line) override {
    const Where where = here();
    const std::vector<std::string_view> fields = fields_of(line);
    if (keyword_.ends_with("SECTION")) sections_.data(fields);
    if (keyword_.ends_with("SECTION") || keyword_ == "ELASTIC" || keyword_ == "DENSITY" ||
        keyword_ == "ORIENTATION")
      materials_.data(fields);
    amplitudes_.data(fields);
    distributed_.data(fields, where);
    surfaces_.data(fields, where);
    systems_.data(fields, where);
    if (keyword_ == "HEADING") {
      if (contents_.title.empty()) contents_.title = std::string(line);
    } else if (keyword_ == "NODE") {
      read_node(line);
    } else if (keyword_ == "ELEMENT") {
      elements_.data(fields, line.back() == ',', where);
    } else if (keyword_ == "NSET") {
      read_set(fields, parameters_.text("NSET"), node_sets_);
    } else if (keyword_ == "ELSET") {
      read_set(fields, parameters_.text("ELSET"), element_sets_);
    } else if (keyword_ == "MASS" || keyword_ == "ROTARYINERTIA") {
      std::array<double, 6> values{};
      for (std::size_t i = 0; i < 6; ++i)
        values[i] = inp_real_or_zero(fields, i, where);
      const std::string set = parameters_.text("ELSET");
      if (keyword_ == "MASS")
        masses_.set_mass(set, values);
      else
        masses_.set_inertia(set, values);
    } else if (keyword_ == "BOUNDARY") {
      read_boundary(fields);
    } else if (keyword_ == "INSTANCE") {
      instances_.data(fields, where);
    } else if (keyword_ == "CLOAD") {
      if (!is_imaginary_) read_load(fields);
    } else if (is_initial_temperature()) {
      read_temperature(fields);
    } else if (keyword_ == "TRANSFORM" && step_ == 0) {
      transforms_.data(fields);
    } else if (keyword_ == "EQUATION" || keyword_ == "KINEMATIC") {
      constraints_.data(fields, where);
    }
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
    line = trimmed(line);  // a comma and the normal may follow
    if (!line.empty() && line.front() != ',')
      fail("entry", fmt::format("unexpected '{}' after the coordinates", line.substr(0, 60)));
    systems_.place(grid);
    instances_.place(grid);
    const std::string set = parameters_.text("NSET");
    if (!set.empty()) node_sets_.add(set, grid.id);
    contents_.grids.push_back(std::move(grid));
  }

  void read_set(const Fields& fields, const std::string& name, InpSets& sets) {
    if (parameters_.has("GENERATE"))
      sets.add_range(name, fields, here());
    else
      sets.add_line(name, fields, here());
  }

  void read_boundary(const Fields& fields) {
    std::string components;
    // FIXED keeps the displacement reached in the previous step, SUBMODEL takes it from another
    // model: both are unknown here
    InpSupports::Motion motion{.amplitude = InpAmplitudes::name_in(parameters_)};
    motion.is_unknown =
        step_ > 0 && ((parameters_.has("FIXED") && step_ > 1) || parameters_.has("SUBMODEL"));
    if (fields.size() < 2 || fields[1].empty()) {
      ++unread_["BOUNDARY without a direction"];
    } else if (const auto first = parse_integer(fields[1])) {
      components = directions_of_boundary(fields, *first);
      motion.value = inp_real_or_zero(fields, 3, here());
      if (motion.value != 0.0 && !components.empty()) motions_.emplace_back(step_, motion);
    } else {
      components = inp_held_by(upper_case(fields[1]));
      if (components.empty()) ++unread_["BOUNDARY " + upper_case(fields[1])];
    }
    on_nodes(fields[0], [this, components, motion, step = step_](std::int64_t node) {
      for (const char c : components)
        supports_.add(step, {node, static_cast<std::int8_t>(c - '0')}, motion);
    });
  }

  /// The directions, 1 to 6, that a line of *BOUNDARY holds, as "123". Counts lines with others as
  /// unread: 7 is warping, 11 the temperature.
  std::string directions_of_boundary(const Fields& fields, std::int64_t first) {
    constexpr std::int64_t kLast = 6;
    const std::int64_t last =
        fields.size() > 2 && !fields[2].empty() ? inp_integer(fields[2], here()) : first;
    if (last < first)
      ++unread_[fmt::format("BOUNDARY on directions {} to {}", first, last)];
    else if (first < 1 || last > kLast)
      ++unread_[fmt::format("BOUNDARY on direction {}", first < 1 ? first : last)];
    std::string out;
    for (std::int64_t c = std::max<std::int64_t>(first, 1); c <= std::min(last, kLast); ++c)
      out += static_cast<char>('0' + c);
    return out;
  }

  bool is_initial_temperature() const {
    return keyword_ == "INITIALCONDITIONS" && parameters_.word("TYPE") == "TEMPERATURE";
  }

  /// Reads an initial temperature: node or set, value.
  void read_temperature(const Fields& fields) {
    if (fields.size() < 2) return;
    on_nodes(fields[0],
             [this, value = inp_real_or_zero(fields, 1, here()), order = ++temperature_lines_](
                 std::int64_t node) { temperatures_.set(node, value, order); });
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
  void read_load(const Fields& fields) {
    if (fields.size() < 3) fail("entry", "the line needs a node or set, a direction and a value");
    const std::int64_t direction = inp_integer(fields[1], here());
    if (direction < 1 || direction > 6) {
      ++unread_["CLOAD on direction " + std::string(fields[1])];
      contents_.loads.incomplete.emplace(step_, "*CLOAD on a direction other than 1 to 6");
      return;
    }
    RawForce force;
    force.set = step_;
    force.is_moment = direction > 3;
    force.value[static_cast<std::size_t>((direction - 1) % 3)] =
        inp_real_or_zero(fields, 2, here());
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

  /// Warns once of loads that are not scaled because the factor of their amplitude is not known.
  void warn_of_amplitude() {
    if (!amplitudes_.unknown()) return;
    const auto& [name, step] = *amplitudes_.unknown();
    diagnostics_.warn("amplitude",
                      fmt::format("loads with AMPLITUDE={} are not scaled: its factor at the end "
                                  "of step {} is not known (only tables at the end of *STATIC "
                                  "steps are)",
                                  name,
                                  step),
                      {files_.deck()});
  }

  /// Marks as incomplete the steps in which a support is displaced.
  void add_moving_supports() {
    std::set<std::int64_t> steps = forces_.steps();
    for (const std::int64_t step : supports_.moving_steps(step_, amplitudes_))
      if (steps.contains(step) ||
          (amplitudes_.is_static(step) && supports_.moves_by_itself(step, amplitudes_)))
        contents_.loads.incomplete.emplace(step, "*" + std::string(kMovingSupport));
    for (const auto& [step, motion] : motions_)
      if (motion.is_moved(step, step, amplitudes_)) ++unread_[kMovingSupport];
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

  /// Warns of a step whose loads differ between CalculiX and Abaqus if the deck does not show which
  /// of them it is for.
  void warn_of_rules() {
    if (dialect_.is_abaqus() || dialect_.is_calculix() || !forces_.has_perturbations()) return;
    const std::int64_t step = step_that_differs(loads_by_rules(false), loads_by_rules(true));
    if (step == 0) return;
    diagnostics_.warn(
        "step-rules",
        fmt::format(
            "the loads of step {} are read by the rules of CalculiX; they differ by those of "
            "Abaqus, where the loads of a perturbation step act in that step alone, and "
            "the deck does not show which program it is for: give all loads of every step "
            "(OP=NEW), or, for Abaqus, add *PREPRINT",
            step),
        {files_.deck()});
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
    element_sets_.resolve(elements_.take_ids(), files_.bytes(), diagnostics_);
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
    node_sets_.resolve(std::move(ids), files_.bytes(), diagnostics_);
  }

  /// Fails if elements have nodes that *NGEN, *NFILL or *NCOPY makes, which are not read.
  void refuse_generated_nodes() const {
    if (!generated_nodes_) return;
    std::set<std::int64_t> ids;
    for (const RawGrid& grid : contents_.grids)
      ids.insert(grid.id);
    for (const ElementBlock& block : contents_.elements)
      for (const std::int64_t node : block.connectivity)
        if (!ids.contains(node))
          throw ParseError("generated-nodes",
                           fmt::format("node {} of the elements is not in the *NODE lines, and "
                                       "nodes that this keyword generates are not read",
                                       node),
                           *generated_nodes_,
                           "write the deck with all its nodes below *NODE");
  }

  void finish() {
    elements_.end(here());
    elements_.finish(contents_);
    if (elements_.orientation_nodes() > 0)
      unread_["ELEMENT: orientation nodes of beams"] = elements_.orientation_nodes();
    refuse_generated_nodes();
    resolve_sets();
    apply_to_sets();
    contents_.fixed = supports_.finish(step_, files_.deck(), diagnostics_);
    sections_.finish(element_sets_, contents_.sections);
    materials_.finish(element_sets_,
                      temperatures_.of(contents_.elements),
                      dialect_,
                      files_.deck(),
                      contents_,
                      diagnostics_);
    constraints_.finish(node_sets_, element_sets_, contents_, diagnostics_);
    contents_.node_sets = node_sets_.by_name();
    contents_.support_axes = transforms_.axes_by_node(contents_.grids, node_sets_, diagnostics_);
    masses_.finish(element_sets_, instances_.turned(), files_.deck(), contents_, diagnostics_);
    add_loads();
    turn_equations(contents_);
    if (!dialect_.is_abaqus()) drop_idle_rotations(contents_, diagnostics_);
    name_rotations(contents_, diagnostics_);
    for (const auto& [keyword, count] : unread_)
      contents_.unread.push_back({"*" + keyword, count});
  }

  struct OfElements {  ///< *NSET, ELSET=: the nodes of elements
    std::string set, elements;
    Where where;
  };
  struct OnSet {  ///< what a line does to each node of a set
    std::string set;
    Where where;
    std::function<void(std::int64_t)> apply;
  };

  Diagnostics& diagnostics_;
  InpFiles files_;
  FileContents contents_;
  InpNames names_;
  InpSections sections_;
  InpMaterials materials_;
  InpTransforms transforms_;
  InpSets node_sets_{names_}, element_sets_{names_};
  InpSurfaces surfaces_{names_};
  InpNodeSystems systems_;
  InpConstraints constraints_{names_, surfaces_};
  InpDistributed distributed_{names_, surfaces_};
  InpSupports supports_;
  std::vector<std::pair<std::int64_t, InpSupports::Motion>> motions_;  ///< of *BOUNDARY, by step
  InpAmplitudes amplitudes_;
  InpTemperatures temperatures_;
  InpForces forces_;
  InpDialect dialect_;
  InpMasses masses_;
  InpInstances instances_{names_, transforms_, materials_, contents_.grids};
  InpElementLines elements_{names_, element_sets_, masses_, materials_};
  std::vector<OfElements> nodes_of_elements_;
  std::vector<OnSet> on_sets_;
  std::string keyword_;  ///< the current one, and its parameters
  InpParameters parameters_;
  std::int64_t step_ = 0;                 ///< number of *STEPs so far
  std::int64_t temperature_lines_ = 0;    ///< initial temperatures so far
  std::optional<Where> generated_nodes_;  ///< of the last keyword that generates nodes
  bool is_imaginary_ = false;             ///< the current loads are those of the imaginary part
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
