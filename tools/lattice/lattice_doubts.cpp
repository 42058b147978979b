// One check per kind of mistake. Each kind is reported once, with its first place and the number of
// other places. A hinge is a rotational spring.
#include "lattice/lattice_doubts.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace femflex::tools {
namespace {

using namespace hamiltonian;

/// Text for the number of further faults of the same kind; empty if there is only one.
std::string and_more(std::size_t count) {
  return count > 1 ? fmt::format(" (and {} more like it)", count - 1) : std::string();
}

std::string spring_name(const Lattice& lattice, std::size_t index) {
  return name_of(lattice, lattice.springs[index]);
}

bool has_length(const Lattice& lattice, const Spring& s) {
  return lattice.nodes[static_cast<std::size_t>(s.a)].position !=
         lattice.nodes[static_cast<std::size_t>(s.b)].position;
}

class Doubts {
 public:
  Doubts(const Lattice& lattice, const LatticePlaces& places, Diagnostics& diagnostics)
      : lattice_(lattice), places_(places), diagnostics_(diagnostics) {}

  void tell() {
    twice_springs();
    twice_hinges();
    springs_at_one_place();
    idle_springs();
    loose_nodes();
    held_velocities();
  }

 private:
  std::int64_t id(std::int32_t node) const {
    return lattice_.nodes[static_cast<std::size_t>(node)].id;
  }
  static std::int64_t line(const std::vector<std::int64_t>& lines, std::size_t index) {
    return index < lines.size() ? lines[index] : -1;
  }
  Where place(const std::vector<std::int64_t>& lines, std::size_t index) const {
    return {places_.file, line(lines, index)};
  }
  std::string in_line(const std::vector<std::int64_t>& lines, std::size_t index) const {
    const std::int64_t where = line(lines, index);
    return where > 0 ? fmt::format(" (line {})", where) : std::string();
  }
  std::string spring_name(std::size_t index) const { return tools::spring_name(lattice_, index); }

  /// True if one spring with the sum of the stiffnesses could replace both. Springs with different
  /// laws or limits are different; so are springs with different rest lengths that become slack or
  /// break.
  bool is_same(const Spring& s, const Spring& t) const {
    const bool has_limits = s.tension_only || std::isfinite(s.break_force) ||
                            std::isfinite(s.break_elongation) || std::isfinite(s.break_stress);
    const auto force = [&](const Spring& of) {
      return of.force < 0 ? Function{} : lattice_.functions[static_cast<std::size_t>(of.force)];
    };
    return s.law == t.law && s.tension_only == t.tension_only && s.break_force == t.break_force &&
           s.break_elongation == t.break_elongation && s.break_stress == t.break_stress &&
           (!has_limits || s.rest_length == t.rest_length) && force(s) == force(t) &&
           (s.stiffness != 0.0) == (t.stiffness != 0.0);
  }

  /// Calls `action` for each pair of items with the same ends in any order.
  template <typename Items, typename Action>
  static void each_repeated(const Items& items, Action action) {
    std::vector<std::array<std::int32_t, 3>> ends;
    ends.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      ends.push_back({std::min(items[i].a, items[i].b),
                      std::max(items[i].a, items[i].b),
                      static_cast<std::int32_t>(i)});
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 1; i < ends.size(); ++i)
      if (ends[i - 1][0] == ends[i][0] && ends[i - 1][1] == ends[i][1])
        action(static_cast<std::size_t>(ends[i - 1][2]), static_cast<std::size_t>(ends[i][2]));
  }

  void twice_springs() {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    each_repeated(lattice_.springs, [&](std::size_t first, std::size_t second) {
      if (is_same(lattice_.springs[first], lattice_.springs[second]))
        found.emplace_back(second, first);
    });
    if (found.empty()) return;
    const auto [second, first] = *std::min_element(found.begin(), found.end());
    diagnostics_.warn(
        "spring-twice",
        fmt::format(
            "{} joins the nodes of spring {}{}: both count{}; keep one, or write the sum of "
            "their stiffnesses in one",
            spring_name(second),
            first + 1,
            in_line(places_.springs, first),
            and_more(found.size())),
        place(places_.springs, second));
  }

  void twice_hinges() {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    each_repeated(lattice_.hinges, [&](std::size_t first, std::size_t second) {
      found.emplace_back(second, first);
    });
    if (found.empty()) return;
    const auto [second, first] = *std::min_element(found.begin(), found.end());
    diagnostics_.warn("hinge-twice",
                      fmt::format("rotational spring {} joins the springs of rotational spring "
                                  "{}{}: both count{}; keep one",
                                  second + 1,
                                  first + 1,
                                  in_line(places_.hinges, first),
                                  and_more(found.size())),
                      place(places_.hinges, second));
  }

