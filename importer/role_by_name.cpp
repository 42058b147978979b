// Searches titles and file names for words such as `stif` and `mass`, which tell the role of a
// matrix.
#include "role_by_name.h"

#include <array>
#include <filesystem>
#include <utility>

#include "femflex/text.h"

namespace femflex::importer {

std::string role_of_text(std::string_view text) {
  const std::string lower = lower_case(text);
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kWords{{{"stif", "STIFFNESS"},
                                                                            {"damp", "DAMPING"},
                                                                            {"dmpv", "DAMPING"},
                                                                            {"dmps", "DAMPING"},
                                                                            {"mass", "MASS"}}};
  std::string role;
  std::size_t last = 0;
  for (const auto& [word, name] : kWords) {
    const std::size_t at = lower.rfind(word);
    if (at == std::string::npos || (!role.empty() && at < last)) continue;
    role = name;
    last = at;
  }
  return role;
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
