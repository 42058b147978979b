// Reads the directory file again at every request, and returns all of it or the line of one part.
#include "registry.h"

#include <string_view>
#include <utility>

#include "assembly/assembly_json.h"
#include "assembly/directory.h"

namespace femflex::service {

using tools::Directory;
using tools::Json;

namespace {

constexpr std::string_view kRegistryPath = "/v1/registry";

/// The present directory; clients receive no details of its errors.
Directory directory_for_clients(const std::filesystem::path& file) {
  constexpr int kUnavailable = 503;
  try {
    return tools::load_directory(file);
  } catch (const Error& error) {
    throw HttpError(kUnavailable,
                    "registry",
                    "the directory of this registry cannot be read",
                    "the log of the registry says why",
                    error.what());
  }
}

}  // namespace

Registry::Registry(std::filesystem::path file) : file_(std::move(file)) {
  // reports a faulty file before the service starts
  if (!file_.empty()) static_cast<void>(tools::load_directory(file_));
}

bool Registry::handles(const std::string& path) const {
  return !file_.empty() && path.starts_with(kRegistryPath) &&
         (path.size() == kRegistryPath.size() || path[kRegistryPath.size()] == '/');
}

ServiceResponse Registry::respond(const ServiceRequest& request) const {
  return response_of([&]() { return handle(request); });
}

ServiceResponse Registry::handle(const ServiceRequest& request) const {
  require_method(request.is_get(), request, "GET");
  const Directory directory = directory_for_clients(file_);
  const std::string_view rest = std::string_view(request.path).substr(kRegistryPath.size());
  if (rest.size() <= 1) return {.body = tools::directory_json(directory).dump_line() + "\n"};
  const std::string number(rest.substr(1));
  if (!tools::is_part_number(number))
    throw HttpError(404, "unknown-part", "this is not a part number", "/v1/registry lists them");
  const tools::House& house = tools::house_of(directory, number);
  Json document = Json::object();
  document["part"] = number;
  document["house"] = house.name;
  document["agent"] = house.url;
  return {.body = document.dump_line() + "\n"};
}

}  // namespace femflex::service
