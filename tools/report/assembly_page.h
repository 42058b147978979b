// The HTML page on a solved part of an assembly: poles, frequency responses, responses over time.
#pragma once

#include <filesystem>
#include <string>

#include "document/json.h"
#include "report/report_parts.h"

namespace femflex::report {

/// A page on a part that was solved: its poles, its frequency responses as magnitude and phase over
/// logarithmic axes (Bode), its step and impulse responses.
/// @param document  as printed by `assemble --json` or `ask --json`
/// @param source    where the part is from: a file, or the address of an agent
void write_assembly_page(const tools::Json& document,
                         const std::string& source,
                         const PageOptions& options,
                         const std::filesystem::path& path);

}  // namespace femflex::report
