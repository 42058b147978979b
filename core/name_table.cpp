// The error for a name that is in no row of a table of names.
#include "femflex/name_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"

namespace femflex {

void refuse_name(std::string_view name,
                 const std::vector<std::string>& names,
                 const char* code,
                 const char* what) {
  throw UsageError(code,
                   fmt::format("'{}' is not {}", name, what),
                   {},
                   fmt::format("use one of {}", fmt::join(names, ", ")));
}

}  // namespace femflex
