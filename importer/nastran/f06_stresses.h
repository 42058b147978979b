// Reads element stresses and strains from NASTRAN print files (.f06).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "femflex/importer/contents.h"
#include "femflex/lines.h"

#include "nastran/stress_entries.h"

namespace femflex::importer {

/// Reads the tables of one print file. A heading is written in single letters:
///
///   S T R E S S E S   I N   B A R   E L E M E N T S          ( C B A R )              NASTRAN
///   E L E M E N T   S T R E S S E S   I N   L O C A L   E L E M E N T   C O O R D ..  MYSTRAN,
///      then   F O R   E L E M E N T   T Y P E   Q U A D 4
///
/// NASTRAN, one element:
///   bars     id, bending at C D E F of A, axial, max, min; a line of B without id and axial
///   beams    id; for each station grid, distance, C D E F
///   rods     id, axial, margin, torsional, margin; two elements a line
///   shells   id, CEN/n where corners follow, height, xx, yy, xy, ..; a line of the top face; then
///            for each corner its grid and the same
///   plies    id, ply, 11, 22, 12, 13, 23
///   solids   id, `system GRID CS n GP`; for the centre and each corner three lines with labels
///            X XY, Y YZ, Z ZX; pages may break between corners
/// MYSTRAN: CENTER or GRD grid before the values, and one line a point for solids.
/// Modes have no number on a page: their printed eigenvalue tells which one it is. Tables that are
/// not read are counted by their headings.
class F06Stresses {
 public:
  /// True for the heading of a table of stresses, strains or forces of elements.
  static bool is_heading(std::string_view line);

  /// Where a table stands: known from the lines before its heading.
  struct Page {
    std::int64_t subcase = 0;
    std::optional<double> eigenvalue;  ///< NASTRAN
    std::int64_t mode = 0;             ///< MYSTRAN; 0: unknown
  };

  /// Reads the table whose heading is the current line, to the end of its page.
  void read_table(Lines& lines, const Page& page);

  /// Moves the stresses to `contents`. `mode_of(subcase, eigenvalue, n)` is the number of the n-th
  /// mode (from 0) with this printed eigenvalue; 0 if there is none.
  void finish(FileContents& contents,
              const std::function<std::int64_t(std::int64_t, double, std::size_t)>& mode_of);

 private:
  enum class Form : std::uint8_t { unread, bar, beam, rod, shell, ply, solid };
  /// A kind of table.
  struct Table {
    std::string name;  ///< the heading, for the count of what is not read
    Form form = Form::unread;
    std::int64_t type = 0;         ///< OUTPUT2's number
    std::int64_t centre_type = 0;  ///< the same of elements whose centre alone is given
    bool is_strain = false;
    bool is_mystran = false;
    double system = 0.0;  ///< of solids: -1 element, 0 basic, 1 other
    bool in_material_axes = false;
  };

  static Table table_of(const std::string& heading, std::string_view next);
  void take_line(std::string_view line);
  void take_bar(std::string_view line);
  void take_beam(std::string_view line);
  void take_rods(std::string_view line);
  void take_shell(std::string_view line);
  void take_ply(std::string_view line);
  void take_solid(std::string_view line);
  void take_mystran_solid(std::string_view line);
  /// Adds the element that is being read, if there is one.
  void close_element();
  void add(const std::vector<double>& words, std::int64_t type);
  /// Counts an element, or a ply, of which a number is missing or cannot be read.
  void count_incomplete();

  StressEntries entries_;
  Table table_;
  StressShape shape_;
  std::vector<double> words_;  ///< of the element that is being read
  std::size_t point_ = 0;      ///< shells and solids: points begun; 0: none
  std::size_t filled_ = 0;     ///< faces (shells), components (solids) or ends (beams) read of it
  bool has_gap_ = false;       ///< a line of it is missing or cannot be read
  std::map<std::string, std::int64_t> unread_;
};

}  // namespace femflex::importer
