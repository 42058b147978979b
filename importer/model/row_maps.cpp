#include "model/row_maps.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "bytes/number.h"

namespace femflex::importer {
namespace {

/// `11/T3,12/R1,501/S`
std::vector<Dof> parse_dofs(std::string_view text) {
  std::vector<Dof> out;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = trimmed(text.substr(0, comma));
    const std::size_t slash = item.find('/');
    const auto id = parse_integer(item.substr(0, slash));
    const std::string_view what = slash == std::string_view::npos ? "" : item.substr(slash + 1);
    int component = -1;
    if (what == "S")
      component = 0;
    else if (what.size() == 2 && (what[0] == 'T' || what[0] == 'R') && what[1] >= '1' &&
             what[1] <= '3')
      component = what[1] - '0' + (what[0] == 'R' ? 3 : 0);
    if (!id || component < 0)
      throw UsageError("dof-order",
                       fmt::format("'{}' is no freedom such as 11/T3, 12/R1 or 501/S", item),
                       {},
                       "say `sorted`, `cards` or list freedoms");
    out.push_back({*id, static_cast<std::int8_t>(component)});
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return out;
}

std::vector<Dof> g_set(const Gathered& gathered, bool by_cards) {
  std::vector<Dof> out;
  std::vector<std::pair<std::int64_t, bool>> points;  // id, scalar
  if (by_cards) {
    for (const std::int64_t id : gathered.card_order)
      points.emplace_back(id, false);
    for (const std::int64_t id : gathered.geometry.scalar_points)
      points.emplace_back(id, true);
  } else {
    for (const Node& node : gathered.nodes)
      points.emplace_back(node.id, false);
    for (const std::int64_t id : gathered.geometry.scalar_points)
      points.emplace_back(id, true);
    std::sort(points.begin(), points.end());
  }
  for (const auto& [id, scalar] : points) {
    if (scalar) {
      out.push_back({id, 0});
      continue;
    }
    for (std::int8_t c = 1; c <= 6; ++c)
      out.push_back({id, c});
  }
  return out;
}

std::vector<Dof> without(const std::vector<Dof>& rows, const std::vector<Dof>& gone) {
  const std::set<Dof> set(gone.begin(), gone.end());
  std::vector<Dof> out;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(out), [&](const Dof& dof) {
    return !set.contains(dof);
  });
  return out;
}

std::vector<Dof> only(const std::vector<Dof>& rows, const std::vector<Dof>& kept) {
  const std::set<Dof> set(kept.begin(), kept.end());
  std::vector<Dof> out;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(out), [&](const Dof& dof) {
    return set.contains(dof);
  });
  return out;
}

/// Mechanisms that NASTRAN holds by itself cannot be told from the deck; freedoms that no element
/// touches can: points that nothing but their own card mentions.
void add_sets(const Gathered& gathered, bool by_cards, std::vector<RowGuess>& out) {
  const FileContents& geometry = gathered.geometry;
  const std::string order = by_cards ? "in the order of the GRID cards" : "by rising id";
  const auto add = [&](const char* set, std::vector<Dof> rows) {
    out.push_back({fmt::format("{}-set {}", set, order), set[0] == 'g', std::move(rows)});
  };
  const std::vector<Dof> g = g_set(gathered, by_cards);
  const std::vector<Dof> n = without(g, geometry.dependent);
  const std::vector<Dof> f = without(n, geometry.fixed);
  std::vector<Dof> a = without(f, geometry.omitted);
  if (!geometry.interface.empty() && geometry.omitted.empty()) {
    std::vector<Dof> kept = geometry.interface;
    kept.insert(kept.end(), geometry.generalised.begin(), geometry.generalised.end());
    a = only(f, kept);
  }
  const std::vector<Dof> l = without(a, geometry.supports);
  add("a", a);
  add("l", l);
  add("f", f);
  add("n", n);
  add("g", g);
}

}  // namespace

std::vector<RowGuess> guess_rows(const Gathered& gathered,
                                 const FileContents& file,
                                 std::int64_t rows,
                                 const std::string& dof_order) {
  std::vector<RowGuess> all;
  const bool sorted = dof_order == "sorted";
  const bool cards = dof_order == "cards";
  if (!dof_order.empty() && !sorted && !cards) {
    all.push_back({"the given list of freedoms", false, parse_dofs(dof_order)});
  } else {
    if (!sorted && !cards) {
      if (!file.row_map.empty())
        all.push_back({"rows listed in " + file.path, false, file.row_map});
      for (const FileContents& other : gathered.files)
        if (&other != &file && !other.row_map.empty())
          all.push_back({"rows listed in " + other.path, false, other.row_map});
    }
    if (!cards) add_sets(gathered, false, all);
    const bool rising = std::is_sorted(gathered.card_order.begin(), gathered.card_order.end());
    if (cards || (!sorted && !rising)) add_sets(gathered, true, all);
  }
  std::vector<RowGuess> fitting;
  for (RowGuess& guess : all) {
    if (static_cast<std::int64_t>(guess.rows.size()) != rows) continue;
    const bool known = std::any_of(fitting.begin(), fitting.end(), [&](const RowGuess& other) {
      return other.rows == guess.rows;
    });
    if (!known) fitting.push_back(std::move(guess));
  }
  return fitting;
}

}  // namespace femflex::importer
