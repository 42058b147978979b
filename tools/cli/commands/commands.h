#pragma once

#include <string>
#include <vector>

#include "verbs.h"

/// One function a verb: its line of the table. The files commands/*.cpp hold them.
namespace femflex::cli {

Verb info_verb();
Verb import_verb();
Verb check_verb();
Verb modes_verb();
Verb reduce_verb();
Verb convert_verb();
Verb transform_verb();
Verb validate_verb();
Verb simulate_verb();
Verb linearise_verb();
Verb lattice_verb();
Verb back_transform_verb();
Verb compare_verb();
Verb study_verb();
Verb view_verb();
Verb new_verb();
Verb assemble_verb();
Verb serve_verb();
Verb man_verb();
Verb completion_verb();

/// "a,b", "c" as a, b, c.
std::vector<std::string> split_at_commas(const std::vector<std::string>& texts);

}  // namespace femflex::cli
