// Loads the assembly file, creates the client that requests remote parts, solves the requested
// part, and writes the requested files.
#include "verbs/assemble.h"

#include <algorithm>

#include "assembly/assembly_run.h"
#include "service/http_client.h"
#include "verbs/write_assembly.h"

namespace femflex::verbs {
namespace {

constexpr std::int64_t kMaxPortNumber =
    2'000'000'000;  // largest accepted port number; fits in an int

std::optional<std::vector<int>> ports_of(const std::optional<std::vector<std::int64_t>>& given) {
  if (!given) return std::nullopt;
  std::vector<int> out;
  for (const std::int64_t port : *given)
    out.push_back(static_cast<int>(std::clamp<std::int64_t>(port, 0, kMaxPortNumber)));
  return out;
}

}  // namespace

tools::AssemblyResult assemble(const AssembleRequest& request,
                               Diagnostics& diagnostics,
                               Progress& progress) {
  service::ClientOptions client;
  client.ca = request.ca;
  tools::PartBook book(tools::load_assembly(request.assembly, diagnostics, progress),
                       service::http_parts(client));
  tools::AssemblyResult out = tools::run_assembly(
      book, request.part, ports_of(request.fixed), request.report, diagnostics, progress);
  write_assembly(out, {request.output, request.csv, request.frf_csv});
  return out;
}

}  // namespace femflex::verbs
