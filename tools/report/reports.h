// The HTML pages of the verbs reduce, validate, simulate, compare and study.
#pragma once

#include <filesystem>
#include <string>

#include "femflex/flex_body.h"
#include "femflex/modal/validate.h"

#include "body/compare_bodies.h"
#include "document/json.h"
#include "report_parts.h"
#include "results/compare_results.h"
#include "system/run_system.h"
#include "system/study.h"

namespace femflex::report {

/// Pages of the verbs.
/// @param energy  modal::kinetic_energy_fractions() of the body

void write_reduce_report(const FlexBody& body,
                         const Eigen::MatrixXd& energy,
                         const tools::Json& document,
                         const PageOptions& options,
                         const std::filesystem::path& path);
void write_validate_report(const modal::Validation& validation,
                           const FlexBody& body,
                           const Eigen::MatrixXd& energy,
                           const tools::Json& document,
                           const PageOptions& options,
                           const std::filesystem::path& path);
void write_simulate_report(const tools::RunReport& run,
                           const tools::ResultSeries& series,
                           const tools::Json& document,
                           const PageOptions& options,
                           const std::filesystem::path& path);
void write_compare_report(const tools::ResultComparison& comparison,
                          const tools::Json& document,
                          const PageOptions& options,
                          const std::filesystem::path& path);
void write_compare_report(const tools::BodyComparison& comparison,
                          const tools::Json& document,
                          const PageOptions& options,
                          const std::filesystem::path& path);

/// "modes20 is enough: ..." or by how much every variant misses the limit.
std::string study_verdict(const tools::Study& study);
void write_study_report(const tools::Study& study,
                        const tools::Json& document,
                        bool is_reproducible,
                        const std::string& call,
                        const std::filesystem::path& path);

}  // namespace femflex::report
