// Reads an assembly file part by part. Parts with their own data are modified and condensed at
// once. Assemblies and remote parts are modified later, when they are built.
#include "assembly/assembly_json.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/substructure/bars.h"
#include "femflex/substructure/condense.h"

#include "assembly/given_part.h"
#include "assembly/part_warnings.h"
#include "document/json_numbers.h"
#include "document/json_text.h"
#include "document/placed_at.h"

namespace femflex::tools {

namespace fs = std::filesystem;
using substructure::ConnectionTable;
using substructure::DynamicStiffness;
using substructure::ObjectTable;

namespace {

/// Largest number of a part, port or node in a file; fits in an int.
constexpr int kMaxNumber = 100'000'000;

ObjectTable object_rows(const Json& value) {
  ObjectTable out;
  for (const Json& row : value.items()) {
    auto& list = out.emplace_back();
    for (const Json& node : row.items())
      list.push_back(whole(node, 0, kMaxNumber));
  }
  return out;
}

/// Converts rows of the file to a connection table. A row of the file describes one node as part,
/// port, part, port, ... for all ports that meet there. It becomes one row of the table for each
/// port after the first, padded with pairs of zeros.
ConnectionTable connection_rows(const Json& value) {
  ConnectionTable out;
  for (const Json& row : value.items()) {
    std::vector<int> list;
    for (const Json& number : row.items())
      list.push_back(whole(number, 0, kMaxNumber));
    if (list.empty() || list.size() % 2 != 0) {
      row.fail("connection",
               fmt::format("a connection of {} numbers; pairs of part and port expected: part, "
                           "port, part, port, ...",
                           list.size()));
    }
    const std::size_t before = out.size();
    for (std::size_t k = 2; k < list.size(); k += 2) {
      if (list[k] != 0 || list[k + 1] != 0) out.push_back({list[0], list[1], list[k], list[k + 1]});
    }
    if (out.size() == before) out.push_back({list[0], list[1], 0, 0});
  }
  return out;
}

/// A token is sent in an HTTP header, where some servers read '%' as the start of an escape.
bool is_token(std::string_view text) {
  return !text.empty() && text.front() != ' ' && text.back() != ' ' &&
         std::all_of(
             text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '%'; });
}

std::string checked_token(std::string token) {
  // the message must not contain the token
  if (!is_token(token)) {
    throw UsageError(
        "token", "a token has printable ASCII characters other than '%', and no blank at its ends");
  }
  return token;
}

std::string token_of(ObjectReader& reader) {
  const Json* token = reader.find("token");
  const Json* name = reader.find("token_env");
  if (token != nullptr && name != nullptr) name->fail("token", "give token or token_env, not both");
  const Json* given = token != nullptr ? token : name;
  if (given == nullptr) return {};
  return placed_at(*given, [&] {
    return token != nullptr ? checked_token(token->text()) : token_of_environment(name->text());
  });
}

Condensation read_condensation(const Json& value) {
  ObjectReader reader(value, "'condense'");
  Condensation out;
  out.method = choice(reader.need("method"), {"guyan", "craig-bampton", "balanced", "band", "at"});
  if (out.method != "guyan") out.band_hz = positive(reader.need("hz"));
  if (out.method == "balanced") out.states = whole(reader.need("states"), 0, 100'000);
  if (out.method == "band")
    if (const Json* tolerance = reader.find("tolerance")) out.tolerance = positive(*tolerance);
  reader.finish();
  return out;
}

Modifications read_modifications(ObjectReader& reader) {
  Modifications out;
  if (const Json* dimension = reader.find("dimension")) out.dimension = whole(*dimension, 2, 3);
  if (const Json* mass = reader.find("transverse_mass")) {
    if (!out.dimension)
      mass->fail("dimension", "'transverse_mass' needs 'dimension', 2 or 3", "add it");
    out.transverse_mass = mass->number();
  }
  const Json* angle = reader.find("angle_deg");
  const Json* along = reader.find("along");
  const Json* rotation = reader.find("rotation");
  if ((angle != nullptr) + (along != nullptr) + (rotation != nullptr) > 1) {
    reader.value().fail("rotation", "give one of angle_deg, along and rotation");
  }
  if (angle != nullptr) out.rotation = substructure::plane_rotation(angle->number());
  if (along != nullptr) {
    const std::vector<double> axis = numbers(*along);
    if (axis.size() == 2) {
      const double length = std::hypot(axis[0], axis[1]);
      if (!(length > 0.0)) along->fail("rotation", "the axis has length zero");
      const double c = axis[0] / length;
      const double s = axis[1] / length;
      out.rotation = (Eigen::Matrix2d() << c, s, -s, c).finished();
    } else if (axis.size() == 3) {
      out.rotation = substructure::frame_along({axis[0], axis[1], axis[2]});
    } else {
      along->fail("rotation", "an axis has two or three numbers");
    }
  }
  if (rotation != nullptr) out.rotation = matrix(*rotation);
  if (const Json* ports = reader.find("ports")) {
    for (const Json& port : ports->items())
      out.ports.push_back(whole(port, 1, kMaxNumber));
  }
  if (const Json* condense = reader.find("condense")) out.condense = read_condensation(*condense);
  return out;
}

AssemblySource read_assembly_source(const Json& value, const std::string& number) {
  ObjectReader reader(value, fmt::format("assembly '{}'", number));
  AssemblySource out;
  for (const Json& item : reader.need("parts").items()) {
    Instance& instance = out.instances.emplace_back();
    if (item.is_text()) {
      instance.part = item.text();
      continue;
    }
    ObjectReader use(item, fmt::format("part {} of assembly '{}'", out.instances.size(), number));
    instance.part = use.need("part").text();
    instance.modifications = read_modifications(use);
    use.finish();
  }
  const Json* objects = reader.find("objects");
  const Json* connections = reader.find("connections");
  if ((objects == nullptr) == (connections == nullptr)) {
    value.fail("connectivity",
               fmt::format("assembly '{}' needs either 'objects' or 'connections'", number));
  }
  if (objects != nullptr) {
    out.table = object_rows(*objects);
  } else {
    out.table = connection_rows(*connections);
  }
  reader.finish();
  return out;
}

std::string without_trailing_slash(std::string url) {
  while (url.ends_with('/'))
    url.pop_back();
  return url;
}

using Registry = std::shared_ptr<const RegistrySource>;

/// Reads `"registry"`: a URL such as "http://host:port", the path of a directory file, or an object
/// with `agent` or `file`, a token and trusted certificates.
Registry read_registry(const Json* value, const fs::path& folder, Diagnostics& diagnostics) {
  if (value == nullptr) return nullptr;
  RegistrySource out;
  const auto take_url = [&](const Json& url) {
    out.address = agent_address_of(url);
    out.url = without_trailing_slash(url.text());
  };
  if (value->is_text()) {
    const std::string& text = value->text();
    if (text.find("://") != std::string::npos) {
      take_url(*value);
    } else {
      out.file = resolved_path(folder, text);
    }
    return std::make_shared<const RegistrySource>(std::move(out));
  }
  ObjectReader reader(*value, "'registry'");
  const Json* agent = reader.find("agent");
  const Json* file = reader.find("file");
  if ((agent == nullptr) == (file == nullptr))
    value->fail("registry", "give either 'agent', a URL, or 'file', a directory file");
  if (file != nullptr) out.file = resolved_path(folder, file->text());
  if (agent != nullptr) take_url(*agent);
  out.token = token_of(reader);
  if (const Json* ca = reader.find("ca")) out.ca = resolved_path(folder, ca->text());
  reader.finish();
  if (!out.token.empty() && file == nullptr && !out.address.is_secure &&
      !is_loopback_host(out.address.host)) {
    diagnostics.warn("token-in-the-open",
                     fmt::format("the token of the registry goes to {} without encryption: whoever "
                                 "sees the traffic can use it; ask at https://",
                                 out.url),
                     value->where());
  }
  return std::make_shared<const RegistrySource>(std::move(out));
}

/// True if others could read or redirect the token of the source, because the agent, or the
/// registry that gives its address, is reached without encryption over a network.
bool is_unencrypted(const RemoteSource& source) {
  const auto& address = source.registry == nullptr ? source.address : source.registry->address;
  const bool is_file = source.registry != nullptr && !source.registry->file.empty();
  return !is_file && !address.is_secure && !is_loopback_host(address.host);
}

RemoteSource read_remote(const Json& value,
                         const std::string& number,
                         const fs::path& folder,
                         const Registry& registry,
                         Diagnostics& diagnostics) {
  ObjectReader reader(value, fmt::format("remote part '{}'", number));
  RemoteSource out;
  const Json* agent = registry == nullptr ? &reader.need("agent") : reader.find("agent");
  if (agent != nullptr) {
    out.address = agent_address_of(*agent);
    out.url = without_trailing_slash(agent->text());
  } else {
    out.registry = registry;
  }
  out.part = reader.text("part", number);
  if (!is_part_number(out.part)) {
    value.fail("part-number", fmt::format("'{}' is not a part number", out.part));
  }
  out.token = token_of(reader);
  if (const Json* ca = reader.find("ca")) {
    if (agent != nullptr && !out.address.is_secure)
      ca->fail("ca", "'ca' needs an agent at https://");
    out.ca = resolved_path(folder, ca->text());
  }
  reader.finish();
  if (!out.token.empty() && is_unencrypted(out)) {
    diagnostics.warn(
        "token-in-the-open",
        fmt::format(
            "the token of part '{}' goes to {} without encryption: whoever "
            "sees the traffic can use it; ask at https://",
            number,
            out.registry == nullptr ? out.url : "an address that " + out.registry->url + " gives"),
        value.where());
  }
  return out;
}

std::optional<std::vector<std::string>> read_offer(ObjectReader& reader) {
  const Json* offer = reader.find("offer");
  if (offer == nullptr) return {};
  std::vector<std::string> out;
  for (const Json& number : offer->items())
    out.push_back(number.text());
  return out;
}

}  // namespace

std::string token_of_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') {
    throw UsageError(
        "token", fmt::format("the environment has no {}", name), {}, "export it first");
  }
  return checked_token(value);
}

