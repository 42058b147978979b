#pragma once

#include "verbs.h"

namespace femflex::cli {

/// What a verb works with, as the options say that every verb takes; also sets the number of
/// threads of the dense linear algebra.
/// @throws UsageError  a number of threads or a unit set that cannot be
Session session_for(const Arguments& arguments, Progress& progress);

/// On stderr, unless the user wants quiet.
void print_warnings(const Session& session);

/// Runs a verb whose files have been looked at: no output is an input, and what killed programs
/// have left of the outputs is taken up.
Outcome run_verb(const Verb& verb, const Arguments& arguments, Session& session);

}  // namespace femflex::cli
