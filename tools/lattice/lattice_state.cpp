// Writes states to HDF5 with one SHA-256 per part of the model, and checks sizes and numbers when
// reading (docs/formats/lattice.md, "State, HDF5").
#include "lattice/lattice_state.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/sha256.h"
#include "femflex/version.h"

namespace femflex::tools {
namespace {

namespace fs = std::filesystem;
using namespace hamiltonian;

// the references that a run has set, per spring and per rotational spring; NaN: not `current`
constexpr const char* kLengths = "/rest_lengths";
constexpr const char* kAngles = "/reference_angles";

/// Fingerprint of a part of a model: a hash of the bytes of each number. Whole structs are not
/// hashed, because their padding bytes are undefined.
class Print {
 public:
  template <typename... Numbers>
  void add(Numbers... numbers) {
    (add_one(numbers), ...);
  }
  void add(const Function& f) {
    add(f.constant, f.arguments.size(), f.expression.size());
    sha_.update(f.arguments.data(), f.arguments.size() * sizeof(double));
    sha_.update(f.values.data(), f.values.size() * sizeof(double));
    sha_.update(f.expression.data(), f.expression.size());
  }
  void add(const Damping& d) { add(d.c, d.c2, d.c3, d.per_mass); }
  void add(const Eigen::Vector3d& v) { add(v.x(), v.y(), v.z()); }
  ModelPart part(std::string name) { return {std::move(name), sha_.hex()}; }

 private:
  template <typename Number>
  void add_one(Number number) {
    static_assert(std::is_arithmetic_v<Number>);
    sha_.update(&number, sizeof(number));
  }
  io::Sha256 sha_;
};

ModelPart numbering(const Lattice& lattice) {
  Print print;
  print.add(lattice.dimension, lattice.nodes.size(), lattice.springs.size());
  for (const LatticeNode& node : lattice.nodes)
    print.add(node.id);
  for (const Spring& s : lattice.springs)
    print.add(s.a, s.b);
  for (const RotationalSpring& h : lattice.hinges)
    print.add(h.a, h.b);
  return print.part("numbering");
}

ModelPart masses(const Lattice& lattice) {
  Print print;
  for (const LatticeNode& node : lattice.nodes)
    print.add(node.mass, node.fixed[0], node.fixed[1], node.fixed[2]);
  return print.part("masses or supports");
}

ModelPart spring_part(const Lattice& lattice) {
  Print print;
  for (const Spring& s : lattice.springs) {
    print.add(static_cast<int>(s.law), s.stiffness, static_cast<int>(s.reference));
    if (s.reference != Reference::current) print.add(s.rest_length);
    print.add(s.tension_only, s.break_force, s.break_elongation, s.break_stress);
    print.add(s.area, s.modulus, s.density);
    print.add(s.damping);
    if (s.force >= 0) print.add(lattice.functions[static_cast<std::size_t>(s.force)]);
  }
  return print.part("springs");
}

ModelPart hinges(const Lattice& lattice) {
  Print print;
  for (const RotationalSpring& h : lattice.hinges) {
    print.add(h.stiffness, static_cast<int>(h.reference), h.angle, h.turns);
    print.add(h.moment);
    print.add(h.damping);
    // only if set, so that states of earlier versions still match
    if (h.mass > 0.0) print.add(h.mass);
  }
  return print.part("rotational springs");
}

ModelPart hub(const Lattice& lattice) {
  Print print;
  if (lattice.hub) {
    print.add(lattice.hub->stiffness, static_cast<int>(lattice.hub->law));
    print.add(lattice.hub->position);
    print.add(lattice.hub->rest_length.has_value(), lattice.hub->rest_length.value_or(0.0));
  }
  return print.part("the hub R");
}

ModelPart forces(const Lattice& lattice) {
  Print print;
  print.add(lattice.gravity);
  print.add(lattice.friction);
  for (const LatticeNode& node : lattice.nodes)
    print.add(node.damping);
  for (const Load& load : lattice.loads) {
    print.add(load.node, load.from, load.until, load.until_step);
    print.add(load.force);
    print.add(load.history);
  }
  for (const PrescribedMotion& motion : lattice.motions) {
    print.add(motion.node, static_cast<int>(motion.axis));
    print.add(motion.displacement);
  }
  return print.part("gravity, friction, damping, loads or motions");
}

/// Checks values of a state. Values that no run writes result from an editor or a damaged disk.
class Checked {
 public:
  explicit Checked(const fs::path& path) : path_(path) {}

