// Reads the commands that select nodes, and lists the nodes that a command means.
#include "ansys/selection.h"

#include <algorithm>
#include <array>

#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::importer {
namespace {

/// Commands that select nodes by the entities that they belong to.
constexpr std::array<std::string_view, 5> kSelectsByEntity{"NSLA", "NSLE", "NSLK", "NSLL", "NSLV"};

}  // namespace

void AnsysSelection::add_component(std::string_view name, const Nodes& nodes) {
  const std::string key = upper_case(name);
  remove_component(key);
  components_[key] = nodes;
}

void AnsysSelection::add_other_component(std::string_view name) {
  const std::string key = upper_case(name);
  remove_component(key);
  other_components_.insert(key);
}

void AnsysSelection::remove_component(const std::string& name) {
  components_.erase(name);
  other_components_.erase(name);
}

bool AnsysSelection::take(std::string_view command, const Fields& fields) {
  if (command == "CMSEL" || command == "NSEL" || command == "ALLSEL")
    select(command, fields);
  else if (command == "CM")
    name_selection(fields);
  else if (std::find(kSelectsByEntity.begin(), kSelectsByEntity.end(), command) !=
           kSelectsByEntity.end())
    selection_ = Selection::unknown;
  else
    return false;
  return true;
}

void AnsysSelection::select(std::string_view command, const Fields& fields) {
  const auto field = [&](std::size_t k) {
    return k < fields.size() ? upper_case(fields[k]) : std::string();
  };
  // ALLSEL,BELOW selects what belongs to the selected entities
  if (command == "ALLSEL" && field(1) == "BELOW") {
    if (selection_ != Selection::all) selection_ = Selection::unknown;
    return;
  }
  const bool takes_all = command == "ALLSEL" || field(1) == "ALL" ||
                         (command == "CMSEL" && field(1) == "S" && field(2).empty());
  const auto set = command == "CMSEL" ? components_.find(field(2)) : components_.end();
  if (takes_all) {
    selection_ = Selection::all;
  } else if (field(1) == "NONE") {
    selection_ = Selection::listed;
    selected_.clear();
  } else if (command == "CMSEL" && other_components_.contains(field(2))) {
    // a component of elements, say, leaves the nodes as they are
  } else if (set != components_.end() && (field(1).empty() || field(1) == "S")) {
    selection_ = Selection::listed;
    selected_ = set->second;
  } else if (set != components_.end() && field(1) == "A" && selection_ == Selection::listed) {
    selected_.insert(selected_.end(), set->second.begin(), set->second.end());
    std::sort(selected_.begin(), selected_.end());
    selected_.erase(std::unique(selected_.begin(), selected_.end()), selected_.end());
  } else {
    selection_ = Selection::unknown;
  }
}

/// CM, name, entity: the selected nodes become a component.
void AnsysSelection::name_selection(const Fields& fields) {
  const std::string name = fields.size() > 1 ? upper_case(fields[1]) : "";
  const std::string entity = fields.size() > 2 ? upper_case(fields[2]) : "";
  remove_component(name);
  if (!entity.starts_with("NODE"))
    other_components_.insert(name);
  else if (is_known())
    components_[name] = selected_nodes();
}

/// Empty if the selection is not known.
AnsysSelection::Nodes AnsysSelection::selected_nodes() const {
  if (selection_ == Selection::listed) return selected_;
  Nodes all;
  if (selection_ == Selection::all)
    for (const RawGrid& grid : grids_)
      all.push_back(grid.id);
  return all;
}

AnsysSelection::Nodes AnsysSelection::nodes_of(const Fields& fields, std::size_t end) const {
  const std::string name = upper_case(fields[1]);
  if (name == "ALL") return selected_nodes();
  if (const auto set = components_.find(name); set != components_.end()) return set->second;
  const auto first = parse_integer(name);
  if (!first) return {};
  const auto number = [&](std::size_t k, std::int64_t otherwise) {
    return k < fields.size() && !fields[k].empty() ? parse_integer(fields[k]).value_or(otherwise)
                                                   : otherwise;
  };
  const std::int64_t last = number(end, *first);
  const std::int64_t step = std::max<std::int64_t>(number(end + 1, 1), 1);
  if (last <= *first) return {*first};
  Nodes out;  // the nodes that there are: a range may be very long
  for (const RawGrid& grid : grids_)
    if (grid.id >= *first && grid.id <= last && (grid.id - *first) % step == 0)
      out.push_back(grid.id);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace femflex::importer
