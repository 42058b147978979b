// Implements the C interface with which host programs such as 20-sim run a lattice model inside
// their own simulation. Each function finds its model by handle (or takes the default model), calls
// HostModel, and converts exceptions to return values and a stored message.
#include "femflex_lattice.h"

#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#define FEMFLEX_LATTICE_FINDS_ITSELF
#endif

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include "femflex/errors.h"

#include "host_model.h"

/// A handle; `host` is empty for a default model that is not initialised.
struct femflex_lattice {  // NOLINT(readability-identifier-naming): name of a published interface
  std::unique_ptr<femflex::lattice_c::HostModel> host;
  std::string error;
};

namespace {

namespace fs = std::filesystem;
using femflex::UsageError;
using femflex::lattice_c::HostModel;

/// The model of the functions without a handle. There is one per process, because the calls of
/// 20-sim do not identify a model.
struct DefaultModel {
  femflex_lattice handle;
  std::string path;  // given by SetModel(); empty: not given
};
DefaultModel& default_model() {
  static DefaultModel one;
  return one;
}
femflex_lattice* default_handle() {
  return &default_model().handle;
}

/// Last error of femflex_lattice_open() and of calls with a null handle.
std::string& error_without_handle() {
  thread_local std::string text;
  return text;
}

/// Calls `action` and stores its error, because no exception may leave a C function.
template <typename Action>
bool succeeds(std::string& error_text, Action action) {
  try {
    action();
    return true;
  } catch (const std::bad_alloc&) {
    error_text = "memory ran out";
  } catch (const std::exception& error) {
    error_text = error.what();
  } catch (...) {
    error_text = "unknown error";
  }
  return false;
}

HostModel& host_of(femflex_lattice& model) {
  if (!model.host) throw UsageError("interface", "Initialize() comes first");
  return *model.host;
}

/// Calls `action` with the model of a handle.
template <typename Action>
int on(femflex_lattice* model, Action action) {
  if (model == nullptr) {
    error_without_handle() = "the handle is null: femflex_lattice_open() gives one";
    return 0;
  }
  return succeeds(model->error, [&] { action(host_of(*model)); }) ? 1 : 0;
}

/// A number from the model of a handle; -1 for an error.
template <typename Number>
int count(femflex_lattice* model, Number number) {
  int out = -1;
  (void)on(model, [&](HostModel& host) { out = number(host); });
  return out;
}

/// The model file in the folder of this library, with the library's name; empty if there is none.
fs::path file_beside_library() {
#ifdef FEMFLEX_LATTICE_FINDS_ITSELF
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&default_model), &info) == 0) return {};
  const fs::path library = info.dli_fname;
  const std::string name = library.filename().string();
  const std::string stem = name.substr(0, name.find(".so"));
  for (const std::string& each : {stem, stem.starts_with("lib") ? stem.substr(3) : stem}) {
    const fs::path file = library.parent_path() / (each + ".json");
    if (std::error_code fault; fs::is_regular_file(file, fault)) return file;
  }
#endif
  return {};
}

fs::path path_of_default() {
  if (!default_model().path.empty()) return default_model().path;
  if (const fs::path beside = file_beside_library(); !beside.empty()) return beside;
  const char* given = std::getenv("FEMFLEX_LATTICE");
  if (given == nullptr)
    throw UsageError("interface",
                     "no model file is given",
                     {},
                     "call SetModel(), put a .json of the library's name beside it, or set "
                     "FEMFLEX_LATTICE");
  return given;
}

}  // namespace

