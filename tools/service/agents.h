// The requests for parts that an HTTP service answers: lists, dynamics, attributes, the queries of
// the thesis.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembly/part_book.h"
#include "exchange.h"

namespace femflex::service {

/// Answers for the agents of one part book: parses requests, authorises clients and reports errors.
/// A part that is not offered is treated as if it did not exist, in every reply and message.
class Agents {
 public:
  /// @param self  name of this process in chains of agents
  /// @throws ModelError  the offer of the file is not valid (see offered_parts())
  Agents(tools::PartBook& book, std::string self, std::chrono::milliseconds answer_time);

  /// Never throws.
  Answer answer(const Question& question);

 private:
  Answer answered(const Question& question);
  Answer query(const Question& question, std::string words);
  Answer listing(const Question& question);
  Answer agent(const Question& question, const std::string& number);
  Answer dynamics(const Question& question, const std::string& number, bool as_text);
  Answer attribute(const Question& question,
                   const std::string& number,
                   const std::string& name,
                   bool as_text);
  Answer check_text(const Question& question);
  /// A part that this client may request.
  const tools::PartDefinition& offered(const Question& question, const std::string& number) const;
  tools::Ask ask_for(const Question& question, const std::string& number) const;
  tools::KnownPart shared_dynamics(const std::string& number, const tools::Ask& ask);

  struct Flight;
  tools::PartBook& book_;
  std::set<std::string> offered_;
  std::string self_;
  std::chrono::milliseconds answer_time_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Flight>> flights_;  // guarded by mutex_
};

}  // namespace femflex::service