AgentAddress agent_address_of(const Json& url) {
  const std::optional<AgentAddress> address = parse_agent_address(url.text());
  if (!address) {
    url.fail("url",
             fmt::format("'{}' is not the address of an agent", url.text()),
             "give http://host:port or https://host:port");
  }
  return *address;
}

bool is_part_number(std::string_view text) {
  if (text.empty() || text.size() > 64) return false;
  return text.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
         std::string_view::npos;
}

substructure::Condensed condensed(const DynamicStiffness& part, const Condensation& how) {
  const double omega = 2.0 * M_PI * how.band_hz;
  if (how.method == "guyan") return {substructure::guyan(part)};
  if (how.method == "at") return {substructure::condensed_about(part, omega)};
  if (how.method == "craig-bampton") return substructure::craig_bampton(part, omega);
  if (how.method == "balanced") return substructure::balanced_truncation(part, how.states, omega);
  return substructure::band_limited(part, omega, how.tolerance);
}

DynamicStiffness modified(const DynamicStiffness& part, const Modifications& modifications) {
  DynamicStiffness out = part;
  if (modifications.dimension) {
    out =
        substructure::with_dimension(out, *modifications.dimension, modifications.transverse_mass);
  }
  if (modifications.rotation) out = substructure::rotated(out, *modifications.rotation);
  if (!modifications.ports.empty()) out = substructure::with_ports(out, modifications.ports);
  if (modifications.condense) out = condensed(out, *modifications.condense).part;
  return out;
}

