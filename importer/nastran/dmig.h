#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

#include "nastran/bulk_fields.h"
#include "raw_matrix.h"

namespace femflex::importer {

/// Direct matrix input: assembles DMIG, DMIAX and DMI cards into matrices. A symmetric one (form 6)
/// is given as its lower triangle. Square ones have the sorted union of their DOFs as rows and
/// columns, rectangular ones the DOFs that occur; form 9 numbers its columns.
class DirectMatrices {
 public:
  void dmig(const BulkCard& card, bool axisymmetric);
  void dmi(const BulkCard& card);
  /// Adds the matrices in the order of their headers.
  void finish(std::vector<RawMatrix>& out, Diagnostics& diagnostics);

 private:
  /// A DOF as one number, so that terms stay small and sort fast.
  using Key = std::int64_t;
  struct Term {
    Key row = 0;
    Key col = 0;
    double re = 0.0;
    double im = 0.0;
  };
  struct Direct {
    std::string name;
    std::int64_t form = 0;
    std::int64_t type = 0;
    bool polar = false;
    std::int64_t rows = 0;  ///< DMI
    std::int64_t cols = 0;  ///< DMI
    bool is_dmi = false;
    std::int64_t repeated_headers = 0;
    std::vector<Term> terms;
    Where where;
  };
  Direct* find(std::string_view name, bool is_dmi);
  static Key key(const BulkFields& fields, std::size_t id, std::size_t component);
  static void finish_symmetric(Direct& direct, const std::vector<Key>& rows, RawMatrix& matrix);
  static RawMatrix make(Direct& direct);

  std::vector<Direct> all_;
  std::size_t last_ = 0;  ///< the last matrix found: columns come matrix by matrix
};

}  // namespace femflex::importer
