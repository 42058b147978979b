// expand_parts(): expands "parts", members of a document that are made from templates with their
// own names and parameters. The document reader calls it.
#pragma once

#include "document/json.h"

namespace femflex::tools {

/// Expands the "parts" of a document with "templates", and removes both members: `"front": {
/// "template": "axle", "at": "=wheelbase" }` adds all members of the template "axle". In the keys
/// and texts of the template,
/// `$`       is replaced by the name of the part: front
/// `$left`   is replaced by a name within the part: front_left
/// `$at`     is replaced by the parameter "at" of the template. A number or "=formula" becomes the
///             parameter front_at of the document; a text is inserted. A text that consists of the
///             parameter alone takes its value, of any type.
/// Templates may contain parts. Members of the document take precedence over members of parts with
/// the same name.
/// @throws ParseError  no such template or parameter, a parameter without a value, or parts that
/// contain themselves
void expand_parts(Json& document);

}  // namespace femflex::tools
