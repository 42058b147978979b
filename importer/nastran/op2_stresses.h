// Collects element stresses and strains from NASTRAN OUTPUT2 files (OES, OSTR tables).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/progress.h"

#include "bytes/input_file.h"
#include "nastran/op2_records.h"
#include "nastran/op2_stress_layouts.h"

namespace femflex::importer {

/// Collects the stresses of OES- and OSTR-type tables: pairs of records (ident of 146 words, data).
///
/// Words of the ident, counted from 1:
///   1   10 * approach + device
///   2   1000 * sort + table code; sort 2 or 3: SORT2; code 5: stresses
///   3   element type
///   4   subcase
///   5   SORT1: mode, load set or time; SORT2: 10 * element id + device
///   9   format; 1: real
///   10  words per entry of the data
///   11  stress code, a sum of 1: von Mises, 2 and 8: strains, not stresses, 4: strains of fibres,
///       not curvatures, 16: material axes
class Op2Stresses {
 public:
  /// True if a table called `name` with the first record `ident` holds stresses or strains.
  static bool is_stress_table(const std::string& name, const Op2Words& ident);

  /// Reads one table, whose first record is `first`. Entries of an unknown element type or format
  /// are skipped and counted.
  void read_table(const std::string& name,
                  const Op2Words& first,
                  Op2Records& records,
                  InputFile& file,
                  Progress& progress);

  /// Moves the stresses to `contents`, and adds the numbers of skipped entries to `unread`.
  void finish(FileContents& contents, std::map<std::string, std::int64_t>& unread);

 private:
  struct Ident {
    std::int64_t approach = 0;
    bool is_sort2 = false;
    std::int64_t element_type = 0;
    std::int64_t subcase = 0;
    std::int64_t number = 0;  ///< word 5: mode or load set, or 10 * element id + device
    std::int64_t format = 1;
    std::size_t width = 0;
    std::int64_t code = 0;  ///< stress code
    bool is_strain() const { return (code & 2) != 0; }
    bool is_curvature() const { return is_strain() && (code & 4) == 0; }
    bool has_material_axes() const { return (code & 16) != 0; }
  };
  /// Stresses of one table, subcase and element type.
  struct Group {
    RawStress stress;
    Ident ident;
    const Op2StressLayout* layout = nullptr;
    std::vector<std::int64_t> id_words;  ///< first words of the entries
    std::vector<double> by_element;      ///< SORT2: a block (stresses x modes) for each element
    Eigen::Index filled = 0;             ///< SORT1: columns of stress.values that are filled
  };

  static Ident decode(const Op2Words& ident);
  void add(const std::string& name, const Ident& ident, const Op2Words& data);
  Group& group_for(const std::string& name,
                   const Ident& ident,
                   const Op2StressLayout& layout,
                   const std::vector<std::int64_t>& id_words);
  static void add_sort1(Group& group, const Ident& ident, const Op2Words& data);
  static void add_sort2(Group& group, const Ident& ident, const Op2Words& data);
  /// Appends the places of one element to the list that tells what the rows of `group` are.
  static void add_places(Group& group,
                         const Ident& ident,
                         const Op2Words& entry,
                         std::int64_t element);
  static void finish_sort2(Group& group);

  std::vector<Group> groups_;
  std::map<std::string, std::int64_t> unread_;
};

}  // namespace femflex::importer
