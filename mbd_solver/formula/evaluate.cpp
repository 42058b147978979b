#include "formula/evaluate.h"

#include <cmath>
#include <numbers>

namespace femflex::mbd_solver::formula {
namespace {

Jet chain(const Jet& x, double f, double f1, double f2) {
  return {f, f1 * x[1], f2 * x[1] * x[1] + f1 * x[2]};
}
Jet plain(double f) {
  return {f, 0.0, 0.0};
}
Jet multiply(const Jet& a, const Jet& b) {
  return {a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2]};
}
Jet add(const Jet& a, const Jet& b, double factor) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
Jet invert(const Jet& a) {
  return chain(a, 1.0 / a[0], -1.0 / (a[0] * a[0]), 2.0 / (a[0] * a[0] * a[0]));
}
Jet raise(const Jet& a, const Jet& b) {
  if (b[1] == 0.0 && b[2] == 0.0) {
    const double n = b[0];
    return chain(a,
                 std::pow(a[0], n),
                 n == 0.0 ? 0.0 : n * std::pow(a[0], n - 1.0),
                 n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * std::pow(a[0], n - 2.0));
  }
  const Jet exponent = multiply(b, chain(a, std::log(a[0]), 1.0 / a[0], -1.0 / (a[0] * a[0])));
  const double e = std::pow(a[0], b[0]);
  return chain(exponent, e, e, e);
}
Jet function(std::string_view name, const Jet& x) {
  const double u = x[0];
  if (name == "sin") return chain(x, std::sin(u), std::cos(u), -std::sin(u));
  if (name == "cos") return chain(x, std::cos(u), -std::sin(u), -std::cos(u));
  if (name == "tan") {
    const double t = std::tan(u);
    return chain(x, t, 1.0 + t * t, 2.0 * t * (1.0 + t * t));
  }
  if (name == "asin" || name == "acos") {
    const double s = 1.0 / std::sqrt(1.0 - u * u);
    const double sign = name == "asin" ? 1.0 : -1.0;
    return chain(x, name == "asin" ? std::asin(u) : std::acos(u), sign * s, sign * u * s * s * s);
  }
  if (name == "atan") {
    const double s = 1.0 / (1.0 + u * u);
    return chain(x, std::atan(u), s, -2.0 * u * s * s);
  }
  if (name == "sinh") return chain(x, std::sinh(u), std::cosh(u), std::sinh(u));
  if (name == "cosh") return chain(x, std::cosh(u), std::sinh(u), std::cosh(u));
  if (name == "tanh") {
    const double t = std::tanh(u);
    return chain(x, t, 1.0 - t * t, -2.0 * t * (1.0 - t * t));
  }
  if (name == "exp") return chain(x, std::exp(u), std::exp(u), std::exp(u));
  if (name == "ln" || name == "log") return chain(x, std::log(u), 1.0 / u, -1.0 / (u * u));
  if (name == "log10") {
    const double c = 1.0 / std::numbers::ln10;
    return chain(x, std::log10(u), c / u, -c / (u * u));
  }
  if (name == "sqrt") return raise(x, plain(0.5));
  if (name == "abs") return chain(x, std::fabs(u), f_sign(u), 0.0);
  if (name == "floor") return plain(std::floor(u));
  if (name == "ceil") return plain(std::ceil(u));
  return plain(f_sign(u));
}
Jet function(std::string_view name, const Jet& a, const Jet& b) {
  if (name == "pow") return raise(a, b);
  if (name == "min") return b[0] < a[0] ? b : a;
  if (name == "max") return b[0] > a[0] ? b : a;
  if (name == "mod") return add(a, b, -std::floor(a[0] / b[0]));
  if (name == "step") return plain(f_step(a[0], b[0]));
  // atan2: angle' = (b a' - a b') / r2
  const double r2 = a[0] * a[0] + b[0] * b[0];
  const double rate = (b[0] * a[1] - a[0] * b[1]) / r2;
  const double r2_rate = 2.0 * (a[0] * a[1] + b[0] * b[1]);
  return {std::atan2(a[0], b[0]), rate, (b[0] * a[2] - a[0] * b[2]) / r2 - rate * r2_rate / r2};
}

}  // namespace

double evaluate(const std::vector<Term>& terms, int k, std::span<const double> values) {
  const Term& term = terms[static_cast<std::size_t>(k)];
  const auto a = [&] { return evaluate(terms, term.a, values); };
  const auto b = [&] { return evaluate(terms, term.b, values); };
  switch (term.op) {
    case Op::number:
      return term.number;
    case Op::variable:
      return values[term.index];
    case Op::negate:
      return -a();
    case Op::invert:
      return a() == 0.0 ? 1.0 : 0.0;
    case Op::add:
      return a() + b();
    case Op::subtract:
      return a() - b();
    case Op::multiply:
      return a() * b();
    case Op::divide:
      return a() / b();
    case Op::power:
      return std::pow(a(), b());
    case Op::less:
      return a() < b() ? 1.0 : 0.0;
    case Op::less_equal:
      return a() <= b() ? 1.0 : 0.0;
    case Op::greater:
      return a() > b() ? 1.0 : 0.0;
    case Op::greater_equal:
      return a() >= b() ? 1.0 : 0.0;
    case Op::equal:
      return a() == b() ? 1.0 : 0.0;
    case Op::not_equal:
      return a() != b() ? 1.0 : 0.0;
    case Op::both:
      return a() != 0.0 && b() != 0.0 ? 1.0 : 0.0;
    case Op::either:
      return a() != 0.0 || b() != 0.0 ? 1.0 : 0.0;
    case Op::choose:
      return a() != 0.0 ? b() : evaluate(terms, term.c, values);
    case Op::one:
      return kOne[term.index].call(a());
    case Op::two:
      return kTwo[term.index].call(a(), b());
  }
  return 0.0;
}

Jet evaluate_jet(const std::vector<Term>& terms, int k, std::span<const double> values) {
  const Term& term = terms[static_cast<std::size_t>(k)];
  const auto a = [&] { return evaluate_jet(terms, term.a, values); };
  const auto b = [&] { return evaluate_jet(terms, term.b, values); };
  switch (term.op) {
    case Op::variable:
      return {values[term.index], term.index == 0 ? 1.0 : 0.0, 0.0};
    case Op::negate:
      return add(plain(0.0), a(), -1.0);
    case Op::add:
      return add(a(), b(), 1.0);
    case Op::subtract:
      return add(a(), b(), -1.0);
    case Op::multiply:
      return multiply(a(), b());
    case Op::divide:
      return multiply(a(), invert(b()));
    case Op::power:
      return raise(a(), b());
    case Op::choose:
      return a()[0] != 0.0 ? b() : evaluate_jet(terms, term.c, values);
    case Op::one:
      return function(kOne[term.index].name, a());
    case Op::two:
      return function(kTwo[term.index].name, a(), b());
    default:
      return plain(evaluate(terms, k, values));
  }
}

}  // namespace femflex::mbd_solver::formula
