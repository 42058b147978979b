// FileKind: the kinds of files that femflex reads, and the error for a file of the wrong kind.
// kind_of() in body/inputs.h determines the kind.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace femflex::tools {

enum class FileKind : std::uint8_t {
  unknown,
  fe_source,  ///< file of an FE code
  fe_model,   ///< native .fe.h5
  body,       ///< flexible body of any format
  system,     ///< JSON: bodies, joints, ...
  lattice,    ///< spring-mass model
  assembly,   ///< JSON: dynamic-stiffness parts
  dads,       ///< formatted DADS input
  result,     ///< time series
};

/// Name of the kind for messages: "an FE model".
std::string_view name_of(FileKind kind);

/// Checks that `path` is a file.
/// @throws UsageError  no such file, or a folder
void require_file(const std::filesystem::path& path);

/// Opens a file that is read once, so that it may be a pipe, in binary.
/// @throws UsageError  no such file, a folder, or not readable
std::ifstream open_file(const std::filesystem::path& path);
/// The whole content of such a file.
std::string whole_file_text(const std::filesystem::path& path);

/// Reports that `path` is of another kind than expected.
/// @throws UsageError always
[[noreturn]] void refuse_kind(const std::filesystem::path& path,
                              FileKind found,
                              std::string_view expected,
                              std::string_view fix = {});

}  // namespace femflex::tools
