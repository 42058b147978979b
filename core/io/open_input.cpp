// Opens a file by open() and tells why that fails.
#include "open_input.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::io {

int open_input(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file >= 0) return file;
  const int reason = errno;
  throw UsageError(reason == ENOENT ? "no-such-file" : "cannot-read",
                   fmt::format("cannot be opened: {}", std::strerror(reason)),
                   {path.string()},
                   reason == ENOENT ? "check the name" : "check its permissions");
}

}  // namespace femflex::io
