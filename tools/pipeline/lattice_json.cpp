// The lattice in JSON: docs/formats/lattice.md. Models of the 2007 experiments are read as they
// are.
#include "lattice_json.h"

#include <cmath>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/hamiltonian/generators.h"

#include "json_text.h"
#include "lattice_values.h"

namespace femflex::pipeline {
namespace {

using namespace hamiltonian;
using namespace lattice_values;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

class Reader {
 public:
  explicit Reader(const Json& document) : in_(document, "lattice") {}

  LatticeDocument read() {
    head();
    if (const Json* generate = in_.find("generate")) generated(*generate);
    if (const Json* nodes = in_.find("nodes")) {
      lattice_.nodes.reserve(nodes->items().size());
      for (const Json& node : nodes->items())
        read_node(node);
    }
    if (lattice_.nodes.empty())
      in_.value().fail("no-nodes", R"(a lattice needs "nodes" or "generate")");
    if (const Json* springs = in_.find("springs")) {
      lattice_.springs.reserve(springs->items().size());
      for (const Json& spring : springs->items())
        read_spring(spring);
    }
    if (const Json* hinges = in_.find("rotational_springs"))
      for (const Json& hinge : hinges->items())
        read_hinge(hinge);
    if (const Json* loads = in_.find("loads"))
      for (const Json& load : loads->items())
        read_load(load);
    if (const Json* motions = in_.find("motions"))
      for (const Json& motion : motions->items())
        read_motion(motion);
    if (const Json* bowl = in_.find("R")) read_bowl(*bowl);
    if (const Json* held = in_.find("fixed")) read_held(*held);
    if (const Json* ports = in_.find("ports")) read_ports(*ports);
    in_.finish();
    document_.lattice = make_lattice(std::move(lattice_));
    return std::move(document_);
  }

 private:
  void head() {
    (void)in_.find("femflex");
    (void)in_.find("$schema");
    if (const Json* kind = in_.find("kind")) (void)choice(*kind, {"lattice"});
    // remarks that documents carry along
    for (const char* remark :
         {"note", "notes", "sampling", "probes", "static_end", "static_potential_energy", "title"})
      (void)in_.find(remark);
    lattice_.name = in_.text("name", "");
    const Json* dimension = in_.find("dimension");
    lattice_.dimension = dimension == nullptr
                             ? 3
                             : static_cast<int>(std::clamp<std::int64_t>(whole(*dimension), 0, 9));
    if (lattice_.dimension < 1 || lattice_.dimension > 3)
      dimension->fail("bad-dimension", "expected 1, 2 or 3");
    if (const Json* gravity = in_.find("gravity")) {
      if (gravity->is_number())  // downwards: -y, or -x where that is all there is
        lattice_.gravity(lattice_.dimension == 1 ? 0 : 1) = -finite(*gravity);
      else
        lattice_.gravity = vector(*gravity, lattice_.dimension);
    }
    const Json* c = in_.find("friction_c");
    const Json* percent = in_.find("friction");
    if (c != nullptr && percent != nullptr)
      percent->fail("friction-twice", R"(both "friction" and "friction_c" are given)");
    if (c != nullptr) lattice_.friction = finite(*c);
    if (percent != nullptr) lattice_.friction = finite(*percent);
    lattice_.step = number_or(in_, "step", 0.0);
    if (const Json* start = in_.find("start")) {
      static const std::vector<std::string> names = {
          "as given", "equilibrium", "static equilibrium under gravity"};
      lattice_.start_at_equilibrium = choice(*start, names) != names[0];
    }
    document_.integrator = in_.text("integrator", "");
    if (!document_.integrator.empty()) (void)parse_integrator(document_.integrator);
    document_.end = number_or(in_, "end", 0.0);
    document_.output_step = number_or(in_, "output_step", 0.0);
  }

