// The functions of FMI 2.0, implemented with Instance. Types and numbers are those of the standard,
// sections 2.1.1 to 2.1.9 (common), 3.2 (model exchange) and 4.2 (co-simulation).
#include <string>

#include "fmu/handle.h"

namespace {

using namespace femflex::fmu;
using femflex::UsageError;

constexpr int kCoSimulation = 1;  // fmi2Type; 0 is model exchange
// values of fmi2StatusKind
constexpr int kLastSuccessfulTime = 2;
constexpr int kTerminated = 3;

/// fmi2CallbackFunctions
struct Callbacks {
  void (*logger)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(std::size_t, std::size_t);
  void (*release)(void*);
  void (*step_finished)(void*, int);
  void* environment;
};

/// fmi2EventInfo
struct EventInfo {
  int new_discrete_states_needed, terminate_simulation, nominals_changed, states_changed;
  int next_event_time_defined;
  double next_event_time;
};

/// A log that writes to the logger of the importer; the logger interprets texts as printf formats.
Log log_to(const Callbacks* callbacks, const char* name) {
  const Callbacks copy = callbacks == nullptr ? Callbacks{} : *callbacks;
  return [copy, owner = std::string(name == nullptr ? "" : name)](
             Status status, const char* category, const std::string& text) {
    if (copy.logger == nullptr) return;
    std::string format;
    for (const char each : text)
      format += each == '%' ? std::string("%%") : std::string(1, each);
    copy.logger(
        copy.environment, owner.c_str(), static_cast<int>(status), category, format.c_str());
  };
}

int number(Status status) {
  return static_cast<int>(status);
}

}  // namespace

FEMFLEX_FMU_API const char* fmi2GetTypesPlatform() {
  return "default";
}
FEMFLEX_FMU_API const char* fmi2GetVersion() {
  return "2.0";
}

// All messages are always logged, so this function only checks the categories.
FEMFLEX_FMU_API int fmi2SetDebugLogging(void* c,
                                        int /*on*/,
                                        std::size_t count,
                                        const char* const* categories) {
  return number(check_categories(c, count, categories));
}

FEMFLEX_FMU_API void* fmi2Instantiate(const char* name,
                                      int type,
                                      const char* token,
                                      const char* resources,
                                      const void* functions,
                                      int /*visible*/,
                                      int /*logging*/) {
  return instantiate(name,
                     token,
                     resources,
                     type != kCoSimulation,
                     log_to(static_cast<const Callbacks*>(functions), name));
}

FEMFLEX_FMU_API void fmi2FreeInstance(void* c) {
  free_instance(c);
}

FEMFLEX_FMU_API int fmi2SetupExperiment(
    void* c, int /*has_tolerance*/, double /*tolerance*/, double start, int has_stop, double stop) {
  return number(set_experiment(c, start, has_stop != 0, stop));
}

FEMFLEX_FMU_API int fmi2EnterInitializationMode(void* c) {
  return number(change(c, &Instance::enter_initialisation));
}
FEMFLEX_FMU_API int fmi2ExitInitializationMode(void* c) {
  return number(change(c, &Instance::exit_initialisation));
}
FEMFLEX_FMU_API int fmi2Terminate(void* c) {
  return number(change(c, &Instance::terminate));
}
FEMFLEX_FMU_API int fmi2Reset(void* c) {
  return number(change(c, &Instance::reset));
}

FEMFLEX_FMU_API int fmi2GetReal(void* c, const Reference* vr, std::size_t n, double* values) {
  return number(get_reals(c, vr, n, values));
}
FEMFLEX_FMU_API int fmi2GetInteger(void* c, const Reference*, std::size_t n, int*) {
  return number(none_of_type(c, n, "Integer"));
}
FEMFLEX_FMU_API int fmi2GetBoolean(void* c, const Reference*, std::size_t n, int*) {
  return number(none_of_type(c, n, "Boolean"));
}
FEMFLEX_FMU_API int fmi2GetString(void* c, const Reference*, std::size_t n, const char**) {
  return number(none_of_type(c, n, "String"));
}
FEMFLEX_FMU_API int fmi2SetReal(void* c, const Reference* vr, std::size_t n, const double* values) {
  return number(set_reals(c, vr, n, values));
}
FEMFLEX_FMU_API int fmi2SetInteger(void* c, const Reference*, std::size_t n, const int*) {
  return number(none_of_type(c, n, "Integer"));
}
FEMFLEX_FMU_API int fmi2SetBoolean(void* c, const Reference*, std::size_t n, const int*) {
  return number(none_of_type(c, n, "Boolean"));
}
FEMFLEX_FMU_API int fmi2SetString(void* c, const Reference*, std::size_t n, const char* const*) {
  return number(none_of_type(c, n, "String"));
}

