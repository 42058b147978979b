// Expands "parts": members of a document made from templates, each with a name and numbers of its
// own.
#pragma once

#include "document/json.h"

namespace femflex::tools {

/// Writes out the "parts" of a document that has "templates", and removes both members:
/// `"front": { "template": "axle", "at": "=wheelbase" }` adds all members of the template "axle".
/// In their keys and texts
///   `$`       stands for the part's name: front
///   `$left`   for a name that belongs to the part: front_left
///   `$at`     for a parameter of the template: a number or "=formula" becomes the parameter
///             front_at of the document, a text is put in its place, and a text that is the
///             parameter alone takes its value, whatever that is
/// Templates may hold parts themselves. Members of the document take precedence over those of parts
/// with the same name.
/// @throws ParseError  no such template or parameter, a parameter without a value, parts that hold
///                     themselves
void expand_parts(Json& document);

}  // namespace femflex::tools
