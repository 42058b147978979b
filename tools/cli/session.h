// The steps common to all verbs on the command line: common options, checks of the output files,
// warnings. run_program() uses them.
#pragma once

#include "verbs.h"

namespace femflex::cli {

/// The session with the options common to all verbs; also sets the number of threads for dense
/// linear algebra.
/// @throws UsageError  an invalid number of threads or set of units
Session session_for(const Arguments& arguments, Progress& progress);

/// Prints the warnings on stderr, unless --quiet is given.
void print_warnings(const Session& session);

/// Checks the files of a verb and runs it. No output may be an input. Rows that a killed program
/// left in temporary files of the outputs are recovered.
Outcome run_verb(const Verb& verb, const Arguments& arguments, Session& session);

}  // namespace femflex::cli
