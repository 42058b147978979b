// First requests all remote parts below a number at once, then joins depth first. A cached result
// is identified by the SHA-256 of the parts used for it.
#include "assembly/part_book.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/sha256.h"

#include "assembly/part_json.h"
#include "assembly/part_warnings.h"
#include "document/nearest_name.h"

namespace femflex::tools {

using substructure::DynamicStiffness;

VersionedPart versioned_part(DynamicStiffness part) {
  VersionedPart out;
  auto document = std::make_shared<std::string>(part_to_json(part));
  out.version = io::sha256_of(*document);
  out.document = std::move(document);
  out.part = std::make_shared<const DynamicStiffness>(std::move(part));
  return out;
}

AgentError::AgentError(int status,
                       std::string code,
                       std::string message,
                       Where where,
                       std::string fix,
                       std::string public_message)
    : Error(
          "NumericalError", std::move(code), std::move(message), std::move(where), std::move(fix)),
      status_(status),
      public_message_(std::move(public_message)) {}

AgentError AgentError::for_clients() const {
  if (public_message_.empty()) return {status_, code(), message(), {}, fix()};
  return {status_, code(), public_message_, {}};
}

PartBook::PartBook(AssemblyFile file, std::unique_ptr<RemoteParts> remote)
    : file_(std::move(file)), remote_(std::move(remote)) {
  for (const auto& [number, definition] : file_.parts) {
    if (definition.is_assembly() || definition.is_remote()) continue;
    given_[number] =
        versioned_part(*std::get<std::shared_ptr<const DynamicStiffness>>(definition.source));
  }
  // finds loops within the file before the first request
  for (const auto& [number, definition] : file_.parts) {
    std::vector<std::string> path;
    std::set<std::string> visited;
    std::vector<const PartDefinition*> remote_definitions;
    collect_remote_parts(number, path, visited, remote_definitions);
  }
}

const PartDefinition& PartBook::definition(const std::string& number) const {
  const auto found = file_.parts.find(number);
  if (found == file_.parts.end()) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : file_.parts)
      names.push_back(name);
    throw ModelError("unknown-part",
                     fmt::format("there is no part '{}' here", number),
                     {},
                     suggestion(number, names));
  }
  return found->second;
}

void PartBook::collect_remote_parts(const std::string& number,
                                    std::vector<std::string>& path,
                                    std::set<std::string>& visited,
                                    std::vector<const PartDefinition*>& remote) const {
  if (std::find(path.begin(), path.end(), number) != path.end()) {
    std::string loop;
    for (const std::string& name : path)
      loop += name + " > ";
    throw ModelError("loop",
                     fmt::format("an assembly contains itself: {}{}", loop, number),
                     {},
                     "remove one of these parts from its assembly");
  }
  if (!visited.insert(number).second) return;
  const PartDefinition& part = definition(number);
  if (part.is_remote()) remote.push_back(&part);
  if (!part.is_assembly()) return;
  path.push_back(number);
  for (const Instance& instance : std::get<AssemblySource>(part.source).instances) {
    collect_remote_parts(instance.part, path, visited, remote);
  }
  path.pop_back();
}

std::optional<VersionedPart> PartBook::cached(const std::string& number,
                                              const std::string& versions) {
  const std::lock_guard lock(mutex_);
  const auto found = cache_.find(number);
  if (found == cache_.end() || found->second.versions != versions) return {};
  return found->second.result;
}

VersionedPart PartBook::build(const std::string& number,
                              std::map<std::string, VersionedPart>& known) {
  if (const auto found = known.find(number); found != known.end()) return found->second;
  const auto given = given_.find(number);
  if (given != given_.end()) return given->second;
  const PartDefinition& definition = file_.parts.at(number);
  const auto& source = std::get<AssemblySource>(definition.source);
  std::string versions;
  std::vector<VersionedPart> parts;
  for (const Instance& instance : source.instances) {
    parts.push_back(build(instance.part, known));
    versions += parts.back().version;
  }
  std::optional<VersionedPart> out = cached(number, versions);
  if (!out) {
    DynamicStiffness finished = modified(join(source, parts, number), definition.modifications);
    finished.name = number;
    out = versioned_part(std::move(finished));
    const std::lock_guard lock(mutex_);
    cache_[number] = {versions, *out};
  }
  known[number] = *out;
  return *out;
}

DynamicStiffness PartBook::join(const AssemblySource& source,
                                const std::vector<VersionedPart>& parts,
                                const std::string& number) {
  std::vector<DynamicStiffness> modified_parts;
  modified_parts.reserve(parts.size());
  std::vector<const DynamicStiffness*> pointers;
  for (std::size_t e = 0; e < parts.size(); ++e) {
    const Modifications& modifications = source.instances[e].modifications;
    if (modifications.is_empty()) {
      pointers.push_back(parts[e].part.get());
    } else {
      modified_parts.push_back(modified(*parts[e].part, modifications));
      pointers.push_back(&modified_parts.back());
    }
  }
  return std::visit(
      [&](const auto& table) { return substructure::assembled(pointers, table, number); },
      source.table);
}

