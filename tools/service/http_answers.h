#pragma once

#include <filesystem>
#include <string>

#include "connection.h"
#include "exchange.h"

namespace femflex::service {

/// What the library itself refuses: malformed requests, bodies and lines that are too long.
Answer refused(int status, Connection::Fault fault);

/// In pieces, so that a large file is never whole in memory. The library fills in the status: 206
/// where a range was asked for.
void send_file(const std::filesystem::path& path,
               const std::string& type,
               httplib::Response& response);

/// As it goes over the wire where the library does not write it; the connection ends after it.
std::string message_of(const Answer& answer);

}  // namespace femflex::service
