// `femflex serve`: serves the parts of an assembly file, other files and a registry over HTTP until
// it is stopped. Defines the options, checks the inputs, and starts the service.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/io/atomic_file.h"
#include "femflex/split.h"

#include "arguments.h"
#include "assembly/part_book.h"
#include "body/inputs.h"
#include "commands/serving.h"
#include "document/error_json.h"
#include "live/live_desk.h"
#include "service/http_client.h"
#include "service/http_service.h"
#include "session.h"
#include "tell.h"

namespace femflex::cli {
namespace {

using tools::FileKind;

std::chrono::milliseconds seconds_of(const Arguments& arguments, const std::string& option) {
  const double seconds = arguments.number(option, "s");
  if (!(seconds > 0.0) || seconds > 3600.0) {
    throw UsageError("usage", fmt::format("{}: {} s is not between 0 and 3600", option, seconds));
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000.0));
}

/// The content of the service: the agents of one assembly, and files.
struct Offer {
  tools::AssemblyFile assembly;
  std::vector<std::filesystem::path> files;
};

Offer offer_of(const Arguments& arguments, Session& session) {
  Offer out;
  std::string assembly;
  const bool is_only_input = arguments.inputs().size() == 1;
  for (const std::string& input : arguments.inputs()) {
    const FileKind kind = tools::kind_of(input);
    const std::string ending = std::filesystem::path(input).extension().string();
    if (kind == FileKind::unknown && ending != ".html" && ending != ".csv")
      tools::refuse_kind(input,
                         kind,
                         "an assembly, a file that femflex reads, a page (.html) or a table "
                         "(.csv)");
    const bool is_json = kind == FileKind::assembly || kind == FileKind::system;
    if (kind != FileKind::assembly && !(is_only_input && is_json)) {
      out.files.emplace_back(input);
      continue;
    }
    if (!assembly.empty())
      throw UsageError("two-assemblies",
                       fmt::format("{} is served already", assembly),
                       {input},
                       "serve each assembly on a port of its own");
    assembly = input;
    out.assembly = tools::load_assembly(input, session.diagnostics, *session.progress);
  }
  if (assembly.empty()) out.assembly.name = out.files.empty() ? "registry" : "files";
  return out;
}

/// The inputs that are lattices or systems, which a live page can run.
std::vector<std::filesystem::path> models_among(const std::vector<std::string>& inputs) {
  std::vector<std::filesystem::path> out;
  for (const std::string& input : inputs) {
    const FileKind kind = tools::kind_of(input);
    if (kind == FileKind::lattice || kind == FileKind::system) out.emplace_back(input);
  }
  return out;
}

/// Warns if tokens are sent without encryption.
void warn_of_unencrypted_tokens(const service::ServiceOptions& options,
                                const tools::AssemblyFile& file,
                                Session& session) {
  const bool has_token = !file.token.empty() ||
                         std::any_of(file.parts.begin(), file.parts.end(), [](const auto& part) {
                           return !part.second.token.empty();
                         });
  if (!has_token || !options.certificate.empty() || tools::is_loopback_host(options.host)) return;
  session.diagnostics.warn("token-in-the-open",
                           fmt::format("tokens and answers go over {} without encryption: whoever "
                                       "sees the traffic can use them; give --certificate and "
                                       "--key",
                                       options.host));
}

service::ServiceOptions options_of(const Arguments& arguments) {
  service::ServiceOptions options;
  options.host = arguments.text("--host");
  options.host_names = split(arguments.text("--host-name"), ',');
  options.certificate = arguments.text("--certificate");
  options.key = arguments.text("--key");
  if (options.certificate.empty() != options.key.empty()) {
    throw UsageError("usage", "--certificate and --key go together", {}, "give both, in PEM form");
  }
  const std::int64_t port = arguments.integer("--port");
  if (port < 0 || port > 65535) {
    throw UsageError("usage", fmt::format("--port: {} is not between 0 and 65535", port));
  }
  options.port = static_cast<int>(port);
  const std::int64_t body = arguments.integer("--max-body");
  if (body < 1 || body > (std::int64_t{1} << 30)) {
    throw UsageError("usage", fmt::format("--max-body: {} is not between 1 and 2^30", body));
  }
  options.body_bytes = static_cast<std::size_t>(body);
  options.request_time = seconds_of(arguments, "--request-timeout");
  if (arguments.has("--registry")) options.registry = arguments.text("--registry");
  return options;
}

Outcome run_serve(const Arguments& arguments, Session& session) {
  if (arguments.inputs().empty() && !arguments.has("--registry"))
    throw UsageError(
        "usage", "serve: nothing to serve", {}, "name an assembly, files or --registry FILE");
  service::ClientOptions client;
  client.total = seconds_of(arguments, "--agent-timeout");
  client.connect = std::min(client.connect, client.total);
  client.ca = arguments.text("--ca");
  Offer offer = offer_of(arguments, session);
  if (arguments.has("--token-env")) {
    offer.assembly.token = tools::token_of_environment(arguments.text("--token-env"));
  }
  service::ServiceOptions options = options_of(arguments);
  warn_of_unencrypted_tokens(options, offer.assembly, session);
  tools::PartBook book(std::move(offer.assembly), service::http_parts(client));
  options.answer_time = 2 * client.total;
  if (!session.is_quiet) {
    options.log = [](std::string_view line) {
      // one write per line, so that lines from different threads are not mixed
      const std::string text = std::string(line) + "\n";
      std::fwrite(text.data(), 1, text.size(), stderr);
    };
  }
  std::shared_ptr<live::LiveDesk> desk;
  if (arguments.has("--live"))
    desk = std::make_shared<live::LiveDesk>(models_among(arguments.inputs()));
  service::HttpService server(book,
                              options,
                              service::Shelf(offer.files, session.units),
                              service::LiveRoutes(std::move(desk)));
  const std::string url = fmt::format(
      "{}://{}:{}",
      options.certificate.empty() ? "http" : "https",
      options.host.find(':') == std::string::npos ? options.host : "[" + options.host + "]",
      server.port());
  // a script that started this service may wait for the file
  if (arguments.has("--port-file")) {
    io::write_file(arguments.text("--port-file"), fmt::format("{}\n", server.port()));
  }
  Outcome out;
  // printed now, because the service may run for a long time
  print_warnings(session);
  out.document["warnings"] = tools::warnings_json(std::exchange(session.diagnostics, {}));
  if (!session.is_quiet) tell(fmt::format("femflex: serving {} at {}\n", book.file().name, url));

  serve_until_stopped(server, session);
  out.document["served"] = url;
  out.text = fmt::format("served {}\n", url);
  return out;
}

}  // namespace