std::map<std::string, VersionedPart> PartBook::remote_parts(const std::string& number,
                                                            const RequestContext& context) {
  std::vector<std::string> path;
  std::set<std::string> visited;
  std::vector<const PartDefinition*> wanted;
  collect_remote_parts(number, path, visited, wanted);
  std::map<std::string, VersionedPart> known;
  if (wanted.empty()) return known;
  if (remote_ == nullptr) {
    throw UsageError("not-built-in",
                     fmt::format("part '{}' is held by another agent, and this femflex was built "
                                 "without HTTP",
                                 wanted.front()->number),
                     {},
                     "install libcpp-httplib-dev and libssl-dev and build again");
  }
  const std::vector<VersionedPart> answers = remote_->dynamics(wanted, context);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    // stored under its local number, so that remote parts are handled like local ones
    const PartDefinition& part = *wanted[k];
    std::optional<VersionedPart> local = cached(part.number, answers[k].version);
    if (!local) {
      DynamicStiffness received = *answers[k].part;
      received.name = part.number;
      if (context.warnings != nullptr) {
        const auto& source = std::get<RemoteSource>(part.source);
        const std::string& where =
            source.registry == nullptr ? source.url : source.registry->name();
        warn_about_part(received, {.file = where, .record = source.part}, *context.warnings);
      }
      DynamicStiffness result = modified(received, part.modifications);
      result.name = part.number;
      local = versioned_part(std::move(result));
      const std::lock_guard lock(mutex_);
      cache_[part.number] = {answers[k].version, *local};
    }
    known[part.number] = *local;
  }
  return known;
}

VersionedPart PartBook::dynamics(const std::string& number, const RequestContext& context) {
  std::map<std::string, VersionedPart> known = remote_parts(number, context);
  return build(number, known);
}

DynamicStiffness PartBook::full(const std::string& number, const RequestContext& context) {
  const PartDefinition& part = definition(number);
  if (part.full != nullptr) return *part.full;
  if (!part.is_assembly() || !part.modifications.condense) return *dynamics(number, context).part;
  std::map<std::string, VersionedPart> known = remote_parts(number, context);
  const auto& source = std::get<AssemblySource>(part.source);
  std::vector<VersionedPart> parts;
  for (const Instance& instance : source.instances)
    parts.push_back(build(instance.part, known));
  Modifications modifications = part.modifications;
  modifications.condense.reset();
  return modified(join(source, parts, number), modifications);
}

Json PartBook::attribute_of(const std::string& number,
                            const std::string& name,
                            const RequestContext& context,
                            std::map<std::string, Json>& known) {
  if (const auto found = known.find(number); found != known.end()) return found->second;
  const PartDefinition& part = definition(number);
  Json out;
  if (const auto local = part.attributes.find(name); local != part.attributes.end()) {
    out = local->second;
  } else if (part.is_remote()) {
    if (remote_ != nullptr) out = remote_->attribute(part, name, context);
  } else if (part.is_assembly() && (name == "mass" || name == "cost")) {
    double sum = 0.0;
    bool complete = true;
    for (const Instance& instance : std::get<AssemblySource>(part.source).instances) {
      const Json one = attribute_of(instance.part, name, context, known);
      complete = complete && one.is_number();
      if (complete) sum += one.number();
    }
    if (complete) out = sum;
  }
  known[number] = out;
  return out;
}

Json PartBook::attribute(const std::string& number,
                         const std::string& name,
                         const RequestContext& context) {
  std::map<std::string, Json> known;
  return attribute_of(number, name, context, known);
}

const std::set<std::string>& PartBook::queries_of(
    const std::string& number, std::map<std::string, std::set<std::string>>& known) const {
  if (const auto found = known.find(number); found != known.end()) return found->second;
  const PartDefinition& part = definition(number);
  std::set<std::string> names{"dynamics"};
  for (const auto& [name, unused] : part.attributes)
    names.insert(name);
  if (part.is_assembly()) {
    const auto& instances = std::get<AssemblySource>(part.source).instances;
    for (const std::string name : {"mass", "cost"}) {
      const bool summed = std::all_of(instances.begin(), instances.end(), [&](const Instance& i) {
        return queries_of(i.part, known).contains(name);
      });
      if (summed) names.insert(name);
    }
  }
  return known[number] = std::move(names);
}

std::vector<std::string> PartBook::queries(const std::string& number) const {
  std::map<std::string, std::set<std::string>> known;
  const std::set<std::string>& names = queries_of(number, known);
  return {names.begin(), names.end()};
}

}  // namespace femflex::tools
