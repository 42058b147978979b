// Errors and warnings as JSON, and the exit codes of the program. The command line and the service
// use them.
#pragma once

#include <exception>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"

#include "document/json.h"

namespace femflex::tools {

/// { "error": { "kind", "code", "message", "where", "fix" } }, the form expected by scripts.
Json error_document(const Error& error);
/// The same for other exceptions, such as std::bad_alloc; the kind is NumericalError.
Json error_document(const std::exception& error);

/// The exit code of the program: 2 for bad input or usage, 3 for failed computations, 130 if
/// stopped.
int exit_code_of(const Error& error);

/// [ { "code", "message", "where" } ]
Json warnings_json(const Diagnostics& diagnostics);

/// { "file", "line", "column", "byte", "record" }; unknown parts are null.
Json where_json(const Where& where);

}  // namespace femflex::tools
