// First requests all remote parts below a number at once, then joins depth first. Cached results
// are identified by the SHA-256 of what they were made from.
#include "assembly/part_book.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/sha256.h"

#include "assembly/part_json.h"
#include "assembly/part_remarks.h"
#include "document/nearest_name.h"

namespace femflex::tools {

using substructure::DynamicStiffness;

KnownPart known_part(DynamicStiffness part) {
  KnownPart out;
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
                       std::string told)
    : Error(
          "NumericalError", std::move(code), std::move(message), std::move(where), std::move(fix)),
      status_(status),
      told_(std::move(told)) {}

AgentError AgentError::for_others() const {
  if (told_.empty()) return {status_, code(), message(), {}, fix()};
  return {status_, code(), told_, {}};
}

PartBook::PartBook(AssemblyFile file, std::unique_ptr<RemoteParts> remote)
    : file_(std::move(file)), remote_(std::move(remote)) {
  for (const auto& [number, definition] : file_.parts) {
    if (definition.is_assembly() || definition.is_remote()) continue;
    given_[number] =
        known_part(*std::get<std::shared_ptr<const DynamicStiffness>>(definition.source));
  }
  // loops within the file are found before the first request
  for (const auto& [number, definition] : file_.parts) {
    std::vector<std::string> path;
    std::set<std::string> done;
    std::vector<const PartDefinition*> elsewhere;
    collect(number, path, done, elsewhere);
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

void PartBook::collect(const std::string& number,
                       std::vector<std::string>& path,
                       std::set<std::string>& done,
                       std::vector<const PartDefinition*>& remote) const {
  if (std::find(path.begin(), path.end(), number) != path.end()) {
    std::string loop;
    for (const std::string& name : path)
      loop += name + " > ";
    throw ModelError("loop",
                     fmt::format("an assembly holds itself: {}{}", loop, number),
                     {},
                     "take one of these out");
  }
  if (!done.insert(number).second) return;
  const PartDefinition& part = definition(number);
  if (part.is_remote()) remote.push_back(&part);
  if (!part.is_assembly()) return;
  path.push_back(number);
  for (const Instance& instance : std::get<AssemblySource>(part.source).instances) {
    collect(instance.part, path, done, remote);
  }
  path.pop_back();
}

std::optional<KnownPart> PartBook::cached(const std::string& number, const std::string& versions) {
  const std::lock_guard lock(mutex_);
  const auto found = cache_.find(number);
  if (found == cache_.end() || found->second.versions != versions) return {};
  return found->second.result;
}

KnownPart PartBook::built(const std::string& number, std::map<std::string, KnownPart>& known) {
  if (const auto found = known.find(number); found != known.end()) return found->second;
  const auto given = given_.find(number);
  if (given != given_.end()) return given->second;
  const PartDefinition& definition = file_.parts.at(number);
  const auto& source = std::get<AssemblySource>(definition.source);
  std::string versions;
  std::vector<KnownPart> parts;
  for (const Instance& instance : source.instances) {
    parts.push_back(built(instance.part, known));
    versions += parts.back().version;
  }
  std::optional<KnownPart> out = cached(number, versions);
  if (!out) {
    DynamicStiffness finished = shaped(joined(source, parts, number), definition.shaping);
    finished.name = number;
    out = known_part(std::move(finished));
    const std::lock_guard lock(mutex_);
    cache_[number] = {versions, *out};
  }
  known[number] = *out;
  return *out;
}

DynamicStiffness PartBook::joined(const AssemblySource& source,
                                  const std::vector<KnownPart>& parts,
                                  const std::string& number) {
  std::vector<DynamicStiffness> turned;
  turned.reserve(parts.size());
  std::vector<const DynamicStiffness*> pointers;
  for (std::size_t e = 0; e < parts.size(); ++e) {
    const Shaping& shaping = source.instances[e].shaping;
    if (shaping.is_empty()) {
      pointers.push_back(parts[e].part.get());
    } else {
      turned.push_back(shaped(*parts[e].part, shaping));
      pointers.push_back(&turned.back());
    }
  }
  return std::visit(
      [&](const auto& table) { return substructure::assembled(pointers, table, number); },
      source.table);
}

std::map<std::string, KnownPart> PartBook::remote_parts(const std::string& number, const Ask& ask) {
  std::vector<std::string> path;
  std::set<std::string> done;
  std::vector<const PartDefinition*> wanted;
  collect(number, path, done, wanted);
  std::map<std::string, KnownPart> known;
  if (wanted.empty()) return known;
  if (remote_ == nullptr) {
    throw UsageError("not-built-in",
                     fmt::format("part '{}' is held by another agent, and this femflex was built "
                                 "without HTTP",
                                 wanted.front()->number),
                     {},
                     "install libcpp-httplib-dev and libssl-dev and build again");
  }
  const std::vector<KnownPart> answers = remote_->dynamics(wanted, ask);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    // under its local number, so that a remote part is handled like a local one
    const PartDefinition& part = *wanted[k];
    std::optional<KnownPart> own = cached(part.number, answers[k].version);
    if (!own) {
      DynamicStiffness received = *answers[k].part;
      received.name = part.number;
      if (ask.remarks != nullptr) {
        const auto& source = std::get<RemoteSource>(part.source);
        const std::string& where =
            source.registry == nullptr ? source.url : source.registry->name();
        remark_on_part(received, {.file = where, .record = source.part}, *ask.remarks);
      }
      DynamicStiffness made = shaped(received, part.shaping);
      made.name = part.number;
      own = known_part(std::move(made));
      const std::lock_guard lock(mutex_);
      cache_[part.number] = {answers[k].version, *own};
    }
    known[part.number] = *own;
  }
  return known;
}

KnownPart PartBook::dynamics(const std::string& number, const Ask& ask) {
  std::map<std::string, KnownPart> known = remote_parts(number, ask);
  return built(number, known);
}

DynamicStiffness PartBook::full(const std::string& number, const Ask& ask) {
  const PartDefinition& part = definition(number);
  if (part.full != nullptr) return *part.full;
  if (!part.is_assembly() || !part.shaping.condense) return *dynamics(number, ask).part;
  std::map<std::string, KnownPart> known = remote_parts(number, ask);
  const auto& source = std::get<AssemblySource>(part.source);
  std::vector<KnownPart> parts;
  for (const Instance& instance : source.instances)
    parts.push_back(built(instance.part, known));
  Shaping shaping = part.shaping;
  shaping.condense.reset();
  return shaped(joined(source, parts, number), shaping);
}

Json PartBook::attribute_of(const std::string& number,
                            const std::string& name,
                            const Ask& ask,
                            std::map<std::string, Json>& known) {
  if (const auto found = known.find(number); found != known.end()) return found->second;
  const PartDefinition& part = definition(number);
  Json out;
  if (const auto own = part.attributes.find(name); own != part.attributes.end()) {
    out = own->second;
  } else if (part.is_remote()) {
    if (remote_ != nullptr) out = remote_->attribute(part, name, ask);
  } else if (part.is_assembly() && (name == "mass" || name == "cost")) {
    double sum = 0.0;
    bool complete = true;
    for (const Instance& instance : std::get<AssemblySource>(part.source).instances) {
      const Json one = attribute_of(instance.part, name, ask, known);
      complete = complete && one.is_number();
      if (complete) sum += one.number();
    }
    if (complete) out = sum;
  }
  known[number] = out;
  return out;
}

Json PartBook::attribute(const std::string& number, const std::string& name, const Ask& ask) {
  std::map<std::string, Json> known;
  return attribute_of(number, name, ask, known);
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