namespace {

/// Applies the modifications of a part whose data are in the file. If it is condensed, `full` is
/// the part before condensation.
void set_source(DynamicStiffness given_part, PartDefinition& definition) {
  const std::optional<Condensation> condense =
      std::exchange(definition.modifications.condense, std::nullopt);
  DynamicStiffness result = modified(given_part, definition.modifications);
  result.name = definition.number;
  definition.modifications = {};
  if (condense) {
    definition.full = std::make_shared<const DynamicStiffness>(result);
    definition.modifications.condense = condense;
    result = condensed(result, *condense).part;
  }
  definition.source = std::make_shared<const DynamicStiffness>(std::move(result));
}

/// The data of the file that reading a part needs.
struct PartContext {
  fs::path folder;
  Registry registry;
  GivenPart given;
  Diagnostics& diagnostics;
};

PartDefinition read_part(const Json::Member& member, PartContext& context) {
  const std::string& number = member.key;
  if (!is_part_number(number))
    throw ParseError("part-number",
                     fmt::format("'{}' is not a part number", number),
                     member.where,
                     "letters, digits, '.', '_' and '-', at most 64");
  ObjectReader part(member.value, fmt::format("part '{}'", number));
  PartDefinition definition;
  definition.number = number;
  if (const Json* attributes = part.find("attributes"))
    for (const Json::Member& attribute : attributes->members())
      definition.attributes[attribute.key] = attribute.value;
  definition.token = token_of(part);
  definition.modifications = read_modifications(part);
  const Json* assembly = part.find("assembly");
  const Json* remote = part.find("remote");
  if (assembly != nullptr) {
    definition.source = read_assembly_source(*assembly, number);
  } else if (remote != nullptr) {
    definition.source =
        read_remote(*remote, number, context.folder, context.registry, context.diagnostics);
  } else {
    std::optional<DynamicStiffness> given_part =
        context.given.read(part, number, definition.attributes);
    if (!given_part)
      member.value.fail("no-source",
                        fmt::format("part '{}' has no dynamics", number),
                        "give bar, text, text_file, matrices, polynomials, transfer_function, "
                        "state_space, flex, assembly or remote");
    given_part->name = number;
    warn_about_part(*given_part, member.where, context.diagnostics);
    set_source(std::move(*given_part), definition);
  }
  part.finish();
  return definition;
}

/// Adds a remote part for each number that an assembly uses but the file does not define.
/// @throws ModelError  such a number is used, and there is no registry
void add_registry_parts(AssemblyFile& file, const Registry& registry) {
  std::map<std::string, PartDefinition> added;
  for (const auto& [number, definition] : file.parts) {
    if (!definition.is_assembly()) continue;
    for (const Instance& instance : std::get<AssemblySource>(definition.source).instances) {
      if (file.parts.contains(instance.part)) continue;
      if (registry == nullptr || !is_part_number(instance.part)) {
        throw ModelError(
            "unknown-part",
            fmt::format(
                "assembly '{}' uses part '{}', which is not in the file", number, instance.part),
            file.where,
            "define it, or name a registry that knows it: \"registry\": \"http://host:port\"");
      }
      RemoteSource source;
      source.part = instance.part;
      source.registry = registry;
      PartDefinition& part = added[instance.part];
      part.number = instance.part;
      part.source = std::move(source);
    }
  }
  file.parts.merge(added);
}

}  // namespace

