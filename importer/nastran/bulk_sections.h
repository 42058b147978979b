// Reads materials and properties of NASTRAN bulk data, and the fields of element cards that refer
// to them.
#pragma once

#include <string_view>

#include "femflex/importer/contents.h"

#include "nastran/bulk_fields.h"

namespace femflex::importer {

/// Reads MAT1, MAT8, PSOLID, PSHELL, PBAR, PBARL, PBEAM, PBEAML, PROD, PTUBE. A property that is
/// not supported (PCOMP, PCOMPG) or has an invalid field is kept with the reason why it gives no
/// stresses; it is not an error, because K and M do not depend on it. False for other cards.
bool read_property_card(const BulkFields& f, std::string_view name, FileContents& contents);

/// Takes property, offsets, orientation and thickness of an element card; nothing for kinds without
/// stresses.
void read_element_section(const BulkFields& f, std::string_view name, FileContents& contents);

}  // namespace femflex::importer
