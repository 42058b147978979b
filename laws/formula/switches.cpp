// Finds the times at which a formula switches (jumps or has a kink). Divides the time span into
// equal parts, and bisects each part over which a key value changes. Also finds jumps with respect
// to variables other than time.
#include "formula/switches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "formula/program.h"

namespace femflex::laws::formula {
namespace {

// number of parts of the time span; a part whose key is equal at both ends is not searched
constexpr int kParts = 2000;

class SwitchFinder {
 public:
  SwitchFinder(const Parsed& tree, std::size_t variables)
      : tree_(tree), programs_(tree.terms.size()), values_(variables, 0.0) {}

  std::vector<double> find(double start, double end) {
    for (std::size_t k = 0; k < tree_.terms.size(); ++k) {
      const Term& term = tree_.terms[k];
      if (!can_switch(term) || !depends_on_time_only(static_cast<int>(k))) continue;
      double left = start;
      double left_key = key(k, left);
      for (int part = 1; part <= kParts && found_.size() <= kTooManySwitches; ++part) {
        const double right = part == kParts ? end : start + (end - start) * part / kParts;
        const double right_key = key(k, right);
        if (left_key < right_key || left_key > right_key)
          add_switches(k, left_key, left, right, right_key);
        left = right;
        left_key = right_key;
      }
    }
    if (found_.size() > kTooManySwitches) found_.clear();
    return std::move(found_);
  }

 private:
  static bool can_switch(const Term& term) {
    switch (term.op) {
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
        return true;
      case Op::unary:
        return kUnaryFunctions[term.index].has_kinks;
      case Op::binary:
        return kBinaryFunctions[term.index].id != BinaryId::atan2;
      default:
        return false;
    }
  }

  bool depends_on_time_only(int k) const {
    if (k < 0) return true;
    const Term& term = tree_.terms[static_cast<std::size_t>(k)];
    if (term.op == Op::variable) return term.index == 0;
    return depends_on_time_only(term.a) && depends_on_time_only(term.b) &&
           depends_on_time_only(term.c);
  }

  /// Value of term k at the time t.
  double at(int k, double t) {
    const auto u = static_cast<std::size_t>(k);
    if (programs_[u].empty()) programs_[u] = Program(tree_.terms, k);
    values_[0] = t;
    return programs_[u].value(values_);
  }

  /// The key of a term: a number that changes when the term switches.
  double key(std::size_t k, double t) {
    const Term& term = tree_.terms[k];
    if (term.op == Op::unary && kUnaryFunctions[term.index].name == "abs")
      return sign_of(at(term.a, t));
    if (term.op == Op::binary && kBinaryFunctions[term.index].id != BinaryId::step) {
      if (kBinaryFunctions[term.index].id == BinaryId::mod)
        return std::floor(at(term.a, t) / at(term.b, t));
      return at(term.a, t) < at(term.b, t) ? 1.0 : 0.0;
    }
    return at(static_cast<int>(k), t);
  }

  /// Adds all switches between the times `left` and `right`, at which the key has the values
  /// `left_key` and `right_key`. If the key has a value at a single point only, as sign() at its
  /// root, the switch is after that point.
  void add_switches(std::size_t k, double left_key, double left, double right, double right_key) {
    constexpr int kMaxSwitches = 100;  // per part of the time span
    double time = first_switch(k, left_key, left, right);
    for (int i = 0; i < kMaxSwitches && key(k, time) != right_key; ++i) {
      add(time);
      time = first_switch(k, key(k, time), time, right);
    }
    add(time);
  }

  void add(double time) {
    constexpr double kSameTime = 1e-13;  // switches closer than this relative distance count as one
    if (!found_.empty() && std::abs(time - found_.back()) <= kSameTime * std::abs(time))
      found_.back() = time;
    else
      found_.push_back(time);
  }

  /// Finds the switch between `left`, where the key is `left_key`, and `right` by bisection.
  /// Returns the first floating-point number after the switch.
  double first_switch(std::size_t k, double left_key, double left, double right) {
    while (true) {
      const double middle = left + 0.5 * (right - left);
      if (!(middle > left && middle < right)) return right;
      (key(k, middle) == left_key ? left : right) = middle;
    }
  }

  const Parsed& tree_;
  std::vector<Program> programs_;  // programs of the terms whose keys are searched
  std::vector<double> values_, found_;
};

/// Finds a term that makes the formula jump where a state passes a value.
class JumpFinder {
 public:
  JumpFinder(const Parsed& tree, const std::vector<std::string>& variables)
      : tree_(tree), variables_(variables), whole_(tree.terms, tree.root) {}

