// Names of the file kinds, and the errors for missing files and files of the wrong kind.
#include "document/file_kind.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/nearest_name.h"

namespace femflex::tools {
namespace fs = std::filesystem;

namespace {

/// `did you mean 'push.json'?` for a similar name in the folder of a missing file, else "check the
/// name".
std::string similar_file(const fs::path& path) {
  constexpr std::size_t kMostFiles = 2000;  // largest number of files compared in a folder
  std::error_code ignored;
  std::vector<std::string> names;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator at(folder, ignored), end; at != end && names.size() < kMostFiles;
       at.increment(ignored))
    names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());  // folders list their files in arbitrary order
  const std::string nearest = nearest_name(path.filename().string(), names);
  if (nearest.empty()) return "check the name";
  return fmt::format("did you mean '{}'?", (path.parent_path() / nearest).string());
}

void require_path(const fs::path& path) {
  std::error_code ignored;  // a path that cannot be looked up counts as missing
  if (!fs::exists(path, ignored))
    throw UsageError("no-such-file", "no such file", {path.string()}, similar_file(path));
  if (fs::is_directory(path, ignored))
    throw UsageError("is-folder", "is a folder", {path.string()}, "name a file in it");
}

}  // namespace

void require_file(const fs::path& path) {
  require_path(path);
  if (std::error_code ignored; !fs::is_regular_file(path, ignored))
    throw UsageError("not-a-file",
                     "is a pipe or a device, which cannot be read twice",
                     {path.string()},
                     "save its content in a file, and name that");
}

std::ifstream open_file(const fs::path& path) {
  require_path(path);
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw UsageError("cannot-read", "cannot be read", {path.string()}, "check its permissions");
  return in;
}

std::string whole_file_text(const fs::path& path) {
  std::ifstream in = open_file(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string_view name_of(FileKind kind) {
  switch (kind) {
    case FileKind::unknown:
      return "a file of unknown kind";
    case FileKind::fe_source:
      return "a file of an FE code";
    case FileKind::fe_model:
      return "an FE model";
    case FileKind::body:
      return "a flexible body";
    case FileKind::system:
      return "a system";
    case FileKind::lattice:
      return "a lattice";
    case FileKind::assembly:
      return "an assembly";
    case FileKind::dads:
      return "a formatted DADS input";
    case FileKind::result:
      return "a result";
  }
  return "?";
}

void refuse_kind(const fs::path& path,
                 FileKind found,
                 std::string_view expected,
                 std::string_view fix) {
  throw UsageError("wrong-file-kind",
                   fmt::format("is {}; expected {}", name_of(found), expected),
                   {path.string()},
                   std::string(fix));
}

}  // namespace femflex::tools
