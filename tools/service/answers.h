#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/part_book.h"

namespace femflex::service {

/// A question as it came in, whatever the transport.
struct Question {
  std::string method;
  std::string path;       ///< decoded, without the query
  std::string raw_query;  ///< behind the '?', not decoded
  std::string body;
  std::string authorization;
  std::string accept;
  std::string if_none_match;
  std::string chain;
};

struct Answer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string etag;
  std::string part;   ///< for the log
  std::string allow;  ///< methods, with 405
};

/// Answers of the agents of one book: what is asked, who may ask, what goes wrong.
class Agents {
 public:
  /// @param self  name of this process in chains of agents
  Agents(pipeline::PartBook& book, std::string self, std::chrono::milliseconds answer_time);

  /// Never throws.
  Answer answer(const Question& question);

 private:
  Answer answered(const Question& question);
  Answer query(const Question& question, std::string words);
  Answer registry(const Question& question);
  Answer agent(const Question& question, const std::string& number);
  Answer dynamics(const Question& question, const std::string& number, bool as_text);
  Answer attribute(const Question& question,
                   const std::string& number,
                   const std::string& name,
                   bool as_text);
  Answer check_text(const Question& question);
  void authorise(const Question& question, const pipeline::PartDefinition& part) const;
  pipeline::Ask ask_for(const Question& question, const std::string& number) const;
  pipeline::KnownPart shared_dynamics(const std::string& number, const pipeline::Ask& ask);

  struct Flight;
  pipeline::PartBook& book_;
  std::string self_;
  std::chrono::milliseconds answer_time_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Flight>> flights_;  // under mutex_
};

/// { "error": ... } with the status that fits.
Answer error_answer(int status, const Error& error);
int status_of(const Error& error);

}  // namespace femflex::service