  void generated(const Json& value) {
    ObjectReader in(value, "generate");
    const std::string kind = choice(in.need("type"), {"block", "ladder", "chain"});
    Lattice made;
    if (kind == "block") {
      BlockOptions o;
      o.dimension = lattice_.dimension;
      const Eigen::Vector3d nodes = vector(in.need("nodes"), lattice_.dimension);
      const Eigen::Vector3d size = vector(in.need("size"), lattice_.dimension);
      for (std::size_t i = 0; i < 3; ++i) {
        const auto e = static_cast<Eigen::Index>(i);
        const bool used = e < lattice_.dimension;
        if (used && (nodes(e) < 1.0 || nodes(e) > 1e8))
          value.fail("bad-block", "nodes: expected counts from 1");
        o.nodes[i] = used ? static_cast<int>(nodes(e)) : 1;
        o.size[i] = size(e);
      }
      o.node_mass = number_or(in, "mass", 1.0);
      o.stiffness = finite(in.need("k"));
      o.diagonal_stiffness = number_or(in, "k_diagonal", o.stiffness);
      o.face_diagonals = in.boolean("face_diagonals", true);
      o.space_diagonals = in.boolean("space_diagonals", true);
      if (const Json* law = in.find("law"))
        o.law = choice(*law, {"quartic", "linear"}) == "linear" ? SpringLaw::linear
                                                                : SpringLaw::quartic;
      made = make_block(o);
    } else if (kind == "ladder") {
      LadderOptions o;
      o.columns =
          static_cast<int>(std::clamp<std::int64_t>(whole(in.need("columns")), 0, 10000000));
      o.cell = number_or(in, "cell", o.cell);
      o.node_mass = number_or(in, "mass", o.node_mass);
      o.chord = number_or(in, "k_chord", o.chord);
      o.vertical = number_or(in, "k_vertical", o.vertical);
      o.diagonal = number_or(in, "k_diagonal", o.diagonal);
      made = make_ladder(o);
    } else {
      ChainOptions o;
      o.dimension = std::min(lattice_.dimension, 2);
      o.links = static_cast<int>(std::clamp<std::int64_t>(whole(in.need("links")), 0, 10000000));
      o.length = number_or(in, "length", o.length);
      o.mass = number_or(in, "mass", o.mass);
      o.end_mass = number_or(in, "end_mass", o.mass);
      o.stiffness = number_or(in, "k", o.stiffness);
      made = make_chain(o);
    }
    in.finish();
    lattice_.nodes = std::move(made.nodes);
    lattice_.springs = std::move(made.springs);
    for (std::size_t i = 0; i < lattice_.nodes.size(); ++i)
      index_[lattice_.nodes[i].id] = static_cast<std::int32_t>(i);
    for (std::size_t i = 0; i < lattice_.springs.size(); ++i)
      spring_index_[static_cast<std::int64_t>(i) + 1] = static_cast<std::int32_t>(i);
  }

  std::int32_t node(const Json& value) const {
    const auto found = index_.find(whole(value));
    if (found == index_.end())
      value.fail("unknown-node", fmt::format("no node {}", value.number()));
    return found->second;
  }

  void hold(const Json& value, LatticeNode& out) const {
    if (value.is_boolean()) {
      out.fixed = {value.boolean(), value.boolean(), value.boolean()};
    } else if (value.is_text()) {
      for (const char letter : value.text())
        out.fixed[static_cast<std::size_t>(
            axis_of(Json(std::string(1, letter)), lattice_.dimension))] = true;
    } else {
      for (const Json& axis : value.items())
        out.fixed[static_cast<std::size_t>(axis_of(axis, lattice_.dimension))] = true;
    }
  }

  void read_node(const Json& value) {
    ObjectReader in(value, "node");
    const Json& id = in.need("id");
    // a node that "generate" made is changed, others are added
    const auto known = index_.find(whole(id));
    const bool is_new = known == index_.end();
    LatticeNode fresh;
    fresh.id = whole(id);
    LatticeNode& out = is_new ? lattice_.nodes.emplace_back(fresh)
                              : lattice_.nodes[static_cast<std::size_t>(known->second)];
    if (is_new)
      index_[fresh.id] = static_cast<std::int32_t>(lattice_.nodes.size()) - 1;
    else if (!named_.insert({fresh.id, 0}).second || in_.find("generate") == nullptr)
      id.fail("repeated-node", fmt::format("node {} stands twice", fresh.id));
    if (is_new)
      out.position = vector(in.need("x"), lattice_.dimension);
    else if (const Json* x = in.find("x"))
      out.position = vector(*x, lattice_.dimension);
    if (const Json* v = in.find("v")) out.velocity = vector(*v, lattice_.dimension);
    if (const Json* mass = in.find("mass")) out.mass = finite(*mass);
    if (const Json* fixed = in.find("fixed")) hold(*fixed, out);
    if (const Json* d = in.find("damping")) out.damping = damping(*d);
    in.finish();
  }

  void read_spring(const Json& value) {
    ObjectReader in(value, "spring");
    Spring out;
    const Json* id = in.find("id");
    out.a = node(in.need("i"));
    out.b = node(in.need("j"));
    if (const Json* law = in.find("law")) {
      static const std::vector<std::string> names = {"quartic", "linear", "table", "expression"};
      out.law = static_cast<SpringLaw>(std::find(names.begin(), names.end(), choice(*law, names)) -
                                       names.begin());
    }
    if (const Json* force = in.find("force")) {
      out.force = static_cast<std::int32_t>(lattice_.functions.size());
      lattice_.functions.push_back(function(*force));
      out.law =
          lattice_.functions.back().expression.empty() ? SpringLaw::table : SpringLaw::expression;
    }
    out.area = number_or(in, "area", 0.0);
    out.modulus = number_or(in, "modulus", 0.0);
    out.density = number_or(in, "density", 0.0);
    const bool needs_k =
        out.law == SpringLaw::quartic || (out.law == SpringLaw::linear && out.area == 0.0);
    out.stiffness = needs_k ? finite(in.need("k")) : number_or(in, "k", 0.0);
    const Json* d = in.find("d");
    out.reference = d == nullptr   ? Reference::initial
                    : d->is_text() ? reference(*d)
                                   : Reference::value;
    if (out.reference == Reference::value) out.rest_length = finite(*d);
    out.tension_only = in.boolean("tension_only", false);
    out.break_force = number_or(in, "break_force", kInfinite);
    out.break_elongation = number_or(in, "break_elongation", kInfinite);
    out.break_stress = number_or(in, "break_stress", kInfinite);
    if (const Json* c = in.find("damping")) out.damping = damping(*c);
    in.finish();
    lattice_.springs.push_back(out);
    const std::int64_t number =
        id != nullptr ? whole(*id) : static_cast<std::int64_t>(lattice_.springs.size());
    if (!spring_index_.insert({number, static_cast<std::int32_t>(lattice_.springs.size()) - 1})
             .second)
      value.fail("repeated-spring", fmt::format("spring {} stands twice", number));
  }

