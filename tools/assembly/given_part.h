// GivenPart: reads parts whose dynamics are given by data, in the assembly file itself, in a text
// file, or as a flexible body.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/substructure/dynamic_stiffness.h"

#include "document/json_text.h"

namespace femflex::tools {

/// The path of a file to which the assembly file refers: absolute, or relative to `folder`, the
/// folder of the assembly file.
std::filesystem::path resolved_path(const std::filesystem::path& folder,
                                    const std::filesystem::path& file);

class GivenPart {
 public:
  GivenPart(std::filesystem::path folder, Diagnostics& diagnostics, Progress& progress)
      : folder_(std::move(folder)), diagnostics_(diagnostics), progress_(progress) {}

  /// Empty if the definition is of another kind.
  /// @param attributes  attributes of the part; a bar adds its mass
  std::optional<substructure::DynamicStiffness> read(ObjectReader& reader,
                                                     const std::string& number,
                                                     std::map<std::string, Json>& attributes);

 private:
  substructure::DynamicStiffness text_file(const Json& file) const;
  substructure::DynamicStiffness flexible_body(const Json& value);

  std::filesystem::path folder_;
  Diagnostics& diagnostics_;
  Progress& progress_;
};

}  // namespace femflex::tools
