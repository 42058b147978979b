// serve_until_stopped(): runs an HTTP service until the user interrupts the program, for the
// commands `serve` and `live`.
#pragma once

#include "service/http_service.h"
#include "session.h"

namespace femflex::cli {

void serve_until_stopped(service::HttpService& server, const Session& session);

}  // namespace femflex::cli
