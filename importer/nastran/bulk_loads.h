#pragma once

#include <string_view>

#include "femflex/importer/contents.h"

#include "nastran/bulk_fields.h"

namespace femflex::importer {

/// FORCE, MOMENT, FORCE1, MOMENT1, SLOAD, GRAV, LOAD. Cards that load a structure in other ways
/// (pressure, temperature, ...) mark their set as incomplete: a part of a load is not a load.
bool is_load_card(std::string_view name);
/// One of those that are read: a file may begin with it.
bool is_read_load_card(std::string_view name);
/// False where the card is not read.
bool take_load_card(const BulkFields& f, std::string_view name, RawLoads& loads);

}  // namespace femflex::importer
