#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "document/json.h"

namespace femflex::tools {

/// What is changed in a document before it is read.
struct DocumentOptions {
  std::string variant;            ///< member of "variants" merged over the document; empty: none
  std::vector<std::string> sets;  ///< "parameters.k=2e5", "bodies/chassis/as=full"
  std::string units;              ///< of a document that does not say; empty: none
};

/// Reads a JSON file, writes out its pairs (pairs.h), merges its "include"s below it, then the
/// variant, then the --set values. Members of objects merge, everything else is replaced; a null
/// removes the member that it replaces.
/// @throws UsageError, ParseError
Json load_document(const std::filesystem::path& path, const DocumentOptions& options);

/// Members of `over` win; objects merge member by member; nulls erase.
void merge_into(Json& base, const Json& over);

/// Applies "path=value": value as JSON where it is JSON, else a text.
/// @throws UsageError  no such path; the message names the nearest member
void apply_set(Json& document, const std::string& text);

}  // namespace femflex::tools
