// Reads materials and properties of NASTRAN bulk data, and the fields of element cards that refer
// to them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "femflex/importer/contents.h"

#include "nastran/bulk_fields.h"

namespace femflex::importer {

/// Reads MAT1, MAT8, PSOLID, PSHELL, PBAR, PBARL, PBEAM, PBEAML, PROD, PTUBE. A property that is
/// not supported (PCOMP, PCOMPG) or has an invalid field is kept with the reason why it gives no
/// stresses; it is not an error, because K and M do not depend on it. False for other cards.
bool read_property_card(const BulkFields& f, std::string_view name, FileContents& contents);

/// Fills the blank fields of CBAR from BAROR, those of CBEAM from BEAMOR: property, orientation
/// vector or G0, OFFT. The card may come before or behind the elements; it counts for the elements
/// of its own superelement.
class BeamDefaults {
 public:
  /// Takes a BAROR or BEAMOR.
  void take(const BulkFields& f, std::string_view name, std::int64_t superelement);
  /// Notes the blank fields of a CBAR or CBEAM; call it before read_element_section().
  /// @param section  index that its section gets in FileContents::element_sections
  void note(const BulkFields& f,
            std::string_view name,
            std::int64_t superelement,
            std::size_t section);
  /// Fills the noted fields; to be called once, after the last card.
  void fill(FileContents& contents) const;

 private:
  /// Element card (CBAR, CBEAM) and superelement for which defaults hold.
  using Key = std::pair<std::string, std::int64_t>;
  struct Defaults {
    std::int64_t property = 0;          ///< 0: blank
    std::int64_t orientation_node = 0;  ///< G0; 0: blank, or a vector
    std::array<double, 3> direction{FeProperty::kNone, FeProperty::kNone, FeProperty::kNone};
    std::string flags;  ///< OFFT, upper case
  };
  struct Blanks {
    std::size_t section = 0;
    std::uint8_t fields = 0;  ///< sum of the bits of blank fields
  };
  static void fill(const Defaults& from, std::uint8_t blank, RawSectionFields& to);

  std::map<Key, Defaults> defaults_;
  std::map<Key, std::vector<Blanks>> blanks_;
};

/// Takes property, offsets, orientation and thickness of an element card; nothing for kinds without
/// stresses.
void read_element_section(const BulkFields& f, std::string_view name, FileContents& contents);

}  // namespace femflex::importer
