#include "bytes/roles.h"

#include <cctype>
#include <filesystem>

namespace femflex::importer {

std::string role_of_text(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  if (has("stif")) return "STIFFNESS";
  if (has("damp") || has("dmpv") || has("dmps")) return "DAMPING";
  if (has("mass")) return "MASS";
  return {};
}

std::string role_of_file(std::string_view path) {
  const std::filesystem::path file{std::string(path)};
  std::filesystem::path stem = file.filename();
  if (stem.extension() == ".gz") stem = stem.stem();
  if (stem.extension() == ".sti") return "STIFFNESS";
  if (stem.extension() == ".mas") return "MASS";
  if (stem.extension() == ".dam") return "DAMPING";
  stem = stem.stem();
  const std::string role = role_of_text(stem.string());
  return role.empty() ? stem.string() : role;
}

}  // namespace femflex::importer
