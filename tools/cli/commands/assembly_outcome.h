// Common to the commands `assemble` and `ask`: output of a solved part, and the option --page.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"
#include "assembly/assembly_result.h"
#include "fields.h"
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

/// The options of written files: --output, --csv, --frf-csv, --page.
template <class Request>
std::vector<Option> assembly_output_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "FILE",
       .help = "writes the dynamics in the canonical text form",
       .is_output = true,
       .set = to(&Request::output)},
      {.name = "--csv",
       .value = "FILE",
       .help =
           "writes responses over time as a table, or frequency responses if there are no others",
       .is_output = true,
       .set = to(&Request::csv)},
      {.name = "--frf-csv",
       .value = "FILE",
       .help = "writes frequency responses as a table",
       .is_output = true,
       .set = to(&Request::frf_csv)},
      page_option(),
  };
}

}  // namespace femflex::cli
