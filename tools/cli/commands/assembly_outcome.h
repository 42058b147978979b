// What the commands `assemble` and `ask` have in common: printing a solved part, and the option
// --page.
#pragma once

#include <string>

#include "arguments.h"
#include "assembly/assembly_result.h"
#include "verbs.h"
#include "verbs/write_assembly.h"

namespace femflex::cli {

/// The outcome of `assemble` and `ask` for a solved part; writes the page of --page if it was
/// given.
/// @param outputs  files that were written
/// @param source   where the part is from, for the page
Outcome outcome_of(tools::AssemblyResult done,
                   const verbs::AssemblyOutputs& outputs,
                   const std::string& source,
                   const Arguments& arguments,
                   const Session& session);

/// --page FILE.html, which outcome_of() acts on.
Option page_option();

}  // namespace femflex::cli
