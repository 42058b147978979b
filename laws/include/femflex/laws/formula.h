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

/// A formula in named variables: + - * / ^, comparisons, && ||, c ? a : b, numbers, pi, and
/// sin cos tan asin acos atan atan2 sinh cosh tanh exp ln log10 sqrt abs sign min max pow mod
/// floor ceil step(t, t0) if(condition, a, b). Angles are radians; step is 1 from t0 on, 0 before;
/// log is ln.
///
/// The text is compiled once. Evaluation allocates nothing and has no hidden state: one formula may
/// serve several threads. At a jump or kink, derivatives are those of the active side.
class Formula {
 public:
  /// Numbers with a name, such as the parameters of a system.
  using Constants = std::map<std::string, double, std::less<>>;

  /// @param variables  names that the text may use; evaluation takes their values in this order.
  ///                   Names may contain '/', as channels do ("chassis/2101/z"); inside a formula
  ///                   such names are written in square brackets: 2*[chassis/2101/z].
  /// @param constants  further names that the text may use; they hide variables of the same name,
  ///                   except where the text has the name in square brackets
  /// @throws ModelError  the text is not a formula, or uses an unknown name
  Formula(std::string_view text,
          std::vector<std::string> variables,
          const Constants& constants = {});
  /// A formula whose variables are t and the other names in the text, in order of first use.
  static Formula of_time(std::string_view text, const Constants& constants = {});

  double operator()(std::span<const double> values) const;
  /// Value and derivative with respect to one variable, given by its index in variables().
  ValueAndDerivative derivative(std::span<const double> values, std::size_t variable) const;
  /// Value and its first two derivatives with respect to the first variable (time).
  std::array<double, 3> time_derivatives(std::span<const double> values) const;

  const std::string& text() const { return text_; }
  const std::vector<std::string>& variables() const { return variables_; }
  /// The constants that the text uses.
  const Constants& constants() const;

  /// Times in (start, end] at which the formula switches as a function of time alone, that is, at
  /// which a step(), if(), sign(), abs(), min(), max(), floor(), ceil() or mod() of the first
  /// variable switches. Each is the first floating-point number after the switch. Two switches
  /// within a 2000th of the span may be missed.
  std::vector<double> switch_times(double start, double end) const;

  /// The part of the formula that jumps with a variable other than the first (time), such as
  /// "sign(v)"; empty if there is none. If that variable v appears directly, the whole formula is
  /// tested for a jump, because v sign(v) has none.
  std::string state_jump() const;

  /// Names in the text, in square brackets or plain, except functions, pi and `constants`, in order
  /// of first use.
  static std::vector<std::string> names_in(std::string_view text, const Constants& constants = {});

 private:
  struct Compiled;
  std::string text_;
  std::vector<std::string> variables_;
  std::shared_ptr<const Compiled> compiled_;  // never changes, so copies share it
};

}  // namespace femflex::laws
