// Parses a list of DOFs, item by item between the commas; a node number stands for six items.
#include "body/dof_list.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::tools {

std::vector<Dof> parse_dofs(std::string_view text) {
  std::vector<Dof> out;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view item = trimmed(text.substr(at, end - at));
    at = end + 1;
    if (const std::optional<Dof> dof = parse_dof(item)) {
      out.push_back(*dof);
      continue;
    }
    const std::optional<std::int64_t> node = parse_integer(item);
    if (!node || *node < 1)
      throw UsageError("dofs",
                       fmt::format("'{}' is not a DOF", item),
                       {},
                       "write node/component: 3/T3, 12/R1, 501/S, or a node number for all six");
    for (std::int8_t c = 1; c <= 6; ++c)
      out.push_back({*node, c});
  }
  return out;
}

}  // namespace femflex::tools
