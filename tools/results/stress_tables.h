// Tables of stresses as CSV and JSON for the verb stress: of shapes, of runs and schedules of runs,
// of random response, and of counted cycles. Every row contains its place, axes and unit.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/run_stress.h"
#include "femflex/durability/spectra.h"
#include "femflex/io/atomic_file.h"

#include "document/json.h"
#include "document/table.h"

namespace femflex::tools {

/// Stresses of one shape at one location.
struct ShapeStress {
  std::string shape;  ///< "dynamic:1"
  durability::StressLocation location;
  std::array<double, 6> stress{};  ///< xx, yy, zz, xy, yz, zx [Pa]
  double von_mises = 0.0, signed_von_mises = 0.0, principal_max = 0.0, principal_min = 0.0,
         tresca = 0.0;
};

/// What a schedule of runs does at one location.
struct ScheduledDamage {
  durability::StressLocation location;
  durability::Extreme von_mises = {};  ///< the largest of all runs
  std::size_t von_mises_run = 0;       ///< the run that has it
  double damage = 0.0;                 ///< per unit of the schedule
  double worst_damage = 0.0;           ///< damage of `worst_run` alone
  std::size_t worst_run = 0;           ///< the run that does most damage

  /// Adds a run.
  /// @param weight  passes of the run per unit
  void add(const durability::LocationPeaks& peaks, double weight, std::size_t run);
  /// Units until the damage is 1; infinite without damage.
  double life() const;
};

/// What a row of a schedule needs besides its damage.
struct ScheduleLabels {
  std::string worst_run;
  std::string von_mises_run;
  std::string unit;  ///< of damage and life, such as "km"
};

/// Writes a table of stresses row by row, in the format of docs/formats/stress.md.
class StressCsv {
 public:
  /// @throws UsageError  the file cannot be written
  StressCsv(const std::filesystem::path& path, const durability::StressSource& source);
  void add_shape_header();
  void add_run_header(bool with_damage);
  void add(const ShapeStress& row);
  void add(const durability::LocationPeaks& row, bool with_damage);
  void add_random_header(bool with_damage);
  /// @param damage_rate  [1/s]
  void add(const durability::StressLocation& location,
           const durability::SpectralMoments& moments,
           std::optional<double> damage_rate);
  /// @param unit  of the schedule, such as "km"
  void add_schedule_header(const std::string& unit);
  void add(const ScheduledDamage& row, const std::string& worst_run);
  void commit();

 private:
  void flush_if_large();
  const durability::StressSource& source_;
  io::AtomicFile file_;
  std::string text_;
};

/// A value and the time of the run at which it first occurs.
Json extreme_json(const durability::Extreme& extreme);

/// The place of a stress: the members common to all rows.
Json place_json(const durability::StressSource& source, const durability::StressLocation& at);
Json row_json(const durability::StressSource& source, const ShapeStress& row);
Json row_json(const durability::StressSource& source,
              const durability::LocationPeaks& row,
              bool with_damage);
Json row_json(const durability::StressSource& source,
              const ScheduledDamage& row,
              const ScheduleLabels& labels);

/// Elements without stress, by type and reason.
Json left_out_json(const std::vector<durability::LeftOut>& all);

/// Cycles as CSV: signal, unit, range, mean, count.
std::string cycles_csv_rows(const std::string& signal,
                            const std::string& unit,
                            const std::vector<durability::Cycle>& cycles);

}  // namespace femflex::tools
