// Reads and writes polynomial Hamiltonians in JSON: as three arrays (coefficients, variables per
// term, variables) or as text. docs/formats/lattice.md.
#include "lattice/polynomial_json.h"

#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/hamiltonian/integrate.h"

#include "document/json_numbers.h"
#include "document/json_text.h"
#include "document/placed_at.h"
#include "lattice/lattice_values.h"

namespace femflex::tools {
namespace {

using namespace hamiltonian;
using namespace lattice_values;

constexpr int kMostPositions = 1000;  // largest number of positions in a block, as for --dimension

std::vector<double> numbers_of(const Json& list) {
  std::vector<double> out;
  out.reserve(list.items().size());
  for (const Json& item : list.items())
    out.push_back(finite(item));
  return out;
}

std::vector<std::int32_t> indices_of(const Json& list) {
  std::vector<std::int32_t> out;
  out.reserve(list.items().size());
  for (const Json& item : list.items())
    out.push_back(whole<std::int32_t>(item, 0, std::numeric_limits<std::int32_t>::max()));
  return out;
}

/// The polynomial from three arrays. If the number of states is not given, it is that of the
/// smallest number of blocks that contains all variables.
Polynomial from_arrays(const Json& value, int dimension) {
  ObjectReader in(value, "polynomial");
  in.declare_keys({"coefficients", "variables_per_term", "variables", "states"});
  Polynomial out;
  out.dimension = dimension;
  out.coefficients = numbers_of(in.need("coefficients"));
  out.variables_per_term = indices_of(in.need("variables_per_term"));
  out.variables = indices_of(in.need("variables"));
  std::int64_t used = 0;
  for (const std::int32_t count : out.variables_per_term)
    used += count;
  if (used != static_cast<std::int64_t>(out.variables.size()))
    value.fail(
        "bad-polynomial",
        fmt::format(
            "variables_per_term asks for {} variables, there are {}", used, out.variables.size()));
  std::int64_t states = 0;
  for (const std::int32_t variable : out.variables)
    states = std::max<std::int64_t>(states, std::int64_t{variable} + 1);
  const std::int64_t block = 2 * std::int64_t{dimension};
  states = (states + block - 1) / block * block;
  if (const Json* given = in.find("states")) states = whole(*given);
  if (states < 0 || states > std::numeric_limits<std::int32_t>::max())
    value.fail("bad-polynomial", fmt::format("{} states", states));
  out.states = static_cast<std::int32_t>(states);
  in.finish();
  return placed_at(value, [&] { return make_polynomial(std::move(out)); });
}

Polynomial from_text(const Json& value, int dimension) {
  try {
    return parse_polynomial(value.text(), dimension, {});
  } catch (const ParseError& error) {
    value.fail(error.code(),
               fmt::format("polynomial, character {}: {}", error.where().column, error.message()),
               error.fix());
  }
}

/// Reads "ports": [ { "block": 0, "in": "force" } ]
std::vector<Port> ports_of(const Json& value) {
  std::vector<Port> out;
  for (const Json& item : value.items()) {
    ObjectReader in(item, "port");
    in.declare_keys({"block", "in"});
    const Json& block = in.need("block");
    const auto number = whole<std::int32_t>(block, 0, std::numeric_limits<std::int32_t>::max());
    const Causality causality = choice(in.need("in"), kCausalities);
    in.finish();
    out.push_back({number, causality});
  }
  return out;
}

int dimension_of_blocks(ObjectReader& in) {
  const Json* given = in.find("dimension");
  if (given == nullptr) return 1;
  return whole<int>(*given, 1, kMostPositions);
}

}  // namespace

bool is_polynomial_json(const Json& document) {
  return document.is_object() && document.find("polynomial") != nullptr;
}

PolynomialDocument read_polynomial_json(const Json& document) {
  ObjectReader in(document, "polynomial model");
  PolynomialDocument out;
  if (const Json* version = in.find("femflex"); version != nullptr && finite(*version) != 1.0)
    version->fail("unknown-version",
                  fmt::format("version {} of the format", version->number()),
                  "this program reads version 1");
  (void)in.find("$schema");
  if (const Json* note = in.find("note")) out.run.remarks.emplace_back("note", *note);
  out.run.lattice.name = in.text("name", "");
  const int dimension = dimension_of_blocks(in);
  const Json& polynomial = in.need("polynomial");
  out.polynomial =
      polynomial.is_text() ? from_text(polynomial, dimension) : from_arrays(polynomial, dimension);
  if (const Json* start = in.find("start")) {
    out.start = numbers_of(*start);
    if (out.start.size() != static_cast<std::size_t>(out.polynomial.states))
      start->fail(
          "state-size",
          fmt::format(
              "{} start states, the polynomial has {}", out.start.size(), out.polynomial.states));
  }
  out.run.lattice.step = not_negative_or(in, "step", 0.0);
  if (const Json* integrator = in.find("integrator"))
    out.run.integrator = choice(*integrator, integrator_names());
  out.run.start_time = number_or(in, "start_time", 0.0);
  out.run.end = not_negative_or(in, "end", 0.0);
  out.run.output_step = not_negative_or(in, "output_step", 0.0);
  if (const Json* ports = in.find("ports")) out.run.ports = ports_of(*ports);
  in.finish();
  return out;
}

Json polynomial_json(const PolynomialDocument& document) {
  Json out = Json::object();
  out["femflex"] = 1;
  const LatticeDocument& run = document.run;
  if (!run.lattice.name.empty()) out["name"] = run.lattice.name;
  for (const auto& [key, remark] : run.remarks)
    out[key] = remark;
  out["dimension"] = document.polynomial.dimension;
  if (run.lattice.step > 0.0) out["step"] = run.lattice.step;
  if (!run.integrator.empty()) out["integrator"] = run.integrator;
  if (run.start_time != 0.0) out["start_time"] = run.start_time;
  if (run.end > 0.0) out["end"] = run.end;
  if (run.output_step > 0.0) out["output_step"] = run.output_step;
  Json arrays = Json::object();
  arrays["states"] = document.polynomial.states;
  arrays["coefficients"] = document.polynomial.coefficients;
  arrays["variables_per_term"] = document.polynomial.variables_per_term;
  arrays["variables"] = document.polynomial.variables;
  out["polynomial"] = arrays;
  if (!document.start.empty()) out["start"] = document.start;
  Json ports = Json::list();
  for (const Port& port : run.ports) {
    Json each = Json::object();
    each["block"] = port.node;
    each["in"] = std::string(kCausalities.name_of(port.causality));
    ports.push_back(each);
  }
  if (!run.ports.empty()) out["ports"] = ports;
  return out;
}

}  // namespace femflex::tools
