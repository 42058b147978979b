// Reads a lattice in JSON member by member (docs/formats/lattice.md): nodes, springs, hinges,
// loads, motions, run options. Also reads files of the document of 2007 (docs/bibliography.md).
#include "lattice/lattice_json.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/json_text.h"
#include "lattice/id_places.h"
#include "lattice/lattice_doubts.h"
#include "lattice/lattice_generate.h"
#include "lattice/lattice_json_springs.h"
#include "lattice/lattice_parameters.h"
#include "lattice/lattice_values.h"
#include "lattice/plain_lattice.h"

namespace femflex::tools {
namespace {

using namespace hamiltonian;
using namespace lattice_values;

class LatticeJsonReader {
 public:
  /// @param plain  nodes and springs that were read before, or null
  explicit LatticeJsonReader(const Json& document, const PlainLattice* plain = nullptr)
      : in_(document, "lattice"), plain_(plain) {}

  /// Returns nothing if plain nodes or springs do not suit the other members.
  std::optional<LatticeDocument> read() {
    head();
    if (const Json* generate = in_.find("generate")) generated(*generate);
    if (const Json* nodes = in_.find("nodes"); nodes != nullptr && !read_nodes(*nodes))
      return std::nullopt;
    if (lattice_.nodes.empty())
      in_.value().fail("no-nodes",
                       R"(a lattice needs "nodes" or "generate")",
                       in_.value().find("bodies") != nullptr
                           ? "this looks like a system: run it with 'femflex simulate'"
                           : "add one of them");
    if (const Json* springs = in_.find("springs"); springs != nullptr && !read_springs(*springs))
      return std::nullopt;
    if (const Json* hinges = in_.find("rotational_springs"))
      for (const Json& hinge : hinges->items())
        add_hinge(hinge);
    if (const Json* loads = in_.find("loads"))
      for (const Json& load : loads->items())
        read_load(load);
    if (const Json* motions = in_.find("motions"))
      for (const Json& motion : motions->items())
        read_motion(motion);
    if (const Json* hub = in_.find("R")) read_hub(*hub);
    if (const Json* held = in_.find("fixed")) read_held(*held);
    if (const Json* ports = in_.find("ports")) read_ports(*ports);
    in_.finish();
    check_motions();
    document_.lattice = make_lattice(std::move(lattice_));
    places_.file = in_.value().where().file;
    warn_of_doubts(document_.lattice, places_, document_.warnings);
    return std::move(document_);
  }

 private:
  void head() {
    if (const Json* version = in_.find("femflex"); version != nullptr && finite(*version) != 1.0)
      version->fail("unknown-version",
                    fmt::format("version {} of the format", version->number()),
                    "this program reads version 1");
    (void)in_.find("$schema");
    if (const Json* kind = in_.find("kind")) (void)choice(*kind, {"lattice"});
    // members without effect
    for (const char* remark :
         {"note", "notes", "sampling", "probes", "static_end", "static_potential_energy", "title"})
      if (const Json* text = in_.find(remark)) document_.remarks.emplace_back(remark, *text);
    lattice_.name = in_.text("name", "");
    const Json* dimension = in_.find("dimension");
    lattice_.dimension = dimension == nullptr
                             ? 3
                             : static_cast<int>(std::clamp<std::int64_t>(whole(*dimension), 0, 9));
    if (lattice_.dimension < 1 || lattice_.dimension > 3)
      dimension->fail(
          "bad-dimension", fmt::format("dimension is {}", dimension->number()), "give 1, 2 or 3");
    if (const Json* gravity = in_.find("gravity")) {
      if (gravity->is_number())  // acts along -y, or along -x in one dimension
        lattice_.gravity(lattice_.dimension == 1 ? 0 : 1) = -finite(*gravity);
      else
        lattice_.gravity = vector(*gravity, lattice_.dimension);
    }
    const Json* c = in_.find("friction_c");
    const Json* percent = in_.find("friction");
    if (c != nullptr && percent != nullptr)
      percent->fail("friction-twice", R"(both "friction" and "friction_c" are given)");
    lattice_.friction = not_negative_or(in_, c != nullptr ? "friction_c" : "friction", 0.0);
    lattice_.step = not_negative_or(in_, "step", 0.0);
    document_.start_time = number_or(in_, "start_time", 0.0);
    if (const Json* start = in_.find("start")) {
      static const std::vector<std::string> names = {
          "as given", "equilibrium", "static equilibrium under gravity"};
      lattice_.start_at_equilibrium = choice(*start, names) != names[0];
    }
    if (const Json* integrator = in_.find("integrator"))
      document_.integrator = choice(*integrator, integrator_names());
    const Json* end = in_.find("end");
    document_.end = not_negative_or(in_, "end", 0.0);
    if (document_.end > 0.0 && document_.end <= document_.start_time)
      end->fail(
          "bad-end",
          fmt::format("end {} is not after start_time {}", document_.end, document_.start_time));
    document_.output_step = not_negative_or(in_, "output_step", 0.0);
  }

