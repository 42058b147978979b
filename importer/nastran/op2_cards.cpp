// Writes the words of each entry as the fields of its card. Words are numbered as in NASTRAN's
// description of the tables GEOM2, GEOM3 and GEOM4 (DMAP Programmer's Guide); keys have three
// words, of which the first two are compared.
#include "nastran/op2_cards.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::importer {
namespace {

/// Entries of one size whose words are fields in the order of the card:
///   i integer   n integer, 0: blank   c components, 0: blank   r real   - word that is left out
///   _ blank field without a word
struct CardLayout {
  std::int64_t first = 0, second = 0;  ///< key
  std::string_view name;
  std::string_view words;
};

constexpr std::array kCardLayouts{
    CardLayout{3001, 30, "CROD", "iiii"},
    CardLayout{3701, 37, "CTUBE", "iiii"},
    CardLayout{3901, 39, "CVISC", "iiii"},
    CardLayout{1601, 16, "CONROD", "iiiirrrr"},
    CardLayout{2608, 26, "CBUSH", "iinn----------"},
    CardLayout{3101, 31, "CSHEAR", "iiiiii"},
    CardLayout{2958, 51, "CQUAD4", "iiiiii--------"},
    CardLayout{13900, 139, "CQUAD4", "iiiiii--------"},
    CardLayout{8009, 80, "CQUADR", "iiiiii--------"},
    CardLayout{4701, 47, "CQUAD8", "iiiiiinnnn-------"},
    CardLayout{5959, 59, "CTRIA3", "iiiii--------"},
    CardLayout{9200, 92, "CTRIAR", "iiiii--------"},
    CardLayout{4801, 48, "CTRIA6", "iiiiinnn------"},
    CardLayout{5508, 55, "CTETRA", "iiiiiinnnnnn"},
    CardLayout{4108, 41, "CPENTA", "iiiiiiiinnnnnnnnn"},
    CardLayout{7308, 73, "CHEXA", "iiiiiiiiiinnnnnnnnnnnn"},
    CardLayout{801, 8, "CELAS3", "iinn"},
    CardLayout{901, 9, "CELAS4", "irnn"},
    CardLayout{1501, 15, "CONM2", "iiirrrr_rrrrrr"},
    CardLayout{4201, 42, "FORCE", "iiirrrr"},
    CardLayout{4801, 48, "MOMENT", "iiirrrr"},
    CardLayout{4401, 44, "GRAV", "iirrrr-"},
    CardLayout{5561, 76, "ASET", "ic"},
    CardLayout{110, 1, "BSET", "ic"},
    CardLayout{310, 3, "CSET", "ic"},
    CardLayout{510, 5, "QSET", "ic"},
    CardLayout{5001, 50, "OMIT", "ic"},
    CardLayout{5601, 56, "SUPORT", "ic"},
};

/// Number of words of an entry.
std::size_t entry_width(std::string_view layout) {
  return layout.size() - static_cast<std::size_t>(std::count(layout.begin(), layout.end(), '_'));
}

/// Largest id of a NASTRAN code: words beyond it are reals.
constexpr std::int64_t kLargestId = 100'000'000;

}  // namespace

void Op2Cards::begin(std::string_view name) {
  texts_.clear();
  card_ = {};
  card_.name = name;
  card_.file = &file_;
}

void Op2Cards::add(std::string text) {
  texts_.push_back(std::move(text));
  card_.fields.emplace_back(texts_.back());
}

void Op2Cards::add_real(double value) {
  add(fmt::format("{:#.17g}", value));  // with a point: whole numbers are not ids
}

void Op2Cards::end() {
  has_cards_ = true;
  model_.card(card_);
}

bool Op2Cards::read_entries(const Op2Words& record,
                            std::string_view name,
                            std::string_view layout) {
  const std::size_t width = entry_width(layout);
  if ((record.size() - 3) % width != 0) return false;
  for (std::size_t at = 3; at + width <= record.size();) {
    begin(name);
    for (const char kind : layout) {
      if (kind == '_') {
        add("");
        continue;
      }
      if (kind == 'r') {
        add_real(record.real(at));
      } else if (kind != '-') {
        const std::int64_t value = record.integer(at);
        add(value == 0 && kind != 'i' ? "" : std::to_string(value));
      }
      ++at;
    }
    end();
  }
  return true;
}

