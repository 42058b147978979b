// Turns the records of elements, rigid elements, constraints and loads in OUTPUT2 files into cards.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

#include "nastran/bulk_cards.h"
#include "nastran/bulk_model.h"
#include "nastran/op2_records.h"

namespace femflex::importer {

/// Gives each entry of a record of GEOM2, GEOM3 or GEOM4 to a BulkModel as the card that made it,
/// so that decks and OUTPUT2 files have one meaning. op2_cards.cpp lists the layouts. Words for
/// material axes, thicknesses at corners and offsets of shells are left out.
class Op2Cards {
 public:
  /// `file` is the name for messages; both must outlive this object.
  Op2Cards(FileContents& contents, const std::string& file, Diagnostics& diagnostics)
      : file_(file), model_(contents, diagnostics) {}

  /// Reads one record. False if its key is not known or its size does not fit the layout.
  bool read(const Op2Words& record);
  /// The card of a record of rigid elements or equations, read or not; empty for other records.
  static std::string_view constraint_of(const Op2Words& record);
  /// Takes the sets that a record of CASECC chooses.
  void read_case(const Op2Words& record);
  /// To be called once, when all grids are known.
  void finish();

 private:
  void begin(std::string_view name);
  void add(std::string text);
  void add_integer(std::int64_t value) { add(std::to_string(value)); }
  void add_real(double value);
  void end();
  bool read_entries(const Op2Words& record, std::string_view name, std::string_view words);
  bool read_springs(const Op2Words& record, std::string_view name);
  bool read_bars(const Op2Words& record, bool is_beam);
  bool read_rbe2(const Op2Words& record);
  bool read_rigid_bars(const Op2Words& record);
  bool read_rbe3(const Op2Words& record);
  bool read_mpc(const Op2Words& record);
  bool read_spc(const Op2Words& record);
  bool read_spc1(const Op2Words& record, std::string_view name, bool has_set);
  bool read_lists(const Op2Words& record, std::string_view name);
  /// Adds the numbers from `at` to the -1 that ends them; false if there is none.
  bool add_list(const Op2Words& record, std::size_t& at);
  bool read_load(const Op2Words& record);

  const std::string& file_;
  BulkModel model_;
  BulkCard card_;
  std::deque<std::string> texts_;  // of the current card
  std::set<std::size_t> records_;  // hashes: tables such as GEOM2 and GEOM2S repeat each other
  bool has_cards_ = false;
};

}  // namespace femflex::importer
