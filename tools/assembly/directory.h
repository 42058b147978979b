// Directory files (JSON): which agent holds which part, so that assemblies need no addresses. The
// registry and the assembly reader use them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "assembly/agent_address.h"
#include "document/json.h"

namespace femflex::tools {

/// A house (an owner of parts): its agent, and the parts that the agent offers.
struct House {
  std::string name;
  std::string url;  ///< http://host:port or https://host:port
  AgentAddress address;
  std::vector<std::string> parts;  ///< part numbers, in the order of the file
};

/// The houses and their parts. An assembly then contains part numbers but no addresses:
///
///   { "femflex": 1, "name": "trade",
///     "houses": { "bars": { "agent": "http://127.0.0.1:8081", "parts": ["BA1x2", "BB3x6"] } } }
struct Directory {
  std::string name;
  std::vector<House> houses;
  std::map<std::string, std::size_t> house_index;  ///< part number to position in `houses`
};

/// @throws ParseError  not a directory, or a part that two houses hold
Directory read_directory(const Json& document);
Directory load_directory(const std::filesystem::path& path);

/// The house that holds the part.
/// @throws ModelError  no house holds it; the message names the most similar number
const House& house_of(const Directory& directory, const std::string& number);

/// { "name", "houses": [ { "house", "agent", "parts" } ] }
Json directory_json(const Directory& directory);

}  // namespace femflex::tools
