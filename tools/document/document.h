// load_document(): loads a JSON document (system, lattice) from a file or a value of a script, with
// its included files, its variant and the changes by --set. All readers of such documents use it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "femflex/errors.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"

#include "document/json.h"

namespace femflex::tools {

/// Models and bodies of a script, by the texts that a document contains in place of their file
/// names. The caller owns them.
using DocumentParts = std::map<std::string, std::variant<const FeModel*, const FlexBody*>>;

/// A document made by a script. In place of the file name of a model or body, `json` contains a key
/// of `parts`.
struct DocumentValue {
  Json json;
  DocumentParts parts{};
  std::filesystem::path folder{};  ///< folder for relative paths in `json`; empty: the current one
};

/// A document to load: a file, or a value owned by the caller.
using DocumentInput = std::variant<std::filesystem::path, const DocumentValue*>;
/// The name for messages: the path, or the name in the value.
std::string name_of(const DocumentInput& input);
/// `error` with the name of the document as its place, if it names none.
ModelError with_file(const ModelError& error, const DocumentInput& input);

/// A value to set in a document, such as parameters.k = 2e5 or bodies/chassis/as = "full".
struct DocumentChange {
  std::string path;  ///< keys and list indices (counted from 0), separated by dots or slashes
  Json value;
  DocumentParts parts{};  ///< models and bodies in `value`
};
/// Reads "path=value". The value is a typed_value().
/// @throws UsageError  no '='
DocumentChange parse_change(const std::string& text);
/// The inverse of parse_change().
std::string text_of(const DocumentChange& change);

/// Changes of a document before it is read.
struct DocumentOptions {
  std::string variant;  ///< member of "variants" to merge over the document; empty: none
  std::vector<DocumentChange> sets;
  std::string units;  ///< units of a document without "units"; empty: none
};

/// Reads a JSON file or takes a value, and expands its pairs (pairs.h). Merges the document over
/// the files of its "include", merges the variant over the result, then applies the changes of
/// --set. Members of objects are merged, other values are replaced; a null removes the member that
/// it replaces.
/// @throws UsageError, ParseError
Json load_document(const DocumentInput& input, const DocumentOptions& options);

/// Merges `over` into `base`: objects are merged member by member, other members of `over` replace
/// those of `base`, and a null erases the member of `base`.
void merge_into(Json& base, const Json& over);

/// Sets the value at the path of `change` in the document.
/// @throws UsageError  no such path; the message names the most similar member
void apply_change(Json& document, DocumentChange change);

}  // namespace femflex::tools
