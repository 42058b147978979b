#pragma once

#include <string_view>

#include "femflex/importer/contents.h"

#include "nastran/bulk_fields.h"

namespace femflex::importer {

/// FORCE, MOMENT, FORCE1, MOMENT1, SLOAD, GRAV, LOAD. Other kinds of load cards (pressure,
/// temperature, ...) mark their set as incomplete: part of a load is not a valid load.
bool is_load_card(std::string_view name);
/// True for a card that is read: a file may begin with it.
bool is_read_load_card(std::string_view name);
/// False if the card is not read.
bool take_load_card(const BulkFields& f, std::string_view name, RawLoads& loads);

}  // namespace femflex::importer
