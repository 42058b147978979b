// The page of a tyre: its curves over slip at several loads, and what its file lacks.
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
