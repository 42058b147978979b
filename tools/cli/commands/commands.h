#pragma once

#include "verbs.h"

/// One function a verb: its line of the table. The file commands/<verb>.cpp holds it.
namespace femflex::cli {

Verb info_verb();
Verb man_verb();
Verb completion_verb();

}  // namespace femflex::cli
