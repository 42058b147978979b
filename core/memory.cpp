// Reads sizes of memory from /proc and the control groups of Linux (cgroups(7), versions 1 and 2).
// Where a file is missing, its size is unknown and counts as infinite.
#include "femflex/memory.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include <sys/resource.h>
#include <unistd.h>

namespace femflex {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// The number at the start of a file; infinity if there is none ("max").
double number_in(const std::string& path) {
  std::ifstream in(path);
  double value = 0.0;
  if (in >> value) return value;
  return kUnknown;
}

double page_size() {
  return static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double memory_of_machine() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * page_size();
}

/// The number behind a name at the start of a line; infinity if there is none.
double named_number_in(const std::string& path, std::string_view wanted) {
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string name;
    double value = 0.0;
    if (words >> name >> value && name == wanted) return value;
  }
  return kUnknown;
}

/// Free memory [bytes] from the line "MemAvailable:   22481600 kB" of /proc/meminfo.
double free_on_machine() {
  return 1024.0 * named_number_in("/proc/meminfo", "MemAvailable:");
}

GroupMemory memory_of_groups() {
  std::ifstream in("/proc/self/cgroup");
  const std::string groups{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return group_memory(groups, "/sys/fs/cgroup");
}

/// The limit of the address space of this process.
double own_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  return static_cast<double>(limit.rlim_cur);
}

double free_under_own_limit() {
  const double limit = own_limit();
  if (limit == kUnknown) return kUnknown;
  return limit - number_in("/proc/self/statm") * page_size();  // its pages of address space
}

/// The files and words of a version of control groups.
struct GroupFiles {
  const char* limit;
  const char* usage;
  const char* cached;  ///< in memory.stat: cached files, which the kernel gives back at need
};
constexpr GroupFiles kVersion1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};

/// Takes the files of a group and of those above it.
void take_groups(const std::string& root,
                 std::string path,
                 const GroupFiles& files,
                 GroupMemory& least) {
  while (true) {
    const std::string folder = root + path + "/";
    const double limit = number_in(folder + files.limit);
    const double usage = number_in(folder + files.usage);
    const double cached = named_number_in(folder + "memory.stat", files.cached);
    least.limit = std::min(least.limit, limit);
    if (limit < kUnknown && usage < kUnknown)
      least.free = std::min(least.free, limit - usage + (cached < kUnknown ? cached : 0.0));
    if (path.empty()) return;
    path.resize(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'));
  }
}

}  // namespace

GroupMemory group_memory(std::string_view groups, const std::string& root) {
  GroupMemory out{kUnknown, kUnknown};
  std::istringstream lines{std::string(groups)};
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,")
      take_groups(root, path, kVersion2, out);
    else if (controllers.find(",memory,") != std::string::npos)
      take_groups(root + "/memory", path, kVersion1, out);
  }
  return out;
}

double memory_limit() {
  return std::min({memory_of_machine(), memory_of_groups().limit, own_limit()});
}

std::optional<double> memory_at_hand() {
  const double least =
      std::min({free_on_machine(), memory_of_groups().free, free_under_own_limit()});
  if (least == kUnknown) return std::nullopt;
  return std::max(0.0, least);
}

double resident_memory() {
  std::ifstream in("/proc/self/statm");
  double pages = 0.0, resident = 0.0;
  if (in >> pages >> resident) return resident * page_size();
  return 0.0;
}

}  // namespace femflex
