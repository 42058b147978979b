// Collects the matrices that the NASTRAN bulk data cards DMIG, DMIAX and DMI give.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

#include "nastran/bulk_fields.h"
#include "raw_matrix.h"

namespace femflex::importer {

/// Direct matrix input: assembles DMIG, DMIAX and DMI cards into matrices. Of a symmetric matrix
/// (form 6) the lower triangle is stored. The rows of a square matrix, and its columns, are all the
/// DOFs that its cards name, sorted; a rectangular matrix has the row DOFs and the column DOFs that
/// occur. A column number of form 9 becomes the DOF {number, 0}.
class DirectMatrices {
 public:
  // Take a header or column card of DMIG (DMIAX if `axisymmetric`) or DMI.
  // @throws ParseError  an invalid header, or a column before the header
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
  /// A matrix as collected from its cards.
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
  /// Null if there is no matrix of this name yet.
  Direct* find(std::string_view name, bool is_dmi);
  static Key key(const BulkFields& fields, std::size_t id, std::size_t component);
  static void finish_symmetric(Direct& direct, const std::vector<Key>& rows, RawMatrix& matrix);
  /// Converts the collected terms to a matrix.
  static RawMatrix make(Direct& direct);

  std::vector<Direct> all_;
  /// the last matrix found, tried first because columns come matrix by matrix
  std::size_t last_ = 0;
};

}  // namespace femflex::importer
