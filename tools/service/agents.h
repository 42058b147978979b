// Agents: answers requests for parts in the HTTP service: lists, dynamics, attributes, and the
// queries of the document of 2003 (docs/bibliography.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembly/part_book.h"
#include "exchange.h"

namespace femflex::service {

/// Answers for the agents of one part book: parses requests, authorises clients and reports errors.
/// In all replies and messages, a part that is not offered is treated as not existing.
class Agents {
 public:
  /// @param self  name of this process in chains of agents
  /// @throws ModelError  the offer of the file is invalid (see offered_parts())
  Agents(tools::PartBook& book, std::string self, std::chrono::milliseconds answer_time);

  /// Never throws.
  ServiceResponse respond(const ServiceRequest& request);

 private:
  ServiceResponse handle(const ServiceRequest& request);
  ServiceResponse query(const ServiceRequest& request, std::string words);
  ServiceResponse listing(const ServiceRequest& request);
  ServiceResponse agent(const ServiceRequest& request, const std::string& number);
  ServiceResponse dynamics(const ServiceRequest& request, const std::string& number, bool as_text);
  ServiceResponse attribute(const ServiceRequest& request,
                            const std::string& number,
                            const std::string& name,
                            bool as_text);
  ServiceResponse check_text(const ServiceRequest& request);
  /// Returns the part if it is offered and the request has its token.
  /// @throws HttpError  401 or 403: the token is missing or wrong; 404: no such part is offered
  const tools::PartDefinition& authorised_part(const ServiceRequest& request,
                                               const std::string& number) const;
  /// The deadline of a request, and its chain of waiting agents with this agent appended.
  /// @throws HttpError  400: a malformed chain
  /// @throws ModelError  "loop": the chain already contains this agent
  tools::RequestContext context_for(const ServiceRequest& request, const std::string& number) const;
  /// The dynamics of a part. Clients that request the same part at the same time share one result.
  tools::VersionedPart shared_dynamics(const std::string& number,
                                       const tools::RequestContext& context);

  struct PendingRequest;
  tools::PartBook& book_;
  std::set<std::string> offered_;
  std::string self_;
  std::chrono::milliseconds answer_time_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<PendingRequest>> pending_;  // guarded by mutex_
};

}  // namespace femflex::service
