#include "verbs/assemble.h"

#include <algorithm>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "assembly/assembly_run.h"
#include "service/http_client.h"

namespace femflex::verbs {
namespace {

constexpr std::int64_t kBeyondAnyPart =
    2'000'000'000;  // a port number that fits in an int, but that no part has

std::optional<std::vector<int>> ports_of(const std::optional<std::vector<std::int64_t>>& given) {
  if (!given) return std::nullopt;
  std::vector<int> out;
  for (const std::int64_t port : *given)
    out.push_back(static_cast<int>(std::clamp<std::int64_t>(port, 0, kBeyondAnyPart)));
  return out;
}

void write(const std::filesystem::path& path,
           const std::string& content,
           const char* option,
           const char* missing) {
  if (path.empty()) return;
  if (content.empty()) throw UsageError("nothing-to-write", missing, {.record = option});
  io::write_file(path, content);
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
  write(request.output,
        out.dynamics,
        "--output",
        "the part has inner coordinates or is too large for the text form; condense it first");
  write(request.csv, out.csv, "--csv", "the file asks for no response over time");
  return out;
}

}  // namespace femflex::verbs