  void read_hinge(const Json& value) {
    ObjectReader in(value, "rotational spring");
    RotationalSpring out;
    const auto spring = [&](const Json& number) {
      const auto found = spring_index_.find(whole(number));
      if (found == spring_index_.end())
        number.fail("unknown-spring", fmt::format("no spring {}", number.number()));
      return found->second;
    };
    out.a = spring(in.need("a"));
    out.b = spring(in.need("b"));
    if (const Json* moment = in.find("moment")) out.moment = function(*moment);
    out.stiffness = out.moment.is_constant() ? finite(in.need("k")) : number_or(in, "k", 0.0);
    if (const Json* angle = in.find("angle")) {
      if (angle->is_text())
        out.reference = reference(*angle);
      else
        out.angle = finite(*angle);
    }
    if (const Json* turns = in.find("turns"))
      out.turns =
          static_cast<std::int32_t>(std::clamp<std::int64_t>(whole(*turns), -1000000, 1000000));
    if (const Json* c = in.find("damping")) out.damping = damping(*c);
    in.finish();
    lattice_.hinges.push_back(out);
  }

  void read_load(const Json& value) {
    ObjectReader in(value, "load");
    Load out;
    out.node = node(in.need("node"));
    out.force = vector(in.need("force"), lattice_.dimension);
    if (const Json* scale = in.find("scale"))
      if (scale->is_number()) out.force *= finite(*scale);  // text is a remark
    if (const Json* history = in.find("history")) out.history = function(*history);
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
    PrescribedMotion out;
    out.node = node(in.need("node"));
    out.axis = static_cast<std::int8_t>(axis_of(in.need("axis"), lattice_.dimension));
    out.displacement = function(in.need("displacement"));
    in.finish();
    lattice_.motions.push_back(out);
  }

  void read_bowl(const Json& value) {
    ObjectReader in(value, "R");
    Bowl out;
    out.stiffness = finite(in.need("k"));
    if (const Json* x = in.find("x")) out.position = vector(*x, lattice_.dimension);
    if (const Json* d = in.find("d")) out.rest_length = finite(*d);
    if (const Json* law = in.find("law"))
      out.law =
          choice(*law, {"quartic", "linear"}) == "linear" ? SpringLaw::linear : SpringLaw::quartic;
    in.finish();
    lattice_.bowl = out;
  }

  /// "ports": [ { "node": 9, "in": "force" }, { "node": "R", "in": "velocity" } ]
  void read_ports(const Json& value) {
    if (value.items().size() != 2) value.fail("two-ports", "expected two ports");
    std::array<Port, 2> ports;
    for (std::size_t k = 0; k < 2; ++k) {
      ObjectReader in(value.items()[k], "port");
      const Json& place = in.need("node");
      if (place.is_text())
        (void)choice(place, {"R"});
      else
        ports[k].node = node(place);
      ports[k].causality = choice(in.need("in"), {"force", "velocity"}) == "force"
                               ? Causality::force_in
                               : Causality::velocity_in;
      in.finish();
    }
    document_.ports = ports;
  }

  /// "fixed": { "xy": [1, 18], "y": [9] }: supports of generated nodes.
  void read_held(const Json& value) {
    for (const Json::Member& member : value.members()) {
      for (const Json& id : member.value.items()) {
        LatticeNode& out = lattice_.nodes[static_cast<std::size_t>(node(id))];
        hold(Json(member.key), out);
      }
    }
  }

  ObjectReader in_;
  LatticeDocument document_;
  Lattice lattice_;
  std::unordered_map<std::int64_t, std::int32_t> index_, spring_index_;
  std::unordered_map<std::int64_t, int> named_;
};

}  // namespace

LatticeDocument read_lattice_json(const Json& document) {
  return Reader(document).read();
}

bool looks_like_lattice(const Json& document) {
  return document.is_object() && document.find("bodies") == nullptr &&
         (document.find("generate") != nullptr || (document.find("nodes") != nullptr));
}

}  // namespace femflex::pipeline
