// Files of lattices read by their content, and states.
#include <algorithm>
#include <fstream>
#include <sstream>

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

/// "[3]", where a polynomial may begin: "[]" and "[{" are no states.
bool is_state(const std::string& text, std::size_t at) {
  if (text[at] != '[') return false;
  const std::size_t next = text.find_first_not_of(" \t\r\n", at + 1);
  return next != std::string::npos && text[next] >= '0' && text[next] <= '9';
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
  } else if (text[at] == 'H' || is_state(text, at)) {
    out.polynomial = parse_polynomial(text, options.polynomial_dimension, name);
  } else if (text[at] == '+' || text[at] == '-' || (text[at] >= '0' && text[at] <= '9')) {
    out.is_matrix = true;
    out.document.lattice = parse_lattice_matrix(text, name, options.rest_lengths_from_start);
  } else {
    throw ParseError(
        "unknown-format",
        text[at] == '['
            ? "a list; a lattice in JSON is an object { ... }"
            : "neither JSON, nor a K/D matrix, nor FyDiK XML, nor a polynomial 'H = ...'",
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

void write_state(const State& state, const fs::path& path) {
  io::Hdf5File file = io::Hdf5File::create(path);
  file.set_attribute("/", "femflex_version", std::string_view(kVersion));
  file.set_attribute("/", "kind", std::string_view("lattice-state"));
  file.set_attribute("/", "time", state.time);
  file.set_attribute("/", "step", state.step);
  file.set_attribute("/", "last_step", state.last_step);
  file.set_attribute("/", "step_length", state.step_length);
  file.set_attribute("/", "step_base", state.step_base);
  file.set_attribute("/", "origin", state.origin);
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
  const auto newer = [&](const char* name) {  // files of earlier versions do without
    return file.has_attribute("/", name) ? file.real_attribute("/", name) : 0.0;
  };
  state.step_length = newer("step_length");
  state.step_base = newer("step_base");
  state.origin = newer("origin");
  state.q = file.read_reals("/q");
  state.p = file.read_reals("/p");
  state.memory.angles = file.read_reals("/angles");
  state.history = file.read_reals("/history");
  for (const std::int64_t flag : file.read_integers("/broken"))
    state.memory.broken.push_back(flag != 0 ? 1 : 0);
  return state;
}

}  // namespace femflex::pipeline
