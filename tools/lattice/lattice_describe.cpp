// Recognises a file by its first bytes or, for HDF5, by an attribute. Reads it, and describes
// counts and run options as JSON and as text.
#include "lattice/lattice_describe.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/io/hdf5_file.h"

#include "document/points_json.h"
#include "document/table.h"
#include "lattice/lattice_matrix.h"
#include "lattice/lattice_text.h"
#include "lattice/run_lattice.h"

namespace femflex::tools {
namespace {

namespace fs = std::filesystem;
using namespace hamiltonian;

bool is_state_file(const fs::path& path) {
  return io::root_attribute(path, "kind") == kStateKind;
}

Json described(std::string_view format, std::string_view encoding) {
  Json out = Json::object();
  out["format"] = format;
  out["encoding"] = encoding;
  out["endian"] = Json();
  out["units"] = "m-kg-s";
  return out;
}

Json describe_state(const fs::path& path) {
  const State state = read_state(path);
  Json out = described("lattice state", "binary");
  out["time"] = state.time;
  out["steps"] = state.step;
  out["positions"] = state.q.size();
  out["springs"] = state.memory.broken.size();
  out["rotational_springs"] = state.memory.angles.size();
  out["broken_springs"] =
      std::count(state.memory.broken.begin(), state.memory.broken.end(), std::uint8_t{1});
  return out;
}

std::string_view format_of(const AnyLattice& any) {
  return any.fydik ? "FyDiK model" : any.is_matrix ? "K/D matrix" : "femflex lattice";
}

Json describe_lattice_model(const AnyLattice& any) {
  const Lattice& lattice = any.document.lattice;
  Json out = described(format_of(any), "ascii");
  out["name"] = lattice.name;
  out["dimension"] = lattice.dimension;
  std::vector<Eigen::Vector3d> positions;
  std::int64_t held = 0;
  for (const LatticeNode& node : lattice.nodes) {
    positions.push_back(node.position);
    held += std::count(node.fixed.begin(), node.fixed.begin() + lattice.dimension, true);
  }
  out["nodes"] = points_json(positions);
  out["points"] = lattice.nodes.size();
  out["springs"] = lattice.springs.size();
  out["rotational_springs"] = lattice.hinges.size();
  out["loads"] = lattice.loads.size();
  out["motions"] = lattice.motions.size();
  out["held_dofs"] = held;
  const std::vector<double> masses = nodal_masses(lattice);
  out["mass"] = std::accumulate(masses.begin(), masses.end(), 0.0);
  out["gravity"] = Json::list_of(lattice.gravity);
  const LatticeDocument& document = any.document;
  out["integrator"] = document.integrator.empty() ? Json() : Json(document.integrator);
  out["step"] = lattice.step > 0.0 ? Json(lattice.step) : Json();
  out["start_time"] = document.start_time;
  out["end_time"] = document.end > 0.0 ? Json(document.end) : Json();
  out["output_step"] = document.output_step > 0.0 ? Json(document.output_step) : Json();
  return out;
}

Json describe_polynomial(const Polynomial& polynomial) {
  Json out = described("polynomial Hamiltonian", "ascii");
  out["units"] = Json();
  out["states"] = polynomial.states;
  out["terms"] = polynomial.coefficients.size();
  return out;
}

/// True if "H =" follows the comments. "H" alone is not sufficient, because a NASTRAN bulk deck may
/// start with it.
bool opens_polynomial(std::string_view head) {
  while (head.starts_with('#'))
    head.remove_prefix(std::min(head.find('\n'), head.size() - 1) + 1);
  if (!head.starts_with('H')) return false;
  const std::size_t next = head.find_first_not_of(" \t", 1);
  return next != std::string_view::npos && head[next] == '=';
}

std::string counted(const Json& described, const char* key, std::string_view one) {
  const Json* value = described.find(key);
  if (value == nullptr || !value->is_number() || value->number() == 0.0) return {};
  return fmt::format(
      ", {} {}{}", readable(value->number()), one, value->number() == 1.0 ? "" : "s");
}

std::string run_line(const Json& described) {
  const auto time = [&](const char* key) { return readable(described.find(key)->number()) + " s"; };
  const auto is_known = [&](const char* key) { return !described.find(key)->is_null(); };
  std::string out = "  runs from " + time("start_time");
  out += is_known("end_time") ? " to " + time("end_time") : ", its end is not given";
  if (is_known("step")) out += ", step " + time("step");
  if (is_known("integrator")) out += ", " + described.find("integrator")->text();
  return out + "\n";
}

std::string model_lines(const Json& described) {
  const Json& nodes = *described.find("nodes");
  std::string out = fmt::format("  {} node{} in {}{}{}{}{}{}, mass {} kg\n",
                                readable(nodes.find("count")->number()),
                                nodes.find("count")->number() == 1.0 ? "" : "s",
                                nodes.find("bounding_box")->dump_line(),
                                counted(described, "springs", "spring"),
                                counted(described, "rotational_springs", "rotational spring"),
                                counted(described, "loads", "load"),
                                counted(described, "motions", "motion"),
                                counted(described, "held_dofs", "held DOF"),
                                readable(described.find("mass")->number()));
  return out + run_line(described);
}

}  // namespace

bool is_lattice_file(const fs::path& path, std::string_view head) {
  switch (lattice_text_of(head)) {
    case LatticeText::fydik:
      return head.find("<MODEL") != std::string_view::npos;
    case LatticeText::polynomial:
      return opens_polynomial(head);
    case LatticeText::matrix:
      return is_lattice_matrix(path);
    default:
      return is_state_file(path);
  }
}

Json describe_lattice(const fs::path& path, Diagnostics& diagnostics) {
  Json out;
  if (is_state_file(path)) {
    out = describe_state(path);
  } else {
    const AnyLattice any = read_any_lattice(path, {});
    out = any.polynomial ? describe_polynomial(*any.polynomial) : describe_lattice_model(any);
    for (const Warning& warning : any.document.warnings.warnings())
      diagnostics.warn(warning.code, warning.message, warning.where);
  }
  out["unread"] = Json::list();
  return out;
}

std::string lattice_summary(const Json& described) {
  if (described.find("dimension") != nullptr) return model_lines(described);
  if (described.find("terms") != nullptr)
    return fmt::format("  {} states{}\n",
                       readable(described.find("states")->number()),
                       counted(described, "terms", "term"));
  return fmt::format("  at {} s after {} steps, {} positions{}{}{}\n",
                     readable(described.find("time")->number()),
                     readable(described.find("steps")->number()),
                     readable(described.find("positions")->number()),
                     counted(described, "springs", "spring"),
                     counted(described, "rotational_springs", "rotational spring"),
                     counted(described, "broken_springs", "broken spring"));
}

}  // namespace femflex::tools
