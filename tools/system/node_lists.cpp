// Finds texts such as "rail/1-21" and replaces them by the places that they mean.
#include "system/node_lists.h"

#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number_list.h"

namespace femflex::tools {
namespace {

/// A text that means several nodes of a body.
struct NodeList {
  std::string body;
  std::vector<std::int64_t> nodes;  // empty: the text is not such a list
};

NodeList node_list(const Json& text) {
  const std::string& name = text.text();
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return {};
  const std::string rest = name.substr(slash + 1);
  const bool is_list = rest.find_first_not_of("0123456789-,:") == std::string::npos &&
                       rest.find_first_of("-,") != std::string::npos;
  if (!is_list) return {};
  NodeList out{name.substr(0, slash), {}};
  try {
    out.nodes = parse_number_list(rest);
  } catch (const Error& error) {
    text.fail("node-list", error.message(), error.fix());
  }
  std::set<std::int64_t> seen;
  for (const std::int64_t node : out.nodes)
    if (!seen.insert(node).second)
      text.fail("node-list", fmt::format("'{}' names node {} twice", name, node));
  return out;
}

Json place_at(const Json& text, const std::string& body, std::int64_t node) {
  Json out = fmt::format("{}/{}", body, node);
  out.set_where(text.where());
  return out;
}

/// Expands a list of places, or of lists of places.
Json written_out(const Json& list) {
  if (!list.is_list()) return list;
  Json out = Json::list();
  out.set_where(list.where());
  for (const Json& item : list.items()) {
    const NodeList nodes = item.is_text() ? node_list(item) : NodeList{};
    if (nodes.nodes.empty())
      out.push_back(written_out(item));
    else
      for (const std::int64_t node : nodes.nodes)
        out.push_back(place_at(item, nodes.body, node));
  }
  return out;
}

}  // namespace

Json with_nodes_written_out(const Json& forces) {
  Json out = Json::object();
  out.set_where(forces.where());
  for (const Json::Member& force : forces.members()) {
    Json::Member member = force;
    if (member.value.is_object()) {
      for (const char* key : {"path", "faces"})
        if (Json* list = member.value.find(key); list != nullptr) *list = written_out(*list);
      const Json *type = member.value.find("type"), *on = member.value.find("on");
      const bool is_contact = type != nullptr && type->is_text() && type->text() == "contact";
      const NodeList nodes =
          is_contact && on != nullptr && on->is_text() ? node_list(*on) : NodeList{};
      if (!nodes.nodes.empty()) {
        const Json where = *on;
        for (const std::int64_t node : nodes.nodes) {
          member.key = fmt::format("{}_{}", force.key, node);
          *member.value.find("on") = place_at(where, nodes.body, node);
          out.members().push_back(member);
        }
        continue;
      }
    }
    out.members().push_back(std::move(member));
  }
  return out;
}

}  // namespace femflex::tools
