// Rainflow counting by the four-point method [ASTM E1049]. A cycle has a range (maximum minus
// minimum) and a mean; its amplitude is half the range.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::durability {

struct Cycle {
  double range = 0.0;
  double mean = 0.0;
  double count = 1.0;  ///< 1; 0.5 for a half cycle
};

/// Treatment of the turning points that remain when all cycles are closed.
enum class Residue : std::uint8_t {
  half_cycles,  ///< each range between them is half a cycle; the counts are those of ASTM E1049
  repeated,     ///< the history repeats, so these points close cycles with their repetition
};
/// Reads "half-cycles" or "repeated".
/// @throws UsageError  the name is none of these
Residue parse_residue(std::string_view name);
std::vector<std::string> residue_names();

/// The turning points of a signal: the first value, every local extreme (the first of equal values)
/// and the last value. A constant signal has one.
std::vector<double> turning_points(std::span<const double> values);

/// Counts cycles: those of the history in the order in which they close, then those of the residue.
std::vector<Cycle> rainflow(std::span<const double> values, Residue residue);

/// Merges cycles of equal range and mean, adding their counts; sorts by ascending range, then mean.
std::vector<Cycle> collected(std::vector<Cycle> cycles);

}  // namespace femflex::durability
