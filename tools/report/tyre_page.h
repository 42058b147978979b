// write_tyre_page(): the HTML page of `femflex tyre`, with curves over slip at several loads, and
// the data missing in the tyre file.
#pragma once

#include <filesystem>

#include "report/report_parts.h"
#include "verbs/tyre.h"

namespace femflex::report {

/// Writes the page of `femflex tyre`: longitudinal and lateral force, aligning moment, combined
/// slip, camber, relaxation lengths.
void write_tyre_page(const verbs::TyreOutcome& outcome,
                     const verbs::TyreRequest& request,
                     const PageOptions& options,
                     const std::filesystem::path& path);

}  // namespace femflex::report
