// HTTP responses that bypass the usual path: errors detected by cpp-httplib, files sent in pieces,
// and responses written without the library.
#pragma once

#include <filesystem>
#include <string>

#include "connection.h"
#include "exchange.h"

namespace femflex::service {

/// Responses to requests that the library itself rejects: malformed ones, and those with a body,
/// header or path that is too long or late.
ServiceResponse rejected_response(int status, Connection::Failure failure);

/// Sends a file in pieces, so that a large file is never completely in memory. The library sets the
/// status; it is 206 if a range was requested.
void send_file(const std::filesystem::path& path,
               const std::string& type,
               httplib::Response& response);

/// A response as text, for responses that the library does not write. The connection must be closed
/// after it.
std::string http_text_of(const ServiceResponse& response);

}  // namespace femflex::service
