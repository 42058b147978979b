#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "femflex/errors.h"

namespace femflex::service {

/// A question as it came in, whatever the transport.
struct Question {
  std::string method;
  std::string path;       ///< decoded, without the query
  std::string raw_query;  ///< after the '?', not decoded
  std::string body;
  std::string authorization;
  std::string accept;
  std::string if_none_match;
  std::string chain;
  bool takes_gzip = false;

  bool is_get() const { return method == "GET" || method == "HEAD"; }
};

struct Answer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string etag;
  bool is_gzip = false;        ///< of `body`
  std::filesystem::path file;  ///< its bytes are the answer, `body` is not
  std::string note;            ///< for the log of the house alone
};

/// A client error (4xx): the status says which.
class Refusal : public Error {
 public:
  /// @param note  what the house should know and the asker should not
  Refusal(int status,
          std::string code,
          std::string message,
          std::string fix = {},
          std::string note = {})
      : Error("UsageError", std::move(code), std::move(message), {}, std::move(fix)),
        status_(status),
        note_(std::move(note)) {}
  int status() const { return status_; }
  const std::string& note() const { return note_; }

 private:
  int status_;
  std::string note_;
};

/// @throws Refusal  `allowed` is false: 405 with the methods that are answered
void only(bool allowed, const Question& question, const char* methods);

/// True where the asker already holds this version (If-None-Match).
bool is_known(const Question& question, const std::string& version);

/// { "error": ... } with the status that fits, and what the asker is not told in the note.
Answer error_answer(int status, const Error& error);
int status_of(const Error& error);

/// What `work` answers, or the typed error that it threw. Never throws.
Answer answered_by(const std::function<Answer()>& work);

}  // namespace femflex::service
