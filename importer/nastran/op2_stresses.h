// Element stresses and strains of OUTPUT2 files (OES, OSTR tables).
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
/// Ident words, counted from 1: 1 = 10 approach + device, 2 = table code (% 1000: 5; / 1000: 2 and
/// 3 SORT2), 3 element type, 4 subcase, 5 mode, load set or time or (SORT2) 10 id + device, 9
/// format (1 real), 10 words per entry, 11 stress code (bits: 1 von Mises, 2 strain, 4 strain of
/// fibres rather than curvature, 8 strain, 16 material axes).
class Op2Stresses {
 public:
  /// True if a table of this name, whose first record this is, holds stresses or strains.
  static bool is_stress_table(const std::string& name, const Op2Words& ident);

  /// Reads one table, whose first record is `first`. Types and forms of entries that are not read
  /// are counted.
  void read_table(const std::string& name,
                  const Op2Words& first,
                  Op2Records& records,
                  InputFile& file,
                  Progress& progress);

  /// Moves the stresses to `contents`, and adds the counts of what was not read to `unread`.
  void finish(FileContents& contents, std::map<std::string, std::int64_t>& unread);

 private:
  struct Ident {
    std::int64_t approach = 0;
    bool is_sort2 = false;
    std::int64_t element_type = 0;
    std::int64_t subcase = 0;
    std::int64_t number = 0;  ///< word 5
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
    std::vector<std::int64_t> id_words;  ///< SORT1: first words of the entries
    std::vector<double> by_element;      ///< SORT2: (rows of an element x numbers) per element
    Eigen::Index filled = 0;
  };

  static Ident decode(const Op2Words& ident);
  void add(const std::string& name, const Ident& ident, const Op2Words& data);
  Group& group_for(const std::string& name,
                   const Ident& ident,
                   const Op2StressLayout& layout,
                   const std::vector<std::int64_t>& id_words);
  static void add_sort1(Group& group, const Ident& ident, const Op2Words& data);
  static void add_sort2(Group& group, const Ident& ident, const Op2Words& data);
  static void add_places(Group& group,
                         const Ident& ident,
                         const Op2Words& entry,
                         std::int64_t element);
  static void finish_sort2(Group& group);

  std::vector<Group> groups_;
  std::map<std::string, std::int64_t> unread_;
};

}  // namespace femflex::importer
