// Reads the load cards of NASTRAN bulk data.
#pragma once

#include <string_view>

#include "femflex/importer/contents.h"

#include "nastran/bulk_fields.h"

namespace femflex::importer {

/// True for load cards. Those of a kind that is not supported mark their set as incomplete, because
/// part of a load is not a valid load.
bool is_load_card(std::string_view name);
/// True for a load card of a supported kind; a file may begin with such a card.
bool is_supported_load_card(std::string_view name);
/// Reads a load card into `loads`; false if its kind is not supported.
bool read_load_card(const BulkFields& f, std::string_view name, RawLoads& loads);

}  // namespace femflex::importer
