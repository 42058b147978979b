// Assembly files (JSON, docs/assembly.md): parts by number, how each is modified before it is
// joined, where remote parts come from, and what is to be solved.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/substructure/condense.h"
#include "femflex/substructure/connectivity.h"
#include "femflex/substructure/dynamic_stiffness.h"

#include "assembly/agent_address.h"
#include "document/json.h"

namespace femflex::tools {

/// How the hidden coordinates of a part are condensed.
struct Condensation {
  std::string method;       ///< guyan, craig-bampton, balanced, band, at
  double band_hz = 0.0;     ///< upper end of the band; for `at` the frequency of condensation
  double tolerance = 1e-3;  ///< error tolerance of `band`
  int states = 0;           ///< number of states kept by `balanced`
};

/// What is done to a part before it is joined, in this order.
struct Modifications {
  std::optional<int> dimension;           ///< 2 or 3
  std::optional<double> transverse_mass;  ///< [kg]
  std::optional<Eigen::MatrixXd> rotation;
  std::vector<int> ports;  ///< numbers of the ports to keep, from 1; empty: all
  std::optional<Condensation> condense;

  bool is_empty() const { return !dimension && !rotation && ports.empty() && !condense; }
};

/// Condenses the hidden coordinates.
/// @throws ModelError, NumericalError
substructure::Condensed condensed(const substructure::DynamicStiffness& part,
                                  const Condensation& how);

/// Applies the modifications to a part.
/// @throws ModelError, NumericalError
substructure::DynamicStiffness modified(const substructure::DynamicStiffness& part,
                                        const Modifications& modifications);

/// Where the address of a part is looked up: a directory file, or a registry over HTTP.
struct RegistrySource {
  std::filesystem::path file;  ///< empty: looked up over HTTP
  std::string url;             ///< http://host:port or https://host:port
  AgentAddress address;
  std::string token;         ///< bearer token of the registry; may be empty
  std::filesystem::path ca;  ///< file of trusted certificates; empty: those of the system

  /// The file or the URL, for messages.
  std::string name() const { return file.empty() ? url : file.string(); }
};

/// A part that another agent holds.
struct RemoteSource {
  std::string url;  ///< http://host:port or https://host:port; empty: `registry` knows it
  AgentAddress address;
  std::string part;          ///< number of the part at that agent
  std::string token;         ///< bearer token; may be empty
  std::filesystem::path ca;  ///< file of trusted certificates; empty: those of the system
  std::shared_ptr<const RegistrySource> registry;  ///< null: `url` is given
  const char* role = "agent";                      ///< what `url` leads to; or "registry"
};

/// One use of a part in an assembly.
struct Instance {
  std::string part;
  Modifications modifications;
};

struct AssemblySource {
  std::vector<Instance> instances;
  std::variant<substructure::ObjectTable, substructure::ConnectionTable> table;
};

/// A part number and where its dynamics come from.
struct PartDefinition {
  std::string number;
  std::variant<std::shared_ptr<const substructure::DynamicStiffness>, AssemblySource, RemoteSource>
      source;
  /// Still to be applied to assemblies and remote parts; already applied to other kinds.
  Modifications modifications;
  /// The part before `modifications.condense`, for the owner's own report; never leaves the
  /// process.
  std::shared_ptr<const substructure::DynamicStiffness> full;
  std::map<std::string, Json> attributes;  ///< mass [kg], size, cost and any other
  std::string token;                       ///< token that clients must send; empty: none is needed

  bool is_assembly() const { return std::holds_alternative<AssemblySource>(source); }
  bool is_remote() const { return std::holds_alternative<RemoteSource>(source); }
};

/// An assembly file: parts by number, and what is to be solved.
struct AssemblyFile {
  std::string name;
  /// With a registry also the parts that assemblies use but the file does not define.
  std::map<std::string, PartDefinition> parts;
  Json solve;  ///< null if the file only describes parts
  /// Parts that other agents may request; see offered_parts().
  std::optional<std::vector<std::string>> offer;
  std::string token;  ///< token that clients must send, unless the part has its own; empty: none
  Where where;        ///< place of the file, for messages
};

/// The address in a URL of an agent.
/// @throws ParseError  it is not one
AgentAddress agent_address_of(const Json& url);

/// True for letters, digits, '.', '_' and '-', at most 64.
bool is_part_number(std::string_view text);

/// The token in an environment variable.
/// @throws UsageError  the variable is not set, or its value cannot be sent
std::string token_of_environment(const std::string& name);

/// Reads an assembly file (docs/assembly.md). Paths in it are relative to its folder.
/// @throws ParseError, ModelError, UsageError
AssemblyFile read_assembly(const Json& document,
                           const std::filesystem::path& folder,
                           Diagnostics& diagnostics,
                           Progress& progress);
AssemblyFile load_assembly(const std::filesystem::path& path,
                           Diagnostics& diagnostics,
                           Progress& progress);

}  // namespace femflex::tools
