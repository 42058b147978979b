#include "formula/switches.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "formula/program.h"

namespace femflex::laws::formula {
namespace {

constexpr int kParts = 2000;  // number of parts of the time span, each searched for one switch

class Finder {
 public:
  Finder(const Parsed& tree, std::size_t variables)
      : tree_(tree), programs_(tree.terms.size()), values_(variables, 0.0) {}

  std::vector<double> find(double start, double end) {
    for (std::size_t k = 0; k < tree_.terms.size(); ++k) {
      const Term& term = tree_.terms[k];
      if (!turns(term) || !needs_time_alone(static_cast<int>(k))) continue;
      double left = start;
      double side = key(k, left);
      for (int part = 1; part <= kParts && found_.size() <= kTooManySwitches; ++part) {
        const double right = part == kParts ? end : start + (end - start) * part / kParts;
        const double other = key(k, right);
        if (side < other || side > other) add_turns(k, side, left, right, other);
        left = right;
        side = other;
      }
    }
    if (found_.size() > kTooManySwitches) found_.clear();
    return std::move(found_);
  }

 private:
  static bool turns(const Term& term) {
    switch (term.op) {
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
        return true;
      case Op::one:
        return kOne[term.index].kinks;
      case Op::two:
        return kTwo[term.index].id != Two::atan2;
      default:
        return false;
    }
  }

  bool needs_time_alone(int k) const {
    if (k < 0) return true;
    const Term& term = tree_.terms[static_cast<std::size_t>(k)];
    if (term.op == Op::variable) return term.index == 0;
    return needs_time_alone(term.a) && needs_time_alone(term.b) && needs_time_alone(term.c);
  }

  double at(int k, double t) {
    const auto u = static_cast<std::size_t>(k);
    if (programs_[u].empty()) programs_[u] = Program(tree_.terms, k);
    values_[0] = t;
    return programs_[u].value(values_);
  }

  /// The key of a term: a number that changes when the term switches.
  double key(std::size_t k, double t) {
    const Term& term = tree_.terms[k];
    if (term.op == Op::one && kOne[term.index].name == "abs") return sign_of(at(term.a, t));
    if (term.op == Op::two && kTwo[term.index].id != Two::step) {
      if (kTwo[term.index].id == Two::mod) return std::floor(at(term.a, t) / at(term.b, t));
      return at(term.a, t) < at(term.b, t) ? 1.0 : 0.0;
    }
    return at(static_cast<int>(k), t);
  }

  /// Adds all switches between the key values `side` and `other`. If a key takes a value at a
  /// single point only, as sign() does at its root, the switch comes after that point.
  void add_turns(std::size_t k, double side, double left, double right, double other) {
    double time = turn(k, side, left, right);
    for (int i = 0; i < 100 && key(k, time) != other; ++i) {
      add(time);
      time = turn(k, key(k, time), time, right);
    }
    add(time);
  }

  void add(double time) {
    constexpr double kAPoint = 1e-13;
    if (!found_.empty() && std::abs(time - found_.back()) <= kAPoint * std::abs(time))
      found_.back() = time;
    else
      found_.push_back(time);
  }

  /// The first floating-point number after a switch that lies between `left`, where the key is
  /// `side`, and `right`.
  double turn(std::size_t k, double side, double left, double right) {
    while (true) {
      const double middle = left + 0.5 * (right - left);
      if (!(middle > left && middle < right)) return right;
      (key(k, middle) == side ? left : right) = middle;
    }
  }

  const Parsed& tree_;
  std::vector<Program> programs_;  // programs of the terms whose keys are searched
  std::vector<double> values_, found_;
};

}  // namespace

std::string state_jump(const Parsed& tree, const std::vector<std::string>& variables) {
  if (variables.size() < 2) return {};
  const Program whole(tree.terms, tree.root);
  std::vector<double> values(variables.size(), 1.0);
  const auto depends = [&](const auto& self, int k) -> bool {
    if (k < 0) return false;
    const Term& term = tree.terms[static_cast<std::size_t>(k)];
    if (term.op == Op::variable) return term.index > 0;
    return self(self, term.a) || self(self, term.b) || self(self, term.c);
  };
  for (const Term& term : tree.terms) {
    const bool is_sign = term.op == Op::one && kOne[term.index].name == "sign";
    const bool is_step = term.op == Op::two && kTwo[term.index].id == Two::step;
    if ((!is_sign && !is_step) || !depends(depends, term.a)) continue;
    const Term& of = tree.terms[static_cast<std::size_t>(term.a)];
    if (of.op != Op::variable) return fmt::format("{}() of a state", is_sign ? "sign" : "step");
    constexpr double kBeside = 1e-9;
    // A jump: a difference by far larger than a slope leaves at that distance, and a part of the
    // formula that matters beside its value elsewhere.
    constexpr double kJump = 1e-6;
    constexpr double kMatters = 1e-3;
    const double turn = is_sign ? 0.0 : Program(tree.terms, term.b).value(values);
    values[of.index] = turn + kBeside;
    const double above = whole.value(values);
    values[of.index] = turn - kBeside;
    const double below = whole.value(values);
    values[of.index] = 1.0;
    if (std::abs(above - below) > kJump * (std::abs(above) + std::abs(below)) &&
        std::abs(above - below) > 0.0 && std::abs(above) > kMatters * std::abs(whole.value(values)))
      return fmt::format("{}([{}])", is_sign ? "sign" : "step", variables[of.index]);
  }
  return {};
}

std::vector<double> switch_times(const Parsed& tree,
                                 std::size_t variables,
                                 double start,
                                 double end) {
  return Finder(tree, variables).find(start, end);
}

}  // namespace femflex::laws::formula
