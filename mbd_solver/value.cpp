// Evaluates a Value, offset + factor f with f a number, a formula or a curve between two times;
// also its derivatives, switch times and text.
#include "femflex/mbd_solver/value.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace femflex::mbd_solver {

Value::Value(const std::string& text) : f(laws::Formula::of_time(text)) {}
Value::Value(const char* text) : f(laws::Formula::of_time(text)) {}

bool Value::is_number() const {
  return std::holds_alternative<double>(f) && !std::isfinite(from) && !std::isfinite(until);
}

double Value::number() const {
  return scaled(std::get<double>(f));
}

std::vector<std::string> Value::variables() const {
  if (const auto* formula = std::get_if<laws::Formula>(&f)) return formula->variables();
  return {"t"};
}

// an offset of 0 is not added, so that the sign of a zero value is kept
double Value::scaled(double f_now) const {
  return offset == 0.0 ? factor * f_now : offset + factor * f_now;
}

double Value::at(std::span<const double> values) const {
  if (!acts(values.front())) return scaled(0.0);
  if (const auto* formula = std::get_if<laws::Formula>(&f)) return scaled((*formula)(values));
  if (const auto* curve = std::get_if<laws::Curve>(&f)) return scaled((*curve)(values.front()));
  return number();
}

laws::ValueAndDerivative Value::with_rate(double t) const {
  laws::ValueAndDerivative now;
  if (!acts(t)) return {scaled(0.0), 0.0};
  if (const auto* formula = std::get_if<laws::Formula>(&f)) {
    now = formula->derivative({&t, 1}, 0);
  } else if (const auto* curve = std::get_if<laws::Curve>(&f)) {
    now = curve->at(t);
  } else {
    now.value = std::get<double>(f);
  }
  return {scaled(now.value), factor * now.derivative};
}

std::array<double, 3> Value::time_derivatives(double t) const {
  if (!acts(t)) return {scaled(0.0), 0.0, 0.0};
  if (const auto* formula = std::get_if<laws::Formula>(&f)) {
    const std::array<double, 3> now = formula->time_derivatives({&t, 1});
    return {scaled(now[0]), factor * now[1], factor * now[2]};
  }
  if (const auto* curve = std::get_if<laws::Curve>(&f)) {
    const laws::ValueAndDerivative now = curve->at(t);
    return {scaled(now.value), factor * now.derivative, factor * curve->second_derivative(t)};
  }
  return {number(), 0.0, 0.0};
}

std::vector<double> Value::switch_times(double start, double end) const {
  std::vector<double> times;
  if (const auto* formula = std::get_if<laws::Formula>(&f))
    times = formula->switch_times(start, end);
  if (const auto* curve = std::get_if<laws::Curve>(&f)) times = curve->switches(start, end);
  for (const double time : {from, until})
    if (time > start && time <= end) times.push_back(time);
  return times;
}

std::array<double, 2> Value::range() const {
  if (const auto* curve = std::get_if<laws::Curve>(&f)) return {curve->first(), curve->last()};
  return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
}

std::string Value::state_jump() const {
  const auto* formula = std::get_if<laws::Formula>(&f);
  return formula == nullptr ? std::string() : formula->state_jump();
}

std::string Value::text() const {
  std::string out = "a curve over t";
  if (const auto* formula = std::get_if<laws::Formula>(&f)) out = formula->text();
  if (const auto* constant = std::get_if<double>(&f)) out = fmt::format("{}", *constant);
  if (factor != 1.0) out = fmt::format("({})*{}", out, factor);
  if (offset != 0.0) out = fmt::format("({})+{}", offset, out);
  if (std::isfinite(from)) out += fmt::format(" from {} s", from);
  if (std::isfinite(until)) out += fmt::format(" until {} s", until);
  if (const auto* formula = std::get_if<laws::Formula>(&f)) {
    for (const auto& [name, constant] : formula->constants())
      out += fmt::format(", {} = {}", name, constant);
  }
  return out;
}

}  // namespace femflex::mbd_solver
