#pragma once

#include <string>
#include <string_view>

#include "exchange.h"

namespace femflex::service {

/// What a request shows: X of "Bearer X" (RFC 6750), the password of "Basic X" (RFC 7617), which is
/// what browsers can send. Empty where it shows nothing.
std::string shown_secret(std::string_view authorization);

/// Does nothing where `token` is empty. What is said does not depend on what was asked for.
/// @throws Refusal  401 nothing is shown, 403 something else than the token
void authorise(const Question& question, std::string_view token);

}  // namespace femflex::service
