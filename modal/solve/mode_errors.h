// Errors of a request for modes that K and M do not have.
#pragma once

#include <cstdint>

namespace femflex::modal {

/// Throws: more modes are requested than exist.
/// @throws ModelError
[[noreturn]] void throw_too_many(std::int64_t asked, std::int64_t exist);

/// Throws: K - shift M has negative eigenvalues.
/// @throws ModelError
[[noreturn]] void throw_indefinite_at(std::int64_t negative, double shift);

}  // namespace femflex::modal
