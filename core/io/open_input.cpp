// Opens a file by open() and tells why that fails.
#include "open_input.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::io {
namespace {

/// What to do about an error of open(); empty if the user can do nothing about it.
const char* advice(int reason) {
  switch (reason) {
    case ENOENT:
      return "check the name";
    case EACCES:
    case EPERM:
      return "check its permissions";
    case ENOTDIR:
      return "check the folders of the path: one of them is a file";
    case ELOOP:
      return "check the symbolic links of the path: they lead in a circle";
    case ENAMETOOLONG:
      return "give it a shorter name";
    default:
      return "";
  }
}

}  // namespace

int open_input(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file >= 0) return file;
  const int reason = errno;
  throw UsageError(reason == ENOENT ? "no-such-file" : "cannot-read",
                   fmt::format("cannot be opened: {}", std::strerror(reason)),
                   {path.string()},
                   advice(reason));
}

}  // namespace femflex::io
