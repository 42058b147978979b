// PartBook: the parts of one assembly file by number. Builds assemblies from their parts, requests
// remote parts through the interface RemoteParts, and caches results.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "femflex/errors.h"

#include "assembly/assembly_json.h"

namespace femflex::tools {

/// A part, its JSON document, and the SHA-256 of the document as its version.
struct VersionedPart {
  std::shared_ptr<const substructure::DynamicStiffness> part;
  std::shared_ptr<const std::string> document;
  std::string version;
};
VersionedPart versioned_part(substructure::DynamicStiffness part);

/// The circumstances of a request: the agents that wait for the reply, and the deadline.
struct RequestContext {
  /// Agents that wait for this reply, in the order of their requests.
  std::vector<std::string> chain;
  std::chrono::steady_clock::time_point deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(30);
  Diagnostics* warnings = nullptr;  ///< for warnings about parts of other agents; may be null
};

/// Interface by which a part book requests parts from agents on other hosts.
class RemoteParts {
 public:
  RemoteParts() = default;
  RemoteParts(const RemoteParts&) = delete;
  RemoteParts& operator=(const RemoteParts&) = delete;
  RemoteParts(RemoteParts&&) = delete;
  RemoteParts& operator=(RemoteParts&&) = delete;
  virtual ~RemoteParts() = default;

  /// Requests all parts at the same time; results are in the order of `wanted`.
  /// @throws AgentError  for the first part that could not be obtained
  virtual std::vector<VersionedPart> dynamics(const std::vector<const PartDefinition*>& wanted,
                                              const RequestContext& context) = 0;
  /// Returns null if the agent does not know the attribute.
  virtual Json attribute(const PartDefinition& part,
                         const std::string& name,
                         const RequestContext& context) = 0;
  /// The list of parts that an agent offers, { "name", "agents": [...] }, or of houses that a
  /// registry knows, see directory_json().
  /// @param source  a source without a part number
  virtual Json listing(const RemoteSource& source, const RequestContext& context) = 0;
};

/// A remote agent did not reply, or its reply cannot be used.
class AgentError : public Error {
 public:
  /// @param status  the HTTP status for the reply of a server: 502, 504, 508
  /// @param public_message    the message without the names of requested parts; empty: `message`
  /// contains none
  AgentError(int status,
             std::string code,
             std::string message,
             Where where,
             std::string fix = {},
             std::string public_message = {});
  int status() const { return status_; }
  /// The error for clients: it names the agent, but not the part requested from it.
  AgentError for_clients() const;

 private:
  int status_;
  std::string public_message_;
};

/// The dynamics of the parts of one file. Assembles them from each other and from remote parts, and
/// caches the results until a part changes. Can be used by several threads.
class PartBook {
 public:
  /// @param remote  null: remote parts are not available
  PartBook(AssemblyFile file, std::unique_ptr<RemoteParts> remote);

  const AssemblyFile& file() const { return file_; }
  /// @throws ModelError  no such part ("unknown-part"), or an assembly that contains itself
  /// ("loop")
  const PartDefinition& definition(const std::string& number) const;
  VersionedPart dynamics(const std::string& number, const RequestContext& context);
  /// The part before its own condensation, for the report of its owner.
  substructure::DynamicStiffness full(const std::string& number, const RequestContext& context);
  /// Own attributes; mass and cost of an assembly are sums over its parts. Null: not known.
  Json attribute(const std::string& number, const std::string& name, const RequestContext& context);
  /// Names of the queries that the part supports: "dynamics" and its attributes.
  std::vector<std::string> queries(const std::string& number) const;

 private:
  struct Cached {
    std::string versions;  ///< versions of the parts used for the result
    VersionedPart result;
  };
  void collect_remote_parts(const std::string& number,
                            std::vector<std::string>& path,
                            std::set<std::string>& visited,
                            std::vector<const PartDefinition*>& remote) const;
  const std::set<std::string>& queries_of(
      const std::string& number, std::map<std::string, std::set<std::string>>& known) const;
  Json attribute_of(const std::string& number,
                    const std::string& name,
                    const RequestContext& context,
                    std::map<std::string, Json>& known);
  std::map<std::string, VersionedPart> remote_parts(const std::string& number,
                                                    const RequestContext& context);
  static substructure::DynamicStiffness join(const AssemblySource& source,
                                             const std::vector<VersionedPart>& parts,
                                             const std::string& number);
  VersionedPart build(const std::string& number, std::map<std::string, VersionedPart>& known);
  std::optional<VersionedPart> cached(const std::string& number, const std::string& versions);

  AssemblyFile file_;
  std::unique_ptr<RemoteParts> remote_;
  std::map<std::string, VersionedPart> given_;
  std::mutex mutex_;
  std::map<std::string, Cached> cache_;  // guarded by mutex_
};

}  // namespace femflex::tools
