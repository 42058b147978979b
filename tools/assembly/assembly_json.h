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

/// How the inner coordinates of a part are condensed.
struct Condensation {
  std::string method;       ///< guyan, craig-bampton, balanced, band, at
  double band_hz = 0.0;     ///< craig-bampton, balanced, band;  for `at` the frequency
  double tolerance = 1e-3;  ///< band
  int states = 0;           ///< balanced
};

/// What is done to a part before it is joined, in this order.
struct Shaping {
  std::optional<int> dimension;           ///< 2 or 3
  std::optional<double> transverse_mass;  ///< [kg]
  std::optional<Eigen::MatrixXd> rotation;
  std::vector<int> ports;  ///< kept, from 1; empty: all
  std::optional<Condensation> condense;

  bool is_empty() const { return !dimension && !rotation && ports.empty() && !condense; }
};

/// Condenses the inner coordinates.
/// @throws ModelError, NumericalError
substructure::Condensed condensed(const substructure::DynamicStiffness& part,
                                  const Condensation& how);

/// @throws ModelError, NumericalError
substructure::DynamicStiffness shaped(const substructure::DynamicStiffness& part,
                                      const Shaping& shaping);

/// A part that another agent holds.
struct RemoteSource {
  std::string url;  ///< http://host:port or https://host:port, as the file gives it
  AgentAddress address;
  std::string part;          ///< its number there
  std::string token;         ///< bearer token; may be empty
  std::filesystem::path ca;  ///< certificates that are trusted; empty: those of the system
};

/// One use of a part in an assembly.
struct Instance {
  std::string part;
  Shaping shaping;
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
  Shaping shaping;  ///< of assemblies and remote parts; already applied to the other kinds
  /// The part before `shaping.condense`, for the owner's own report; never leaves the process.
  std::shared_ptr<const substructure::DynamicStiffness> full;
  std::map<std::string, Json> attributes;  ///< mass [kg], size, cost and any other
  std::string token;                       ///< clients must send it; may be empty

  bool is_assembly() const { return std::holds_alternative<AssemblySource>(source); }
  bool is_remote() const { return std::holds_alternative<RemoteSource>(source); }
};

/// An assembly file: parts by number, and what is to be solved.
struct AssemblyFile {
  std::string name;
  std::map<std::string, PartDefinition> parts;
  Json solve;  ///< null where the file only describes parts
  /// Parts that other agents may request; see offered_parts().
  std::optional<std::vector<std::string>> offer;
  std::string token;  ///< clients must send it, unless the part has its own; may be empty
  Where where;        ///< of the file
};

/// Letters, digits, '.', '_', '-', at most 64.
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
