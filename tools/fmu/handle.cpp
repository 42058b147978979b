// Implements the shared part of the C functions: loading the resources, values, states, steps.
#include "fmu/handle.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "femflex/percent_decoded.h"

namespace femflex::fmu {
namespace {

constexpr const char* kResource = "model.femflex";

/// The path in "file:///a%20b", "file:/a" or "file://localhost/a"; other texts are returned
/// unchanged.
std::string path_of(std::string_view address) {
  constexpr std::string_view kScheme = "file:";
  if (!address.starts_with(kScheme)) return std::string(address);
  address.remove_prefix(kScheme.size());
  if (address.starts_with("//")) {
    address.remove_prefix(2);
    address.remove_prefix(std::min(address.find('/'), address.size()));
  }
  return percent_decoded(address);
}

/// What a state of the standard points to. The mark is not an address, so that a caller who gives
/// the state where its place is asked for, as fmusim 0.0.38 does, is told apart.
struct SavedState {
  static constexpr std::uint64_t kMark = 0x4554415453584d46;  // "FMXSTATE"
  std::uint64_t mark = kMark;
  Snapshot snapshot;
};

Snapshot& snapshot_of(void* state) {
  if (state == nullptr) throw UsageError("fmu-null", "there is no saved state");
  auto* saved = static_cast<SavedState*>(state);
  if (saved->mark != SavedState::kMark)
    throw UsageError("fmu-state", "this is not a state of this FMU");
  return saved->snapshot;
}

}  // namespace

FmuModel load_model(const char* folder, const char* token) {
  if (folder == nullptr || *folder == '\0')
    throw UsageError("fmu-resource", "no place of the resources is given");
  std::string path = path_of(folder);
  if (path.find('\0') != std::string::npos)  // a path would end there
    throw UsageError(
        "fmu-resource",
        fmt::format("the place of the resources, '{}', has a zero character (%00)", folder));
  if (!path.ends_with('/')) path += '/';
  path += kResource;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError("fmu-resource", fmt::format("'{}' cannot be opened", path));
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  FmuModel model = from_bytes(bytes);
  if (token == nullptr || model.token != token)
    throw UsageError("fmu-token",
                     fmt::format("the importer gives the token '{}', the resources have '{}'",
                                 token == nullptr ? "" : token,
                                 model.token));
  return model;
}

std::string text_of(const std::exception& error) {
  const auto* own = dynamic_cast<const Error*>(&error);
  if (own == nullptr || own->fix().empty()) return error.what();
  return std::string(own->message()) + "; " + std::string(own->fix());
}

void* instantiate(
    const char* name, const char* token, const char* resources, bool is_linear, const Log& log) {
  try {
    if (name == nullptr || *name == '\0') throw UsageError("fmu-name", "the instance has no name");
    FmuModel model = load_model(resources, token);
    if (model.is_linear != is_linear)
      throw UsageError("fmu-kind",
                       model.is_linear ? "this FMU is one for model exchange"
                                       : "this FMU is one for co-simulation");
    return new Handle(std::move(model), log);
  } catch (const std::exception& error) {
    log(Status::error, "logStatusError", text_of(error));
  } catch (...) {
    log(Status::error, "logStatusError", "an unknown failure");
  }
  return nullptr;
}

void free_instance(void* c) {
  delete static_cast<Handle*>(c);
}

Status change(void* c, void (Instance::*phase)()) {
  return guarded(c, [&](Handle& h) {
    (h.instance.*phase)();
    return Status::ok;
  });
}

Status set_experiment(void* c, double start, bool has_stop, double stop) {
  return guarded(c, [&](Handle& h) {
    h.instance.set_experiment(start, has_stop ? std::optional<double>(stop) : std::nullopt);
    return Status::ok;
  });
}

Status check_categories(void* c, std::size_t count, const char* const* categories) {
  return guarded(c, [&](Handle&) {
    for (const char* each : items(categories, count))
      if (each == nullptr || !std::string_view(each).starts_with("logStatus"))
        throw UsageError("fmu-category", "there is no such log category in this FMU");
    return Status::ok;
  });
}

Status get_reals(void* c, const Reference* references, std::size_t n, double* values) {
  return guarded(c, [&](Handle& h) {
    h.instance.get(items(references, n), items(values, n));
    return Status::ok;
  });
}

Status set_reals(void* c, const Reference* references, std::size_t n, const double* values) {
  return guarded(c, [&](Handle& h) {
    h.instance.set(items(references, n), items(values, n));
    return Status::ok;
  });
}

// an existing state is overwritten, as the standard requires
Status save_state(void* c, void** state) {
  return guarded(c, [&](Handle& h) {
    void*& place = out(state);
    if (place == nullptr)
      place = new SavedState{.snapshot = h.instance.snapshot()};
    else
      snapshot_of(place) = h.instance.snapshot();
    return Status::ok;
  });
}

Status restore_state(void* c, void* state) {
  return guarded(c, [&](Handle& h) {
    h.instance.restore(snapshot_of(state));
    return Status::ok;
  });
}

Status free_state(void* c, void** state) {
  return guarded(c, [&](Handle&) {
    if (state == nullptr) return Status::ok;
    std::uint64_t first = 0;
    std::memcpy(&first, static_cast<const void*>(state), sizeof first);
    const bool is_itself = first == SavedState::kMark;
    void* given = is_itself ? static_cast<void*>(state) : *state;
    if (given == nullptr) return Status::ok;
    snapshot_of(given);  // refuses what is none
    delete static_cast<SavedState*>(given);
    if (!is_itself) *state = nullptr;
    return Status::ok;
  });
}

Status state_size(void* c, void* state, std::size_t* size) {
  return guarded(c, [&](Handle& h) {
    out(size) = to_bytes(snapshot_of(state), h.instance.model().token).size();
    return Status::ok;
  });
}

Status state_bytes(void* c, void* state, void* bytes, std::size_t size) {
  return guarded(c, [&](Handle& h) {
    const std::string text = to_bytes(snapshot_of(state), h.instance.model().token);
    if (size < text.size())
      throw UsageError("fmu-size",
                       fmt::format("the state needs {} bytes, there are {}", text.size(), size));
    std::memcpy(items(static_cast<char*>(bytes), size).data(), text.data(), text.size());
    return Status::ok;
  });
}

Status state_from(void* c, const void* bytes, std::size_t size, void** state) {
  return guarded(c, [&](Handle& h) {
    const std::span<const char> text = items(static_cast<const char*>(bytes), size);
    Snapshot read = snapshot_from({text.data(), text.size()}, h.instance.model().token);
    void*& place = out(state);
    if (place == nullptr)
      place = new SavedState{.snapshot = std::move(read)};
    else
      snapshot_of(place) = std::move(read);
    return Status::ok;
  });
}

Status do_step(void* c, double from, double length) {
  return guarded(c, [&](Handle& h) {
    need_steps(h);
    if (h.instance.step(from, length)) return Status::ok;
    h.log(Status::discard,
          "logStatusDiscard",
          fmt::format("at t = {:.9g} s: {}", h.instance.time(), h.instance.failure()));
    return Status::discard;
  });
}

namespace {

Status write_states(void* c, double* x, std::size_t n, Eigen::VectorXd (*read)(Instance&)) {
  return guarded(c, [&](Handle& h) {
    need_linear(h);
    const Eigen::VectorXd values = read(h.instance);
    if (static_cast<Eigen::Index>(n) != values.size())
      throw UsageError("fmu-states",
                       fmt::format("{} states are asked for, there are {}", n, values.size()));
    std::copy(values.begin(), values.end(), items(x, n).begin());
    return Status::ok;
  });
}

}  // namespace

Status get_states(void* c, double* x, std::size_t n) {
  return write_states(c, x, n, [](Instance& i) -> Eigen::VectorXd { return i.states(); });
}
Status get_nominals(void* c, double* x, std::size_t n) {
  return write_states(c, x, n, [](Instance& i) { return i.nominals(); });
}
Status get_derivatives(void* c, double* x, std::size_t n) {
  return write_states(c, x, n, [](Instance& i) { return i.derivatives(); });
}
Status set_states(void* c, const double* x, std::size_t n) {
  return guarded(c, [&](Handle& h) {
    need_linear(h);
    h.instance.set_states(items(x, n));
    return Status::ok;
  });
}

}  // namespace femflex::fmu