  [[noreturn]] void fail(const std::string& record, const std::string& message) const {
    Where where{path_.string()};
    where.record = record;
    throw ParseError("bad-state",
                     message,
                     where,
                     "save the state again with --save-state, or begin the run anew");
  }
  void not_negative(const char* name, double value) const {
    if (!std::isfinite(value) || value < 0.0)
      fail(name, fmt::format("is {}; expected a number that is not negative", value));
  }
  void finite(const char* name, double value) const {
    if (!std::isfinite(value)) fail(name, fmt::format("is {}; expected a finite number", value));
  }
  void finite(const char* name, const std::vector<double>& values) const {
    const auto found =
        std::find_if_not(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    if (found != values.end())
      fail(name, fmt::format("entry {} is {}", found - values.begin() + 1, *found));
  }

 private:
  const fs::path& path_;
};

void check(const State& state, const fs::path& path) {
  const Checked must(path);
  must.finite("time", state.time);
  must.finite("origin", state.origin);
  must.finite("step_base", state.step_base);
  must.not_negative("last_step", state.last_step);
  must.not_negative("step_length", state.step_length);
  if (state.step < 0) must.fail("step", fmt::format("is {}; a run counts from 0", state.step));
  must.finite("/q", state.q);
  must.finite("/p", state.p);
  must.finite("/angles", state.memory.angles);
  must.finite("/history", state.history);
  if (state.q.size() != state.p.size())
    must.fail("/p", fmt::format("{} momenta for {} positions", state.p.size(), state.q.size()));
  // allowed difference between `time` and step_base + step * step_length, as a fraction of a step;
  // a tiny step_base that is stored as 0 causes a difference of 1e-6
  constexpr double kRounding = 1e-3;
  const double counted = state.step_base + static_cast<double>(state.step) * state.step_length;
  if (state.step_length > 0.0 &&
      std::abs(counted - state.time) > kRounding * state.step_length + 1e-12 * std::abs(state.time))
    must.fail("time",
              fmt::format("is {} s, and {} steps of {} s from {} s end at {} s",
                          state.time,
                          state.step,
                          state.step_length,
                          state.step_base,
                          counted));
}

}  // namespace

std::vector<ModelPart> parts_of(const Lattice& lattice) {
  return {numbering(lattice),
          masses(lattice),
          spring_part(lattice),
          hinges(lattice),
          hub(lattice),
          forces(lattice)};
}

std::vector<ModelPart> parts_of(const Polynomial& polynomial) {
  Print size;
  size.add(polynomial.dimension, polynomial.states);
  Print terms;
  for (const double c : polynomial.coefficients)
    terms.add(c);
  for (const std::int32_t count : polynomial.variables_per_term)
    terms.add(count);
  for (const std::int32_t variable : polynomial.variables)
    terms.add(variable);
  return {size.part("numbering"), terms.part("terms")};
}

bool has_current_references(const Lattice& lattice) {
  const auto is_current = [](const auto& each) { return each.reference == Reference::current; };
  return std::any_of(lattice.springs.begin(), lattice.springs.end(), is_current) ||
         std::any_of(lattice.hinges.begin(), lattice.hinges.end(), is_current);
}

void write_state(const State& state,
                 const std::vector<ModelPart>& parts,
                 const fs::path& path,
                 const std::optional<References>& references) {
  io::Hdf5File file = io::Hdf5File::create(path);
  file.set_attribute("/", "femflex_version", std::string_view(kVersion));
  file.set_attribute("/", "kind", kStateKind);
  file.set_attribute("/", "time", state.time);
  file.set_attribute("/", "step", state.step);
  file.set_attribute("/", "last_step", state.last_step);
  file.set_attribute("/", "step_length", state.step_length);
  file.set_attribute("/", "step_base", state.step_base);
  file.set_attribute("/", "origin", state.origin);
  for (const ModelPart& part : parts)
    file.set_attribute("/", "model: " + part.name, part.sha256);
  const auto put = [&](const char* name, const std::vector<double>& values) {
    file.write(name, std::span<const double>(values), {values.size()});
  };
  put("/q", state.q);
  put("/p", state.p);
  put("/angles", state.memory.angles);
  put("/history", state.history);
  if (references) {
    put(kLengths, references->lengths);
    put(kAngles, references->angles);
  }
  const std::vector<std::int32_t> broken(state.memory.broken.begin(), state.memory.broken.end());
  file.write("/broken", std::span<const std::int32_t>(broken), {broken.size()});
  file.commit();
}

std::optional<References> read_references(const fs::path& path) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  if (!file.has(kLengths) || !file.has(kAngles)) return std::nullopt;
  References out{file.read_reals(kLengths), file.read_reals(kAngles)};
  for (const double length : out.lengths)  // NaN: not `current`
    if (std::isinf(length) || length < 0.0)
      Checked(path).fail(kLengths, fmt::format("{} is not a length", length));
  for (const double angle : out.angles)
    if (std::isinf(angle)) Checked(path).fail(kAngles, fmt::format("{} is not an angle", angle));
  return out;
}

State read_state(const fs::path& path) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  if (!file.has_attribute("/", "kind") || file.text_attribute("/", "kind") != kStateKind)
    throw ParseError("wrong-kind",
                     "is not the state of a lattice",
                     {path.string()},
                     "name a file that --save-state wrote");
  State state;
  state.time = file.real_attribute("/", "time");
  state.step = file.integer_attribute("/", "step");
  state.last_step = file.real_attribute("/", "last_step");
  const auto newer = [&](const char* name) {  // files of earlier versions do not contain it
    return file.has_attribute("/", name) ? file.real_attribute("/", name) : 0.0;
  };
  state.step_length = newer("step_length");
  state.step_base = newer("step_base");
  state.origin = newer("origin");
  state.q = file.read_reals("/q");
  state.p = file.read_reals("/p");
  state.memory.angles = file.read_reals("/angles");
  state.history = file.read_reals("/history");
  for (const std::int64_t flag : file.read_integers("/broken")) {
    if (flag != 0 && flag != 1)
      Checked(path).fail("/broken",
                         fmt::format("flag {} of spring {}; expected 0 (whole) or 1 (broken)",
                                     flag,
                                     state.memory.broken.size() + 1));
    state.memory.broken.push_back(flag == 1 ? 1 : 0);
  }
  check(state, path);
  return state;
}

bool check_model_of_state(const fs::path& path,
                          const std::vector<ModelPart>& parts,
                          Diagnostics& diagnostics) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  std::vector<std::string> changed;
  for (const ModelPart& part : parts) {
    const std::string name = "model: " + part.name;
    if (!file.has_attribute("/", name) || file.text_attribute("/", name) == part.sha256) continue;
    if (&part == &parts.front())
      throw UsageError("other-model",
                       "is the state of another model: its nodes or springs are numbered otherwise",
                       {path.string()},
                       "resume with the model that the state was saved from");
    changed.push_back(part.name);
  }
  if (changed.empty()) return false;
  diagnostics.warn(
      "changed-model",
      fmt::format("the model has changed since this state was saved ({}): the run goes "
                  "on with the new one",
                  fmt::join(changed, "; ")),
      {path.string()});
  return true;
}

}  // namespace femflex::tools
