#pragma once

#include <filesystem>
#include <string>

#include "femflex/flex_body.h"
#include "femflex/modal/validate.h"

#include "pipeline/compare.h"
#include "pipeline/json.h"
#include "pipeline/run_system.h"
#include "pipeline/study.h"
#include "report_parts.h"

namespace femflex::report {

/// Pages of the verbs.
/// @param energy  modal::kinetic_energy_fractions() of the body

void write_reduce_report(const FlexBody& body,
                         const Eigen::MatrixXd& energy,
                         const pipeline::Json& document,
                         const PageOptions& options,
                         const std::filesystem::path& path);
void write_validate_report(const modal::Validation& validation,
                           const FlexBody& body,
                           const Eigen::MatrixXd& energy,
                           const pipeline::Json& document,
                           const PageOptions& options,
                           const std::filesystem::path& path);
void write_simulate_report(const pipeline::RunReport& run,
                           const pipeline::ResultSeries& series,
                           const pipeline::Json& document,
                           const PageOptions& options,
                           const std::filesystem::path& path);
void write_compare_report(const pipeline::ResultComparison& comparison,
                          const pipeline::Json& document,
                          const PageOptions& options,
                          const std::filesystem::path& path);
void write_compare_report(const pipeline::BodyComparison& comparison,
                          const pipeline::Json& document,
                          const PageOptions& options,
                          const std::filesystem::path& path);

/// "modes20 is enough: ..." or what is missing.
std::string study_verdict(const pipeline::Study& study);
void write_study_report(const pipeline::Study& study,
                        const pipeline::Json& document,
                        bool is_reproducible,
                        const std::string& call,
                        const std::filesystem::path& path);

}  // namespace femflex::report
