// Collects the matrices that the NASTRAN bulk data cards DMIG, DMIAX and DMI give.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

#include "nastran/bulk_fields.h"
#include "nastran/dof_matrix.h"
#include "raw_matrix.h"

namespace femflex::importer {

/// Direct matrix input: assembles DMIG, DMIAX and DMI cards into matrices. A column number of a
/// DMIG of form 9 becomes the DOF {number, 0}. An element is given once, as NASTRAN demands.
class DirectMatrices {
 public:
  // Take a header or column card of DMIG (DMIAX if `is_axisymmetric`) or DMI.
  // @throws ParseError  an invalid card, or a column before the header
  void dmig(const BulkCard& card, bool is_axisymmetric);
  void dmi(const BulkCard& card);
  /// Adds the matrices in the order of their headers.
  /// @throws ParseError  an element is given twice
  void finish(std::vector<RawMatrix>& out, Diagnostics& diagnostics);

 private:
  /// The cards of one DMIG or DMIAX.
  struct DofCards {
    RawMatrix matrix;  ///< name, form and types alone
    std::int64_t form = 0;
    std::int64_t type = 0;
    bool is_polar = false;
    std::int64_t headers = 1;
    std::vector<DofTerm> terms;
    Where where;
  };
  /// The cards of one DMI.
  struct NumberedCards {
    RawMatrix matrix;  ///< all but its entries
    std::vector<RawEntry> entries;
    Where where;
  };

  void dmig_header(const BulkFields& fields, bool is_axisymmetric, DofCards* known);
  void dmi_header(const BulkFields& fields);
  static void dmi_column(const BulkFields& fields, NumberedCards& cards);
  static void finish_numbered(NumberedCards& cards);

  /// A matrix by the order of its header.
  struct Place {
    bool is_dmi = false;
    std::size_t index = 0;
  };
  std::vector<DofCards> dof_cards_;
  std::vector<NumberedCards> numbered_cards_;
  std::vector<Place> order_;
  // the last matrix found, tried first because columns come matrix by matrix
  std::size_t last_dof_ = 0;
  std::size_t last_numbered_ = 0;
};

}  // namespace femflex::importer
