// Shared by the C functions of FMI 2.0 and 3.0 (fmi2_functions.cpp, fmi3_functions.cpp): an
// instance with its log, the resources of the FMU, and guarded(), which converts exceptions to a
// status.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "femflex/errors.h"

#include "fmu/instance.h"

/// Marks the functions of the standard, which are the only symbols exported by the library.
#define FEMFLEX_FMU_API extern "C" __attribute__((visibility("default")))

namespace femflex::fmu {

/// Receives a message: its status, the category of the standard, the text.
using Log = std::function<void(Status, const char*, const std::string&)>;

/// The object behind the instance pointer of an importer.
struct Handle {
  Handle(FmuModel model, Log log_to) : instance(std::move(model)), log(std::move(log_to)) {}
  Instance instance;
  Log log;
};

/// Reads the model of an unpacked FMU.
/// @param folder  its resources: a path, or an address that begins with "file://"
/// @throws UsageError  there is no such file, or it has another token
/// @throws ParseError  the file is damaged
FmuModel load_model(const char* folder, const char* token);

/// The text of an exception, with its remedy.
std::string text_of(const std::exception& error);

/// Calls work(instance) and returns its status. An exception is logged and gives Status::error.
template <class Work>
Status guarded(void* handle, const Work& work) {
  auto* held = static_cast<Handle*>(handle);
  if (held == nullptr) return Status::error;
  try {
    return work(*held);
  } catch (const std::exception& error) {
    held->log(Status::error, "logStatusError", text_of(error));
  } catch (...) {
    held->log(Status::error, "logStatusError", "an unknown failure");
  }
  return Status::error;
}

/// The items at a pointer.
/// @throws UsageError  the pointer is null and `count` is above 0
template <class T>
std::span<T> items(T* data, std::size_t count) {
  if (data == nullptr && count > 0) throw UsageError("fmu-null", "a pointer is null");
  return {data, count};
}

/// The object behind a pointer. @throws UsageError  the pointer is null
template <class T>
T& out(T* pointer) {
  if (pointer == nullptr) throw UsageError("fmu-null", "a pointer is null");
  return *pointer;
}

/// @throws UsageError  FMUs of this kind do not support the function
inline void need_linear(const Handle& handle) {
  if (!handle.instance.model().is_linear)
    throw UsageError("fmu-kind", "this FMU is one for co-simulation, not for model exchange");
}
inline void need_steps(const Handle& handle) {
  if (handle.instance.model().is_linear)
    throw UsageError("fmu-kind", "this FMU is one for model exchange, not for co-simulation");
}
/// Rejects variables of a type that the FMU does not have.
inline Status none_of_type(void* handle, std::size_t count, const char* type) {
  return guarded(handle, [&](Handle&) {
    if (count > 0)
      throw UsageError("fmu-reference",
                       std::string("there are no variables of type ") + type + " in this FMU");
    return Status::ok;
  });
}
/// Rejects a function of the standard that the FMU does not support.
inline Status not_offered(void* handle, const char* what) {
  return guarded(handle, [&](Handle&) -> Status {
    throw UsageError("fmu-capability", std::string("this FMU does not offer ") + what);
  });
}

// The following functions have different names, but equal behaviour, in FMI 2.0 and 3.0.
/// @param is_linear  true: model exchange is requested; false: co-simulation
/// @returns  the instance; null after an error, which is written to `log`
void* instantiate(
    const char* name, const char* token, const char* resources, bool is_linear, const Log& log);
void free_instance(void* c);
/// Calls a function that changes the phase of the instance.
Status change(void* c, void (Instance::*phase)());
Status set_experiment(void* c, double start, bool has_stop, double stop);
Status check_categories(void* c, std::size_t count, const char* const* categories);
Status get_reals(void* c, const Reference* references, std::size_t n, double* values);
Status set_reals(void* c, const Reference* references, std::size_t n, const double* values);
Status save_state(void* c, void** state);
Status restore_state(void* c, void* state);
Status free_state(void* c, void** state);
Status state_size(void* c, void* state, std::size_t* size);
Status state_bytes(void* c, void* state, void* bytes, std::size_t size);
Status state_from(void* c, const void* bytes, std::size_t size, void** state);
Status do_step(void* c, double from, double length);
Status get_states(void* c, double* x, std::size_t n);
Status get_nominals(void* c, double* x, std::size_t n);
Status get_derivatives(void* c, double* x, std::size_t n);
Status set_states(void* c, const double* x, std::size_t n);

}  // namespace femflex::fmu
