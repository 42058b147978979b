// The public class Formula. The constructor parses the text into a tree of terms and compiles the
// tree to a program.
#include "femflex/laws/formula.h"

#include <utility>

#include "formula/parser.h"
#include "formula/program.h"
#include "formula/switches.h"

namespace femflex::laws {

struct Formula::Compiled {
  formula::Parsed tree;
  formula::Program program;
};

Formula::Formula(std::string_view text,
                 std::vector<std::string> variables,
                 const Constants& constants)
    : text_(text), variables_(std::move(variables)) {
  auto compiled = std::make_shared<Compiled>();
  compiled->tree = formula::parse(text_, &variables_, constants);
  compiled->program = formula::Program(compiled->tree.terms, compiled->tree.root);
  compiled_ = std::move(compiled);
}

Formula Formula::of_time(std::string_view text, const Constants& constants) {
  std::vector<std::string> variables = {"t"};
  for (std::string& name : names_in(text, constants))
    if (name != "t") variables.push_back(std::move(name));
  return {text, std::move(variables), constants};
}

const Formula::Constants& Formula::constants() const {
  return compiled_->tree.constants;
}

double Formula::operator()(std::span<const double> values) const {
  return compiled_->program.value(values);
}

ValueAndDerivative Formula::derivative(std::span<const double> values, std::size_t variable) const {
  const std::array<double, 2> jet = compiled_->program.derivative(values, variable);
  return {jet[0], jet[1]};
}

std::array<double, 3> Formula::time_derivatives(std::span<const double> values) const {
  return compiled_->program.two_derivatives(values, 0);
}

std::vector<double> Formula::switch_times(double start, double end) const {
  if (variables_.empty() || !(end > start)) return {};
  return formula::switch_times(compiled_->tree, variables_.size(), start, end);
}

std::string Formula::state_jump() const {
  return formula::state_jump(compiled_->tree, variables_);
}

std::vector<std::string> Formula::names_in(std::string_view text, const Constants& constants) {
  return formula::parse(text, nullptr, constants).names;
}

}  // namespace femflex::laws
