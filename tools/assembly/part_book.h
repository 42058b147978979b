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

/// A part, its JSON document and the version of that: its SHA-256.
struct KnownPart {
  std::shared_ptr<const substructure::DynamicStiffness> part;
  std::shared_ptr<const std::string> document;
  std::string version;
};
KnownPart known_part(substructure::DynamicStiffness part);

/// On whose behalf something is asked.
struct Ask {
  std::vector<std::string> chain;  ///< agents that are waiting for this answer, first one first
  std::chrono::steady_clock::time_point deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(30);
  Diagnostics* remarks = nullptr;  ///< for warnings about parts of other agents; may be null
};

/// How parts on other hosts are asked for.
class RemoteParts {
 public:
  RemoteParts() = default;
  RemoteParts(const RemoteParts&) = delete;
  RemoteParts& operator=(const RemoteParts&) = delete;
  RemoteParts(RemoteParts&&) = delete;
  RemoteParts& operator=(RemoteParts&&) = delete;
  virtual ~RemoteParts() = default;

  /// All of them at the same time; answers in the order of `wanted`.
  /// @throws AgentError  the first of them that could not be had
  virtual std::vector<KnownPart> dynamics(const std::vector<const PartDefinition*>& wanted,
                                          const Ask& ask) = 0;
  /// Null where the agent knows no such attribute.
  virtual Json attribute(const PartDefinition& part, const std::string& name, const Ask& ask) = 0;
};

/// An agent elsewhere did not answer as it should.
class AgentError : public Error {
 public:
  /// @param status  what an HTTP server says of it: 502, 504, 508
  /// @param told    the message without names of parts that were asked for; empty: it has none
  AgentError(int status,
             std::string code,
             std::string message,
             Where where,
             std::string fix = {},
             std::string told = {});
  int status() const { return status_; }
  /// What those may know who asked this house: the agent, but not which part it was asked for.
  AgentError for_others() const;

 private:
  int status_;
  std::string told_;
};

/// Answers for the parts of one file: assembles them from each other and from parts elsewhere, and
/// keeps what it assembled until a part changes. Any number of threads may ask.
class PartBook {
 public:
  /// @param remote  null: parts on other hosts cannot be had
  PartBook(AssemblyFile file, std::unique_ptr<RemoteParts> remote);

  const AssemblyFile& file() const { return file_; }
  /// @throws ModelError  no such part ("unknown-part"), or an assembly that holds itself ("loop")
  const PartDefinition& definition(const std::string& number) const;
  KnownPart dynamics(const std::string& number, const Ask& ask);
  /// The part as it is before its own condensation, for the report of its owner.
  substructure::DynamicStiffness full(const std::string& number, const Ask& ask);
  /// Own attributes; mass and cost of an assembly are sums over its parts. Null: not known.
  Json attribute(const std::string& number, const std::string& name, const Ask& ask);
  /// "dynamics" and the attributes that the part answers to.
  std::vector<std::string> queries(const std::string& number) const;

 private:
  struct Cached {
    std::string versions;  ///< of the parts it was made from
    KnownPart result;
  };
  void collect(const std::string& number,
               std::vector<std::string>& path,
               std::set<std::string>& done,
               std::vector<const PartDefinition*>& remote) const;
  const std::set<std::string>& queries_of(
      const std::string& number, std::map<std::string, std::set<std::string>>& known) const;
  Json attribute_of(const std::string& number,
                    const std::string& name,
                    const Ask& ask,
                    std::map<std::string, Json>& known);
  std::map<std::string, KnownPart> remote_parts(const std::string& number, const Ask& ask);
  static substructure::DynamicStiffness joined(const AssemblySource& source,
                                               const std::vector<KnownPart>& parts,
                                               const std::string& number);
  KnownPart built(const std::string& number, std::map<std::string, KnownPart>& known);
  std::optional<KnownPart> cached(const std::string& number, const std::string& versions);

  AssemblyFile file_;
  std::unique_ptr<RemoteParts> remote_;
  std::map<std::string, KnownPart> given_;
  std::mutex mutex_;
  std::map<std::string, Cached> cache_;  // under mutex_
};

}  // namespace femflex::tools
