// ServiceRequest, ServiceResponse: requests and responses of the service, independent of the HTTP
// library; and the mapping of errors to HTTP status codes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "femflex/errors.h"

namespace femflex::service {

/// A received request.
struct ServiceRequest {
  std::string method;
  std::string path;       ///< decoded, without the query
  std::string raw_query;  ///< after the '?', not decoded
  std::string body;
  std::string authorization;
  std::string accept;
  std::string if_none_match;
  std::string chain;
  bool is_gzip_accepted = false;

  bool is_get() const { return method == "GET" || method == "HEAD"; }
};

/// A response before it is sent.
struct ServiceResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string etag;
  bool is_gzip = false;        ///< `body` is compressed
  std::filesystem::path file;  ///< if set, the content of this file is the response instead of
                               ///< `body`
  std::string note;            ///< for the log only
  std::vector<std::pair<std::string, std::string>> headers{};  ///< further headers
};

/// An error with the HTTP status that the client receives.
class HttpError : public Error {
 public:
  /// @param note   text for the log that is not sent to the client
  /// @param allow  with status 405, the methods of the path, for the header Allow
  HttpError(int status,
            std::string code,
            std::string message,
            std::string fix = {},
            std::string note = {},
            std::string allow = {})
      : Error("UsageError", std::move(code), std::move(message), {}, std::move(fix)),
        status_(status),
        note_(std::move(note)),
        allow_(std::move(allow)) {}
  int status() const { return status_; }
  const std::string& note() const { return note_; }
  const std::string& allow() const { return allow_; }

 private:
  int status_;
  std::string note_, allow_;
};

/// @throws HttpError  405 with the supported methods, if `allowed` is false
void require_method(bool allowed, const ServiceRequest& request, const char* methods);

/// True if the client already has this version (If-None-Match).
bool is_known(const ServiceRequest& request, const std::string& version);

/// { "error": ... } with the matching status; details that clients must not see go into the note.
ServiceResponse error_response(int status, const Error& error);
int status_of(const Error& error);

/// The response of `action`; if `action` throws, the error as a response. Never throws.
ServiceResponse response_of(const std::function<ServiceResponse()>& action);

}  // namespace femflex::service
