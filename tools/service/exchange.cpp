// Compares entity tags, maps type and code of an error to a status, and writes errors as JSON
// without internal details.
#include "exchange.h"

#include <algorithm>
#include <new>
#include <string_view>

#include <fmt/format.h>

#include "femflex/split.h"

#include "assembly/part_book.h"
#include "document/error_json.h"

namespace femflex::service {

using tools::error_document;
using tools::Json;

void require_method(bool allowed, const ServiceRequest& request, const char* methods) {
  if (allowed) return;
  throw HttpError(405,
                  "method",
                  fmt::format("{} is not allowed here; {}", request.method, methods),
                  {},
                  {},
                  methods);
}

bool is_known(const ServiceRequest& request, const std::string& version) {
  for (std::string_view tag : split(request.if_none_match, ',')) {
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag == "*" || tag == "\"" + version + "\"") return true;
  }
  return false;
}

int status_of(const Error& error) {
  if (const auto* http_error = dynamic_cast<const HttpError*>(&error)) return http_error->status();
  if (const auto* agent = dynamic_cast<const tools::AgentError*>(&error)) return agent->status();
  if (error.code() == "unknown-part") return 404;
  if (error.code() == "loop") return 508;
  if (error.code() == "too-large") return 413;
  if (dynamic_cast<const ParseError*>(&error) != nullptr) return 400;
  if (dynamic_cast<const ModelError*>(&error) != nullptr) return 422;
  if (dynamic_cast<const UsageError*>(&error) != nullptr) return 501;
  return 500;
}

ServiceResponse error_response(int status, const Error& error) {
  ServiceResponse out;
  out.status = status;
  const auto* agent = dynamic_cast<const tools::AgentError*>(&error);
  const Json document =
      agent != nullptr ? error_document(agent->for_clients()) : error_document(error);
  out.body = document.dump_line() + "\n";
  const auto* http_error = dynamic_cast<const HttpError*>(&error);
  if (http_error != nullptr) {
    out.note = http_error->note();
    if (!http_error->allow().empty()) out.headers.emplace_back("Allow", http_error->allow());
  }
  if (out.note.empty() && status >= 500) out.note = error.what();
  return out;
}

ServiceResponse response_of(const std::function<ServiceResponse()>& action) {
  try {
    return action();
  } catch (const Error& error) {
    return error_response(status_of(error), error);
  } catch (const std::bad_alloc&) {
    return error_response(503, NumericalError("out-of-memory", "memory ran out"));
  } catch (const std::exception& error) {
    return error_response(500, NumericalError("internal", error.what()));
  }
}

}  // namespace femflex::service
