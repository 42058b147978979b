// VariedSystem: a system whose numbers change from run to run. Its document is read once; the
// system of each run is made from the document. run_many() uses it.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "document/document.h"
#include "document/read_cache.h"
#include "runs/run_table.h"
#include "system/loaded_system.h"
#include "system/run_system.h"

namespace femflex::tools {

/// Name of the parameter that selects "variants" of the system instead of a number.
inline constexpr const char* kVariantName = "variant";

/// Makes the system of each row. Several threads may call at() at once.
class VariedSystem {
 public:
  /// Reads the unchanged system, which detects all errors that do not depend on the values of a
  /// row. Completes the parameters: checks paths, and converts ranges in per cent to numbers. Sets
  /// name, model and units of the table.
  /// @param keeps_outputs  true: the channels of the measures are added to the outputs of the
  /// system; false: they replace the outputs
  /// @throws UsageError, ParseError, ModelError
  VariedSystem(const DocumentInput& input,
               const DocumentOptions& options,
               bool keeps_outputs,
               RunTable& table,
               Diagnostics& diagnostics,
               Progress& progress);

  /// The value of a parameter in the unchanged system.
  /// @throws UsageError  the value is not a number
  double nominal(const RunParameter& parameter) const;
  /// The system of a row.
  SystemDocument at(const RunTable& table,
                    const std::vector<double>& samples,
                    Diagnostics& diagnostics,
                    Progress& progress);

  /// Held by a thread that reads or writes a file while others may call at().
  std::unique_lock<std::recursive_mutex> lock_files() { return cache_.lock_files(); }

 private:
  void find_paths(RunTable& table) const;
  void set_units(RunTable& table, Progress& progress);
  void warn_of_unused(const RunTable& table, Diagnostics& diagnostics) const;
  std::string digest_of_files(const RunTable& table);
  SystemDocument read(const Json& document, Diagnostics& diagnostics, Progress& progress);

  DocumentInput input_;
  DocumentOptions options_;
  std::vector<Json> bases_;  // one document, or one per variant
  ReadCache cache_;
};

/// @throws UsageError  a member of an analysis is varied, and an option sets it for all runs
void check_overrides(const RunTable& table, const RunOverrides& overrides);

}  // namespace femflex::tools
