// Finds ports, numbered from 1, and reads a way from the members "in" or "motion" and "out" or
// "reaction".
#include "assembly/assembly_ways.h"

#include <algorithm>

#include <fmt/format.h>

#include "document/nearest_name.h"
#include "document/whole_number.h"

namespace femflex::tools {

using substructure::DynamicStiffness;
using substructure::Input;
using substructure::Output;

int port_of(const Json& value, const DynamicStiffness& part) {
  if (value.is_text()) {
    const auto found = std::find(part.ports.begin(), part.ports.end(), value.text());
    if (found == part.ports.end()) {
      value.fail("unknown-port",
                 fmt::format("'{}' has no port '{}'", part.name, value.text()),
                 suggestion(value.text(), part.ports));
    }
    return static_cast<int>(found - part.ports.begin()) + 1;
  }
  const auto port = whole_number(value.number(), 1, part.port_count());
  if (!port) {
    value.fail("unknown-port",
               fmt::format("'{}' has ports 1 to {}; there is no port {}",
                           part.name,
                           part.port_count(),
                           value.number()));
  }
  return static_cast<int>(*port);
}

std::vector<int> ports_of(const Json* value, const DynamicStiffness& part) {
  std::vector<int> out;
  if (value == nullptr) return out;
  if (!value->is_list()) return {port_of(*value, part)};
  for (const Json& item : value->items())
    out.push_back(port_of(item, part));
  return out;
}

Way read_way(ObjectReader& reader, const DynamicStiffness& part) {
  const Json* in = reader.find("in");
  const Json* motion = reader.find("motion");
  const Json* out = reader.find("out");
  const Json* reaction = reader.find("reaction");
  if ((in == nullptr) == (motion == nullptr)) {
    reader.value().fail("input", "give either 'in', a force, or 'motion', a prescribed port");
  }
  if ((out == nullptr) == (reaction == nullptr)) {
    reader.value().fail("output", "give either 'out', a displacement, or 'reaction'");
  }
  Way way;
  way.input = in != nullptr ? Input{Input::Kind::force, port_of(*in, part)}
                            : Input{Input::Kind::motion, port_of(*motion, part)};
  way.output = out != nullptr ? Output{Output::Kind::displacement, port_of(*out, part)}
                              : Output{Output::Kind::reaction, port_of(*reaction, part)};
  const auto name = [&](int port) { return part.ports[static_cast<std::size_t>(port) - 1]; };
  way.name = fmt::format("{}{}->{}{}",
                         in != nullptr ? "" : "motion ",
                         name(way.input.port),
                         out != nullptr ? "" : "reaction ",
                         name(way.output.port));
  return way;
}

}  // namespace femflex::tools
