// Texts of job scripts that `femflex new` writes: a study in parts, by a scheduler.
#pragma once

namespace femflex::verbs {

extern const char* const kSlurmJob;
extern const char* const kParallelJob;
extern const char* const kMpiJob;
extern const char* const kDistributedJob;

}  // namespace femflex::verbs