/// EID, property or value, G1 G2 C1 C2, and two reals in CELAS2; on the card C1 follows G1.
bool Op2Cards::read_springs(const Op2Words& record, std::string_view name) {
  const bool has_value = name.back() == '2';
  const std::size_t width = name == "CELAS2" ? 8 : 6;
  if ((record.size() - 3) % width != 0) return false;
  for (std::size_t at = 3; at + width <= record.size(); at += width) {
    begin(name);
    add_integer(record.integer(at));
    if (has_value)
      add_real(record.real(at + 1));
    else
      add_integer(record.integer(at + 1));
    for (const std::size_t k : {2U, 4U, 3U, 5U}) {
      const std::int64_t value = record.integer(at + k);
      add(value == 0 ? "" : std::to_string(value));
    }
    for (std::size_t k = 6; k < width; ++k)
      add_real(record.real(at + k));
    end();
  }
  return true;
}

/// CBAR: EID PID GA GB X1 X2 X3 F PA PB and six offsets. CBEAM: EID PID GA GB SA SB X1 ...
/// likewise. The lowest two bits of F: 0 a vector in basic, 1 a vector in the system of GA, 2 a
/// grid X1.
bool Op2Cards::read_bars(const Op2Words& record, bool is_beam) {
  const std::size_t extra = is_beam ? 2 : 0;
  const std::size_t width = 16 + extra;
  if ((record.size() - 3) % width != 0) return false;
  for (std::size_t at = 3; at + width <= record.size(); at += width) {
    begin(is_beam ? "CBEAM" : "CBAR");
    for (std::size_t k = 0; k < 4; ++k)
      add_integer(record.integer(at + k));
    const std::size_t vector = at + 4 + extra;
    const std::int64_t flag = record.integer(vector + 3) & 3;
    if (flag == 2) {
      add_integer(record.integer(vector));
      add("");
      add("");
    } else {
      for (std::size_t k = 0; k < 3; ++k)
        add_real(record.real(vector + k));
    }
    add(flag == 0 ? "BGG" : "GGG");
    for (std::size_t k = 4; k < 6; ++k) {
      const std::int64_t pin = record.integer(vector + k);
      add(pin == 0 ? "" : std::to_string(pin));
    }
    for (std::size_t k = 6; k < 12; ++k)
      add_real(record.real(vector + k));
    end();
  }
  return true;
}

/// EID GN CM GM1 ... -1, and reals ALPHA, TREF in newer files.
bool Op2Cards::read_rbe2(const Op2Words& record) {
  std::size_t at = 3;
  while (at + 4 <= record.size()) {
    begin("RBE2");
    for (std::size_t k = 0; k < 3; ++k)
      add_integer(record.integer(at++));
    if (!add_list(record, at)) return false;
    end();
    while (at < record.size() && (record.integer(at) <= 0 || record.integer(at) > kLargestId))
      ++at;
  }
  return at == record.size();
}

/// EID REFG REFC, then WT C G1 ... -1 repeated, -2, then pairs GM CM, -3, and reals in newer files.
bool Op2Cards::read_rbe3(const Op2Words& record) {
  std::size_t at = 3;
  const auto word = [&] { return at < record.size() ? record.integer(at) : -4; };
  while (at + 3 <= record.size()) {
    begin("RBE3");
    add_integer(record.integer(at++));
    add("");
    add_integer(word());
    ++at;
    add_integer(word());
    ++at;
    while (word() != -2) {
      if (at + 2 >= record.size()) return false;
      add_real(record.real(at));
      add_integer(record.integer(at + 1));
      for (at += 2; word() > 0; ++at)
        add_integer(word());
      if (word() != -1) return false;
      ++at;
    }
    ++at;
    if (word() > 0) add("UM");
    for (; word() > 0; ++at)
      add_integer(word());
    if (word() != -3) return false;
    ++at;
    end();
    while (at < record.size() && (word() <= 0 || word() > kLargestId))
      ++at;  // ALPHA, TREF
  }
  return at == record.size();
}

/// SID, then G C A repeated, -1 -1 -1.
bool Op2Cards::read_mpc(const Op2Words& record) {
  std::size_t at = 3;
  while (at + 4 <= record.size()) {
    begin("MPC");
    add_integer(record.integer(at++));
    for (bool is_first = true; at + 3 <= record.size() && record.integer(at) > 0;
         is_first = !is_first, at += 3) {
      if (is_first && card_.fields.size() > 1) {  // two blank fields between the lines of the card
        add("");
        add("");
      }
      add_integer(record.integer(at));
      add_integer(record.integer(at + 1));
      add_real(record.real(at + 2));
    }
    if (at + 3 > record.size() || record.integer(at) != -1) return false;
    at += 3;
    end();
  }
  return at == record.size();
}