AssemblyFile read_assembly(const Json& document,
                           const fs::path& folder,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  if (document.find("houses") != nullptr)
    document.fail(
        "directory",
        "this is a directory of parts, not an assembly",
        "serve it with 'femflex serve --registry FILE', or query it with 'femflex ask FILE'");
  ObjectReader reader(document, "the assembly file");
  AssemblyFile file;
  if (const Json* format = reader.find("femflex")) whole(*format, 1, 1);
  reader.find("$schema");
  file.name = reader.text("name", "assembly");
  if (const Json* units = reader.find("units"); units != nullptr && units->text() != "m-kg-s") {
    units->fail("units", fmt::format("units '{}'; parts are in m-kg-s", units->text()));
  }
  file.where = document.where();
  file.offer = read_offer(reader);
  file.token = token_of(reader);
  PartContext context{folder,
                      read_registry(reader.find("registry"), folder, diagnostics),
                      GivenPart(folder, diagnostics, progress),
                      diagnostics};
  for (const Json::Member& member : reader.need("parts").members())
    file.parts.emplace(member.key, read_part(member, context));
  add_registry_parts(file, context.registry);
  if (const Json* solve = reader.find("solve")) file.solve = *solve;
  reader.finish();
  return file;
}

AssemblyFile load_assembly(const fs::path& path, Diagnostics& diagnostics, Progress& progress) {
  return read_assembly(read_json_file(path), path.parent_path(), diagnostics, progress);
}

}  // namespace femflex::tools
