// document_rows(): the options --set and --variant of verbs that read a system document.
#pragma once

#include <vector>

#include "document/document.h"
#include "fields.h"

namespace femflex::cli {

/// @param document  member of the request that receives the values
template <class Request>
std::vector<Option> document_rows(tools::DocumentOptions Request::*document) {
  return {
      {.name = "--set",
       .value = "PATH=VALUE",
       .help = "changes the system before it is read: parameters.k=2e5",
       .is_repeated = true,
       .set = to(at(document, &tools::DocumentOptions::sets))},
      {.name = "--variant",
       .value = "NAME",
       .help = "one of the system's \"variants\"",
       .set = to(at(document, &tools::DocumentOptions::variant))},
  };
}

}  // namespace femflex::cli
