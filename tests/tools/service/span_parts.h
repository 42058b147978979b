// The parts of the example of three firms, for tests that distribute them among services.
#pragma once

#include <nlohmann/json.hpp>

#include "support/support.h"

namespace femflex::service {

/// Parts of data/substructure/span.json.
inline nlohmann::json span_parts() {
  return nlohmann::json::parse(testing::read_text(testing::data("substructure/span.json")),
                               nullptr,
                               true,
                               /*ignore_comments=*/true)["parts"];
}

}  // namespace femflex::service
