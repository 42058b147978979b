// Rigid elements, constraint equations, and the few tables of a deck that matter.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "femflex/units.h"

#include "nastran/bulk_model.h"

namespace femflex::importer {
namespace {

constexpr std::int64_t kMostListed = 10'000'000;

/// RBE2 and RBE3 lists name existing grids: a range is expanded as it stands, within reason.
void expand(const std::vector<IdRange>& ranges,
            std::vector<std::int64_t>& out,
            const BulkFields& f) {
  for (const IdRange& range : ranges) {
    if ((range.last - range.first) / range.step + static_cast<std::int64_t>(out.size()) >
        kMostListed)
      f.fail("thru", fmt::format("a list of more than {} points", kMostListed));
    for (std::int64_t id = range.first; id <= range.last; id += range.step)
      if (range.except.empty() || range.holds(id)) out.push_back(id);
  }
}

struct NamedFactor {
  std::string_view name;
  double factor = 1.0;
};

constexpr std::array kLengths{NamedFactor{"M", 1.0},
                              NamedFactor{"CM", 1e-2},
                              NamedFactor{"MM", 1e-3},
                              NamedFactor{"IN", 0.0254},
                              NamedFactor{"FT", 0.3048},
                              NamedFactor{"KM", 1e3}};
constexpr std::array kMasses{NamedFactor{"KG", 1.0},
                             NamedFactor{"G", 1e-3},
                             NamedFactor{"MG", 1e3},
                             NamedFactor{"MGG", 1e3},
                             NamedFactor{"T", 1e3},
                             NamedFactor{"TONNE", 1e3},
                             NamedFactor{"SLUG", 14.593902937206364},
                             NamedFactor{"SLINCH", 175.12683524647637},
                             NamedFactor{"LB", 0.45359237},
                             NamedFactor{"LBM", 0.45359237}};
constexpr std::array kTimes{
    NamedFactor{"S", 1.0}, NamedFactor{"SEC", 1.0}, NamedFactor{"MS", 1e-3}};

template <typename Table>
double factor_of(const Table& table, const BulkFields& f, std::size_t k) {
  for (const NamedFactor& entry : table)
    if (f.is_word(k, entry.name)) return entry.factor;
  return 0.0;
}

}  // namespace

void BulkModel::rbe2(const BulkFields& f, std::string_view name) {
  RigidElement element{std::string(name), f.integer(0), {f.integer(1)}, {}, f.components(2)};
  // a real behind the list is the coefficient of expansion, not a point
  std::vector<IdRange> ids;
  std::size_t k = 3;
  std::size_t last = f.size();
  while (last > k && f.blank(last - 1))
    --last;
  if (last > k && !f.is_integer(last - 1) && f.text(last - 1).find('.') != std::string_view::npos)
    --last;
  BulkCard card = *present_;
  card.fields.resize(last);
  const BulkFields list(card);
  expand(id_ranges(list, k), element.dependent, f);
  for (const std::int64_t id : element.dependent)
    add_dofs(contents_.dependent, id, element.components);
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::rbe3(const BulkFields& f, std::string_view name) {
  // EID blank REFGRID REFC, then WT C G1 G2 ... again and again; UM and ALPHA sections end it
  RigidElement element{std::string(name), f.integer(0), {}, {f.integer(2)}, f.components(3)};
  std::vector<Dof> dependent;
  add_dofs(dependent, f.integer(2), element.components);
  std::size_t k = 4;
  while (k < f.size()) {
    if (f.blank(k)) {
      ++k;
    } else if (f.is_word(k, "UM")) {
      dependent.clear();
      for (++k; k < f.size() && (f.blank(k) || f.is_integer(k));) {
        if (f.blank(k)) {
          ++k;
          continue;
        }
        add_dofs(dependent, f.integer(k), f.components(k + 1));
        k += 2;
      }
    } else if (f.is_word(k, "ALPHA")) {
      break;
    } else if (f.is_integer(k)) {
      // G of the present weight, perhaps with THRU
      std::size_t next = k;
      while (next < f.size() && (f.is_integer(next) || f.is_word(next, "THRU")))
        ++next;
      BulkCard card = *present_;
      card.fields.resize(next);
      const BulkFields list(card);
      expand(id_ranges(list, k), element.independent, f);
      k = next;
    } else {
      (void)f.real(k);  // WT; C follows
      k += 2;
    }
  }
  contents_.dependent.insert(contents_.dependent.end(), dependent.begin(), dependent.end());
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::rbar(const BulkFields& f, std::string_view name) {
  // EID GA GB CNA CNB CMA CMB; RROD and RJOINT have no CNA, CNB of that meaning
  const std::int64_t a = f.integer(1);
  const std::int64_t b = f.integer(2);
  RigidElement element{std::string(name), f.integer(0), {a}, {b}, "123456"};
  if (name == "RBAR") {
    std::string cma = f.components(5);
    std::string cmb = f.components(6);
    if (cma.empty() && cmb.empty()) {
      const auto others = [](const std::string& used) {
        std::string out;
        for (const char c : std::string_view("123456"))
          if (used.find(c) == std::string::npos) out += c;
        return out;
      };
      cma = others(f.components(3));
      cmb = others(f.components(4));
    }
    if (cmb.empty() && !cma.empty()) {
      element.independent = {b};
      element.dependent = {a};
    }
    element.components = cmb.empty() ? cma : cmb;
    if (!cma.empty()) add_dofs(contents_.dependent, a, cma);
    if (!cmb.empty()) add_dofs(contents_.dependent, b, cmb);
  }
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::mpc(const BulkFields& f, std::string_view name) {
  // SID G1 C1 A1 G2 C2 A2 blank / blank G3 C3 A3 ...: the first freedom depends on the others
  RigidElement element{std::string(name), f.integer(0), {}, {f.integer(1)}, f.components(2)};
  add_dofs(contents_.dependent, f.integer(1), element.components);
  for (std::size_t k = 4; k < f.size(); k += (k % 8 == 4) ? 5 : 3)
    if (!f.blank(k)) element.independent.push_back(f.integer(k));
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::dti(const BulkFields& f, std::string_view name) {
  if (!f.is_word(0, "UNITS")) {
    unread(name);
    return;
  }
  // UNITS 1 MASS FORCE LENGTH TIME STRESS
  Units units;
  units.mass = factor_of(kMasses, f, 2);
  units.length = factor_of(kLengths, f, 4);
  units.time = factor_of(kTimes, f, 5);
  if (units.mass == 0.0 || units.length == 0.0 || units.time == 0.0) {
    diagnostics_.warn("units", "DTI,UNITS names units that femflex does not know", f.where());
    return;
  }
  units.name = "dti";
  for (const std::string& candidate : unit_names()) {
    const Units known = parse_units(candidate);
    if (known.length == units.length && known.mass == units.mass && known.time == units.time)
      units.name = candidate;
  }
  contents_.units = units;
}

}  // namespace femflex::importer
