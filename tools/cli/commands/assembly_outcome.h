// Common to the commands `assemble` and `ask`: output of a solved part, and the option --page.
#pragma once

#include <string>

#include "arguments.h"
#include "assembly/assembly_result.h"
#include "verbs.h"
#include "verbs/write_assembly.h"

namespace femflex::cli {

/// The outcome of `assemble` and `ask` for a solved part; writes the page if --page is given.
/// @param outputs  files that were written
/// @param source   origin of the part, for the page
Outcome outcome_of(tools::AssemblyResult done,
                   const verbs::AssemblyOutputs& outputs,
                   const std::string& source,
                   const Arguments& arguments,
                   const Session& session);

/// The option --page FILE.html, which outcome_of() evaluates.
Option page_option();

}  // namespace femflex::cli
