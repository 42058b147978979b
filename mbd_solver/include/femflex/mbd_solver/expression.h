#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::mbd_solver {

/// A formula in named variables: + - * / ^, comparisons, && ||, c ? a : b, numbers, pi, and
/// sin cos tan asin acos atan atan2 sinh cosh tanh exp ln log10 sqrt abs sign min max pow mod
/// floor step(t, t0) if(condition, a, b). Angles are radians; step is 1 from t0 on, 0 before.
///
/// muParser evaluates where it is built in, a small parser of our own elsewhere; both know the same
/// functions and give the same numbers.
class Expression {
 public:
  enum class Engine : unsigned char { best, own };

  /// @param variables  names the text may use; evaluate() takes their values in this order. Names
  ///                   may hold '/', as channels do ("chassis/2101/z"); inside a formula such names
  ///                   stand in square brackets: 2*[chassis/2101/z].
  /// @throws ModelError  the text is no formula, or uses a name that is not known
  Expression(std::string_view text,
             std::vector<std::string> variables,
             Engine engine = Engine::best);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  Expression(const Expression& other);
  Expression& operator=(const Expression& other);
  ~Expression();

  double operator()(std::span<const double> values) const;
  /// Value and its first two derivatives over the first variable (time). Where the formula jumps or
  /// kinks, those of the branch that holds.
  std::array<double, 3> time_derivatives(std::span<const double> values) const;
  const std::string& text() const { return text_; }
  const std::vector<std::string>& variables() const { return variables_; }

  /// Names in square brackets and plain names that the text uses and that are no function or
  /// constant, in order of first use.
  static std::vector<std::string> names_in(std::string_view text);

 private:
  struct Program;
  std::string text_;
  std::vector<std::string> variables_;
  Engine engine_;
  std::unique_ptr<Program> program_;
};

}  // namespace femflex::mbd_solver
