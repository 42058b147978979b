// The verb study as a function: a system and its variants in, their errors against a reference out.
#pragma once

#include <filesystem>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "system/study.h"

namespace femflex::verbs {

/// Input of study().
struct StudyRequest {
  tools::DocumentInput system;
  tools::StudyOptions options;
};

/// Runs variants of a system and finds the smallest that is good enough.
/// @throws UsageError  the folder cannot be made; see run_study()
tools::Study study(const StudyRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs
