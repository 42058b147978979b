#include "system/lattice_formulas.h"

#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace femflex::tools {
namespace {

/// A formula for the table between points `first` and `last`: bisects down to a single linear
/// piece.
std::string piece(const hamiltonian::Function& table, std::size_t first, std::size_t last) {
  const std::vector<double>& x = table.arguments;
  const std::vector<double>& y = table.values;
  if (last - first == 1) {
    const double slope = (y[last] - y[first]) / (x[last] - x[first]);
    return fmt::format("({}) + ({})*(t - ({}))", y[first], slope, x[first]);
  }
  const std::size_t middle = first + (last - first) / 2;
  return fmt::format(
      "if(t < {}, {}, {})", x[middle], piece(table, first, middle), piece(table, middle, last));
}

}  // namespace

std::string formula_of(const hamiltonian::Function& function) {
  if (!function.expression.empty()) return function.expression;
  const std::vector<double>& x = function.arguments;
  if (x.empty()) return fmt::format("{}", function.constant);
  if (x.size() == 1) return fmt::format("{}", function.values.front());
  return fmt::format("if(t < {}, {}, if(t >= {}, {}, {}))",
                     x.front(),
                     function.values.front(),
                     x.back(),
                     function.values.back(),
                     piece(function, 0, x.size() - 1));
}

std::string history_of(const hamiltonian::Load& load) {
  std::string out = formula_of(load.history);
  if (std::isfinite(load.until)) out = fmt::format("if(t < {}, {}, 0)", load.until, out);
  if (std::isfinite(load.from)) out = fmt::format("if(t < {}, 0, {})", load.from, out);
  return out;
}

}  // namespace femflex::tools
