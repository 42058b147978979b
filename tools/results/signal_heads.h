// Heads of signal columns such as "frame left [MPa]" or "front [g^2/Hz]": splits them into name and
// unit, and converts units of stresses and of spectral densities.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "results/results_file.h"

namespace femflex::tools {

/// A channel as the head of a column, "NAME [UNIT]"; the unit 1 is "-".
std::string head_of(const mbd_solver::Channel& channel);

/// The column whose name is that of `head` but for a unit in brackets that one of the two has; -1
/// if no column has it, several do, or the units differ.
Eigen::Index column_without_unit(const ResultSeries& table, std::string_view head);

/// Moves the unit in brackets at the end of each head into Channel::unit. Round brackets hold one
/// only if it is a unit of stress, frequency or spectral density.
void split_heads(ResultSeries& table);

/// Checks that the first column of a table of frequencies has no unit but Hz.
/// @throws UsageError  its head names another one, such as [rad/s]
void check_frequency_head(const std::filesystem::path& file);

/// Where times stand, for messages.
struct TimesOf {
  std::string column;  ///< such as "the first column"
  std::string file;    ///< empty: none
  std::string remedy;
};

/// Checks that times never fall.
/// @throws UsageError  they do, or one of them is not finite
void check_times(const Eigen::VectorXd& time, const TimesOf& of);

/// Checks that the first column of a table of signals is time: it never falls. Where time is
/// missing, the first signal would be taken for it.
/// @throws UsageError  it falls, or is not a number
void check_times(const ResultSeries& table, const std::filesystem::path& file);

/// The unit u of a signal with densities in u^2/Hz; empty if the head names no such unit.
std::string unit_of_signal(const mbd_solver::Channel& density);

/// The factor from the unit of a signal to Pa; `otherwise` if its head names no unit.
/// @throws UsageError  the unit is unknown or not one of stress
double stress_factor(const mbd_solver::Channel& signal,
                     double otherwise,
                     const std::filesystem::path& file);

/// The factor from a spectral density to (`unit`)^2/Hz; 1 if its head names no unit. In a density,
/// g is the standard acceleration of free fall.
/// @param unit  of the signal itself, such as "N"; empty: not known, and taken as the SI unit
/// @throws UsageError  the unit is unknown, no density, or not one of `unit`
double density_factor(const mbd_solver::Channel& density,
                      const std::string& unit,
                      const std::filesystem::path& file);

}  // namespace femflex::tools
