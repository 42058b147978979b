// HTTP responses outside the usual path: errors that cpp-httplib itself finds, files sent in
// pieces, and responses written by hand.
#pragma once

#include <filesystem>
#include <string>

#include "connection.h"
#include "exchange.h"

namespace femflex::service {

/// Responses for what the library itself rejects: malformed requests, bodies and lines that are too
/// long.
ServiceResponse rejected_response(int status, Connection::Failure failure);

/// Sends a file in pieces, so that a large file is never whole in memory. The library sets the
/// status: 206 if a range was requested.
void send_file(const std::filesystem::path& path,
               const std::string& type,
               httplib::Response& response);

/// A response as text, for responses that the library does not write; the connection is closed
/// after it.
std::string http_text_of(const ServiceResponse& response);

}  // namespace femflex::service
