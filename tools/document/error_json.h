// Errors and warnings as JSON, and the exit codes of the program.
#pragma once

#include <exception>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"

#include "document/json.h"

namespace femflex::tools {

/// { "error": { "kind", "code", "message", "where", "fix" } }, the form that scripts rely on.
Json error_document(const Error& error);
/// The same for other exceptions, such as std::bad_alloc: kind NumericalError.
Json error_document(const std::exception& error);

/// The exit code of the program: 2 bad input or usage, 3 could not compute, 130 stopped.
int exit_code_of(const Error& error);

/// [ { "code", "message", "where" } ]
Json warnings_json(const Diagnostics& diagnostics);

/// { "file", "line", "column", "byte", "record" }; null for a part that is not known.
Json where_json(const Where& where);

}  // namespace femflex::tools
