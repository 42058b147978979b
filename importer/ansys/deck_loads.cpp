// Keeps the supports and forces that a deck has set so far, by node and label.
#include "ansys/deck_loads.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::importer {
namespace {

constexpr std::array<std::string_view, 6> kDofLabels{"UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"};
constexpr std::array<std::string_view, 6> kForceLabels{"FX", "FY", "FZ", "MX", "MY", "MZ"};

/// Fields of NEND in D and F, and in DDELE and FDELE.
constexpr std::size_t kLastNode = 5, kLastDeletedNode = 3;

/// True at the places of `labels` that field 2 of FDELE or DDELE names; none if it is unknown.
std::array<bool, 6> labelled(const AnsysSelection::Fields& fields,
                             const std::array<std::string_view, 6>& labels) {
  const std::string label = fields.size() > 2 ? upper_case(fields[2]) : "";
  std::array<bool, 6> out{};
  for (std::size_t k = 0; k < labels.size(); ++k)
    out[k] = label.empty() || label == "ALL" || label == labels[k];
  return out;
}

}  // namespace

bool AnsysDeckLoads::is_load_command(std::string_view command) {
  constexpr std::array<std::string_view, 6> kCommands{"D", "F", "DDELE", "FDELE", "FCUM", "SOLVE"};
  return std::find(kCommands.begin(), kCommands.end(), command) != kCommands.end();
}

bool AnsysDeckLoads::moves_support(const Fields& fields) {
  constexpr std::size_t kValue = 3;
  return fields.size() > kValue && !fields[kValue].empty() &&
         parse_real(fields[kValue]) != std::optional(0.0);
}

bool AnsysDeckLoads::read(std::string_view command, const Fields& fields) {
  if (command == "D") return add_constraint(fields);
  if (command == "F") return add_force(fields);
  if (command == "DDELE") return delete_constraints(fields);
  if (command == "FDELE") return delete_forces(fields);
  if (command == "FCUM") return read_sum_rule(fields);
  store_load_set();
  return true;
}

bool AnsysDeckLoads::add_constraint(const Fields& fields) {
  const AnsysSelection::Nodes nodes =
      fields.size() > 2 ? selection_.nodes_of(fields, kLastNode) : AnsysSelection::Nodes{};
  constexpr std::size_t kFirstLabel = 2, kMoreLabels = 7, kEndOfLabels = 12;
  std::set<std::int8_t> components;
  bool is_known = !nodes.empty();
  for (std::size_t k = kFirstLabel; k < std::min(fields.size(), kEndOfLabels); ++k) {
    if (k > kFirstLabel && k < kMoreLabels) continue;
    const std::string label = upper_case(fields[k]);
    if (label.empty() && k >= kMoreLabels) continue;
    const auto found = std::find(kDofLabels.begin(), kDofLabels.end(), label);
    is_known = is_known && (found != kDofLabels.end() || label == "ALL");
    for (std::size_t c = 0; c < kDofLabels.size(); ++c)
      if (label == "ALL" || label == kDofLabels[c])
        components.insert(static_cast<std::int8_t>(c + 1));
  }
  if (!is_known) return false;
  for (const std::int64_t node : nodes)
    for (const std::int8_t component : components)
      fixed_.push_back({node, component});
  return true;
}

/// A force replaces the one of this label at the node, unless FCUM adds it.
bool AnsysDeckLoads::add_force(const Fields& fields) {
  const AnsysSelection::Nodes nodes =
      fields.size() > 3 ? selection_.nodes_of(fields, kLastNode) : AnsysSelection::Nodes{};
  const auto value = fields.size() > 3 ? parse_real(fields[3]) : std::nullopt;
  const std::string label = fields.size() > 3 ? upper_case(fields[2]) : "";
  const auto found = std::find(kForceLabels.begin(), kForceLabels.end(), label);
  if (nodes.empty() || !value || found == kForceLabels.end()) return false;
  for (const std::int64_t node : nodes) {
    double& force = forces_[{node, static_cast<std::size_t>(found - kForceLabels.begin())}];
    force = adds_forces_ ? force + *value : *value;
  }
  has_new_forces_ = true;
  return true;
}

/// ADD adds the forces that follow to those present, REPL (or nothing) replaces them. Factors and
/// IGNO are not read.
bool AnsysDeckLoads::read_sum_rule(const Fields& fields) {
  const std::string rule = fields.size() > 1 ? upper_case(fields[1]) : "";
  const bool has_factors =
      std::any_of(fields.begin() + std::min<std::ptrdiff_t>(2, std::ssize(fields)),
                  fields.end(),
                  [](std::string_view field) { return !field.empty(); });
  if (has_factors || (rule != "ADD" && rule != "REPL" && !rule.empty())) return false;
  adds_forces_ = rule == "ADD";
  return true;
}

/// The nodes and the labels that FDELE or DDELE deletes; empty if they are not known.
AnsysDeckLoads::Places AnsysDeckLoads::named_places(const Fields& fields,
                                                    const Labels& labels) const {
  Places out;
  if (fields.size() < 2) return out;
  const std::array<bool, 6> is_meant = labelled(fields, labels);
  for (const std::int64_t node : selection_.nodes_of(fields, kLastDeletedNode))
    for (std::size_t k = 0; k < is_meant.size(); ++k)
      if (is_meant[k]) out.emplace(node, k);
  return out;
}

/// True for ALL selected nodes if it is known which they are, also if no node is.
bool AnsysDeckLoads::names_listed_nodes(const Fields& fields) const {
  return fields.size() > 1 && upper_case(fields[1]) == "ALL" && selection_.is_listed();
}

bool AnsysDeckLoads::delete_forces(const Fields& fields) {
  const Places places = named_places(fields, kForceLabels);
  if (std::erase_if(forces_, [&](const auto& force) { return places.contains(force.first); }) > 0)
    has_new_forces_ = true;
  return !places.empty() || names_listed_nodes(fields);
}

bool AnsysDeckLoads::delete_constraints(const Fields& fields) {
  const Places places = named_places(fields, kDofLabels);
  std::erase_if(fixed_, [&](const Dof& dof) {
    return places.contains({dof.node, static_cast<std::size_t>(dof.component - 1)});
  });
  return !places.empty() || names_listed_nodes(fields);
}

void AnsysDeckLoads::store_load_set() {
  if (!has_new_forces_) return;
  has_new_forces_ = false;
  for (const auto& [place, value] : forces_) {
    RawForce force;
    force.set = load_set_;
    force.node = place.first;
    force.is_moment = place.second >= 3;
    force.value[place.second % 3] = value;
    loads_.forces.push_back(force);
  }
  ++load_set_;
}

void warn_of_unread_loads(const std::map<std::string, std::int64_t>& unread,
                          const std::string& file,
                          Diagnostics& diagnostics) {
  for (const auto& [command, what] : {std::pair{"D", "supports are missing"},
                                      std::pair{"F", "forces are missing"},
                                      std::pair{"DDELE", "supports are too many"},
                                      std::pair{"FDELE", "forces are too many"},
                                      std::pair{"FCUM", "forces are wrong"},
                                      std::pair{"FSCALE", "forces are wrong"}})
    if (const auto found = unread.find(command); found != unread.end())
      diagnostics.warn(
          "not-read",
          fmt::format("{} commands {} are not read, so that {}: they name other nodes, "
                      "labels or rules than known ones; write the deck by CDWRITE",
                      found->second,
                      command,
                      what),
          {file});
}

}  // namespace femflex::importer
