#include "femflex/importer/detect_format.h"

#include <fstream>

#include "femflex/errors.h"

namespace femflex::importer {

std::string detect_format(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UsageError("file-missing", "cannot be opened", {path.string()}, "check the name");
  if (in.peek() == std::ifstream::traits_type::eof())
    throw ParseError("empty", "is empty", {path.string()});
  return "";
}

}  // namespace femflex::importer
