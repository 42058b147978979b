#include "lattice_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "json_text.h"

namespace femflex::pipeline::lattice_values {

using namespace hamiltonian;

double finite(const Json& value) {
  const double number = value.number();
  if (!std::isfinite(number)) value.fail("not-finite", "not a finite number");
  return number;
}

double number_or(ObjectReader& in, std::string_view key, double fallback) {
  const Json* value = in.find(key);
  return value == nullptr ? fallback : finite(*value);
}

std::int64_t whole(const Json& value) {
  const double number = finite(value);
  if (number != std::floor(number) || std::abs(number) > 9e15)
    value.fail("bad-number", fmt::format("{} is no whole number", number));
  return static_cast<std::int64_t>(number);
}

Eigen::Vector3d vector(const Json& value, int dimension) {
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  if (value.is_number() && dimension == 1) {
    out.x() = finite(value);
    return out;
  }
  const auto& items = value.items();
  if (static_cast<int>(items.size()) != dimension)
    value.fail("bad-vector",
               fmt::format("{} numbers, the lattice has {} dimensions", items.size(), dimension));
  for (std::size_t i = 0; i < items.size(); ++i)
    out(static_cast<Eigen::Index>(i)) = finite(items[i]);
  return out;
}

int axis_of(const Json& value, int dimension) {
  int axis = -1;
  if (value.is_text() && value.text().size() == 1) {
    const auto found = std::string_view("xyz").find(value.text());
    if (found != std::string_view::npos) axis = static_cast<int>(found);
  } else {
    axis = static_cast<int>(std::clamp<std::int64_t>(whole(value), -1, 3));
  }
  if (axis < 0 || axis >= dimension)
    value.fail("bad-axis", fmt::format("expected 0 .. {} or a letter of 'xyz'", dimension - 1));
  return axis;
}

Function function(const Json& value) {
  Function out;
  if (value.is_number()) {
    out.constant = finite(value);
  } else if (value.is_text()) {
    out.expression = value.text();
  } else if (value.is_list()) {
    for (const Json& pair : value.items()) {
      const auto& xy = pair.items();
      if (xy.size() != 2) pair.fail("bad-table", "expected pairs of argument and value");
      out.arguments.push_back(finite(xy[0]));
      out.values.push_back(finite(xy[1]));
    }
    if (out.arguments.empty()) value.fail("bad-table", "a table needs at least one pair");
  } else {
    ObjectReader in(value, "function");
    if (const Json* table = in.find("table")) out = function(*table);
    if (const Json* text = in.find("expression")) out.expression = text->text();
    in.finish();
  }
  return out;
}

Damping damping(const Json& value) {
  Damping out;
  if (value.is_number()) {
    out.c = finite(value);
    return out;
  }
  ObjectReader in(value, "damping");
  out.c = finite(in.need("c"));
  out.c2 = number_or(in, "c2", 0.0);
  out.c3 = number_or(in, "c3", 0.0);
  out.per_mass = in.boolean("per_mass", false);
  in.finish();
  return out;
}

Reference reference(const Json& value) {
  static const std::vector<std::string> names = {"initial", "current"};
  return choice(value, names) == "initial" ? Reference::initial : Reference::current;
}

}  // namespace femflex::pipeline::lattice_values
