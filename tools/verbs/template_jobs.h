// Job scripts that `femflex new` writes; they run a study in parts under a scheduler.
#pragma once

namespace femflex::verbs {

extern const char* const kSlurmJob;
extern const char* const kParallelJob;
extern const char* const kMpiJob;
extern const char* const kDistributedJob;

}  // namespace femflex::verbs
