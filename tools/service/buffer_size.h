// The buffer size of the service's network and file reads.
#pragma once

#include <cstddef>

namespace femflex::service {

/// Number of bytes read or sent at once.
inline constexpr std::size_t kBufferSize = std::size_t{1} << 16U;

}  // namespace femflex::service
