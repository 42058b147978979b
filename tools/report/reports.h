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

/// Writes the page of a reduction.
/// @param energy    modal::kinetic_energy_fractions() of the body
/// @param document  (all pages) JSON outcome of the verb, stored in the page
/// @param path      (all pages) the file to write
void write_reduce_report(const FlexBody& body,
                         const Eigen::MatrixXd& energy,
                         const tools::Json& document,
                         const PageOptions& options,
                         const std::filesystem::path& path);
/// Writes the page of a validation, which compares a reduced body with its full model.
void write_validate_report(const modal::Validation& validation,
                           const FlexBody& body,
                           const Eigen::MatrixXd& energy,
                           const tools::Json& document,
                           const PageOptions& options,
                           const std::filesystem::path& path);
/// Writes the page of a simulation: modes, histories, resources.
void write_simulate_report(const tools::RunReport& run,
                           const tools::ResultSeries& series,
                           const tools::Json& document,
                           const PageOptions& options,
                           const std::filesystem::path& path);
/// Writes the page of a comparison of two results.
void write_compare_report(const tools::ResultComparison& comparison,
                          const tools::Json& document,
                          const PageOptions& options,
                          const std::filesystem::path& path);
/// Writes the page of a comparison of two bodies.
void write_compare_report(const tools::BodyComparison& comparison,
                          const tools::Json& document,
                          const PageOptions& options,
                          const std::filesystem::path& path);

/// The outcome of a study in one sentence: "modes20 is enough: ...", or that no variant is enough.
std::string study_verdict(const tools::Study& study);
/// Writes the page of a study.
/// @param call  the command that reproduces the page
void write_study_report(const tools::Study& study,
                        const tools::Json& document,
                        bool is_reproducible,
                        const std::string& call,
                        const std::filesystem::path& path);

}  // namespace femflex::report
