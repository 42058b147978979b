#pragma once

#include "verbs.h"

namespace femflex::cli {

/// What a verb works with, as the options say that every verb takes; also sets the number of
/// threads of the dense linear algebra.
/// @throws UsageError  a number of threads or a unit set that cannot be
Session session_for(const Arguments& arguments, Progress& progress);

}  // namespace femflex::cli
