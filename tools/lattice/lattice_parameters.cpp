// Evaluates the parameters in their order, then every text that begins with '=' in the document.
#include "lattice/lattice_parameters.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/laws/formula.h"

#include "document/nearest_name.h"
#include "document/parameter_names.h"

namespace femflex::tools {
namespace {

class Parameters {
 public:
  void add(const std::string& name, double value) {
    names_.push_back(name);
    values_.push_back(value);
  }

  double value_of(const Json& text) const {
    const std::string formula = text.text().substr(1);
    try {
      for (const std::string& used : laws::Formula::names_in(formula)) {
        if (std::find(names_.begin(), names_.end(), used) != names_.end()) continue;
        text.fail("unknown-name",
                  fmt::format("'{}': there is no parameter '{}'", formula, used),
                  names_.empty() ? "the lattice has no \"parameters\" before this one"
                                 : suggestion(used, names_));
      }
      const double result = laws::Formula(formula, names_)(values_);
      if (!std::isfinite(result))
        text.fail("formula", fmt::format("'{}' gives no finite number", text.text()));
      return result;
    } catch (const ModelError& error) {
      text.fail("formula", fmt::format("'{}': {}", formula, error.message()), error.fix());
    }
  }

  void put_into(Json& value) const {
    if (value.is_text() && value.text().starts_with('=')) {
      Json number(value_of(value));
      number.set_where(value.where());
      value = std::move(number);
    } else if (value.is_list()) {
      for (Json& item : value.items())
        put_into(item);
    } else if (value.is_object()) {
      for (Json::Member& member : value.members())
        // remarks may contain any text
        if (!member.key.starts_with("note")) put_into(member.value);
    }
  }

 private:
  std::vector<std::string> names_;
  std::vector<double> values_;
};

}  // namespace

bool has_parameters(const Json& lattice) {
  return lattice.is_object() &&
         (lattice.find("parameters") != nullptr || lattice.find("variants") != nullptr);
}

Json with_parameters_put_in(const Json& lattice) {
  Parameters parameters;
  if (const Json* given = lattice.find("parameters"))
    for (const Json::Member& member : given->members()) {
      check_parameter_name(member);
      parameters.add(member.key,
                     member.value.is_text() && member.value.text().starts_with('=')
                         ? parameters.value_of(member.value)
                         : member.value.number());
    }
  Json out = lattice;
  out.erase("parameters");
  out.erase("variants");
  parameters.put_into(out);
  return out;
}

}  // namespace femflex::tools
