// Multiplies the numbers of nodes, springs or bytes by measured amounts of memory, and compares the
// result with the smallest limit of machine, control group and process.
#include "lattice/lattice_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

namespace femflex::tools {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// Measured as the largest resident size in runs of blocks, chains and lists of 3e4 to 1e5 nodes.
constexpr double kPerNode = 600.0;      // [bytes] two copies of the model, the index of nodes, and
                                        // states
constexpr double kPerSpring = 300.0;    // [bytes] the same
constexpr double kPerCharacter = 50.0;  // [bytes] per character of JSON, including the model

/// The number at the start of a file; infinity if there is none ("max").
double number_in(const char* path) {
  std::ifstream in(path);
  double value = 0.0;
  return in >> value ? value : kUnknown;
}

/// Free memory [bytes] from the line "MemAvailable:   22481600 kB" of /proc/meminfo.
double free_on_machine() {
  std::ifstream in("/proc/meminfo");
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string name;
    double kilobytes = 0.0;
    if (words >> name >> kilobytes && name == "MemAvailable:") return 1024.0 * kilobytes;
  }
  return kUnknown;
}

double free_in_group() {
  return number_in("/sys/fs/cgroup/memory.max") - number_in("/sys/fs/cgroup/memory.current");
}

/// Address space of this process [bytes]: number of pages times page size.
double taken() {
  const double pages = number_in("/proc/self/statm");
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double free_under_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  return static_cast<double>(limit.rlim_cur) - taken();
}

std::string gigabytes(double bytes) {
  return fmt::format("{:.3g} GB", bytes / 1e9);
}

void require(double bytes, const std::string& what, const Where& place, const std::string& fix) {
  const std::optional<double> there = memory_at_hand();
  if (!there || bytes <= *there) return;
  throw NumericalError(
      "out-of-memory",
      fmt::format("{} need about {}, and {} are free", what, gigabytes(bytes), gigabytes(*there)),
      place,
      fix);
}

}  // namespace

std::optional<double> memory_at_hand() {
  double least = kUnknown;
  for (const double each : {free_on_machine(), free_in_group(), free_under_limit()})
    // the condition is false for NaN, the difference of two unknown numbers
    if (each < least) least = each;
  if (least == kUnknown) return std::nullopt;
  return std::max(0.0, least);
}

void require_memory(double nodes, double springs, const Where& place) {
  require(kPerNode * nodes + kPerSpring * springs,
          fmt::format("{:.4g} nodes and {:.4g} springs", nodes, springs),
          place,
          "take fewer nodes, or a machine with more memory");
}

void require_memory_to_read(double bytes, const Where& place) {
  require(kPerCharacter * bytes,
          fmt::format("{} of text", gigabytes(bytes)),
          place,
          "give a regular lattice by \"generate\", or take a machine with more memory");
}

}  // namespace femflex::tools
