// Reads a directory, rejects parts held by two agents, and finds parts by number.
#include "assembly/directory.h"

#include <fmt/format.h>

#include "femflex/errors.h"

#include "assembly/assembly_json.h"
#include "document/json_numbers.h"
#include "document/json_text.h"
#include "document/nearest_name.h"

namespace femflex::tools {
namespace {

House read_house(const Json::Member& member) {
  ObjectReader reader(member.value, fmt::format("house '{}'", member.key));
  House out;
  out.name = member.key;
  const Json& agent = reader.need("agent");
  out.url = agent.text();
  out.address = agent_address_of(agent);
  while (out.url.ends_with('/'))
    out.url.pop_back();
  for (const Json& number : reader.need("parts").items()) {
    if (!is_part_number(number.text()))
      number.fail("part-number", fmt::format("'{}' is not a part number", number.text()));
    out.parts.push_back(number.text());
  }
  reader.finish();
  return out;
}

}  // namespace

Directory read_directory(const Json& document) {
  ObjectReader reader(document, "the directory");
  Directory out;
  if (const Json* format = reader.find("femflex")) whole(*format, 1, 1);
  reader.find("$schema");
  out.name = reader.text("name", "directory");
  for (const Json::Member& member : reader.need("houses").members()) {
    out.houses.push_back(read_house(member));
    for (const std::string& number : out.houses.back().parts) {
      const auto [other, is_new] = out.house_index.emplace(number, out.houses.size() - 1);
      if (!is_new)
        member.value.fail("part-twice",
                          fmt::format("part '{}' is listed for house '{}' already",
                                      number,
                                      out.houses[other->second].name),
                          "a part number belongs to one house");
    }
  }
  reader.finish();
  return out;
}

Directory load_directory(const std::filesystem::path& path) {
  return read_directory(read_json_file(path));
}

const House& house_of(const Directory& directory, const std::string& number) {
  const auto found = directory.house_index.find(number);
  if (found != directory.house_index.end()) return directory.houses[found->second];
  std::vector<std::string> known;
  for (const auto& [name, unused] : directory.house_index)
    known.push_back(name);
  throw ModelError(
      "unknown-part",
      fmt::format("no house of directory '{}' holds part '{}'", directory.name, number),
      {},
      suggestion(number, known));
}

Json directory_json(const Directory& directory) {
  Json houses = Json::list();
  for (const House& house : directory.houses) {
    Json item = Json::object();
    item["house"] = house.name;
    item["agent"] = house.url;
    item["parts"] = house.parts;
    houses.push_back(std::move(item));
  }
  Json out = Json::object();
  out["name"] = directory.name;
  out["houses"] = std::move(houses);
  return out;
}

}  // namespace femflex::tools
