// The includes between rooms, read from the source files without a build.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;
using Graph = std::map<std::string, std::set<std::string>>;

/// The rooms below tools; kits may be included by rooms, `core` by all.
const std::vector<std::string> kKits = {"laws", "elements"};
const std::vector<std::string> kRooms = {"importer",
                                         "modal",
                                         "flexfile",
                                         "mbd_solver",
                                         "hamiltonian",
                                         "substructure",
                                         "tyres",
                                         "durability",
                                         "roads"};

fs::path tree() {
  return data("").parent_path().parent_path();
}

/// The words of #include "..." in a file.
std::vector<std::string> includes_of(const fs::path& file) {
  std::vector<std::string> found;
  const std::string text = read_text(file);
  constexpr std::string_view kStart = "\n#include \"";
  for (std::size_t at = text.find(kStart); at != std::string::npos;
       at = text.find(kStart, at + 1)) {
    const std::size_t first = at + kStart.size();
    found.push_back(text.substr(first, text.find('"', first) - first));
  }
  return found;
}

/// Sources and headers of a room.
std::vector<fs::path> files_of(const std::string& room) {
  std::vector<fs::path> files;
  const fs::path folder = tree() / room;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
      files.push_back(entry.path());
  return files;
}

/// "modal" of "femflex/modal/reduce.h", "core/io" of "femflex/io/...", "core" of "femflex/units.h".
std::string room_of_door(const std::string& include) {
  const std::string rest = include.substr(std::string_view("femflex/").size());
  const std::size_t slash = rest.find('/');
  if (slash == std::string::npos) return "core";
  const std::string room = rest.substr(0, slash);
  return room == "io" ? "core/io" : room;
}

/// Folders that can be reached from `from`.
std::set<std::string> reached(const Graph& graph, const std::string& from) {
  std::set<std::string> seen;
  std::vector<std::string> open = {from};
  while (!open.empty()) {
    const std::string here = open.back();
    open.pop_back();
    const auto found = graph.find(here);
    if (found == graph.end()) continue;
    for (const std::string& next : found->second)
      if (seen.insert(next).second) open.push_back(next);
  }
  return seen;
}

// Truth: the tree. What an include says is where the file is; headers that configuring makes lie in
// the build.
TEST(Includes, NameFilesThatAreThere) {
  std::vector<std::string> rooms = kRooms;
  rooms.insert(rooms.end(), {"core", "laws", "elements", "tools"});
  for (const std::string& room : rooms)
    for (const fs::path& file : files_of(room))
      for (const std::string& include : includes_of(file)) {
        if (!include.starts_with("femflex/") || include == "femflex/version.h") continue;
        const fs::path door = tree() / room_of_door(include) / "include" / include;
        EXPECT_TRUE(fs::exists(door)) << file << " includes " << include;
      }
}

// Truth: docs/architecture.md. Every room depends on core and the kits, no room on another, none on
// tools.
TEST(Includes, FormAStar) {
  std::vector<std::string> below = kRooms;
  below.insert(below.end(), kKits.begin(), kKits.end());
  below.emplace_back("core");
  for (const std::string& room : below)
    for (const fs::path& file : files_of(room))
      for (const std::string& include : includes_of(file)) {
        if (!include.starts_with("femflex/")) continue;
        const std::string other = room_of_door(include);
        const bool is_core = other == "core" || other == "core/io";
        const bool is_kit = std::find(kKits.begin(), kKits.end(), other) != kKits.end();
        const bool may_kit = std::find(kRooms.begin(), kRooms.end(), room) != kRooms.end();
        EXPECT_TRUE(other == room || is_core || (is_kit && may_kit))
            << file << " includes " << include;
      }
}

// Truth: the order of the folders in tools/README.md; a folder that depends on another is not
// depended on by it.
TEST(Includes, OfTheFoldersOfToolsMakeNoCircle) {
  Graph graph;
  for (const auto& folder : fs::directory_iterator(tree() / "tools")) {
    if (!folder.is_directory()) continue;
    const std::string name = folder.path().filename().string();
    for (const fs::path& file : files_of("tools/" + name))
      for (const std::string& include : includes_of(file)) {
        const std::string other = include.substr(0, include.find('/'));
        if (other != name && fs::exists(tree() / "tools" / include)) graph[name].insert(other);
      }
  }
  ASSERT_GT(graph.size(), 6U);
  for (const auto& [folder, others] : graph)
    EXPECT_FALSE(reached(graph, folder).contains(folder))
        << folder << " includes " << fmt::format("{}", fmt::join(others, ", "));
}

// Truth: the same inside a room: sub-folders include each other without cycles.
TEST(Includes, OfTheFoldersOfARoomMakeNoCircle) {
  for (const std::string& room : kRooms) {
    Graph graph;
    for (const fs::path& file : files_of(room)) {
      const std::string inside = fs::relative(file, tree() / room).string();
      const std::size_t slash = inside.find('/');
      if (slash == std::string::npos || inside.starts_with("include/")) continue;
      const std::string name = inside.substr(0, slash);
      for (const std::string& include : includes_of(file)) {
        const std::size_t cut = include.find('/');
        if (include.starts_with("femflex/") || cut == std::string::npos) continue;
        const std::string other = include.substr(0, cut);
        if (other != name && fs::exists(tree() / room / include)) graph[name].insert(other);
      }
    }
    for (const auto& [folder, others] : graph)
      EXPECT_FALSE(reached(graph, folder).contains(folder))
          << room << "/" << folder << " includes " << fmt::format("{}", fmt::join(others, ", "));
  }
}

}  // namespace
}  // namespace femflex::testing