  void springs_at_one_place() {
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < lattice_.springs.size(); ++i) {
      const Spring& s = lattice_.springs[i];
      if (has_length(lattice_, s)) continue;
      if (count++ == 0) first = i;
    }
    if (count == 0) return;
    const Spring& s = lattice_.springs[first];
    const bool pushes = s.reference != Reference::current && s.rest_length > 0.0;
    diagnostics_.warn("spring-without-length",
                      fmt::format("{}: nodes {} and {} are at the same position, {}{}",
                                  spring_name(first),
                                  id(s.a),
                                  id(s.b),
                                  pushes ? "so it has no direction to push in until they separate"
                                         : "so it starts with length 0",
                                  and_more(count)),
                      place(places_.springs, first));
  }

  void idle_springs() {
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < lattice_.springs.size(); ++i) {
      const Spring& s = lattice_.springs[i];
      const bool is_idle =
          s.stiffness == 0.0 && s.force < 0 && !s.damping.is_active() && s.density == 0.0;
      if (is_idle && count++ == 0) first = i;
    }
    if (count == 0) return;
    diagnostics_.warn("idle-spring",
                      fmt::format("{} has neither stiffness nor damping and does nothing{}",
                                  spring_name(first),
                                  and_more(count)),
                      place(places_.springs, first));
  }

  /// Reports start velocities along axes that are fixed.
  void held_velocities() {
    std::size_t count = 0;
    std::int64_t first = 0;
    for (const LatticeNode& node : lattice_.nodes) {
      bool is_idle = false;
      for (int axis = 0; axis < lattice_.dimension; ++axis)
        is_idle =
            is_idle || (node.fixed[static_cast<std::size_t>(axis)] && node.velocity(axis) != 0.0);
      if (is_idle && count++ == 0) first = node.id;
    }
    if (count == 0) return;
    diagnostics_.warn(
        "held-velocity",
        fmt::format("node {} has a start velocity along an axis on which it is fixed: "
                    "it stays at rest there{}; a motion moves it",
                    first,
                    and_more(count)),
        {places_.file});
  }

  /// Reports free masses without spring, prescribed motion, load or start velocity; they can only
  /// fall.
  void loose_nodes() {
    if (lattice_.hub || lattice_.nodes.size() < 2) return;
    std::vector<char> is_used(lattice_.nodes.size(), 0);
    const auto use = [&](std::int32_t node) { is_used[static_cast<std::size_t>(node)] = 1; };
    for (const Spring& s : lattice_.springs) {
      use(s.a);
      use(s.b);
    }
    for (const Load& load : lattice_.loads)
      use(load.node);
    for (const PrescribedMotion& motion : lattice_.motions)
      use(motion.node);
    std::size_t count = 0;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < is_used.size(); ++i) {
      const LatticeNode& node = lattice_.nodes[i];
      const bool is_held = std::all_of(node.fixed.begin(),
                                       node.fixed.begin() + lattice_.dimension,
                                       [](bool held) { return held; });
      if (is_used[i] != 0 || is_held || !node.velocity.isZero(0.0)) continue;
      if (count++ == 0) first = node.id;
    }
    if (count == 0) return;
    if (lattice_.springs.empty()) {
      diagnostics_.warn("no-springs", "there are no springs: the nodes are free", {places_.file});
      return;
    }
    diagnostics_.warn(
        "loose-node",
        fmt::format("no spring joins node {}, and no load moves it{}", first, and_more(count)),
        {places_.file});
  }

  const Lattice& lattice_;
  const LatticePlaces& places_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::string hinge_fault(const Lattice& lattice, std::int32_t a, std::int32_t b) {
  const auto first = static_cast<std::size_t>(a);
  const auto second = static_cast<std::size_t>(b);
  const Spring& s = lattice.springs[first];
  const Spring& t = lattice.springs[second];
  if (a == b) return "both springs are " + spring_name(lattice, first);
  if (s.a != t.a && s.a != t.b && s.b != t.a && s.b != t.b)
    return spring_name(lattice, first) + " and " + spring_name(lattice, second) + " share no node";
  for (const std::size_t each : {first, second})
    if (!has_length(lattice, lattice.springs[each]))
      return spring_name(lattice, each) + " has no length at the start, and so no direction";
  return {};
}

void warn_of_doubts(const Lattice& lattice, const LatticePlaces& places, Diagnostics& diagnostics) {
  Doubts(lattice, places, diagnostics).tell();
}

}  // namespace femflex::tools
