// Loads a JSON document (system, lattice) with its included files, its variant and the changes of
// --set, from a file or from a value of a script.
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

/// Models and bodies of a script, by the texts that a document has in place of their file names.
/// The caller owns them.
using DocumentParts = std::map<std::string, std::variant<const FeModel*, const FlexBody*>>;

/// A document made by a script. In place of the file name of a model or body, `json` has a text
/// that is a key of `parts`.
struct DocumentValue {
  Json json;
  DocumentParts parts{};
  std::filesystem::path folder{};  ///< paths in `json` are relative to it; empty: the current one
};

/// A document to load: a file, or a value that the caller keeps.
using DocumentInput = std::variant<std::filesystem::path, const DocumentValue*>;
/// The name for messages: the path, or the name in the value.
std::string name_of(const DocumentInput& input);

/// A value to put in a document: parameters.k = 2e5, bodies/chassis/as = "full".
struct DocumentChange {
  std::string path;  ///< keys, and indices of lists from 0, separated by dots or by slashes
  Json value;
  DocumentParts parts{};  ///< models and bodies in `value`
};
/// Reads "path=value": the value is JSON if it reads as JSON, else a text.
/// @throws UsageError  no '='
DocumentChange parse_change(const std::string& text);
/// The text that parse_change() reads.
std::string text_of(const DocumentChange& change);

/// Changes of a document before it is read.
struct DocumentOptions {
  std::string
      variant;  ///< name of the member of "variants" to merge over the document; empty: none
  std::vector<DocumentChange> sets;
  std::string units;  ///< units of a document that gives none; empty: none
};

/// Reads a JSON file or takes a value, and expands its pairs (pairs.h). Merges it over the files of
/// its "include", then the variant over it, then applies the changes of --set. Members of objects
/// merge, everything else is replaced; a null removes the member that it replaces.
/// @throws UsageError, ParseError
Json load_document(const DocumentInput& input, const DocumentOptions& options);

/// Merges `over` into `base`: members of `over` replace those of `base`, objects merge member by
/// member, a null erases the member of `base`.
void merge_into(Json& base, const Json& over);

/// Sets the value at the path of `change` in the document.
/// @throws UsageError  no such path; the message names the nearest member
void apply_change(Json& document, DocumentChange change);

}  // namespace femflex::tools
