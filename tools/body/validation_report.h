// Reports of the verb validate: the comparison of a reduced body with its FE model.
#pragma once

#include <string>

#include "femflex/modal/validate.h"

#include "document/json.h"
#include "document/table.h"

namespace femflex::tools {

/// Frequencies, MAC (modal assurance criterion), mass, static error, FRF error, verdict.
Json validation_json(const modal::Validation& validation);
TextTable frequency_table(const modal::Validation& validation);
std::string validation_text(const modal::Validation& validation);

}  // namespace femflex::tools
