// Tells how much memory this process may take, has taken and can still get: from the machine, its
// control groups and its own limit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace femflex {

/// Memory that this process may take: that of the machine, or a smaller limit of its control groups
/// or of its own (ulimit -v) [bytes].
double memory_limit();

/// Memory that this process can still get: the least that is free on the machine, in its control
/// groups and under its own limit [bytes]; nullopt if nothing is known.
std::optional<double> memory_at_hand();

/// Memory that this process has taken so far [bytes]; 0 where the system does not tell.
double resident_memory();

/// Memory of control groups [bytes]; infinite if they set no limit.
struct GroupMemory {
  double limit = 0.0;
  double free = 0.0;
};

/// The least memory of the groups that hold a process, and of the groups above these.
/// @param groups  text of /proc/PID/cgroup: `0::/path` of version 2, `4:memory:/path` of version 1
/// @param root    folder of the groups, /sys/fs/cgroup
GroupMemory group_memory(std::string_view groups, const std::string& root);

}  // namespace femflex
