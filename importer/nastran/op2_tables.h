// Reads the geometry and bookkeeping tables of NASTRAN OUTPUT2 files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

#include "nastran/op2_records.h"

namespace femflex::importer {

/// True for GEOM1, GEOM1S, GEOM1N, GEOM2, GEOM4S, ..., IGEOM2X: records of cards, each with a key.
bool is_geometry_table(std::string_view name);

/// Reads one record of a geometry table: a key of three words, then entries of GRID, CORD1x,
/// CORD2x, SPOINT or EXTRN. False for any other record, of which nothing is read.
///
///   GRID    4501,45,1       id, cp, x, y, z, cd, ps, seid
///           4501,45,1120001 the same with float64 (11 words in 32-bit files); also 810001
///   CORD2x  2101,21 R  2001,20 C  2201,22 S   cid, type, 2, rid, 9 reals (float64 if the third
///           key word is 22200xx or 13100xx)
///   CORD1x  1801,18 R  1701,17 C  1901,19 S   cid, type, 1, g1, g2, g3
///   SPOINT  5551,49         id...
///   EXTRN   1627,16         (id, components)... -1, -1
bool read_geometry_record(const Op2Words& record, FileContents& contents);

/// Collects, while the file is read, the tables that tell which DOF each row of the g-set is.
class Op2Bookkeeping {
 public:
  /// Takes record number `number` (from 1) of a table. False if the table is none of EQEXIN, BGPDT,
  /// CSTM, USET and LAMA.
  bool read(const Op2Records::Table& table,
            std::int64_t number,
            const Op2Words& record,
            FileContents& contents);
  /// Builds the row map (the DOF of each row of the g-set), and grids if the file has no GRID
  /// entries. Grids, systems and scalar points that appear twice with the same content (boundaries
  /// of superelements) are kept once.
  void finish(FileContents& contents) const;

 private:
  /// An entry of EQEXIN.
  struct Point {
    std::int64_t id = 0;
    std::int64_t sil = 0;  ///< number of the point's first row in the g-set, from 1
    bool scalar = false;
  };
  /// An entry of BGPDT.
  struct GridPoint {
    std::int64_t id = 0;      ///< 0 in the classic form, which lists points in internal order
    std::int64_t system = 0;  ///< of displacements
    std::array<double, 3> x{};
  };
  void read_eqexin(std::int64_t number, const Op2Words& record);
  void read_bgpdt(std::int64_t number, const Op2Words& record, bool wide);
  void read_cstm(std::int64_t number, const Op2Words& record, bool split, FileContents& contents);
  void read_lama(const std::string& name,
                 std::int64_t number,
                 const Op2Words& record,
                 FileContents& contents);

  // one list per superelement
  std::vector<std::vector<Point>> points_;           ///< EQEXIN
  std::vector<std::vector<GridPoint>> grid_points_;  ///< BGPDT
  std::vector<std::vector<std::uint32_t>> sets_;     ///< USET: the sets of each row, as bits
  std::vector<std::int64_t> cstm_integers_;
};

}  // namespace femflex::importer
