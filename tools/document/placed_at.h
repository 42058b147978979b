// placed_at(): gives errors of the libraries, which know no document, the place of a JSON value.
#pragma once

#include "femflex/errors.h"

#include "document/json.h"

namespace femflex::tools {

/// The result of `make`. A ModelError or UsageError that names no file becomes a ParseError at
/// `value`.
template <class Make>
auto placed_at(const Json& value, const Make& make) {
  const auto place = [&](const Error& error) {
    if (error.where().file.empty()) value.fail(error.code(), error.message(), error.fix());
  };
  try {
    return make();
  } catch (const ModelError& error) {
    place(error);
    throw;
  } catch (const UsageError& error) {
    place(error);
    throw;
  }
}

}  // namespace femflex::tools
