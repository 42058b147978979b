// Decides which part of an assembly file is solved, and which of its parts an agent may give to
// others.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "assembly/assembly_json.h"

namespace femflex::tools {

/// The part that the file solves: the one that it names, its only assembly that no other one uses,
/// or its only part. Empty if the file does not say.
std::string solved_part(const AssemblyFile& file);

/// The parts that an agent serves to clients: those of its `offer`; without an `offer`, the only
/// assembly that no other one uses, or the only part of the file. Parts that are not offered are
/// available to this process only.
/// @throws ModelError  a part that is not in the file, a remote part, an assembly that would
/// disclose a remote part unchanged, or no offer although there is a choice
std::set<std::string> offered_parts(const AssemblyFile& file);

}  // namespace femflex::tools