  void generated(const Json& value) {
    Lattice made = generated_lattice(value, lattice_.dimension);
    lattice_.nodes = std::move(made.nodes);
    lattice_.springs = std::move(made.springs);
    for (std::size_t i = 0; i < lattice_.nodes.size(); ++i)
      index_.insert(lattice_.nodes[i].id, static_cast<std::int32_t>(i));
    for (std::size_t i = 0; i < lattice_.springs.size(); ++i)
      spring_index_.insert(static_cast<std::int64_t>(i) + 1, static_cast<std::int32_t>(i));
  }

  std::int32_t node(const Json& value) const {
    const auto found = index_.find(whole(value));
    if (!found)
      value.fail("unknown-node",
                 fmt::format("there is no node {}", value.number()),
                 "give the \"id\" of a member of \"nodes\"");
    return *found;
  }

  void hold(const Json& value, LatticeNode& out) const {
    if (value.is_boolean()) {
      out.fixed = {value.boolean(), value.boolean(), value.boolean()};
    } else if (value.is_text()) {
      hold_axes(value, lattice_.dimension, out.fixed);
    } else {
      for (const Json& axis : value.items())
        out.fixed[static_cast<std::size_t>(axis_of(axis, lattice_.dimension))] = true;
    }
  }

  void read_node(const Json& value) {
    ObjectReader in(value, "node");
    in.declare_keys({"id", "x", "v", "mass", "fixed", "damping"});
    const Json& id = in.need("id");
    // changes a node made by "generate", or adds a new one
    const auto known = index_.find(whole(id));
    const bool is_new = !known;
    LatticeNode fresh;
    fresh.id = whole(id);
    LatticeNode& out = is_new ? lattice_.nodes.emplace_back(fresh)
                              : lattice_.nodes[static_cast<std::size_t>(*known)];
    if (is_new) index_.insert(fresh.id, static_cast<std::int32_t>(lattice_.nodes.size()) - 1);
    // without "generate", every known node has been named
    const bool is_first =
        in_.find("generate") != nullptr ? named_.insert({fresh.id, 0}).second : is_new;
    if (!is_first) id.fail("repeated-node", fmt::format("node {} appears twice", fresh.id));
    if (is_new)
      out.position = vector(in.need("x"), lattice_.dimension);
    else if (const Json* x = in.find("x"))
      out.position = vector(*x, lattice_.dimension);
    if (const Json* v = in.find("v")) out.velocity = vector(*v, lattice_.dimension);
    if (const Json* mass = in.find("mass")) {
      out.mass = finite(*mass);
      if (out.mass < 0.0)
        mass->fail("bad-mass",
                   fmt::format("node {}: mass is {}", out.id, out.mass),
                   "give a number that is not negative");
    }
    if (const Json* fixed = in.find("fixed")) hold(*fixed, out);
    if (const Json* d = in.find("damping")) out.damping = damping(*d);
    in.finish();
  }

  std::int32_t spring(const Json& number) const {
    const auto found = spring_index_.find(whole(number));
    if (!found) number.fail("unknown-spring", fmt::format("no spring {}", number.number()));
    return *found;
  }

