#pragma once

#include <vector>

#include "arguments.h"
#include "pipeline/document.h"

namespace femflex::cli {

/// --set, --variant and --units, as every verb that reads a system takes them.
pipeline::DocumentOptions document_options(const Arguments& arguments);
/// The first two as lines of a verb's table.
const std::vector<Option>& document_table();

}  // namespace femflex::cli
