#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "femflex/fe_model.h"
#include "femflex/flex_body.h"

#include "document/json.h"

namespace femflex::tools {

/// A document made by a script. In place of the file name of a model or body, `json` has a text
/// that is a key of `parts`, which has the value. The caller owns these values.
struct DocumentValue {
  Json json;
  std::map<std::string, std::variant<const FeModel*, const FlexBody*>> parts{};
  std::filesystem::path folder{};  ///< paths in `json` are relative to it; empty: the current one
};
/// A file to read, or a value that the caller keeps.
using DocumentInput = std::variant<std::filesystem::path, const DocumentValue*>;
/// The name for messages: the path, or the name in the value.
std::string name_of(const DocumentInput& input);

/// What is changed in a document before it is read.
struct DocumentOptions {
  std::string variant;            ///< member of "variants" merged over the document; empty: none
  std::vector<std::string> sets;  ///< "parameters.k=2e5", "bodies/chassis/as=full"
  std::string units;              ///< units of a document that gives none; empty: none
};

/// Reads a JSON file or takes a value, and expands its pairs (pairs.h). Merges it over the files of
/// its "include", then the variant over it, then applies the --set values. Members of objects
/// merge, everything else is replaced; a null removes the member that it replaces.
/// @throws UsageError, ParseError
Json load_document(const DocumentInput& input, const DocumentOptions& options);

/// Members of `over` win; objects merge member by member; nulls erase.
void merge_into(Json& base, const Json& over);

/// Applies "path=value": the value is read as JSON if it is JSON, else as a text.
/// @throws UsageError  no such path; the message names the nearest member
void apply_set(Json& document, const std::string& text);

}  // namespace femflex::tools
