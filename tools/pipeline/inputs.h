#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"
#include "femflex/units.h"

namespace femflex::pipeline {

/// What a file is for us. Found from its content, never from its ending alone.
enum class FileKind : std::uint8_t {
  unknown,
  fe_source,  ///< of an FE code
  fe_model,   ///< native .fe.h5
  body,       ///< flexible body of any format
  system,     ///< JSON: bodies, joints, ...
  lattice,    ///< spring-mass model
  assembly,   ///< JSON: dynamic-stiffness parts
  dads,       ///< formatted DADS input
  result,     ///< time series
};
std::string_view name_of(FileKind kind);

/// @throws UsageError  no such file, or a folder
void require_file(const std::filesystem::path& path);

/// @throws UsageError  no such file, or a folder;  ParseError  an empty file
FileKind kind_of(const std::filesystem::path& path);

/// What was expected where `path` is something else.
/// @throws UsageError always
[[noreturn]] void refuse_kind(const std::filesystem::path& path,
                              FileKind found,
                              std::string_view expected,
                              std::string_view fix = {});

/// A native FE model, or a file of an FE code taken as it is.
/// @param units  overrides or adds what the file says
FeModel load_model(const std::filesystem::path& path,
                   const std::optional<Units>& units,
                   Diagnostics& diagnostics,
                   Progress& progress);

FlexBody load_body(const std::filesystem::path& path,
                   const std::optional<Units>& units,
                   Diagnostics& diagnostics,
                   Progress& progress);

/// Freedoms "3/T3, 12/R1, 501/S, 7": a node alone means all six.
/// @throws UsageError
std::vector<Dof> parse_freedoms(std::string_view text);

}  // namespace femflex::pipeline