Verb serve_verb() {
  return {"serve",
          "over HTTP(S): substructure agents (the parts an assembly file offers), files, 3D views",
          "[ASSEMBLY.json] FILE...",
          0,
          -1,
          {{"--port", "", "N", "port to listen on; 0: any free one", "8080"},
           {"--host", "", "ADDRESS", "address to listen on; default: loopback", "127.0.0.1"},
           {"--host-name",
            "",
            "NAMES",
            "further host names that it answers to, a.example,b.example; others are refused",
            ""},
           {"--certificate", "", "FILE", "https instead of http: its certificate, PEM", ""},
           {"--key", "", "FILE", "private key of the certificate, PEM", ""},
           {"--registry",
            "",
            "FILE.json",
            "serve this directory too: which agent holds which part",
            ""},
           {"--ca",
            "",
            "FILE",
            "certificates trusted for https:// agents, PEM; default: the system's",
            ""},
           {"--token-env",
            "",
            "NAME",
            "environment variable with the token that clients must send",
            ""},
           {"--live", "", "", "lattices and systems among the files run live at /live/", ""},
           writes({"--port-file", "", "FILE", "writes the port there once it listens", ""}),
           {"--agent-timeout", "", "S", "longest wait for other agents", "5"},
           {"--request-timeout", "", "S", "longest time for a request to arrive whole", "10"},
           {"--max-body", "", "BYTES", "largest body of a request", "16777216"}},
          {"femflex serve bars.json --port 8081",
           "femflex serve bars.json --host 0.0.0.0 --certificate cert.pem --key key.pem",
           "femflex serve --registry directory.json --port 8080",
           "femflex serve chassis.fbm truck.h5 truck.html"},
          run_serve};
}

}  // namespace femflex::cli
