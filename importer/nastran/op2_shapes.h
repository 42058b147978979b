// Collects eigenvectors and displacements from NASTRAN OUTPUT2 files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/importer/read_contents.h"
#include "femflex/progress.h"

#include "bytes/input_file.h"
#include "nastran/op2_records.h"

namespace femflex::importer {

/// Collects the shapes of OUG-type tables: pairs of records (ident of 146 words, data).
///
/// Words of the ident, counted from 1:
///   1      10 * approach + device
///   2      1000 * sort + table code; sort 2 or 3: SORT2; code 1: displacement, 7: eigenvector
///   4      subcase
///   5      SORT1: mode, frequency or time; SORT2: 10 * point id + device
///   6, 7   eigenvalue, real and imaginary part
///   9      format; 1: real, 2: real and imaginary part, 3: magnitude and phase
///   10     words per entry of the data
///   51-82  title
/// Entry of the data: 10 * point id + device (SORT2: mode, frequency or time), point type, 6 or 12
/// values.
class Op2Shapes {
 public:
  /// `options` tell the nodes to keep, and must outlive this object.
  explicit Op2Shapes(const ReadOptions& options) : options_(options) {}

  /// True if a table with the first record `ident` holds displacements or eigenvectors.
  static bool is_shape_ident(const Op2Words& ident);

  /// Reads one table, whose first record is `first`. Complete shapes are kept if the file ends
  /// early.
  void read_table(const std::string& name,
                  const Op2Words& first,
                  Op2Records& records,
                  InputFile& file,
                  Diagnostics& diagnostics,
                  Progress& progress);

  /// True if no shape has been read.
  bool empty() const { return groups_.empty(); }

  /// Moves the shapes to `contents`, with eigenvalues, frequencies and generalised masses of
  /// `tables` (LAMA) joined by mode number.
  void finish(const std::vector<RawEigenvalues>& tables, FileContents& contents);

 private:
  /// The decoded ident record.
  struct Ident {
    std::int64_t approach = 0;
    std::int64_t code = 0;  ///< 1 displacement, 7 eigenvector
    bool sort2 = false;
    std::int64_t subcase = 0;
    std::int64_t mode = 0;  ///< word 5 as an integer: mode, or 10 * point id + device
    double abscissa = 0.0;  ///< word 5 as a real: frequency or time
    double eigenvalue = 0.0;
    double eigenvalue_imaginary = 0.0;
    std::int64_t format = 1;
    std::size_t width = 8;
    std::string title;
  };
  /// Shapes of one table, subcase and kind on the same points.
  struct Group {
    RawModes modes;
    std::int64_t approach = 0;
    std::vector<std::int64_t> numbers;   ///< mode numbers
    std::vector<std::int64_t> id_words;  ///< first words of the entries, to compare with
    /// SORT1: places of the kept entries in a record
    std::vector<std::size_t> kept;
    /// number of columns of modes.shapes that already hold a shape
    Eigen::Index filled = 0;
    bool is_complex = false;
    bool sort2 = false;
    std::vector<double> abscissae;  ///< for SORT2: the first words as reals
  };

  static Ident decode(const Op2Words& ident);
  static void add_abscissa(Group& group, const Ident& ident);
  Group& start_group(const std::string& name, const Ident& ident, bool is_complex);
  void add_sort1(const std::string& name, const Ident& ident, const Op2Words& data);
  void add_sort2(const std::string& name, const Ident& ident, const Op2Words& data);
  static void transpose_sort2(Group& group);

  void set_points(Group& group, const Ident& ident, const Op2Words& data) const;

  const ReadOptions& options_;
  std::vector<Group> groups_;
  std::string title_;
};

}  // namespace femflex::importer
