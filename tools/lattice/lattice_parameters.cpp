// Evaluates the parameters in their order, then every text that begins with '=' in the document.
#include "lattice/lattice_parameters.h"

#include <utility>

#include "document/parameter_values.h"

namespace femflex::tools {
namespace {

void put_into(const ParameterValues& parameters, Json& value) {
  if (is_formula(value)) {
    Json number(parameters.number(value));
    number.set_where(value.where());
    value = std::move(number);
  } else if (value.is_list()) {
    for (Json& item : value.items())
      put_into(parameters, item);
  } else if (value.is_object()) {
    for (Json::Member& member : value.members())
      // remarks may contain any text
      if (!member.key.starts_with("note")) put_into(parameters, member.value);
  }
}

}  // namespace

bool has_parameters(const Json& lattice) {
  return lattice.is_object() &&
         (lattice.find("parameters") != nullptr || lattice.find("variants") != nullptr);
}

Json with_parameters_put_in(const Json& lattice) {
  const ParameterValues parameters(lattice, "lattice");
  Json out = lattice;
  out.erase("parameters");
  out.erase("variants");
  put_into(parameters, out);
  return out;
}

}  // namespace femflex::tools
