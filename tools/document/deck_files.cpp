// Visits the lines of a deck, and opens each included file where its INCLUDE stands.
#include "document/deck_files.h"

#include <cstdint>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/lines.h"

#include "document/file_kind.h"

namespace femflex::tools {
namespace {

namespace fs = std::filesystem;

struct DeckWalk {
  fs::path folder;
  importer::DeckLanguage language;
  const DeckVisitor& visitor;
  std::int64_t files = 0;

  void visit(std::string_view text, const fs::path& file, int depth) {
    Lines lines(text);
    while (lines.next()) {
      const std::string_view line = lines.line();
      const std::optional<std::string> name = importer::included_name(lines, language);
      if (!name && visitor.on_line)
        visitor.on_line(line, file);
      else if (name && !name->empty())
        include(*name, file, depth + 1);
    }
  }

  void include(const std::string& name, const fs::path& including, int depth) {
    if (depth > importer::kDeepestInclude || ++files > importer::kMostIncludes)
      throw UsageError(
          "include",
          fmt::format("INCLUDEs are nested more than {} deep, or the deck has more than "
                      "{} of them",
                      importer::kDeepestInclude,
                      importer::kMostIncludes),
          {including.string()},
          "check whether files include each other");
    const fs::path path = importer::included_path(name, including, folder, language);
    if (visitor.on_file) visitor.on_file({name, path});
    require_file(path);
    std::error_code ignored;
    if (fs::file_size(path, ignored) == 0) return;
    const io::MappedFile file(path);
    visit(file.bytes(), path, depth);
  }
};

}  // namespace

void visit_deck(std::string_view text,
                const fs::path& deck,
                importer::DeckLanguage language,
                const DeckVisitor& visitor) {
  DeckWalk{fs::absolute(deck).parent_path(), language, visitor}.visit(text, fs::absolute(deck), 0);
}

}  // namespace femflex::tools