/// SID G C and the value: one word (NX), a blank word and one (MSC), or, by the key 620016 of newer
/// files, a blank word and a float64, which in files of 64 bits is one word of two. Nothing tells
/// the first two but the entries themselves.
bool Op2Cards::read_spc(const Op2Words& record) {
  constexpr std::int64_t kOneWord = 16, kMostComponents = 123456;
  const auto fits = [&](std::size_t width) {
    if ((record.size() - 3) % width != 0) return false;
    for (std::size_t at = 3; at < record.size(); at += width) {
      const std::int64_t set = record.integer(at), point = record.integer(at + 1);
      const std::int64_t components = record.integer(at + 2);
      if (set < 1 || set > kLargestId || point < 1 || point > kLargestId || components < 0 ||
          components > kMostComponents || (width == 5 && record.integer(at + 3) != 0))
        return false;
    }
    return true;
  };
  const bool is_long = record.integer(2) != kOneWord;
  std::size_t width = 6;
  if (!is_long) width = fits(4) ? 4 : 5;
  if (!fits(width)) return false;
  for (std::size_t at = 3; at < record.size(); at += width) {
    begin("SPC");
    add_integer(record.integer(at));
    add_integer(record.integer(at + 1));
    const std::int64_t components = record.integer(at + 2);
    add(components == 0 ? "" : std::to_string(components));
    add_real(is_long ? record.real64(at + 4) : record.real(at + width - 1));
    end();
  }
  return true;
}

bool Op2Cards::add_list(const Op2Words& record, std::size_t& at) {
  while (at < record.size() && record.integer(at) > 0)
    add_integer(record.integer(at++));
  return at < record.size() && record.integer(at++) == -1;
}

/// SID C FLAG for SPC1, C FLAG for ASET1; FLAG 1: the ends of a range, 0: G1 ... -1.
bool Op2Cards::read_spc1(const Op2Words& record, std::string_view name, bool has_set) {
  std::size_t at = 3;
  while (at + 3 <= record.size()) {
    begin(name);
    if (has_set) add_integer(record.integer(at++));
    add_integer(record.integer(at++));
    if (at >= record.size()) return false;
    const bool is_range = record.integer(at++) == 1;
    if (is_range) {
      if (at + 2 > record.size()) return false;
      add_integer(record.integer(at));
      add("THRU");
      add_integer(record.integer(at + 1));
      at += 2;
    } else {
      if (!add_list(record, at)) return false;
    }
    end();
  }
  return at == record.size();
}

/// RBAR: EID GA GB CNA CNB CMA CMB, and reals ALPHA, TREF in newer files.
bool Op2Cards::read_rigid_bars(const Op2Words& record) {
  for (const std::size_t width : {7U, 8U, 9U}) {
    if ((record.size() - 3) % width != 0) continue;
    const auto is_bar = [&](std::size_t at) {
      for (std::size_t k = 3; k < 7; ++k)
        if (record.integer(at + k) < 0 || record.integer(at + k) > 123456) return false;
      return record.integer(at + 1) > 0 && record.integer(at + 2) > 0;
    };
    bool fits = true;
    for (std::size_t at = 3; at < record.size(); at += width)
      fits = fits && is_bar(at);
    if (!fits) continue;
    for (std::size_t at = 3; at < record.size(); at += width) {
      begin("RBAR");
      for (std::size_t k = 0; k < 7; ++k) {
        const std::int64_t value = record.integer(at + k);
        add(value == 0 ? "" : std::to_string(value));
      }
      end();
    }
    return true;
  }
  return false;
}

/// SPCADD, MPCADD: SID, sets, -1.
bool Op2Cards::read_lists(const Op2Words& record, std::string_view name) {
  std::size_t at = 3;
  while (at + 2 <= record.size()) {
    begin(name);
    if (!add_list(record, at)) return false;
    end();
  }
  return at == record.size();
}

/// LOAD: SID S, then pairs of factor and set, -1 -1.
bool Op2Cards::read_load(const Op2Words& record) {
  std::size_t at = 3;
  while (at + 4 <= record.size()) {
    begin("LOAD");
    add_integer(record.integer(at));
    add_real(record.real(at + 1));
    for (at += 2; at + 2 <= record.size() && record.integer(at + 1) != -1; at += 2) {
      add_real(record.real(at));
      add_integer(record.integer(at + 1));
    }
    if (at + 2 > record.size()) return false;
    at += 2;
    end();
  }
  return at == record.size();
}

