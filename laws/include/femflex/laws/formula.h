// Formulas in named variables that users write in input files, such as "100*sin(2*pi*t)".
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/laws/value_and_derivative.h"

namespace femflex::laws {

/// A formula in named variables. The syntax has the operators + - * / ^, comparisons, && ||,
/// c ? a : b, numbers, pi, and the functions sin cos tan asin acos atan atan2 sinh cosh tanh exp ln
/// log10 sqrt abs sign min max pow mod floor ceil step(t, t0) if(condition, a, b). Angles are in
/// radians; step(t, t0) is 1 for t >= t0 and 0 before; log is the same as ln, ** the same as ^.
///
/// The text is compiled once. Evaluation allocates no memory and changes no state, so several
/// threads may use one formula. At a jump or kink, derivatives are those of the active branch.
class Formula {
 public:
  /// Named numbers, such as the parameters of a system.
  using Constants = std::map<std::string, double, std::less<>>;

  /// @param variables  names that the text may use; evaluation takes their values in this order. A
  /// name that contains '/', such as the channel "chassis/2101/z", must be written in square
  /// brackets in the formula: 2*[chassis/2101/z].
  /// @param constants  further names that the text may use. A constant hides a variable of the same
  /// name, unless the text has the name in square brackets.
  /// @throws ModelError  the text is not a formula, or uses an unknown name
  Formula(std::string_view text,
          std::vector<std::string> variables,
          const Constants& constants = {});
  /// A formula whose variables are t and all other names in the text, in order of first use.
  static Formula of_time(std::string_view text, const Constants& constants = {});

  double operator()(std::span<const double> values) const;
  /// Value, and derivative with respect to the variable with this index in variables().
  ValueAndDerivative derivative(std::span<const double> values, std::size_t variable) const;
  /// Value, and first and second derivative with respect to the first variable (time).
  std::array<double, 3> time_derivatives(std::span<const double> values) const;

  const std::string& text() const { return text_; }
  const std::vector<std::string>& variables() const { return variables_; }
  /// The constants that the text uses.
  const Constants& constants() const;

  /// Times in (start, end] at which a step(), if(), sign(), abs(), min(), max(), floor(), ceil() or
  /// mod() of the first variable (time) alone switches. Each time is the first floating-point
  /// number after the switch. Of two switches within 1/2000 of the span, one or both may be missed.
  std::vector<double> switch_times(double start, double end) const;

  /// The part of the formula that jumps with a variable other than the first (time), such as
  /// "sign(v)"; empty if there is none. If the argument is the variable v itself, the whole
  /// formula is tested for a jump, because v sign(v), for example, has none.
  std::string state_jump() const;

  /// The names in the text, in order of first use. Functions, pi and `constants` are not included.
  static std::vector<std::string> names_in(std::string_view text, const Constants& constants = {});

 private:
  struct Compiled;
  std::string text_;
  std::vector<std::string> variables_;
  std::shared_ptr<const Compiled> compiled_;  // never changes, so copies share it
};

}  // namespace femflex::laws
