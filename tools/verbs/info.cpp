// Calls tools::describe() for each file.
#include "verbs/info.h"

namespace femflex::verbs {

std::vector<tools::Json> info(const InfoRequest& request,
                              Diagnostics& diagnostics,
                              Progress& progress) {
  std::vector<tools::Json> out;
  for (const std::filesystem::path& file : request.files)
    out.push_back(tools::describe(file, request.samples, request.units, diagnostics, progress));
  return out;
}

}  // namespace femflex::verbs