  std::string find() const {
    for (const Term& term : tree_.terms) {
      const std::string_view name = name_of(term);
      if (name.empty() || (!depends(term.a) && !depends(term.b))) continue;
      const bool is_known = is_state(term.a)
                                ? !depends(term.b)
                                : is_state(term.b) && !depends(term.a) && !is_mod(term);
      // comparisons and periodic parts of sums are in many formulas that do not jump
      if (!is_known && name != "sign" && name != "step") continue;
      if (!is_known) return fmt::format("{}() of a state", name);
      const Term& state = term_of(is_state(term.a) ? term.a : term.b);
      const int other = is_state(term.a) ? term.b : term.a;
      if (jumps(state.index, other, name))
        return is_comparison(term) ? fmt::format("[{}] {} ..", variables_[state.index], name)
                                   : fmt::format("{}([{}])", name, variables_[state.index]);
    }
    return {};
  }

 private:
  const Term& term_of(int k) const { return tree_.terms[static_cast<std::size_t>(k)]; }
  static bool is_comparison(const Term& term) {
    return term.op == Op::less || term.op == Op::less_equal || term.op == Op::greater ||
           term.op == Op::greater_equal;
  }
  static bool is_mod(const Term& term) {
    return term.op == Op::binary && kBinaryFunctions[term.index].id == BinaryId::mod;
  }
  /// The name of a term that jumps; empty for others.
  static std::string_view name_of(const Term& term) {
    if (is_comparison(term)) return term.op == Op::less || term.op == Op::less_equal ? "<" : ">";
    if (term.op == Op::unary) {
      const std::string_view name = kUnaryFunctions[term.index].name;
      return name == "sign" || name == "floor" || name == "ceil" ? name : std::string_view();
    }
    if (term.op != Op::binary) return {};
    const BinaryFunction& function = kBinaryFunctions[term.index];
    return function.id == BinaryId::step || function.id == BinaryId::mod ? function.name
                                                                         : std::string_view();
  }
  bool depends(int k) const {
    if (k < 0) return false;
    const Term& term = term_of(k);
    if (term.op == Op::variable) return term.index > 0;
    return depends(term.a) || depends(term.b) || depends(term.c);
  }
  bool is_state(int k) const {
    return k >= 0 && term_of(k).op == Op::variable && term_of(k).index > 0;
  }

  /// Whether the formula jumps at some time where a state passes the value of the term `other`.
  bool jumps(std::size_t state, int other, std::string_view name) const {
    constexpr std::array kTimes = {1.0, 0.0, 3.0, 30.0, 300.0};  // [s] of switches in between
    return std::any_of(kTimes.begin(), kTimes.end(), [&](double time) {
      std::vector<double> values(variables_.size(), 1.0);
      values[0] = time;
      const double whole_number = name == "sign" ? 0.0 : 1.0;  // floor() and ceil() jump at 1
      const double threshold = other < 0 ? whole_number : Program(tree_.terms, other).value(values);
      return jumps_at(state, threshold, std::move(values));
    });
  }

  // The formula jumps if values close to the threshold differ by much more than a finite slope can
  // cause. Differences that are small relative to the values at a distance of 1 are ignored.
  bool jumps_at(std::size_t state, double threshold, std::vector<double> values) const {
    constexpr double kOffset = 1e-9;  // relative to the threshold or to 1
    constexpr double kMinDifference = 1e-6;
    constexpr double kRelevant = 1e-3;
    const double unit = std::max(1.0, std::abs(threshold));
    const auto at = [&](double x) {
      values[state] = x;
      return whole_.value(values);
    };
    const double scale = std::max(std::abs(at(threshold + unit)), std::abs(at(threshold - unit)));
    const double above = at(threshold + kOffset * unit);
    const double below = at(threshold - kOffset * unit);
    const double difference = std::abs(above - below);
    return difference > 0.0 && difference > kMinDifference * (std::abs(above) + std::abs(below)) &&
           std::max(std::abs(above), std::abs(below)) > kRelevant * scale;
  }

  const Parsed& tree_;
  const std::vector<std::string>& variables_;
  const Program whole_;
};

}  // namespace

std::string state_jump(const Parsed& tree, const std::vector<std::string>& variables) {
  return variables.size() < 2 ? std::string() : JumpFinder(tree, variables).find();
}

std::vector<double> switch_times(const Parsed& tree,
                                 std::size_t variables,
                                 double start,
                                 double end) {
  return SwitchFinder(tree, variables).find(start, end);
}

}  // namespace femflex::laws::formula
