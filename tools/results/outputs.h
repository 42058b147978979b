// Protection of files around a run: inputs are not overwritten, rows of killed runs are recovered,
// the disk has room for the result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"

namespace femflex::tools {

/// Refuses to overwrite what a run reads. Files are compared by identity, not by name. Sidecars
/// (NAME.flex.h5) are treated like their body files.
/// @throws UsageError  an output is an input, or two outputs are one file
void refuse_overwriting(const std::vector<std::filesystem::path>& inputs,
                        const std::vector<std::filesystem::path>& outputs);

/// Recovers what killed programs have left of `output`: rows become "NAME.partial.h5", with a
/// warning; other leftovers are removed.
void take_up_left_parts(const std::filesystem::path& output, Diagnostics& diagnostics);

/// The same for files that this process is still writing, before it ends at once.
/// @return the files that can now be read
std::vector<std::filesystem::path> keep_own_parts(
    const std::vector<std::filesystem::path>& outputs);

/// What a run is about to write to one file.
struct ExpectedRows {
  double rows = 0.0;
  double bytes_a_row = 0.0;
  std::string remedy;  ///< the option that makes it smaller: "a longer --output-step"
};
/// @throws UsageError  the disk has no room for it, or it is larger than 20 GB, unless `force` is
/// set
void check_room(const std::filesystem::path& output, const ExpectedRows& expected, bool force);

/// `error` with a note on the rows that are kept: "...; 120 rows to t = 0.6 s are in
/// run.partial.h5".
class UnfinishedRun : public Error {
 public:
  UnfinishedRun(const Error& error, const std::string& left, const std::string& how_to_go_on);
};

}  // namespace femflex::tools