bool Op2Cards::read(const Op2Words& record) {
  if (record.size() < 3) return false;
  const std::int64_t first = record.integer(0), second = record.integer(1);
  const std::int64_t third = record.integer(2);
  const auto has_key = [&](std::int64_t a, std::int64_t b) { return first == a && second == b; };
  using ReadRecord = std::function<bool()>;
  ReadRecord reader;
  for (const CardLayout& layout : kCardLayouts) {
    // CTRIA6 of GEOM2 and MOMENT of GEOM3 share the first two words
    const bool is_moment = layout.name == "MOMENT";
    if (!has_key(layout.first, layout.second) || (is_moment != (third == 19) && first == 4801))
      continue;
    reader = [this, &record, &layout] { return read_entries(record, layout.name, layout.words); };
  }
  if (has_key(601, 6)) reader = [&] { return read_springs(record, "CELAS1"); };
  if (has_key(701, 7)) reader = [&] { return read_springs(record, "CELAS2"); };
  if (has_key(201, 2)) reader = [&] { return read_springs(record, "CDAMP1"); };
  if (has_key(301, 3)) reader = [&] { return read_springs(record, "CDAMP2"); };
  if (has_key(2408, 24)) reader = [&] { return read_bars(record, false); };
  if (has_key(5408, 54)) reader = [&] { return read_bars(record, true); };
  if (has_key(6901, 69)) reader = [&] { return read_rbe2(record); };
  if (has_key(7101, 71)) reader = [&] { return read_rbe3(record); };
  if (has_key(4901, 49)) reader = [&] { return read_mpc(record); };
  if (has_key(5481, 58)) reader = [&] { return read_spc1(record, "SPC1", true); };
  if (has_key(5571, 77)) reader = [&] { return read_spc1(record, "ASET1", false); };
  if (has_key(410, 4)) reader = [&] { return read_spc1(record, "BSET1", false); };
  if (has_key(210, 2)) reader = [&] { return read_spc1(record, "CSET1", false); };
  if (has_key(610, 6)) reader = [&] { return read_spc1(record, "QSET1", false); };
  if (has_key(4951, 63)) reader = [&] { return read_spc1(record, "OMIT1", false); };
  if (has_key(6601, 66)) reader = [&] { return read_rigid_bars(record); };
  if (has_key(5491, 59)) reader = [&] { return read_lists(record, "SPCADD"); };
  if (has_key(4891, 60)) reader = [&] { return read_lists(record, "MPCADD"); };
  if (has_key(4551, 61)) reader = [&] { return read_load(record); };
  if (has_key(5501, 55)) reader = [&] { return read_spc(record); };
  if (!reader) return false;
  if (!records_.insert(std::hash<std::string_view>{}(record.bytes())).second) return true;
  try {
    return reader();
  } catch (const ParseError&) {  // a layout of another version: the table counts as unread
    return false;
  }
}

std::string_view Op2Cards::constraint_of(const Op2Words& record) {
  struct Key {
    std::int64_t first = 0, second = 0;
    std::string_view name;
  };
  constexpr std::array kKeys{Key{4901, 49, "MPC"},
                             Key{6501, 65, "RROD"},
                             Key{6601, 66, "RBAR"},
                             Key{6701, 67, "RTRPLT"},
                             Key{6801, 68, "RBE1"},
                             Key{6901, 69, "RBE2"},
                             Key{7001, 70, "RSPLINE"},
                             Key{7101, 71, "RBE3"}};
  if (record.size() < 2) return {};
  for (const Key& key : kKeys)
    if (record.integer(0) == key.first && record.integer(1) == key.second) return key.name;
  return {};
}

/// Words: 1 subcase, 2 MPC set, 3 SPC set.
void Op2Cards::read_case(const Op2Words& record) {
  constexpr std::size_t kFewestWords = 160;
  if (record.size() < kFewestWords) return;
  model_.has_case_control();
  model_.begin_subcase(record.integer(0));
  if (record.integer(1) > 0) model_.select_equations(record.integer(0), record.integer(1));
  if (record.integer(2) > 0) model_.select_constraints(record.integer(0), record.integer(2));
}

void Op2Cards::finish() {
  if (has_cards_) model_.finish(file_);
}

}  // namespace femflex::importer
