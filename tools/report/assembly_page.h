// write_assembly_page(): the HTML page of a solved part of an assembly: poles, frequency responses,
// responses over time. The verbs assemble and ask call it.
#pragma once

#include <filesystem>
#include <string>

#include "document/json.h"
#include "report/report_parts.h"

namespace femflex::report {

/// The page of a solved part: its poles, its frequency responses as magnitude and phase (Bode
/// plots), and its step and impulse responses.
/// @param document  the output of `assemble --json` or `ask --json`
/// @param source    origin of the part: a file, or the address of an agent
void write_assembly_page(const tools::Json& document,
                         const std::string& source,
                         const PageOptions& options,
                         const std::filesystem::path& path);

}  // namespace femflex::report
