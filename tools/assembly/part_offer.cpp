// Searches the assemblies of a file: finds those that no other assembly uses, and rejects offers
// that would disclose a remote part unchanged.
#include "assembly/part_offer.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"

#include "document/nearest_name.h"

namespace femflex::tools {

using substructure::ConnectionTable;
using substructure::ObjectTable;

namespace {

/// True if a port of instance `e` is joined to a port of another instance at a node.
bool is_joined(const ObjectTable& objects, std::size_t e) {
  if (e >= objects.size()) return false;
  for (std::size_t other = 0; other < objects.size(); ++other) {
    if (other == e) continue;
    for (const int node : objects[e]) {
      const auto& list = objects[other];
      if (node != 0 && std::find(list.begin(), list.end(), node) != list.end()) return true;
    }
  }
  return false;
}
bool is_joined(const ConnectionTable& connections, std::size_t e) {
  const int top = static_cast<int>(e) + 1;
  return std::any_of(connections.begin(), connections.end(), [&](const auto& row) {
    return (row[0] == top) != (row[2] == top) && row[0] != 0 && row[2] != 0;
  });
}

/// True if ports are condensed out. A port that is only omitted from the list of ports remains in
/// the dynamic stiffness R as a hidden coordinate.
bool hides_ports(const Modifications& modifications) {
  return modifications.condense && !modifications.ports.empty();
}

/// A remote part that the assembly contains unchanged and not joined to other parts, so that the
/// dynamics of the assembly would disclose those of the part. Empty if there is none.
std::string exposed_part(const AssemblyFile& file, const std::string& number) {
  const PartDefinition& part = file.parts.at(number);
  if (part.is_remote()) return number;
  if (!part.is_assembly() || hides_ports(part.modifications)) return {};
  const auto& source = std::get<AssemblySource>(part.source);
  for (std::size_t e = 0; e < source.instances.size(); ++e) {
    if (hides_ports(source.instances[e].modifications)) continue;
    if (std::visit([&](const auto& table) { return is_joined(table, e); }, source.table)) continue;
    if (std::string exposed = exposed_part(file, source.instances[e].part); !exposed.empty())
      return exposed;
  }
  return {};
}

void check_offer(const AssemblyFile& file, const std::string& number, const Where& where) {
  const auto part = file.parts.find(number);
  if (part == file.parts.end()) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : file.parts)
      names.push_back(name);
    throw ModelError("unknown-part",
                     fmt::format("'offer' names part '{}', which is not in the file", number),
                     where,
                     suggestion(number, names));
  }
  const std::string exposed = exposed_part(file, number);
  if (exposed.empty()) return;
  throw ModelError(
      "remote-offered",
      part->second.is_remote()
          ? fmt::format("part '{}' belongs to another agent and cannot be offered here", number)
          : fmt::format("'{}' cannot be offered: part '{}' of another agent is joined to nothing "
                        "in it, so that its dynamics would be disclosed unchanged",
                        number,
                        exposed),
      where,
      "offer an assembly that joins it to other parts; its own agent serves it to others");
}

/// The assemblies that no other assembly of the file uses; if the file has a single part, that
/// part.
std::vector<std::string> top_parts(const AssemblyFile& file) {
  std::set<std::string> used;
  for (const auto& [number, part] : file.parts) {
    if (!part.is_assembly()) continue;
    for (const Instance& instance : std::get<AssemblySource>(part.source).instances)
      used.insert(instance.part);
  }
  std::vector<std::string> out;
  for (const auto& [number, part] : file.parts) {
    if (part.is_assembly() && !used.contains(number)) out.push_back(number);
  }
  if (out.empty() && file.parts.size() == 1) out.push_back(file.parts.begin()->first);
  return out;
}

}  // namespace

std::string solved_part(const AssemblyFile& file) {
  if (!file.solve.is_null()) {
    if (const Json* part = file.solve.find("part")) return part->text();
  }
  const std::vector<std::string> top = top_parts(file);
  return top.size() == 1 ? top.front() : std::string();
}

std::set<std::string> offered_parts(const AssemblyFile& file) {
  if (file.offer) {
    for (const std::string& number : *file.offer)
      check_offer(file, number, file.where);
    return {file.offer->begin(), file.offer->end()};
  }
  if (file.parts.empty()) return {};
  const std::vector<std::string> top = top_parts(file);
  if (top.size() != 1) {
    throw ModelError(
        "no-offer",
        top.empty() ? fmt::format("the file has {} parts and no assembly; nothing says which of "
                                  "them others may ask for",
                                  file.parts.size())
                    : fmt::format("the file has more than one assembly that no other one uses "
                                  "({}); nothing says which of them others may ask for",
                                  fmt::join(top, ", ")),
        file.where,
        fmt::format("list them in the file: \"offer\": [\"{}\"]",
                    top.empty() ? file.parts.begin()->first : top.front()));
  }
  check_offer(file, top.front(), file.where);
  return {top.front()};
}

}  // namespace femflex::tools
