// Reads assembly files (JSON, docs/assembly.md): parts by number, the modifications of each before
// it is joined, the sources of remote parts, and what is to be solved.
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
  double band_hz = 0.0;     ///< upper end of the band; for the method `at` the frequency of
                            ///< condensation
  double tolerance = 1e-3;  ///< error tolerance of the method `band`
  int states = 0;           ///< number of states kept by the method `balanced`
};

/// Modifications of a part before it is joined, applied in the order of the members.
struct Modifications {
  std::optional<int> dimension;           ///< 2 or 3
  std::optional<double> transverse_mass;  ///< [kg]
  std::optional<Eigen::MatrixXd> rotation;
  std::vector<int> ports;  ///< numbers of the ports to keep, counted from 1; empty: all
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

/// The registry that gives the address of a part: a directory file, or a service over HTTP.
struct RegistrySource {
  std::filesystem::path file;  ///< directory file; empty: looked up over HTTP
  std::string url;             ///< http://host:port or https://host:port
  AgentAddress address;
  std::string token;         ///< bearer token of the registry; may be empty
  std::filesystem::path ca;  ///< file of trusted certificates; empty: those of the system

  /// The file or the URL, for messages.
  std::string name() const { return file.empty() ? url : file.string(); }
};

/// A part that another agent holds.
struct RemoteSource {
  std::string url;  ///< http://host:port or https://host:port; empty: given by `registry`
  AgentAddress address;
  std::string part;          ///< number of the part in that agent
  std::string token;         ///< bearer token; may be empty
  std::filesystem::path ca;  ///< file of trusted certificates; empty: those of the system
  std::shared_ptr<const RegistrySource> registry;  ///< null if `url` is given
  const char* role = "agent";                      ///< kind of service at `url`: "agent" or
                                                   ///< "registry"
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

/// A part number and the source of its dynamics.
struct PartDefinition {
  std::string number;
  std::variant<std::shared_ptr<const substructure::DynamicStiffness>, AssemblySource, RemoteSource>
      source;
  /// for assemblies and remote parts: to be applied; for other kinds: already applied
  Modifications modifications;
  /// The part before `modifications.condense`, for the owner's own report; it is never sent to
  /// clients.
  std::shared_ptr<const substructure::DynamicStiffness> full;
  std::map<std::string, Json> attributes;  ///< mass [kg], size, cost and others
  std::string token;                       ///< token that clients must send; empty: not required

  bool is_assembly() const { return std::holds_alternative<AssemblySource>(source); }
  bool is_remote() const { return std::holds_alternative<RemoteSource>(source); }
};

/// An assembly file: parts by number, and what is to be solved.
struct AssemblyFile {
  std::string name;
  /// if there is a registry, also the parts that assemblies use but the file does not define
  std::map<std::string, PartDefinition> parts;
  Json solve;  ///< null if the file only describes parts
  /// parts that other agents may request; see offered_parts()
  std::optional<std::vector<std::string>> offer;
  std::string token;  ///< token that clients must send for parts without their own; empty: not
                      ///< required
  Where where;        ///< name of the file, for messages
};

/// The address in the URL of an agent.
/// @throws ParseError  the text is not such a URL
AgentAddress agent_address_of(const Json& url);

/// True for at most 64 letters, digits, '.', '_' and '-'.
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
