// Unpacks an FMU into a temporary folder and loads its library. If the FMU has no library for this
// platform, the error lists the platforms that it has.
#include "guests/guest_library.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <set>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/io/zip_file.h"

namespace femflex::guests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescription = "modelDescription.xml";

/// The folder of libraries for x86-64 Linux.
std::string platform(int version) {
  return version == 2 ? "binaries/linux64/" : "binaries/x86_64-linux/";
}

/// The platforms for which an archive has libraries.
std::set<std::string> platforms(const std::vector<std::string>& names) {
  constexpr std::string_view kFolder = "binaries/";
  std::set<std::string> out;
  for (const std::string& name : names) {
    if (!name.starts_with(kFolder)) continue;
    const std::size_t slash = name.find('/', kFolder.size());
    if (slash != std::string::npos) out.insert(name.substr(kFolder.size(), slash - kFolder.size()));
  }
  return out;
}

/// A new folder that only this user may access.
fs::path private_folder() {
  std::string name = (fs::temp_directory_path() / "femflex-fmu-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw UsageError("no-folder",
                     fmt::format("no folder for the FMU can be made beside {}: {}",
                                 name,
                                 std::generic_category().message(errno)));
  return name;
}

/// The address of a path, such as "file:///tmp/a%20b".
std::string address_of(const std::string& path) {
  std::string out = "file://";
  for (const char each : path) {
    const auto byte = static_cast<unsigned char>(each);
    const bool stays =
        std::isalnum(byte) != 0 || std::string_view("/-._~").find(each) != std::string_view::npos;
    out += stays ? std::string(1, each) : fmt::format("%{:02X}", byte);
  }
  return out;
}

GuestDescription description_in(const io::MappedFile& archive, const std::string& name) {
  const std::vector<io::ZipEntry> first = io::unzip(
      archive.bytes(), name, [](std::string_view entry) { return entry == kDescription; });
  if (first.empty())
    throw ParseError("fmu-description", "there is no modelDescription.xml in it", {name});
  return read_guest_description(first.front().bytes, name);
}

}  // namespace

GuestDescription description_of(const fs::path& file) {
  return description_in(io::MappedFile(file), file.string());
}

GuestLibrary::GuestLibrary(const fs::path& file, std::optional<bool> wants_exchange)
    : file_(file.filename().string()) {
  folder_ = private_folder();
  try {
    unpack(file, wants_exchange);
    load();
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

GuestLibrary::~GuestLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

const GuestKind& GuestLibrary::kind() const {
  return is_exchange_ ? *description_.model_exchange : *description_.co_simulation;
}

std::string GuestLibrary::resources() const {
  const std::string path = (folder_ / "resources").string();
  return description_.version == 2 ? address_of(path) : path + "/";
}

void GuestLibrary::unpack(const fs::path& path, std::optional<bool> wants_exchange) {
  const io::MappedFile archive(path);
  const std::string name = path.string();
  description_ = description_in(archive, name);
  is_exchange_ =
      wants_exchange.value_or(!description_.co_simulation && description_.model_exchange);
  const bool has_kind = is_exchange_ ? description_.model_exchange.has_value()
                                     : description_.co_simulation.has_value();
  if (!has_kind)
    throw ModelError(
        "fmu-kind",
        fmt::format("it is not one for {}{}",
                    is_exchange_ ? "model exchange" : "co-simulation",
                    description_.has_scheduled ? "; scheduled execution is not offered here" : ""),
        {name},
        is_exchange_ || !description_.model_exchange
            ? ""
            : "import it with \"kind\": \"model-exchange\"");
  for (const GuestVariable& each : description_.variables)
    if (each.type == ValueType::clock)
      throw ModelError("fmu-clocks",
                       fmt::format("it has clocks ({}), which are not offered here", each.name),
                       {name},
                       "export it without clocks");
  if (kind().needs_tool)
    throw ModelError("fmu-tool",
                     "it needs the program that made it to run (needsExecutionTool)",
                     {name},
                     "export it with its solver inside");
  const std::string folder = platform(description_.version);
  binary_ = folder_ / (folder + kind().identifier + ".so");
  const std::vector<io::ZipEntry> entries =
      io::unzip(archive.bytes(), name, [&](std::string_view entry) {
        return entry.starts_with(folder) || entry.starts_with("resources/");
      });
  fs::create_directories(folder_ / "resources");
  for (const io::ZipEntry& entry : entries) {
    fs::create_directories((folder_ / entry.name).parent_path());
    std::ofstream out(folder_ / entry.name, std::ios::binary);
    out.write(entry.bytes.data(), static_cast<std::streamsize>(entry.bytes.size()));
    out.close();
    if (!out)
      throw UsageError("no-space", fmt::format("'{}' cannot be written", entry.name), {name});
  }
  if (fs::exists(binary_)) return;
  const std::set<std::string> known = platforms(io::zip_names(archive.bytes(), name));
  throw ModelError(
      "fmu-platform",
      fmt::format("it has no {}{}.so, the library for x86-64 Linux; it is for: {}",
                  folder,
                  kind().identifier,
                  known.empty() ? "no platform" : fmt::format("{}", fmt::join(known, ", "))),
      {name},
      "export it for Linux, or compile its sources");
}

void GuestLibrary::load() {
  handle_ = dlopen(binary_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    std::string why = dlerror();
    if (const std::size_t at = why.find(folder_.string()); at != std::string::npos)
      why.erase(at, folder_.string().size() + 1);
    throw ModelError("fmu-library", fmt::format("its library cannot be loaded: {}", why), {file_});
  }
}

void* GuestLibrary::symbol(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr)
    throw ModelError("fmu-library", fmt::format("its library has no function {}", name), {file_});
  return found;
}

}  // namespace femflex::guests
