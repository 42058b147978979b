// list_outputs(): how the outcome of a verb names the files that were written.
#pragma once

#include <string>
#include <vector>

#include "fields.h"
#include "verbs.h"

namespace femflex::cli {

/// Adds the files to the document, as "outputs", and one line each to the text.
/// @param before  begins each line: "wrote "
inline void list_outputs(Outcome& out,
                         const std::vector<std::string>& files,
                         const char* before = "") {
  for (const std::string& file : files)
    out.text += before + file + "\n";
  out.document["outputs"] = files;
}

}  // namespace femflex::cli
