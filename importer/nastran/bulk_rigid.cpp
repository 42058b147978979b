// Member functions of BulkModel that read rigid elements (RBE2, RBE3, RBAR, ...), constraint
// equations (MPC) and the tables DTI,UNITS and DTI,TUG1 of NASTRAN. Fields are listed in the order
// of the card.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "femflex/text.h"

#include "nastran/bulk_model.h"
#include "nastran/op2_dictionary.h"

namespace femflex::importer {
namespace {

constexpr std::int64_t kMaxListedPoints = 10'000'000;

/// Appends every id of the ranges, also of grid points that do not exist (NASTRAN requires that all
/// grid points of an RBE2 or RBE3 exist).
void expand(const std::vector<IdRange>& ranges,
            std::vector<std::int64_t>& out,
            const BulkFields& f) {
  for (const IdRange& range : ranges) {
    if ((range.last - range.first) / range.step + static_cast<std::int64_t>(out.size()) >
        kMaxListedPoints)
      f.fail("thru", fmt::format("the list has more than {} points", kMaxListedPoints));
    for (std::int64_t id = range.first; id <= range.last; id += range.step)
      if (range.except.empty() || range.contains(id)) out.push_back(id);
  }
}

constexpr std::string_view kAll = "123456";

/// Reads pairs of point and components from field k to the end or the next word; returns the index
/// of the field after them.
std::size_t take_pairs(const BulkFields& f, std::size_t k, std::vector<Dof>& out) {
  while (k < f.size() && (f.blank(k) || f.is_integer(k))) {
    if (f.blank(k)) {
      ++k;
      continue;
    }
    add_dofs(out, f.integer(k), f.components(k + 1));
    k += 2;
  }
  return k;
}

}  // namespace

void BulkModel::rbe2(const BulkFields& f, std::string_view name) {
  RawConstraint element{{std::string(name), f.integer(0), {f.integer(1)}, {}, f.components(2)},
                        RawConstraint::Law::rigid};
  add_dofs(element.independent_dofs, f.integer(1), kAll);
  // reals after the list are the coefficient of thermal expansion and a temperature, not points
  std::size_t last = f.size();
  const auto is_real = [&](std::size_t k) {
    return !f.is_integer(k) && f.text(k).find('.') != std::string_view::npos;
  };
  while (last > 3 && (f.blank(last - 1) || is_real(last - 1)))
    --last;
  BulkCard card = *current_card_;
  card.fields.resize(last);
  const BulkFields list(card);
  expand(id_ranges(list, 3), element.dependent, f);
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::rbe3(const BulkFields& f, std::string_view name) {
  // EID blank REFGRID REFC, then WT C G1 G2 ..., repeated; UM and ALPHA sections end it
  RawConstraint element{{std::string(name), f.integer(0), {}, {f.integer(2)}, f.components(3)},
                        RawConstraint::Law::weighted};
  add_dofs(element.reference_dofs, f.integer(2), element.components);
  element.dependent_dofs = element.reference_dofs;
  double weight = 1.0;
  std::string components;
  std::size_t k = 4;
  while (k < f.size()) {
    if (f.blank(k)) {
      ++k;
    } else if (f.is_word(k, "UM")) {
      element.dependent_dofs.clear();
      k = take_pairs(f, k + 1, element.dependent_dofs);
    } else if (f.is_word(k, "ALPHA")) {
      break;
    } else if (f.is_integer(k)) {
      // grid points G1 G2 ... of the current weight, possibly with THRU
      std::size_t next = k;
      while (next < f.size() && (f.is_integer(next) || f.is_word(next, "THRU")))
        ++next;
      BulkCard card = *current_card_;
      card.fields.resize(next);
      const BulkFields list(card);
      const std::size_t before = element.independent.size();
      expand(id_ranges(list, k), element.independent, f);
      for (std::size_t g = before; g < element.independent.size(); ++g)
        add_dofs(element.independent_dofs, element.independent[g], components);
      element.factors.resize(element.independent_dofs.size(), weight);
      k = next;
    } else {
      weight = f.real(k);
      components = f.components(k + 1);
      k += 2;
    }
  }
  for (const Dof& dof : element.dependent_dofs)  // UM may name other nodes than REFGRID
    if (std::find(element.dependent.begin(), element.dependent.end(), dof.node) ==
        element.dependent.end())
      element.dependent.push_back(dof.node);
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::rbar(const BulkFields& f, std::string_view name) {
  // EID GA GB CNA CNB CMA CMB
  rigid_body(f, name, {{f.integer(1), 3, 5}, {f.integer(2), 4, 6}});
}

void BulkModel::rtrplt(const BulkFields& f, std::string_view name) {
  // EID GA GB GC CNA CNB CNC blank / CMA CMB CMC
  rigid_body(f, name, {{f.integer(1), 4, 8}, {f.integer(2), 5, 9}, {f.integer(3), 6, 10}});
}

void BulkModel::rigid_body(const BulkFields& f,
                           std::string_view name,
                           const std::vector<RigidPoint>& points) {
  RawConstraint element{{std::string(name), f.integer(0), {}, {}, ""}, RawConstraint::Law::rigid};
  // if no dependent component is named, all components that are not independent are dependent
  const bool is_implicit = std::all_of(points.begin(), points.end(), [&](const RigidPoint& point) {
    return f.components(point.dependent).empty();
  });
  for (const RigidPoint& point : points) {
    const std::string independent = f.components(point.independent);
    std::string dependent = f.components(point.dependent);
    if (is_implicit)
      for (const char c : kAll)
        if (independent.find(c) == std::string::npos) dependent += c;
    if (!independent.empty()) add_dofs(element.independent_dofs, point.node, independent);
    if (!dependent.empty()) add_dofs(element.dependent_dofs, point.node, dependent);
    if (!independent.empty()) element.independent.push_back(point.node);
    if (!dependent.empty()) element.dependent.push_back(point.node);
    if (dependent.size() > element.components.size()) element.components = dependent;
  }
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::rjoint(const BulkFields& f, std::string_view name) {
  // EID GA GB CB: components CB of GB depend on the six of GA
  RawConstraint element{
      {std::string(name), f.integer(0), {f.integer(1)}, {f.integer(2)}, f.components(3)},
      RawConstraint::Law::rigid};
  if (element.components.empty()) element.components = kAll;
  add_dofs(element.independent_dofs, f.integer(1), kAll);
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::rrod(const BulkFields& f, std::string_view name) {
  // EID GA GB CMA CMB: one translation, of GA or of GB, is dependent and keeps their distance
  const bool at_a = !f.components(3).empty();
  const std::int64_t a = f.integer(1);
  const std::int64_t b = f.integer(2);
  RawConstraint element{
      {std::string(name), f.integer(0), {at_a ? b : a}, {at_a ? a : b}, f.components(at_a ? 3 : 4)},
      RawConstraint::Law::rod};
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::rbe1(const BulkFields& f, std::string_view name) {
  // EID GN1 CN1 GN2 CN2 GN3 CN3 blank / blank GN4 ..., then UM GM1 CM1 GM2 CM2 ..., then ALPHA
  RawConstraint element{{std::string(name), f.integer(0), {}, {}, ""}, RawConstraint::Law::rigid};
  const std::size_t k = take_pairs(f, 1, element.independent_dofs);
  if (f.is_word(k, "UM")) take_pairs(f, k + 1, element.dependent_dofs);
  for (const auto& [dofs, nodes] : {std::pair{&element.independent_dofs, &element.independent},
                                    std::pair{&element.dependent_dofs, &element.dependent}})
    for (const Dof& dof : *dofs) {
      if (nodes->empty() || nodes->back() != dof.node) nodes->push_back(dof.node);
      const char letter = static_cast<char>('0' + dof.component);
      if (dofs == &element.dependent_dofs && element.components.find(letter) == std::string::npos)
        element.components += letter;
    }
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::rspline(const BulkFields& f, std::string_view name) {
  // EID D/L G1 G2 C2 G3 C3 ...: its dependent DOFs are recorded, its equations are not supported
  RawConstraint element{{std::string(name), f.integer(0), {f.integer(2)}, {}, ""}};
  for (std::size_t k = 3; k < f.size(); k += 2) {
    if (f.blank(k)) continue;
    const std::string components = f.components(k + 1);
    (components.empty() ? element.independent : element.dependent).push_back(f.integer(k));
    if (!components.empty()) add_dofs(element.dependent_dofs, f.integer(k), components);
    if (components.size() > element.components.size()) element.components = components;
  }
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::mpc(const BulkFields& f, std::string_view name) {
  // SID G1 C1 A1 G2 C2 A2 blank / blank G3 C3 A3 ...: the first DOF depends on the other DOFs
  RawConstraint element{{std::string(name), f.integer(0), {}, {f.integer(1)}, f.components(2)},
                        RawConstraint::Law::equation};
  add_dofs(element.dependent_dofs, f.integer(1), element.components);
  element.factors.push_back(f.real_or(3, 0.0));
  for (std::size_t k = 4; k < f.size(); k += (k % 8 == 4) ? 5 : 3) {
    if (f.blank(k)) continue;
    element.independent.push_back(f.integer(k));
    add_dofs(element.independent_dofs, f.integer(k), f.components(k + 1).substr(0, 1));
    element.factors.push_back(f.real_or(k + 2, 0.0));
  }
  if (element.components.size() > 1)
    f.fail("components", "an MPC term must have exactly one component");
  contents_.rigid_elements.push_back(std::move(element));
}

void BulkModel::mpcadd(const BulkFields& f, std::string_view /*name*/) {
  std::vector<std::int64_t>& sum = contents_.constraint_sets.sums[f.integer(0)];
  for (std::size_t k = 1; k < f.size(); ++k)
    if (!f.blank(k)) sum.push_back(f.integer(k));
}

/// TUG1, record 2: the words TYPE ID COMP ROW, then these four numbers for each point. Record 0
/// holds the trailer: number of rows of MUG1 in field 2.
void BulkModel::recovery_table(const BulkFields& f) {
  if (f.is_word(1, "0") && f.is_integer(2)) {
    recovery_count_ = f.integer(2);
    return;
  }
  if (!f.is_word(1, "2")) return;
  std::vector<std::int64_t> numbers;
  for (std::size_t k = 2; k < f.size(); ++k)
    if (f.is_integer(k)) numbers.push_back(f.integer(k));
  std::vector<RecoveryPoint> points;
  for (std::size_t k = 0; k + 4 <= numbers.size(); k += 4)
    points.push_back({numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]});
  contents_.recovery_rows = recovery_rows(points, recovery_count_);
  if (contents_.recovery_rows.empty() && !points.empty())
    diagnostics_.warn(
        "recovery",
        fmt::format("the rows of TUG1 do not fit its {} rows: it is ignored", recovery_count_),
        f.where());
}

void BulkModel::dti(const BulkFields& f, std::string_view name) {
  if (f.is_word(0, "TUG1")) {
    recovery_table(f);
    return;
  }
  if (!f.is_word(0, "UNITS")) {
    unread(name);
    return;
  }
  // UNITS 1 MASS FORCE LENGTH TIME STRESS
  const auto name_in = [&](std::size_t k) {
    return k < f.size() ? upper_case(trimmed(f.text(k))) : std::string();
  };
  declared_units_ = {name_in(2), name_in(3), name_in(4), name_in(5), f.where()};
}

}  // namespace femflex::importer