FEMFLEX_FMU_API int fmi2GetFMUstate(void* c, void** state) {
  return number(save_state(c, state));
}
FEMFLEX_FMU_API int fmi2SetFMUstate(void* c, void* state) {
  return number(restore_state(c, state));
}
FEMFLEX_FMU_API int fmi2FreeFMUstate(void* c, void** state) {
  return number(free_state(c, state));
}
FEMFLEX_FMU_API int fmi2SerializedFMUstateSize(void* c, void* state, std::size_t* size) {
  return number(state_size(c, state, size));
}
FEMFLEX_FMU_API int fmi2SerializeFMUstate(void* c, void* state, char* bytes, std::size_t size) {
  return number(state_bytes(c, state, bytes, size));
}
FEMFLEX_FMU_API int fmi2DeSerializeFMUstate(void* c,
                                            const char* bytes,
                                            std::size_t size,
                                            void** state) {
  return number(state_from(c, bytes, size, state));
}

FEMFLEX_FMU_API int fmi2GetDirectionalDerivative(void* c,
                                                 const Reference* unknowns,
                                                 std::size_t unknown_count,
                                                 const Reference* knowns,
                                                 std::size_t known_count,
                                                 const double* seed,
                                                 double* sensitivity) {
  return number(guarded(c, [&](Handle& h) {
    h.instance.derivative(items(unknowns, unknown_count),
                          items(knowns, known_count),
                          items(seed, known_count),
                          items(sensitivity, unknown_count));
    return Status::ok;
  }));
}

// --- model exchange

FEMFLEX_FMU_API int fmi2EnterEventMode(void* c) {
  return number(guarded(c, [](Handle& h) {
    need_linear(h);
    return Status::ok;
  }));
}
FEMFLEX_FMU_API int fmi2NewDiscreteStates(void* c, void* info) {
  return number(guarded(c, [&](Handle& h) {
    need_linear(h);
    out(static_cast<EventInfo*>(info)) = {};
    return Status::ok;
  }));
}
FEMFLEX_FMU_API int fmi2EnterContinuousTimeMode(void* c) {
  return fmi2EnterEventMode(c);  // there are no events, so both modes are the same
}
FEMFLEX_FMU_API int fmi2CompletedIntegratorStep(void* c, int, int* enter_event, int* terminate) {
  return number(guarded(c, [&](Handle& h) {
    need_linear(h);
    out(enter_event) = out(terminate) = 0;
    return Status::ok;
  }));
}
FEMFLEX_FMU_API int fmi2SetTime(void* c, double time) {
  return number(guarded(c, [&](Handle& h) {
    need_linear(h);
    h.instance.set_time(time);
    return Status::ok;
  }));
}
FEMFLEX_FMU_API int fmi2SetContinuousStates(void* c, const double* x, std::size_t n) {
  return number(set_states(c, x, n));
}
FEMFLEX_FMU_API int fmi2GetDerivatives(void* c, double* x, std::size_t n) {
  return number(get_derivatives(c, x, n));
}
FEMFLEX_FMU_API int fmi2GetEventIndicators(void* c, double*, std::size_t n) {
  return number(none_of_type(c, n, "event indicator"));
}
FEMFLEX_FMU_API int fmi2GetContinuousStates(void* c, double* x, std::size_t n) {
  return number(get_states(c, x, n));
}
FEMFLEX_FMU_API int fmi2GetNominalsOfContinuousStates(void* c, double* x, std::size_t n) {
  return number(get_nominals(c, x, n));
}

// --- co-simulation

FEMFLEX_FMU_API int fmi2SetRealInputDerivatives(
    void* c, const Reference* vr, std::size_t n, const int* orders, const double* values) {
  return number(guarded(c, [&](Handle& h) {
    need_steps(h);
    for (const int order : items(orders, n))
      if (order != 1) throw UsageError("fmu-order", "inputs take derivatives of order 1 alone");
    h.instance.set_rates(items(vr, n), items(values, n));
    return Status::ok;
  }));
}
FEMFLEX_FMU_API int fmi2GetRealOutputDerivatives(
    void* c, const Reference*, std::size_t, const int*, double*) {
  return number(not_offered(c, "derivatives of outputs by time"));
}

FEMFLEX_FMU_API int fmi2DoStep(void* c, double from, double length, int) {
  return number(do_step(c, from, length));
}
FEMFLEX_FMU_API int fmi2CancelStep(void* c) {
  return number(not_offered(c, "steps that run while the importer goes on"));
}

FEMFLEX_FMU_API int fmi2GetStatus(void* c, int, int*) {
  return number(not_offered(c, "a status of steps under way"));
}
FEMFLEX_FMU_API int fmi2GetRealStatus(void* c, int kind, double* value) {
  return number(guarded(c, [&](Handle& h) {
    need_steps(h);
    if (kind != kLastSuccessfulTime) throw UsageError("fmu-status", "there is no such status");
    out(value) = h.instance.time();
    return Status::ok;
  }));
}
FEMFLEX_FMU_API int fmi2GetIntegerStatus(void* c, int, int*) {
  return number(not_offered(c, "a status that is a whole number"));
}
FEMFLEX_FMU_API int fmi2GetBooleanStatus(void* c, int kind, int* value) {
  return number(guarded(c, [&](Handle& h) {
    need_steps(h);
    if (kind != kTerminated) throw UsageError("fmu-status", "there is no such status");
    out(value) = 0;
    return Status::ok;
  }));
}
FEMFLEX_FMU_API int fmi2GetStringStatus(void* c, int, const char**) {
  return number(not_offered(c, "a status that is a text"));
}