extern "C" {

femflex_lattice* femflex_lattice_open(const char* path) {
  auto out = std::make_unique<femflex_lattice>();
  const bool is_open = succeeds(error_without_handle(), [&] {
    if (path == nullptr) throw UsageError("interface", "femflex_lattice_open(): the path is null");
    out->host = std::make_unique<HostModel>(path);
  });
  return is_open ? out.release() : nullptr;
}

void femflex_lattice_close(femflex_lattice* model) {
  if (model != default_handle()) delete model;
}

int femflex_lattice_ports(femflex_lattice* model) {
  return count(model, [](const HostModel& host) { return host.ports(); });
}

int femflex_lattice_dimension(femflex_lattice* model) {
  return count(model, [](const HostModel& host) { return host.dimension(); });
}

int femflex_lattice_start_run(femflex_lattice* model) {
  return on(model, [](HostModel& host) { host.start_run(); });
}

int femflex_lattice_step(
    femflex_lattice* model, const double* in, int inputs, double* out, int outputs, int major) {
  return on(model, [&](HostModel& host) { host.step(in, inputs, out, outputs, major != 0); });
}

int femflex_lattice_end_run(femflex_lattice* model) {
  return on(model, [](HostModel& host) { host.end_run(); });
}

int femflex_lattice_states(femflex_lattice* model) {
  return count(model, [](const HostModel& host) { return host.states(); });
}

int femflex_lattice_get_state(femflex_lattice* model, double* state, int states) {
  return on(model, [&](HostModel& host) { host.get_state(state, states); });
}

int femflex_lattice_set_state(femflex_lattice* model,
                              double time,
                              const double* state,
                              int states) {
  return on(model, [&](HostModel& host) { host.set_state(time, state, states); });
}

double femflex_lattice_time(femflex_lattice* model) {
  double out = std::numeric_limits<double>::quiet_NaN();
  (void)on(model, [&](const HostModel& host) { out = host.time(); });
  return out;
}

int femflex_lattice_s_function_init(femflex_lattice* model, struct SimulatorSFunctionStruct* s) {
  return on(model, [&](HostModel& host) { host.s_function_init(s); });
}

int femflex_lattice_s_function_initial_states(femflex_lattice* model,
                                              double* initialIndepStates,
                                              double* initialDepRates,
                                              double* /*initialAlgLoopIn*/,
                                              struct SimulatorSFunctionStruct* s) {
  return on(model, [&](HostModel& host) {
    host.s_function_initial_states(initialIndepStates, initialDepRates, s);
  });
}

int femflex_lattice_s_function(femflex_lattice* model,
                               const double* u,
                               const double* x,
                               double* y,
                               double* dx,
                               struct SimulatorSFunctionStruct* s) {
  return on(model, [&](HostModel& host) { host.s_function(u, x, y, dx, s); });
}

const char* femflex_lattice_last_error(const femflex_lattice* model) {
  return model == nullptr ? error_without_handle().c_str() : model->error.c_str();
}

int SetModel(const char* path) {
  DefaultModel& model = default_model();
  return succeeds(model.handle.error, [&] {
    if (path == nullptr) throw UsageError("interface", "SetModel(): the path is null");
    model.path = path;
  });
}

int Initialize(void) {
  femflex_lattice* model = default_handle();
  model->host.reset();
  return succeeds(model->error,
                  [&] { model->host = std::make_unique<HostModel>(path_of_default()); });
}

int InitializeRun(void) {
  return femflex_lattice_start_run(default_handle());
}

// returns 0 for success as 20-sim requires, unlike the other functions
int Step(double* in, int inputs, double* out, int outputs, int major) {
  return femflex_lattice_step(default_handle(), in, inputs, out, outputs, major) == 1 ? 0 : 1;
}

int TerminateRun(void) {
  return femflex_lattice_end_run(default_handle());
}

int Terminate(void) {
  return on(default_handle(), [](const HostModel&) { default_handle()->host.reset(); });
}

int States(void) {
  return femflex_lattice_states(default_handle());
}

int GetState(double* state, int states) {
  return femflex_lattice_get_state(default_handle(), state, states);
}

int SetState(double time, const double* state, int states) {
  return femflex_lattice_set_state(default_handle(), time, state, states);
}

double GetTime(void) {
  return femflex_lattice_time(default_handle());
}

const char* LastError(void) {
  return femflex_lattice_last_error(default_handle());
}

int SFunctionInit(struct SimulatorSFunctionStruct* s) {
  return femflex_lattice_s_function_init(default_handle(), s);
}

int SFunctionGetInitialStates(double* initialIndepStates,
                              double* initialDepRates,
                              double* initialAlgLoopIn,
                              struct SimulatorSFunctionStruct* s) {
  return femflex_lattice_s_function_initial_states(
      default_handle(), initialIndepStates, initialDepRates, initialAlgLoopIn, s);
}

int sFunction(double* u, double* x, double* y, double* dx, struct SimulatorSFunctionStruct* s) {
  return femflex_lattice_s_function(default_handle(), u, x, y, dx, s);
}

}  // extern "C"
