// write_stress_page(): the HTML page of stresses over a run, with hot spots, their histories and
// rainflow matrices.
#pragma once

#include <filesystem>

#include "verbs/stress.h"

namespace femflex::report {

void write_stress_page(const verbs::StressPage& page, const std::filesystem::path& path);

}  // namespace femflex::report