  void add_spring(const Json& value) {
    const Json* id = nullptr;
    lattice_.springs.push_back(read_spring(
        value, [this](const Json& number) { return node(number); }, lattice_.functions, id));
    const std::int64_t number =
        id != nullptr ? whole(*id) : static_cast<std::int64_t>(lattice_.springs.size());
    if (!spring_index_.insert(number, static_cast<std::int32_t>(lattice_.springs.size()) - 1))
      value.fail("repeated-spring", fmt::format("spring {} is defined twice", number));
    // springs made by "generate" have no line number
    places_.springs.resize(lattice_.springs.size() - 1, -1);
    places_.springs.push_back(value.where().line);
  }

  /// Adds all nodes, in the order of the file. Returns false if plain nodes do not suit the other
  /// members, or if an id appears twice.
  bool read_nodes(const Json& nodes) {
    const std::vector<Json>& others = nodes.items();
    auto other = others.begin();
    if (plain_ != nullptr && !plain_->nodes.empty()) {
      if (plain_->dimension != 0 &&
          (!lattice_.nodes.empty() || plain_->dimension != lattice_.dimension))
        return false;
      lattice_.nodes.reserve(plain_->nodes.size());
      for (const PlainNode& each : plain_->nodes) {
        if (!each.is_plain) {
          read_node(*other++);
          continue;
        }
        lattice_.nodes.push_back(each.node);
        if (!index_.insert(each.node.id, static_cast<std::int32_t>(lattice_.nodes.size()) - 1))
          return false;
      }
    } else {
      lattice_.nodes.reserve(lattice_.nodes.size() + others.size());
      for (const Json& node : others)
        read_node(node);
    }
    return true;
  }

  /// Adds all springs, in the order of the file. Returns false if a node or an id of a plain spring
  /// is invalid.
  bool read_springs(const Json& springs) {
    const std::vector<Json>& others = springs.items();
    auto other = others.begin();
    if (plain_ == nullptr) {
      lattice_.springs.reserve(lattice_.springs.size() + others.size());
      for (const Json& spring : others)
        add_spring(spring);
      return true;
    }
    if (!lattice_.springs.empty()) return false;
    lattice_.springs.reserve(plain_->springs.size());
    places_.springs.reserve(plain_->springs.size());
    for (const PlainSpring& each : plain_->springs) {
      if (!each.is_plain) {
        add_spring(*other++);
      } else if (!add_plain_spring(each)) {
        return false;
      }
    }
    return true;
  }

  bool add_plain_spring(const PlainSpring& plain) {
    const auto a = index_.find(plain.a);
    const auto b = index_.find(plain.b);
    if (!a || !b) return false;
    Spring& made = lattice_.springs.emplace_back(plain.spring);
    made.a = *a;
    made.b = *b;
    places_.springs.push_back(plain.line);
    const auto place = static_cast<std::int32_t>(lattice_.springs.size()) - 1;
    return spring_index_.insert(plain.id.value_or(std::int64_t{place} + 1), place);
  }

  void add_hinge(const Json& value) {
    const RotationalSpring made =
        read_hinge(value, [this](const Json& number) { return spring(number); });
    if (const std::string fault = hinge_fault(lattice_, made.a, made.b); !fault.empty())
      value.fail(
          "bad-hinge", "rotational spring: " + fault, "name two springs that meet in a node");
    lattice_.hinges.push_back(made);
    places_.hinges.push_back(value.where().line);
  }

  void read_load(const Json& value) {
    ObjectReader in(value, "load");
    in.declare_keys({"node", "force", "scale", "history", "t", "steps"});
    Load out;
    out.node = node(in.need("node"));
    out.force = vector(in.need("force"), lattice_.dimension);
    if (const Json* scale = in.find("scale"))
      if (scale->is_number()) out.force *= finite(*scale);  // a text is only a remark
    if (const Json* history = in.find("history"))
      out.history = function(*history, FunctionPlace::history);
    if (const Json* window = in.find("t")) {
      const auto& ends = window->items();
      if (ends.size() != 2 || !(finite(ends[0]) < finite(ends[1])))
        window->fail("bad-window", "expected [from, until]");
      out.from = finite(ends[0]);
      out.until = finite(ends[1]);
    }
    if (const Json* steps = in.find("steps")) {
      out.until_step = whole(*steps);
      if (out.until_step < 1) steps->fail("bad-number", "expected a number of steps from 1");
    }
    in.finish();
    lattice_.loads.push_back(out);
  }

