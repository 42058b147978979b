// Estimates the memory that the shapes of a reduction need, compares it with a limit, and reads
// sizes of memory.
#include "solve/memory.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::modal {

double shape_memory(Eigen::Index rows, Eigen::Index columns) {
  // Number of copies of the shapes: solutions, shapes on all DOFs, the collected set, its
  // independent part, products with M and K, and the shapes of the body. A Craig-Bampton reduction
  // of 54,243 DOFs, 5,001 of them at the interface, took 15.5 GB.
  constexpr double kCopies = 7.0;
  return kCopies * sizeof(double) * static_cast<double>(rows) * static_cast<double>(columns);
}

double parse_memory(std::string_view text) {
  std::string_view rest = text;
  double number = 0.0;
  const bool has_number = take_real(rest, number);
  std::string unit(trimmed(rest));
  if (!unit.empty() && (unit.back() == 'B' || unit.back() == 'b')) unit.pop_back();
  constexpr std::string_view kUnits = "kMGT";
  constexpr double kThousand = 1000.0;
  const std::size_t power = unit.size() == 1 ? kUnits.find(unit) : std::string_view::npos;
  if (!has_number || !(number > 0.0) || !std::isfinite(number) ||
      (!unit.empty() && power == std::string_view::npos))
    throw UsageError("memory",
                     fmt::format("'{}' is not a size of memory", text),
                     {},
                     "give a number of bytes with k, M, G or T: 16G, 800M");
  return unit.empty() ? number : number * std::pow(kThousand, static_cast<double>(power + 1));
}

void check_memory(Eigen::Index rows,
                  Eigen::Index columns,
                  double limit,
                  Diagnostics& diagnostics,
                  std::string_view fix) {
  columns = std::min(columns, rows);  // there are no more modes than DOFs
  const double needed = shape_memory(rows, columns);
  if (needed < 0.5 * limit) return;
  const std::string message = fmt::format("{} modes of {} DOF need about {:.3g} GB of {:.3g} GB",
                                          columns,
                                          rows,
                                          needed / kGigabyte,
                                          limit / kGigabyte);
  if (needed > limit) throw NumericalError("needs-memory", message, {}, std::string(fix));
  diagnostics.warn("needs-memory", message);
}

void warn_of_large_interface(Eigen::Index rows, Eigen::Index interface, Diagnostics& diagnostics) {
  constexpr Eigen::Index kMany = 1000;    // fewer take seconds
  constexpr Eigen::Index kReduced = 300;  // number of interface modes that the advice names
  if (interface < kMany) return;
  // Additions and multiplications for each DOF and pair of shapes: their Gram matrix, mass matrix
  // and inertia invariants, the shapes of the body, solutions. Counted from the steps,
  // not measured.
  constexpr double kOperations = 14.0;
  constexpr double kSpeed = 2e10;   // of one core, cautiously [1/s]
  constexpr double kMinute = 60.0;  // [s]
  const auto n = static_cast<double>(interface);
  const double minutes = kOperations * static_cast<double>(rows) * n * n / kSpeed / kMinute;
  // matrices on the interface, from which its modes are found, and the shapes
  const double reduced = shape_memory(interface, interface) + shape_memory(rows, kReduced);
  diagnostics.warn(
      "large-interface",
      fmt::format(
          "a constraint mode for each of {} interface DOFs takes about {:.2g} GB and {:.0f} "
          "min of one core; --interface-modes {} takes about {:.2g} GB",
          interface,
          shape_memory(rows, interface) / kGigabyte,
          std::ceil(minutes),
          kReduced,
          reduced / kGigabyte));
}

}  // namespace femflex::modal
