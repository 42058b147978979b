// Checks the token of a request: bearer tokens of programs, passwords of browsers.
#pragma once

#include <string>
#include <string_view>

#include "exchange.h"

namespace femflex::service {

/// The secret that a request sends: X of "Bearer X" (RFC 6750), or the password of "Basic X" (RFC
/// 7617), which is what browsers can send. Empty if there is none.
std::string secret_of_header(std::string_view authorization);

/// Checks that a request sends `token`; an empty `token` allows all requests. The message does not
/// depend on what was requested.
/// @throws HttpError  401 no secret was sent, 403 a secret other than the token
void authorise(const ServiceRequest& request, std::string_view token);

}  // namespace femflex::service
