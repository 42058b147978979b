// `femflex live`: serves a page on which lattices and systems run in real time. Defines the options
// and starts the service.
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "arguments.h"
#include "assembly/part_book.h"
#include "commands/serving.h"
#include "live/live_desk.h"
#include "service/http_client.h"
#include "service/http_service.h"
#include "session.h"
#include "tell.h"

namespace femflex::cli {
namespace {

Outcome run_live(const Arguments& arguments, Session& session) {
  std::vector<std::filesystem::path> files;
  for (const std::string& input : arguments.inputs())
    files.emplace_back(input);
  const std::filesystem::path kept = arguments.text("--keep");
  if (!std::filesystem::is_directory(kept))
    throw UsageError("no-folder", "--keep: no such folder", {kept.string()}, "make it first");
  service::ServiceOptions options;
  const std::int64_t port = arguments.integer("--port");
  if (port < 0 || port > 65535)
    throw UsageError("usage", fmt::format("--port: {} is not between 0 and 65535", port));
  options.port = static_cast<int>(port);
  auto desk = std::make_shared<live::LiveDesk>(files, kept);
  tools::AssemblyFile nothing;
  nothing.name = "live";
  tools::PartBook book(std::move(nothing), service::http_parts({}));
  service::HttpService server(book, options, service::Shelf(), service::LiveRoutes(desk));
  const std::string url = fmt::format("http://{}:{}/live/", options.host, server.port());
  if (arguments.has("--port-file"))
    io::write_file(arguments.text("--port-file"), fmt::format("{}\n", server.port()));
  if (!session.is_quiet) tell(fmt::format("femflex: open {} in a browser; Ctrl-C ends\n", url));
  serve_until_stopped(server, session);
  Outcome out;
  out.document["served"] = url;
  out.text = fmt::format("served {}\n", url);
  return out;
}

}  // namespace

Verb live_verb() {
  return {.name = "live",
          .summary = "a page on this computer where a lattice or a system runs in real time",
          .inputs = "[FILE...]",
          .fewest_inputs = 0,
          .most_inputs = -1,
          .options = {{.name = "--port",
                       .value = "N",
                       .help = "port to listen on; 0: any free one",
                       .fallback = "0"},
                      {.name = "--keep",
                       .value = "FOLDER",
                       .help = "where \"keep this\" writes models and runs",
                       .fallback = "."},
                      {.name = "--port-file",
                       .value = "FILE",
                       .help = "writes the port there once it listens",
                       .is_output = true}},
          .examples = {"femflex live chain.json", "femflex live truck.json --port 8090"},
          .run = run_live};
}

}  // namespace femflex::cli
