// Protects files before and after a run: inputs are not overwritten, rows of killed runs are
// recovered, and the disk must have room for the result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"

namespace femflex::tools {

/// Checks that a run does not overwrite files that it reads. Files are compared by identity instead
/// of name. Sidecars (NAME.flex.h5) are treated like their body files.
/// @throws UsageError  an output is an input, or two outputs are the same file
void refuse_overwriting(const std::vector<std::filesystem::path>& inputs,
                        const std::vector<std::filesystem::path>& outputs);

/// Checks the name of a file that will be HDF5: names of tables, texts and pages would mislead.
/// @throws UsageError  the name ends in .csv, .txt, .json, .html or .xml
void refuse_text_name(const std::filesystem::path& output);

/// Creates the folder of outputs if it is missing; an empty path is the current folder.
/// @throws UsageError  it cannot be created
void make_folder(const std::filesystem::path& folder);

/// Recovers the temporary files (parts) of `output` that killed programs have left. A part with
/// readable rows is renamed to "NAME.partial.h5", others are removed; a warning reports each.
void recover_abandoned_outputs(const std::filesystem::path& output, Diagnostics& diagnostics);

/// The same for temporary files that this process is still writing, if it must end early.
/// @return the files that can now be read
std::vector<std::filesystem::path> keep_unfinished_outputs(
    const std::vector<std::filesystem::path>& outputs);

/// The expected size of the rows that a run writes to one file.
struct ExpectedRows {
  double rows = 0.0;
  double bytes_per_row = 0.0;
  std::string remedy;  ///< how to make the result smaller, for messages: "a longer --output-step"
};
/// Checks that the expected rows fit on the disk.
/// @throws UsageError  there is not enough room, or the rows need more than 20 GB and `force` is
/// not set
void check_room(const std::filesystem::path& output, const ExpectedRows& expected, bool force);

/// The error of a run that ended early, with a note about the rows that are kept: "...; 120 rows to
/// t = 0.6 s are in run.partial.h5".
class UnfinishedRun : public Error {
 public:
  /// @param kept          the note, which is added to the message; empty: nothing is kept
  /// @param how_to_go_on  text added to the remedy; empty: nothing is added
  UnfinishedRun(const Error& error, const std::string& kept, const std::string& how_to_go_on);
};

}  // namespace femflex::tools