  void read_motion(const Json& value) {
    ObjectReader in(value, "motion");
    in.declare_keys({"node", "axis", "displacement"});
    PrescribedMotion out;
    out.node = node(in.need("node"));
    out.axis = static_cast<std::int8_t>(axis_of(in.need("axis"), lattice_.dimension));
    out.displacement = function(in.need("displacement"), FunctionPlace::history);
    in.finish();
    lattice_.motions.push_back(out);
    motion_values_.push_back(&value);
  }

  /// Checks motions at the end, because "fixed" may follow "motions".
  void check_motions() const {
    for (std::size_t m = 0; m < lattice_.motions.size(); ++m) {
      const PrescribedMotion& motion = lattice_.motions[m];
      const LatticeNode& node = lattice_.nodes[static_cast<std::size_t>(motion.node)];
      if (node.fixed[static_cast<std::size_t>(motion.axis)])
        motion_values_[m]->fail(
            "held-twice",
            fmt::format(
                "motion {}: axis {} of node {} is fixed", m + 1, "xyz"[motion.axis], node.id),
            "free it, or leave the motion out");
    }
  }

  void read_hub(const Json& value) {
    ObjectReader in(value, "R");
    in.declare_keys({"k", "x", "d", "law"});
    Hub out;
    out.stiffness = positive(in.need("k"), "R: k");
    if (const Json* x = in.find("x")) out.position = vector(*x, lattice_.dimension);
    if (in.find("d") != nullptr) out.rest_length = not_negative_or(in, "d", 0.0);
    out.law = choice_or(in, "law", kStiffnessLaws, out.law);
    in.finish();
    lattice_.hub = out;
  }

  /// Reads "ports": [ { "node": 9, "in": "force" }, { "node": "R", "in": "velocity" } ]
  void read_ports(const Json& value) {
    for (const Json& item : value.items()) {
      Port port;
      ObjectReader in(item, "port");
      in.declare_keys({"node", "in"});
      const Json& place = in.need("node");
      if (place.is_text()) {
        (void)choice(place, {"R"});
        if (!lattice_.hub)
          place.fail(
              "no-hub", "a port on R, and the lattice has no \"R\"", "add \"R\": { \"k\": ... }");
      } else {
        port.node = node(place);
      }
      port.causality = choice(in.need("in"), kCausalities);
      in.finish();
      document_.ports.push_back(port);
    }
  }

  /// Reads "fixed": { "xy": [1, 18], "y": [9] }, the supports of generated nodes.
  void read_held(const Json& value) {
    for (const Json::Member& member : value.members()) {
      Json axes(member.key);
      axes.set_where(member.where);
      for (const Json& id : member.value.items()) {
        LatticeNode& out = lattice_.nodes[static_cast<std::size_t>(node(id))];
        hold_axes(axes, lattice_.dimension, out.fixed);
      }
    }
  }

  ObjectReader in_;
  const PlainLattice* plain_;
  LatticeDocument document_;
  Lattice lattice_;
  IdPlaces index_, spring_index_;
  std::unordered_map<std::int64_t, int> named_;
  std::vector<const Json*> motion_values_;
  LatticePlaces places_;
};

}  // namespace

LatticeDocument read_lattice_json(const Json& document) {
  if (has_parameters(document)) return *LatticeJsonReader(with_parameters_put_in(document)).read();
  return *LatticeJsonReader(document).read();
}

std::optional<LatticeDocument> read_plain_lattice(const Json& document, const PlainLattice& plain) {
  if (has_parameters(document))
    return LatticeJsonReader(with_parameters_put_in(document), &plain).read();
  return LatticeJsonReader(document, &plain).read();
}

}  // namespace femflex::tools
