// Writes formatted DADS inputs, and composes the input for a simulation of a single flexible body.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "femflex/flexfile/dads_input.h"
#include "femflex/progress.h"

#include "bytes/text_sink.h"
#include "derive.h"
#include "formats/flex.h"
#include "nodal_masses.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::Vector3d;

void put_reals(TextSink& out, const std::vector<double>& values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    out.g18(values[k]);
    if (k % 4 == 3 || k + 1 == values.size()) out.put('\n');
  }
}

void put_vector3(TextSink& out, const Vector3d& v) {
  put_reals(out, {v.x(), v.y(), v.z()});
}

void put_body(TextSink& out, const DadsBody& body, bool is_flexible) {
  out.put(fmt::format("\nBODY {} POSITIVE EULER {:<5}{:<5}FALSE\nNONE NONE NONE\nNONE NONE NONE\n",
                      body.name,
                      body.is_ground ? "TRUE" : "FALSE",
                      is_flexible ? "TRUE" : "FALSE"));
  put_vector3(out, body.position);
  put_vector3(out, body.orientation);
  put_reals(out, {body.mass, body.inertia.x(), body.inertia.y(), body.inertia.z()});
  put_vector3(out, body.products);
  put_vector3(out, body.velocity);
  put_vector3(out, body.spin);
}

void put_flexible(TextSink& out,
                  const DadsFlexible& flexible,
                  const std::filesystem::path& path,
                  Diagnostics& diagnostics) {
  out.put(fmt::format("\nFLEXIBLE {}{} {} {} {}\n",
                      flexible.code,
                      flexible.name,
                      flexible.body,
                      flexible.flex.mode_count(),
                      flexible.forces.size()));
  std::vector<double> damping = flexible.damping_ratio;
  damping.resize(static_cast<std::size_t>(flexible.flex.mode_count()), 0.0);
  put_reals(out, damping);
  for (const DadsNodeForce& force : flexible.forces) {
    out.integer(force.node);
    out.put(' ');
    put_vector3(out, force.force);
  }
  out.put('\n');
  const NodalMasses masses = nodal_masses(flexible.flex);
  put_flex(flexible.flex, masses.values, out, no_progress());
  warn_of_nodal_masses(masses,
                       "DADS",
                       ".sid and .npz files contain the invariants themselves, for other programs",
                       path.string(),
                       diagnostics);
}

/// A name as a single word, as records require: "left arm" becomes LEFT_ARM.
std::string dads_name(const std::string& name) {
  std::string out;
  for (const char c : name)
    out.push_back(std::isalnum(static_cast<unsigned char>(c)) != 0
                      ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                      : '_');
  return out.empty() || out == "GROUND" ? "FLEXBODY" : out;
}

/// Index of the first node that no mode moves; -1 if there is none.
Index find_fixed_node(const FlexBody& body) {
  for (Index k = 0; k < body.node_count(); ++k)
    if (body.shapes.middleRows<6>(6 * k).isZero(0.0)) return k;
  return -1;
}

}  // namespace

DadsInput dads_input_of(const FlexBody& body, Diagnostics& diagnostics) {
  DadsInput input;
  DadsFlexible flexible;
  flexible.body = dads_name(body.name);
  flexible.name = flexible.body + "FLEX";
  flexible.flex = body;
  derive_damping_ratios(flexible.flex);
  bool has_unknown_ratio = false;
  for (const BodyMode& mode : flexible.flex.modes) {
    has_unknown_ratio = has_unknown_ratio || std::isnan(mode.damping_ratio);
    flexible.damping_ratio.push_back(std::isnan(mode.damping_ratio) ? 0.0 : mode.damping_ratio);
  }
  constexpr double kMaxOffDiagonal = 1e-9;  // relative to the largest entry: digits of the input
  if (body.damping && !body.damping->isDiagonal(kMaxOffDiagonal))
    diagnostics.warn("damping-coupling",
                     "the input has one damping ratio per mode: coupling terms of the damping "
                     "matrix are left out");
  if (has_unknown_ratio)
    diagnostics.warn("no-damping", "modes without damping are written with ratio 0");
  input.title = {body.name};
  DadsBody flexible_body;
  flexible_body.name = flexible.body;
  DadsBody ground;
  ground.name = "GROUND";
  ground.is_ground = true;
  input.bodies = {flexible_body, ground};
  if (const Index k = find_fixed_node(body); k >= 0) {
    DadsBracket bracket;
    bracket.name = "BRACKET";
    bracket.body_i = ground.name;
    bracket.body_j = flexible_body.name;
    bracket.node_j = body.nodes[static_cast<std::size_t>(k)].id;
    // the first triad is given in the ground frame, the second relative to the node
    for (Vector3d& point : bracket.triad_i)
      point += body.nodes[static_cast<std::size_t>(k)].position;
    input.brackets.push_back(bracket);
  } else {
    diagnostics.warn("no-joint",
                     "no node is fixed in all modes, so that the body is free: add BRACKET "
                     "records for its joints");
  }
  input.flexible.push_back(std::move(flexible));
  return input;
}

void write_dads_input(const DadsInput& input,
                      const std::filesystem::path& path,
                      Diagnostics& diagnostics) {
  TextSink out(path);
  out.put("HEADER\n");
  for (const std::string& line : input.title)
    out.put(line + "\n");
  out.put(
      fmt::format("END\n\nSYSTEM {} {} SPARSE TRUE GLOBAL FALSE\n", input.units, input.analysis));
  const Vector3d& g = input.gravity_direction;
  put_reals(out, {input.length_factor, g.x(), g.y(), g.z()});
  put_reals(out, {input.gravity, input.start, input.end, input.print_step});
  out.g18(input.redundancy_tolerance);
  out.g18(input.assembly_tolerance);
  out.put("FALSE ALL\nDYNAMIC FALSE INTERPOLATED GLOBAL VARIABLE 0\n");
  put_reals(out, {input.max_step, input.integration_tolerance, input.constraint_tolerance});
  for (const DadsBracket& bracket : input.brackets) {
    out.put(fmt::format("BRACKET {} {} {} {} {}\n",
                        bracket.name,
                        bracket.body_i,
                        bracket.body_j,
                        bracket.node_i,
                        bracket.node_j));
    for (std::size_t point = 0; point < 3; ++point) {
      put_vector3(out, bracket.triad_i[point]);
      put_vector3(out, bracket.triad_j[point]);
    }
  }
  for (const DadsBody& body : input.bodies)
    put_body(out,
             body,
             std::any_of(input.flexible.begin(), input.flexible.end(), [&](const DadsFlexible& f) {
               return f.body == body.name;
             }));
  for (const DadsFlexible& flexible : input.flexible)
    put_flexible(out, flexible, path, diagnostics);
  out.commit();
}

}  // namespace femflex::flexfile
