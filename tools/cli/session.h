// The steps that every verb shares at the command line: common options, check of the output files,
// warnings.
#pragma once

#include "verbs.h"

namespace femflex::cli {

/// The session as set by the options common to all verbs; also sets the number of threads of the
/// dense linear algebra.
/// @throws UsageError  an invalid number of threads or unit set
Session session_for(const Arguments& arguments, Progress& progress);

/// Prints the warnings on stderr, unless the user asked for --quiet.
void print_warnings(const Session& session);

/// Runs a verb after checking its files: no output may be an input, and rows that a killed program
/// left in temporary files of the outputs are recovered.
Outcome run_verb(const Verb& verb, const Arguments& arguments, Session& session);

}  // namespace femflex::cli
