#pragma once

#include <set>
#include <string>
#include <vector>

#include "assembly/assembly_json.h"

namespace femflex::tools {

/// The part that the file solves: the one that it names, its only assembly that no other one uses,
/// or its only part. Empty where the file does not tell.
std::string solved_part(const AssemblyFile& file);

/// The parts that a house answers for when asked from outside: those of its `offer`, without one
/// its only assembly that no other one uses, or the only part of the file. What is not offered is
/// for this process alone.
/// @throws ModelError  a part that is not in the file, a part of another house, an assembly through
///                     which one shows as it is, or no offer where there is a choice
std::set<std::string> offered_parts(const AssemblyFile& file);

}  // namespace femflex::tools
