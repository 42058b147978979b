// Runs an HTTP service until the user interrupts the program; used by the commands `serve` and
// `live`.
#pragma once

#include "service/http_service.h"
#include "session.h"

namespace femflex::cli {

/// Serves until the user stops the program.
void serve_until_stopped(service::HttpService& server, const Session& session);

}  // namespace femflex::cli
