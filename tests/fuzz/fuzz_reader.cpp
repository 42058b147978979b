// Fuzz program: gives arbitrary bytes to one reader (FEMFLEX_FUZZ_FORMAT). A successful read or a
// ParseError is correct. Any other exception, a crash, a leak, undefined behaviour, a hang, or
// memory beyond the limit is a fault.
#include <cstddef>
#include <cstdint>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const int file = memfd_create("femflex-fuzz", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (size == 0 || ftruncate(file, static_cast<off_t>(size)) != 0 ||
      pwrite(file, bytes, size, 0) != static_cast<ssize_t>(size))
    return 0;
  femflex::Diagnostics diagnostics;
  try {
    femflex::importer::read_contents(path, {FEMFLEX_FUZZ_FORMAT}, diagnostics);
  } catch (const femflex::ParseError&) {
    // the file is refused: what it should be
  }
  return 0;
}
