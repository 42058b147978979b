// Files of lattices and their states.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/version.h"

#include "inputs.h"
#include "json_text.h"
#include "lattice_matrix.h"
#include "run_lattice.h"

namespace femflex::pipeline {
namespace {

namespace fs = std::filesystem;
using namespace hamiltonian;

std::string whole_file(const fs::path& path) {
  require_file(path);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in)
    throw UsageError("cannot-read", "cannot be read", {path.string()}, "check its permissions");
  text << in.rdbuf();
  return std::move(text).str();
}

/// First character that is neither blank nor in a comment of # or //.
std::size_t first_sign(const std::string& text) {
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (at < text.size()) {
    if (text[at] == '#' || text.compare(at, 2, "//") == 0)
      at = std::min(text.find('\n', at), text.size());
    else if (static_cast<unsigned char>(text[at]) <= ' ')
      ++at;
    else
      break;
  }
  return at;
}

AnyLattice read_by_content(const fs::path& path, const LatticeReadOptions& options) {
  const std::string text = whole_file(path);
  const std::string name = path.string();
  const std::size_t at = first_sign(text);
  if (at == text.size()) throw ParseError("empty", "the file is empty", {name});
  AnyLattice out;
  if (text[at] == '{' || text.compare(at, 2, "/*") == 0) {
    out.document = read_lattice_json(parse_json(text, name));
  } else if (text[at] == '<') {
    out.fydik = parse_fydik(text, name);
    out.document.lattice = out.fydik->lattice;
    out.document.integrator = fydik_integrator(out.fydik->method);
  } else if (text[at] == 'H' || text[at] == '[') {
    out.polynomial = parse_polynomial(text, options.polynomial_dimension, name);
  } else if (text[at] == '+' || text[at] == '-' || (text[at] >= '0' && text[at] <= '9')) {
    out.document.lattice = parse_lattice_matrix(text, name, options.rest_lengths_from_start);
  } else {
    throw ParseError("unknown-format",
                     "neither JSON, nor a K/D matrix, nor FyDiK XML, nor a polynomial 'H = ...'",
                     {name, 1});
  }
  return out;
}

}  // namespace

AnyLattice read_any_lattice(const fs::path& path, const LatticeReadOptions& options) {
  try {
    return read_by_content(path, options);
  } catch (const ModelError& error) {  // numbers that contradict each other have no line
    if (!error.where().file.empty()) throw;
    throw ModelError(error.code(), error.message(), {path.string()}, error.fix());
  }
}

namespace {

/// What of the lattice has no place in a format, beside what its writer refuses.
std::vector<std::string> left_out(const Lattice& lattice, bool is_matrix) {
  std::vector<std::string> lost;
  const auto note = [&](bool is_there, const char* what) {
    if (is_there) lost.emplace_back(what);
  };
  const auto& nodes = lattice.nodes;
  const auto& springs = lattice.springs;
  const auto& loads = lattice.loads;
  note(lattice.gravity.norm() > 0.0, "gravity");
  note(lattice.friction != 0.0, "friction");
  note(!lattice.motions.empty(), "prescribed motions");
  note(lattice.bowl.has_value(), "R");
  note(lattice.start_at_equilibrium, "the start at equilibrium");
  if (is_matrix) {
    note(!loads.empty(), "loads");
    note(std::any_of(
             nodes.begin(), nodes.end(), [](const auto& n) { return n.velocity.norm() > 0.0; }),
         "start velocities");
    note(std::any_of(
             nodes.begin(), nodes.end(), [](const auto& n) { return n.damping.is_active(); }),
         "damping");
    return lost;
  }
  note(std::any_of(springs.begin(), springs.end(), [](const auto& s) { return s.tension_only; }),
       "that springs pull alone");
  note(std::any_of(springs.begin(),
                   springs.end(),
                   [](const auto& s) {
                     return std::isfinite(s.break_force) || std::isfinite(s.break_elongation) ||
                            std::isfinite(s.break_stress);
                   }),
       "limits at which springs break");
  note(std::any_of(loads.begin(),
                   loads.end(),
                   [](const auto& l) {
                     return std::isfinite(l.from) || std::isfinite(l.until) ||
                            l.until_step != std::numeric_limits<std::int64_t>::max();
                   }),
       "beginnings and ends of loads");
  return lost;
}

}  // namespace

void write_lattice(const AnyLattice& lattice, const fs::path& path, Diagnostics& diagnostics) {
  const std::string ending = path.extension().string();
  const Lattice& model = lattice.document.lattice;
  if (ending == ".txt") {
    io::write_file(
        path,
        print_polynomial(lattice.polynomial ? *lattice.polynomial
                                            : as_polynomial(model, PolynomialOrigin::absolute)));
    return;
  }
  if (lattice.polynomial) throw UsageError("usage", "a polynomial is written as .txt alone");
  if (ending == ".csv" || ending == ".fdk") {
    std::string lost;
    for (const std::string& what : left_out(model, ending == ".csv"))
      lost += (lost.empty() ? "" : ", ") + what;
    if (!lost.empty())
      diagnostics.warn("left-out",
                       fmt::format("a {} has no place for {}: left out; JSON keeps all",
                                   ending == ".csv" ? "K/D matrix" : "FyDiK model",
                                   lost),
                       {path.string()});
  }
  if (ending == ".csv") {
    io::write_file(path, lattice_matrix(model));
  } else if (ending == ".fdk") {
    FydikModel out = lattice.fydik.value_or(FydikModel{});
    if (!lattice.fydik && !model.name.empty()) out.name = model.name;
    if (!lattice.fydik && model.step > 0.0) out.time_step = model.step;
    out.lattice = model;
    io::write_file(path, print_fydik(out));
  } else if (ending == ".json") {
    io::write_file(path, lattice_json(model).dump() + "\n");
  } else {
    throw UsageError("usage",
                     fmt::format("'{}': a lattice is written as .json, .csv, .fdk or .txt",
                                 path.filename().string()));
  }
}

void write_state(const State& state, const fs::path& path) {
  io::Hdf5File file = io::Hdf5File::create(path);
  file.set_attribute("/", "femflex_version", std::string_view(kVersion));
  file.set_attribute("/", "kind", std::string_view("lattice-state"));
  file.set_attribute("/", "time", state.time);
  file.set_attribute("/", "step", state.step);
  file.set_attribute("/", "last_step", state.last_step);
  const auto put = [&](const char* name, const std::vector<double>& values) {
    file.write(name, std::span<const double>(values), {values.size()});
  };
  put("/q", state.q);
  put("/p", state.p);
  put("/angles", state.memory.angles);
  put("/history", state.history);
  const std::vector<std::int32_t> broken(state.memory.broken.begin(), state.memory.broken.end());
  file.write("/broken", std::span<const std::int32_t>(broken), {broken.size()});
  file.commit();
}

State read_state(const fs::path& path) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  if (!file.has_attribute("/", "kind") || file.text_attribute("/", "kind") != "lattice-state")
    throw ParseError("wrong-kind", "not the state of a lattice", {path.string()});
  State state;
  state.time = file.real_attribute("/", "time");
  state.step = file.integer_attribute("/", "step");
  state.last_step = file.real_attribute("/", "last_step");
  state.q = file.read_reals("/q");
  state.p = file.read_reals("/p");
  state.memory.angles = file.read_reals("/angles");
  state.history = file.read_reals("/history");
  for (const std::int64_t flag : file.read_integers("/broken"))
    state.memory.broken.push_back(flag != 0 ? 1 : 0);
  return state;
}

}  // namespace femflex::pipeline
