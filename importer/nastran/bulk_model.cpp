// Reads the bulk data cards of a NASTRAN deck into FileContents: a table gives the member function
// that reads each card; finish() resolves references to cards that come later. Supports are in
// bulk_supports.cpp, rigid elements and equations in bulk_rigid.cpp.
#include "nastran/bulk_model.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "nastran/bulk_loads.h"

namespace femflex::importer {
namespace {

constexpr std::int64_t kMaxScalarPoints = 10'000'000;
constexpr std::uint8_t kBlankCp = 1;
constexpr std::uint8_t kBlankCd = 2;
constexpr std::uint8_t kBlankPs = 4;

CoordinateSystem::Kind kind_of(std::string_view name) {
  switch (name.back()) {
    case 'C':
      return CoordinateSystem::Kind::cylindrical;
    case 'S':
      return CoordinateSystem::Kind::spherical;
    default:
      return CoordinateSystem::Kind::rectangular;
  }
}

constexpr std::size_t kMaxElementNodes = 20;  // CHEXA

/// The fields of an element card that hold its nodes.
struct NodeFields {
  std::array<std::size_t, kMaxElementNodes> fields{};
  std::size_t count = 0;
};

/// Indices of the fields that hold the element's nodes: corners, then mid-side nodes if the card
/// gives all of them.
NodeFields node_fields(const ElementKind& kind, const BulkFields& f) {
  const auto first = static_cast<std::size_t>(kind.first);
  const auto corners = static_cast<std::size_t>(topology_of(kind.corners).node_count);
  const std::size_t all =
      std::max(corners, static_cast<std::size_t>(topology_of(kind.with_mids).node_count));
  NodeFields out;
  for (std::size_t k = 0; k < all; ++k)
    out.fields.at(k) = first + k;
  if (kind.name == "CTRIAX6")  // in circular order: corner, mid-side node, corner, ...
    for (std::size_t k = 0; k < 6; ++k)
      out.fields[k] = first + (k < 3 ? 2 * k : 2 * (k - 3) + 1);
  bool has_mid_nodes = true;
  for (std::size_t k = corners; k < all && has_mid_nodes; ++k)
    has_mid_nodes = f.find_integer(out.fields[k]).value_or(0) > 0;
  out.count = has_mid_nodes ? all : corners;
  return out;
}

}  // namespace

const std::unordered_map<std::string_view, BulkModel::Handler>& BulkModel::handlers() {
  using B = BulkModel;
  static const std::unordered_map<std::string_view, Handler> table{
      {"GRID", &B::grid},        {"GRDSET", &B::grdset},     {"SPOINT", &B::spoint},
      {"CORD1R", &B::cord1},     {"CORD1C", &B::cord1},      {"CORD1S", &B::cord1},
      {"CORD2R", &B::cord2},     {"CORD2C", &B::cord2},      {"CORD2S", &B::cord2},
      {"CONM1", &B::conm1},      {"CONM2", &B::conm2},       {"SPC", &B::spc},
      {"SPC1", &B::spc1},        {"SPCADD", &B::spcadd},     {"ASET", &B::set_pairs},
      {"BSET", &B::set_pairs},   {"CSET", &B::set_pairs},    {"QSET", &B::set_pairs},
      {"OMIT", &B::set_pairs},   {"SUPORT", &B::set_pairs},  {"ASET1", &B::set_list},
      {"BSET1", &B::set_list},   {"CSET1", &B::set_list},    {"QSET1", &B::set_list},
      {"OMIT1", &B::set_list},   {"BNDFIX", &B::set_pairs},  {"BNDFREE", &B::set_pairs},
      {"BNDFIX1", &B::set_list}, {"BNDFREE1", &B::set_list}, {"BNDFRE1", &B::set_list},
      {"EXTRN", &B::extrn},      {"RBE2", &B::rbe2},         {"RBE3", &B::rbe3},
      {"RBAR", &B::rbar},        {"RBAR1", &B::rjoint},      {"RJOINT", &B::rjoint},
      {"RROD", &B::rrod},        {"RBE1", &B::rbe1},         {"RTRPLT", &B::rtrplt},
      {"RSPLINE", &B::rspline},  {"MPC", &B::mpc},           {"MPCADD", &B::mpcadd},
      {"PARAM", &B::param},      {"DTI", &B::dti},           {"EIGRL", &B::ignore},
      {"EIGR", &B::ignore},      {"ECHOOFF", &B::ignore},    {"ECHOON", &B::ignore},
      {"BEGIN", &B::ignore},     {"SET", &B::ignore},        {"BAROR", &B::baror},
      {"BEAMOR", &B::baror},     {"PLOTEL", &B::plotel},
  };
  return table;
}

void BulkModel::card(const BulkCard& card) {
  current_card_ = &card;
  const BulkFields fields(card);
  const std::string_view name = card.name;
  if (name == "DMIG" || name == "DMIAX") {
    direct_.dmig(card, name == "DMIAX");
    return;
  }
  if (name == "DMI") {
    direct_.dmi(card);
    return;
  }
  // the many grids and elements of a deck first
  const auto& table = handlers();
  if (const auto it = table.find(name); it != table.end()) {
    (this->*it->second)(fields, name);
    return;
  }
  if (const ElementKind* kind = find_element(name)) {
    element(fields, *kind);
    return;
  }
  if (name == "MATT1" || name == "MATT8") tables_.emplace_back(fields.text(0));
  const bool is_read = is_load_card(name) ? read_load_card(fields, name, contents_.loads)
                                          : read_property_card(fields, name, contents_);
  if (!is_read) unread(name);
}

void BulkModel::unread(std::string_view name) {
  // anything that is not a card name is stray text in the deck and counted as one kind
  const bool is_name = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
                       std::all_of(name.begin(), name.end(), [](char c) {
                         return std::isalnum(static_cast<unsigned char>(c)) != 0;
                       });
  const std::string_view label = is_name ? name : "text that is not a card";
  auto it = unread_.find(label);
  if (it == unread_.end()) it = unread_.emplace(std::string(label), 0).first;
  ++it->second;
}

void BulkModel::grid(const BulkFields& f, std::string_view /*name*/) {
  RawGrid grid;
  grid.id = f.integer(0);
  if (grid.id < 1) f.fail("grid-id", fmt::format("{} is not a positive id", grid.id));
  std::uint8_t blank = 0;
  if (f.blank(1))
    blank |= kBlankCp;
  else
    grid.position_system = f.integer(1);
  for (std::size_t k = 0; k < 3; ++k)
    grid.x[k] = f.real_or(2 + k, 0.0);
  if (f.blank(5))
    blank |= kBlankCd;
  else
    grid.displacement_system = f.integer(5);
  if (f.blank(6))
    blank |= kBlankPs;
  else
    grid.fixed = f.components(6);
  grid.superelement = f.integer_or(7, current_card_->superelement);
  contents_.grids.push_back(std::move(grid));
  blank_.push_back(blank);
}

void BulkModel::grdset(const BulkFields& f, std::string_view /*name*/) {
  grdset_[current_card_->superelement] = {f.integer_or(1, 0), f.integer_or(5, 0), f.components(6)};
}

void BulkModel::baror(const BulkFields& f, std::string_view name) {
  beam_defaults_.take(f, name, current_card_->superelement);
}

void BulkModel::spoint(const BulkFields& f, std::string_view /*name*/) {
  for (const IdRange& range : id_ranges(f, 0)) {
    const std::int64_t count = (range.last - range.first) / range.step + 1;
    if (range.first < 1 ||
        count + static_cast<std::int64_t>(contents_.scalar_points.size()) > kMaxScalarPoints)
      f.fail("spoint",
             fmt::format("the ids are not positive, or the deck has more than {} scalar points",
                         kMaxScalarPoints));
    for (std::int64_t id = range.first; id <= range.last; id += range.step)
      if (range.except.empty() || range.contains(id)) contents_.scalar_points.push_back(id);
  }
}

void BulkModel::cord1(const BulkFields& f, std::string_view name) {
  for (const std::size_t k : {std::size_t{0}, std::size_t{4}}) {
    if (f.blank(k)) continue;
    RawSystem system;
    system.id = f.integer(k);
    system.kind = kind_of(name);
    for (std::size_t g = 0; g < 3; ++g)
      system.grids[g] = f.integer(k + 1 + g);
    contents_.systems.push_back(system);
  }
}

void BulkModel::cord2(const BulkFields& f, std::string_view name) {
  RawSystem system;
  system.id = f.integer(0);
  system.kind = kind_of(name);
  system.reference = f.integer_or(1, 0);
  for (std::size_t k = 0; k < 9; ++k)
    system.points[k / 3][k % 3] = f.real_or(2 + k, 0.0);
  contents_.systems.push_back(system);
}

void BulkModel::conm1(const BulkFields& f, std::string_view name) {
  // 6 x 6 lower triangle by rows. For a rigid mass M11 = M22 = M33 = m, and the coupling rows
  // hold m r~: M53 = -m x, M62 = m x, M43 = m y, M61 = -m y, M51 = m z, M42 = -m z.
  const auto at = [&](std::size_t row, std::size_t col) {
    return f.real_or(3 + row * (row + 1) / 2 + col, 0.0);
  };
  ++contents_.element_counts[std::string(name)];
  RawMass mass;
  mass.id = f.integer(0);
  mass.node = f.integer(1);
  mass.system = f.integer_or(2, 0);
  mass.mass = at(0, 0);
  const double m = mass.mass;
  if (m != 0.0) mass.offset = {at(5, 1) / m, at(3, 2) / m, at(4, 0) / m};
  const auto& [x, y, z] = mass.offset;
  // CONM1 gives the terms about the grid point; RawMass holds them about the mass centre and with
  // the signs of CONM2, opposite off the diagonal
  mass.inertia = {at(3, 3) - m * (y * y + z * z),
                  -(at(4, 3) + m * x * y),
                  at(4, 4) - m * (x * x + z * z),
                  -(at(5, 3) + m * x * z),
                  -(at(5, 4) + m * y * z),
                  at(5, 5) - m * (x * x + y * y)};
  if (at(1, 1) != m || at(2, 2) != m)
    diagnostics_.warn(
        "conm1", "the mass differs by direction: M11 is used for all directions", f.where());
  contents_.masses.push_back(mass);
}

void BulkModel::conm2(const BulkFields& f, std::string_view name) {
  ++contents_.element_counts[std::string(name)];
  RawMass mass;
  mass.id = f.integer(0);
  mass.node = f.integer(1);
  mass.system = f.integer_or(2, 0);
  mass.mass = f.real_or(3, 0.0);
  for (std::size_t k = 0; k < 3; ++k)
    mass.offset[k] = f.real_or(4 + k, 0.0);
  for (std::size_t k = 0; k < 6; ++k)
    mass.inertia[k] = f.real_or(8 + k, 0.0);
  contents_.masses.push_back(mass);
}

std::vector<Dof>* BulkModel::dof_set(std::string_view name) {
  switch (name[0]) {
    case 'Q':
      return &contents_.generalised;
    case 'O':
      return &contents_.omitted;
    case 'S':
      return &contents_.supports;
    default:
      return &contents_.interface;
  }
}

void BulkModel::set_pairs(const BulkFields& f, std::string_view name) {
  for (std::size_t k = 0; k < f.size(); k += 2)
    if (!f.blank(k)) add_dofs(*dof_set(name), f.integer(k), f.components(k + 1));
}

void BulkModel::set_list(const BulkFields& f, std::string_view name) {
  ranged_.push_back({dof_set(name), 0, f.components(0), id_ranges(f, 1)});
}

void BulkModel::extrn(const BulkFields& f, std::string_view /*name*/) {
  for (std::size_t k = 0; k < f.size(); k += 2)
    if (!f.blank(k)) add_dofs(contents_.row_map, f.integer(k), f.components(k + 1));
}

void BulkModel::param(const BulkFields& f, std::string_view /*name*/) {
  if (f.is_word(0, "WTMASS")) contents_.mass_factor = f.real_or(1, 1.0);
}

void BulkModel::add_block_element(std::string_view type,
                                  std::int64_t id,
                                  std::span<const std::int64_t> nodes) {
  const auto [it, is_new] =
      blocks_.try_emplace(std::pair(type, nodes.size()), contents_.elements.size());
  if (is_new)
    contents_.elements.push_back({std::string(type), static_cast<int>(nodes.size()), {}, {}});
  ElementBlock& block = contents_.elements[it->second];
  block.ids.push_back(id);
  block.connectivity.insert(block.connectivity.end(), nodes.begin(), nodes.end());
}

/// PLOTEL: a line that is only drawn, not an element of the structure, so not counted as one.
void BulkModel::plotel(const BulkFields& f, std::string_view /*name*/) {
  for (const std::size_t k : {std::size_t{0}, std::size_t{3}}) {
    if (f.blank(k)) continue;
    const std::int64_t id = f.integer(k);
    add_block_element("PLOTEL", id, std::array{f.integer(k + 1), f.integer(k + 2)});
  }
}

void BulkModel::element(const BulkFields& f, const ElementKind& kind) {
  const std::string_view name = kind.name;
  ++contents_.element_counts[std::string(name)];
  const std::int64_t id = f.integer(0);
  if (kind.first < 0) {
    // CELAS1, CELAS2, CDAMP1, CDAMP2 have the fields EID, PID or constant, G1 C1 G2 C2: drawn as a
    // line between G1 and G2 unless one end is grounded
    const bool is_spring = name.starts_with("CELAS") || name.starts_with("CDAMP");
    const bool on_grids = is_spring && (name.back() == '1' || name.back() == '2');
    if (on_grids && !f.blank(2) && !f.blank(4) && f.integer(2) > 0 && f.integer(4) > 0)
      add_block_element(name, id, std::array{f.integer(2), f.integer(4)});
    return;
  }
  const NodeFields at = node_fields(kind, f);
  if (topology_of(kind.corners).dimension == 1 && f.blank(at.fields[1]))
    return;  // a spring to ground
  std::array<std::int64_t, kMaxElementNodes> nodes{};
  for (std::size_t k = 0; k < at.count; ++k) {
    const std::size_t field = at.fields[k];
    const std::optional<std::int64_t> node = f.find_integer(field);
    if (!node) {
      // no reason to refuse the deck: elements serve pictures and stresses, not K and M
      if (invalid_elements_[std::string(name)]++ == 0)
        diagnostics_.warn(
            "odd-element",
            fmt::format(
                "field {} is not a node: this {} is counted, but not drawn", field + 2, name),
            f.where());
      return;
    }
    nodes[k] = *node;
  }
  add_block_element(name, id, std::span(nodes).first(at.count));
  beam_defaults_.note(f, name, current_card_->superelement, contents_.element_sections.size());
  read_element_section(f, name, contents_);
}

void BulkModel::resolve(const Ranged& ranged, std::vector<Dof>& out) {
  // add_dofs() takes empty components for a scalar point
  const auto add_points =
      [&](const std::vector<std::int64_t>& ids, bool scalar, const IdRange& range) {
        for (auto it = std::lower_bound(ids.begin(), ids.end(), range.first);
             it != ids.end() && *it <= range.last;
             ++it)
          if (range.contains(*it)) add_dofs(out, *it, scalar ? "" : ranged.components);
      };
  for (const IdRange& range : ranged.ids) {
    const std::size_t before = out.size();
    if (range.first == range.last) {
      const bool scalar = std::binary_search(scalar_ids_.begin(), scalar_ids_.end(), range.first);
      add_dofs(out, range.first, scalar ? "" : ranged.components);
      continue;
    }
    add_points(grid_ids_, false, range);
    add_points(scalar_ids_, true, range);
    if (out.size() == before && ++empty_ranges_ == 1) first_empty_ = range;
  }
}

void BulkModel::warn_of_empty_ranges() {
  if (empty_ranges_ > 0)
    diagnostics_.warn(
        "empty-range",
        fmt::format("{} ranges of ids have no effect, because no point of this file is "
                    "in them, the first is {} THRU {}; include this file in the deck "
                    "that has the GRIDs, or list the ids",
                    empty_ranges_,
                    first_empty_.first,
                    first_empty_.last),
        {file_});
}

/// Materials that depend on temperature have the constants of their own card, which a warning says,
/// unless the case control chooses temperatures: then their constants are not known.
void BulkModel::judge_materials() {
  for (FeMaterial& material : contents_.materials) {
    if (std::find(tables_.begin(), tables_.end(), material.name) == tables_.end()) continue;
    if (has_temperatures_)
      material.refusal = "a MATT card makes it depend on the temperatures of the case control";
    else
      diagnostics_.warn("elastic-temperature",
                        fmt::format("material {}: a MATT card makes it depend on temperature: "
                                    "stresses are those of its MAT card",
                                    material.name),
                        {file_});
  }
}

/// Sorts the ids of scalar points into scalar_ids_ and removes repeated ones from the contents,
/// where each keeps the place of its first occurrence in the list.
void BulkModel::resolve_scalar_points() {
  std::vector<std::int64_t>& points = contents_.scalar_points;
  scalar_ids_ = points;
  std::sort(scalar_ids_.begin(), scalar_ids_.end());
  const auto repeated = std::unique(scalar_ids_.begin(), scalar_ids_.end());
  if (repeated == scalar_ids_.end()) return;
  scalar_ids_.erase(repeated, scalar_ids_.end());
  std::set<std::int64_t> seen;
  const auto new_end = std::remove_if(
      points.begin(), points.end(), [&](std::int64_t id) { return !seen.insert(id).second; });
  points.erase(new_end, points.end());
}

void BulkModel::finish(const std::string& file) {
  file_ = file;
  for (std::size_t k = 0; k < contents_.grids.size(); ++k) {
    RawGrid& grid = contents_.grids[k];
    const auto it = grdset_.find(grid.superelement);
    if (it == grdset_.end()) continue;
    if ((blank_[k] & kBlankCp) != 0) grid.position_system = it->second.position_system;
    if ((blank_[k] & kBlankCd) != 0) grid.displacement_system = it->second.displacement_system;
    if ((blank_[k] & kBlankPs) != 0) grid.fixed = it->second.fixed;
  }
  beam_defaults_.fill(contents_);
  grid_ids_.reserve(contents_.grids.size());
  for (const RawGrid& grid : contents_.grids)
    grid_ids_.push_back(grid.id);
  if (!std::is_sorted(grid_ids_.begin(), grid_ids_.end()))
    std::sort(grid_ids_.begin(), grid_ids_.end());
  grid_ids_.erase(std::unique(grid_ids_.begin(), grid_ids_.end()), grid_ids_.end());
  resolve_scalar_points();
  const std::vector<std::int64_t> sets = applied_constraints();
  find_moving_supports(sets);
  for (const std::int64_t set : chosen_sets(selected_equations_))
    contents_.constraint_sets.chosen.push_back(set);
  for (const Ranged& ranged : ranged_) {
    if (ranged.target != nullptr)
      resolve(ranged, *ranged.target);
    else if (std::find(sets.begin(), sets.end(), ranged.set) != sets.end())
      resolve(ranged, contents_.fixed);
  }
  warn_of_empty_ranges();
  warn_of_unknown_supports();
  std::sort(contents_.fixed.begin(), contents_.fixed.end());
  contents_.fixed.erase(std::unique(contents_.fixed.begin(), contents_.fixed.end()),
                        contents_.fixed.end());
  judge_materials();
  if (declared_units_)
    contents_.units = consistent_units(*declared_units_, contents_.mass_factor, diagnostics_);
  direct_.finish(contents_.matrices, diagnostics_);
  for (const auto& [name, count] : unread_)
    contents_.unread.push_back({name, count});
}

}  // namespace femflex::importer
