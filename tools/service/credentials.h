// Checks the secret of a request: bearer tokens of programs, passwords of browsers. The service
// uses it.
#pragma once

#include <string>
#include <string_view>

#include "exchange.h"

namespace femflex::service {

/// The secret in a request: X of "Bearer X" (RFC 6750), or the password of "Basic X" (RFC 7617),
/// which browsers can send. Empty if there is none.
std::string secret_of_header(std::string_view authorization);

/// Checks that a request contains `token`; with an empty `token` all requests are allowed. The
/// message does not depend on the request.
/// @throws HttpError  401: no secret was sent; 403: a secret other than the token
void authorise(const ServiceRequest& request, std::string_view token);

}  // namespace femflex::service
