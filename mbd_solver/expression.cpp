#include "femflex/mbd_solver/expression.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "formula/evaluate.h"
#include "formula/parser.h"

#if FEMFLEX_HAVE_MUPARSER
#include <muParser.h>
#endif

namespace femflex::mbd_solver {

#if FEMFLEX_HAVE_MUPARSER
namespace {

using namespace formula;

/// The checked formula again, every operation in brackets, so that muParser's own precedence and
/// names play no part.
std::string bracketed(const std::vector<Term>& terms, int k) {
  const Term& term = terms[static_cast<std::size_t>(k)];
  const auto text = [&](int child) { return bracketed(terms, child); };
  switch (term.op) {
    case Op::number:
      return fmt::format("({:.17g})", term.number);
    case Op::variable:
      return fmt::format("v{}_", term.index);
    case Op::negate:
      return fmt::format("(0-{})", text(term.a));
    case Op::invert:
      return fmt::format("({}==0 ? 1 : 0)", text(term.a));
    case Op::choose:
      return fmt::format("(({})!=0 ? {} : {})", text(term.a), text(term.b), text(term.c));
    case Op::one:
      return fmt::format("f_{}({})", kOne[term.index].name, text(term.a));
    case Op::two:
      return fmt::format("f_{}({},{})", kTwo[term.index].name, text(term.a), text(term.b));
    case Op::power:
      return fmt::format("f_pow({},{})", text(term.a), text(term.b));
    case Op::both:
      return fmt::format("(({})!=0 && ({})!=0 ? 1 : 0)", text(term.a), text(term.b));
    case Op::either:
      return fmt::format("(({})!=0 || ({})!=0 ? 1 : 0)", text(term.a), text(term.b));
    default:
      break;
  }
  std::string_view symbol;
  for (const auto& [name, op] : kBinary)
    if (op == term.op) symbol = name;
  return fmt::format("({}{}{})", text(term.a), symbol, text(term.b));
}

}  // namespace
#endif

struct Expression::Program {
  formula::Parsed tree;
#if FEMFLEX_HAVE_MUPARSER
  std::unique_ptr<mu::Parser> parser;
  std::vector<double> buffer;  // what the parser's variables point at
#endif
};

Expression::Expression(std::string_view text, std::vector<std::string> variables, Engine engine)
    : text_(text),
      variables_(std::move(variables)),
      engine_(engine),
      program_(std::make_unique<Program>()) {
  program_->tree = formula::parse(text_, &variables_);
#if FEMFLEX_HAVE_MUPARSER
  if (engine_ == Engine::best) {
    try {
      auto mu = std::make_unique<mu::Parser>();
      for (const formula::Function1& f : formula::kOne)
        mu->DefineFun(fmt::format("f_{}", f.name), f.call);
      for (const formula::Function2& f : formula::kTwo)
        mu->DefineFun(fmt::format("f_{}", f.name), f.call);
      program_->buffer.assign(variables_.size() + 1, 0.0);
      for (std::size_t k = 0; k < variables_.size(); ++k)
        mu->DefineVar(fmt::format("v{}_", k), &program_->buffer[k]);
      mu->SetExpr(bracketed(program_->tree.terms, program_->tree.root));
      mu->Eval();
      program_->parser = std::move(mu);
    } catch (const mu::ParserError&) {
      program_->parser.reset();  // deeper than muParser goes: our own evaluation serves
    }
  }
#endif
}

Expression::Expression(const Expression& other)
    : Expression(other.text_, other.variables_, other.engine_) {}
Expression& Expression::operator=(const Expression& other) {
  if (this != &other) *this = Expression(other);
  return *this;
}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::operator()(std::span<const double> values) const {
#if FEMFLEX_HAVE_MUPARSER
  if (program_->parser) {
    std::copy(values.begin(), values.end(), program_->buffer.begin());
    return program_->parser->Eval();
  }
#endif
  return formula::evaluate(program_->tree.terms, program_->tree.root, values);
}

std::array<double, 3> Expression::time_derivatives(std::span<const double> values) const {
  return formula::evaluate_jet(program_->tree.terms, program_->tree.root, values);
}

std::vector<std::string> Expression::names_in(std::string_view text) {
  return formula::parse(text, nullptr).names;
}

}  // namespace femflex::mbd_solver
