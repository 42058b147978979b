// Checks each value when it is read, so that every error contains line and column. Notation of
// damping: force c v (1 + c2 |v| + c3 v^2).
#include "lattice/lattice_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "document/json_numbers.h"
#include "document/json_text.h"
#include "document/placed_at.h"

namespace femflex::tools::lattice_values {

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
  return whole_at(value, finite(value));
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
               fmt::format("{} number{}, the lattice has {} dimension{}",
                           items.size(),
                           items.size() == 1 ? "" : "s",
                           dimension,
                           dimension == 1 ? "" : "s"));
  for (std::size_t i = 0; i < items.size(); ++i)
    out(static_cast<Eigen::Index>(i)) = finite(items[i]);
  return out;
}

double positive(const Json& value, std::string_view what) {
  const double number = finite(value);
  if (!(number > 0.0))
    value.fail("bad-number", fmt::format("{} is {}", what, number), "give a number above 0");
  return number;
}

double not_negative_or(ObjectReader& in, std::string_view key, double fallback) {
  const Json* value = in.find(key);
  if (value == nullptr) return fallback;
  const double number = finite(*value);
  if (number < 0.0)
    value->fail(
        "bad-number", fmt::format("{} is {}", key, number), "give a number that is not negative");
  return number;
}

namespace {

[[noreturn]] void fail_axis(const Json& value, const std::string& found, int dimension) {
  const auto letters = std::string_view("xyz").substr(0, static_cast<std::size_t>(dimension));
  value.fail("bad-axis",
             fmt::format("{} is not an axis of a lattice of {} dimension{}",
                         found,
                         dimension,
                         dimension == 1 ? "" : "s"),
             dimension == 1
                 ? "expected 0 or the letter x"
                 : fmt::format("expected 0 .. {} or a letter of {}", dimension - 1, letters));
}

int axis_of_letter(const Json& place, char letter, int dimension) {
  const std::size_t axis = std::string_view("xyz").find(letter);
  if (axis >= static_cast<std::size_t>(dimension))
    fail_axis(place, fmt::format("'{}'", letter), dimension);
  return static_cast<int>(axis);
}

}  // namespace

int axis_of(const Json& value, int dimension) {
  if (value.is_text()) {
    if (value.text().size() != 1) fail_axis(value, fmt::format("'{}'", value.text()), dimension);
    return axis_of_letter(value, value.text()[0], dimension);
  }
  const std::int64_t axis = whole(value);
  if (axis < 0 || axis >= dimension) fail_axis(value, std::to_string(axis), dimension);
  return static_cast<int>(axis);
}

void hold_axes(const Json& letters, int dimension, std::array<bool, 3>& fixed) {
  for (const char letter : letters.text())
    fixed[static_cast<std::size_t>(axis_of_letter(letters, letter, dimension))] = true;
}

namespace {

void read_table(const Json& value, Function& out) {
  for (const Json& pair : value.items()) {
    const auto& xy = pair.items();
    if (xy.size() != 2) pair.fail("bad-table", "expected pairs of argument and value");
    const double x = finite(xy[0]);
    if (!out.arguments.empty() && !(x > out.arguments.back()))
      pair.fail("bad-table",
                fmt::format("argument {} after {}", x, out.arguments.back()),
                "the arguments of a table must rise");
    out.arguments.push_back(x);
    out.values.push_back(finite(xy[1]));
  }
  if (out.arguments.empty()) value.fail("bad-table", "a table needs at least one pair");
}

}  // namespace

Function function(const Json& value, FunctionPlace place) {
  Function out;
  if (value.is_number()) {
    out.constant = finite(value);
  } else if (value.is_text()) {
    out.expression = value.text();
    if (out.expression.empty()) value.fail("bad-expression", "an empty expression");
  } else if (value.is_list()) {
    read_table(value, out);
  } else {
    ObjectReader in(value, "function");
    const Json* table = in.find("table");
    const Json* text = in.find("expression");
    in.finish();
    if ((table == nullptr) == (text == nullptr))
      value.fail("bad-function", "expected either 'table' or 'expression'");
    return function(table != nullptr ? *table : *text, place);
  }
  placed_at(value, [&] { check_function(out, place); });
  return out;
}

std::string damping_fault(const Damping& d) {
  if (d.c < 0.0) return fmt::format("damping c = {} is negative: it would push, not brake", d.c);
  const double speed = d.growth().driving_speed();
  if (!std::isfinite(speed)) return {};
  return fmt::format(
      "damping 1 + c2 |v| + c3 v^2 with c2 = {}, c3 = {} is negative beyond |v| = {:.6g}: it "
      "would push, not brake",
      d.c2,
      d.c3,
      speed);
}

Damping damping(const Json& value) {
  Damping out;
  if (value.is_number()) {
    out.c = finite(value);
  } else {
    ObjectReader in(value, "damping");
    in.declare_keys({"c", "c2", "c3", "per_mass"});
    out.c = finite(in.need("c"));
    out.c2 = number_or(in, "c2", 0.0);
    out.c3 = number_or(in, "c3", 0.0);
    out.per_mass = in.boolean("per_mass", false);
    in.finish();
  }
  if (const std::string fault = damping_fault(out); !fault.empty())
    value.fail("negative-damping", fault, "give c >= 0, and c2 and c3 that keep it so");
  return out;
}

}  // namespace femflex::tools::lattice_values
