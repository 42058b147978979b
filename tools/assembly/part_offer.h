// Decides which part of an assembly file is solved, and which of its parts an agent may serve to
// others.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "assembly/assembly_json.h"

namespace femflex::tools {

/// The part to solve: the one that the file names, else its only assembly that no other assembly
/// uses, else its only part. Empty if the file leaves it open.
std::string solved_part(const AssemblyFile& file);

/// The parts that an agent serves to clients: those of its `offer`. Without an `offer`, the only
/// assembly that no other assembly uses, or the only part of the file. Other parts are available to
/// this process only.
/// @throws ModelError  the offer contains a part that is not in the file, a remote part, or an
/// assembly that would disclose a remote part unchanged; or there is no offer although there are
/// several possibilities
std::set<std::string> offered_parts(const AssemblyFile& file);

}  // namespace femflex::tools
