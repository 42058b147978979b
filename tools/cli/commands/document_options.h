#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arguments.h"
#include "document/document.h"
#include "fields.h"

namespace femflex::cli {

/// The value of an option that counts nothing below or at 0: times, frequencies, limits.
/// @throws UsageError  the value is not above 0
std::optional<double> maybe_positive(const Arguments& arguments,
                                     const std::string& name,
                                     const std::string& unit = {});
/// --set, --variant and --units, as every verb that reads a system takes them.
tools::DocumentOptions document_options(const Arguments& arguments);
/// The first two as rows of a verb's table.
const std::vector<Option>& document_table();
/// The same, filling a member of the verb's request.
template <class Request>
std::vector<Option> document_rows(tools::DocumentOptions Request::*document) {
  std::vector<Option> rows = document_table();
  for (Option& row : rows)
    row.set = row.name == "--set" ? to(at(document, &tools::DocumentOptions::sets))
                                  : to(at(document, &tools::DocumentOptions::variant));
  return rows;
}

}  // namespace femflex::cli
