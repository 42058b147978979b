// Materials and properties of NASTRAN bulk data, and the fields of element cards that go with them.
#pragma once

#include <string_view>

#include "femflex/importer/contents.h"

#include "nastran/bulk_fields.h"

namespace femflex::importer {

/// Reads MAT1, MAT8, PSOLID, PSHELL, PBAR, PBARL, PBEAM, PBEAML, PROD, PTUBE; PCOMP and PCOMPG are
/// kept with the reason why they give no stresses. A faulty field is such a reason, too: K and M
/// come from other files. False for other cards.
bool read_property_card(const BulkFields& f, std::string_view name, FileContents& contents);

/// Takes property, offsets, orientation and thickness of an element card; nothing for kinds without
/// stresses.
void read_element_section(const BulkFields& f, std::string_view name, FileContents& contents);

}  // namespace femflex::importer
