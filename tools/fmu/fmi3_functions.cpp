// The functions of FMI 3.0, implemented with Instance. Types and numbers are those of the standard,
// sections 2.2 (common), 3.2 (model exchange), 4.2 (co-simulation) and 5.2 (scheduled execution,
// which is rejected).
#include <cmath>
#include <cstdint>
#include <string>

#include "fmu/handle.h"

namespace {

using namespace femflex::fmu;
using femflex::UsageError;

/// fmi3LogMessageCallback
using Logger3 = void (*)(void*, int, const char*, const char*);

/// fmi3IntermediateUpdateCallback: environment, time, whether inputs may be set, outputs may be
/// read, a step inside is complete, the communication step may end here; out: whether it is to end
/// early, and when.
using Intermediate3 = void (*)(void*, double, bool, bool, bool, bool, bool*, double*);

Log log_with(Logger3 logger, void* environment) {
  return [logger, environment](Status status, const char* category, const std::string& text) {
    if (logger != nullptr) logger(environment, static_cast<int>(status), category, text.c_str());
  };
}

int code(Status status) {
  return static_cast<int>(status);
}

/// Rejects values if their number differs from that of the references, because all variables are
/// scalars.
template <class Work>
Status same_count(void* c, std::size_t references, std::size_t values, const Work& work) {
  return guarded(c, [&](Handle&) {
    if (references != values)
      throw UsageError("fmu-size", "as many values are expected as value references");
    return work();
  });
}

template <class Work>
int of_linear(void* c, const Work& work) {
  return code(guarded(c, [&](Handle& h) {
    need_linear(h);
    work(h.instance);
    return Status::ok;
  }));
}

}  // namespace

FEMFLEX_FMU_API const char* fmi3GetVersion() {
  return "3.0";
}

// All messages are always logged, so this function only checks the categories.
FEMFLEX_FMU_API int fmi3SetDebugLogging(void* c,
                                        bool,
                                        std::size_t count,
                                        const char* const* categories) {
  return code(check_categories(c, count, categories));
}

// --- life

FEMFLEX_FMU_API void* fmi3InstantiateModelExchange(const char* name,
                                                   const char* token,
                                                   const char* resources,
                                                   bool,
                                                   bool,
                                                   void* environment,
                                                   Logger3 logger) {
  return instantiate(name, token, resources, true, log_with(logger, environment));
}

FEMFLEX_FMU_API void* fmi3InstantiateCoSimulation(const char* name,
                                                  const char* token,
                                                  const char* resources,
                                                  bool,
                                                  bool,
                                                  bool event_mode_used,
                                                  bool early_return_allowed,
                                                  const Reference*,
                                                  std::size_t,
                                                  void* environment,
                                                  Logger3 logger,
                                                  Intermediate3 update) {
  void* c = instantiate(name, token, resources, false, log_with(logger, environment));
  if (c == nullptr) return nullptr;
  Instance& instance = static_cast<Handle*>(c)->instance;
  if (event_mode_used) instance.use_events(early_return_allowed);
  if (update != nullptr)
    instance.look_inside([environment, update, early_return_allowed](double time) {
      bool wants_return = false;
      double when = time;
      update(environment, time, false, true, true, early_return_allowed, &wants_return, &when);
      // a later time is looked at again after the next step inside
      return early_return_allowed && wants_return;
    });
  return c;
}

FEMFLEX_FMU_API void* fmi3InstantiateScheduledExecution(const char*,
                                                        const char*,
                                                        const char*,
                                                        bool,
                                                        bool,
                                                        void* environment,
                                                        Logger3 logger,
                                                        void*,
                                                        void*,
                                                        void*) {
  log_with(logger, environment)(
      Status::error, "logStatusError", "this FMU does not offer scheduled execution");
  return nullptr;
}

FEMFLEX_FMU_API void fmi3FreeInstance(void* c) {
  free_instance(c);
}

FEMFLEX_FMU_API int fmi3EnterInitializationMode(
    void* c, bool, double, double start, bool has_stop, double stop) {
  const Status status = set_experiment(c, start, has_stop, stop);
  return code(status == Status::ok ? change(c, &Instance::enter_initialisation) : status);
}
FEMFLEX_FMU_API int fmi3ExitInitializationMode(void* c) {
  return code(change(c, &Instance::exit_initialisation));
}
FEMFLEX_FMU_API int fmi3Terminate(void* c) {
  return code(change(c, &Instance::terminate));
}
FEMFLEX_FMU_API int fmi3Reset(void* c) {
  return code(change(c, &Instance::reset));
}
FEMFLEX_FMU_API int fmi3EnterConfigurationMode(void* c) {
  return code(not_offered(c, "configuration mode: it has no structural parameters"));
}
FEMFLEX_FMU_API int fmi3ExitConfigurationMode(void* c) {
  return code(not_offered(c, "configuration mode: it has no structural parameters"));
}

// --- variables

FEMFLEX_FMU_API int fmi3GetFloat64(
    void* c, const Reference* vr, std::size_t n, double* values, std::size_t count) {
  return code(same_count(c, n, count, [&] { return get_reals(c, vr, n, values); }));
}
FEMFLEX_FMU_API int fmi3SetFloat64(
    void* c, const Reference* vr, std::size_t n, const double* values, std::size_t count) {
  return code(same_count(c, n, count, [&] { return set_reals(c, vr, n, values); }));
}

// There are no variables of other types.
#define FEMFLEX_FMU_NO_TYPE(Name, type)                                     \
  FEMFLEX_FMU_API int fmi3Get##Name(                                        \
      void* c, const Reference*, std::size_t n, type*, std::size_t) {       \
    return code(none_of_type(c, n, #Name));                                 \
  }                                                                         \
  FEMFLEX_FMU_API int fmi3Set##Name(                                        \
      void* c, const Reference*, std::size_t n, const type*, std::size_t) { \
    return code(none_of_type(c, n, #Name));                                 \
  }
FEMFLEX_FMU_NO_TYPE(Float32, float)
FEMFLEX_FMU_NO_TYPE(Int8, std::int8_t)
FEMFLEX_FMU_NO_TYPE(UInt8, std::uint8_t)
FEMFLEX_FMU_NO_TYPE(Int16, std::int16_t)
FEMFLEX_FMU_NO_TYPE(UInt16, std::uint16_t)
FEMFLEX_FMU_NO_TYPE(Int32, std::int32_t)
FEMFLEX_FMU_NO_TYPE(UInt32, std::uint32_t)
FEMFLEX_FMU_NO_TYPE(Int64, std::int64_t)
FEMFLEX_FMU_NO_TYPE(UInt64, std::uint64_t)
FEMFLEX_FMU_NO_TYPE(Boolean, bool)
FEMFLEX_FMU_NO_TYPE(String, char*)
#undef FEMFLEX_FMU_NO_TYPE

FEMFLEX_FMU_API int fmi3GetBinary(
    void* c, const Reference*, std::size_t n, std::size_t*, const std::uint8_t**, std::size_t) {
  return code(none_of_type(c, n, "Binary"));
}
FEMFLEX_FMU_API int fmi3SetBinary(
    void* c, const Reference*, std::size_t n, const std::size_t*, const void*, std::size_t) {
  return code(none_of_type(c, n, "Binary"));
}
FEMFLEX_FMU_API int fmi3GetClock(void* c, const Reference*, std::size_t n, bool*) {
  return code(none_of_type(c, n, "Clock"));
}
FEMFLEX_FMU_API int fmi3SetClock(void* c, const Reference*, std::size_t n, const bool*) {
  return code(none_of_type(c, n, "Clock"));
}

FEMFLEX_FMU_API int fmi3GetNumberOfVariableDependencies(void* c, Reference, std::size_t*) {
  return code(not_offered(c, "dependencies of elements of arrays"));
}
FEMFLEX_FMU_API int fmi3GetVariableDependencies(
    void* c, Reference, std::size_t*, Reference*, std::size_t*, int*, std::size_t) {
  return code(not_offered(c, "dependencies of elements of arrays"));
}

// --- state and derivatives

FEMFLEX_FMU_API int fmi3GetFMUState(void* c, void** state) {
  return code(save_state(c, state));
}
FEMFLEX_FMU_API int fmi3SetFMUState(void* c, void* state) {
  return code(restore_state(c, state));
}
FEMFLEX_FMU_API int fmi3FreeFMUState(void* c, void** state) {
  return code(free_state(c, state));
}
FEMFLEX_FMU_API int fmi3SerializedFMUStateSize(void* c, void* state, std::size_t* size) {
  return code(state_size(c, state, size));
}
FEMFLEX_FMU_API int fmi3SerializeFMUState(void* c,
                                          void* state,
                                          std::uint8_t* bytes,
                                          std::size_t n) {
  return code(state_bytes(c, state, bytes, n));
}
FEMFLEX_FMU_API int fmi3DeserializeFMUState(void* c,
                                            const std::uint8_t* bytes,
                                            std::size_t size,
                                            void** state) {
  return code(state_from(c, bytes, size, state));
}

FEMFLEX_FMU_API int fmi3GetDirectionalDerivative(void* c,
                                                 const Reference* unknowns,
                                                 std::size_t unknown_count,
                                                 const Reference* knowns,
                                                 std::size_t known_count,
                                                 const double* seed,
                                                 std::size_t seed_count,
                                                 double* sensitivity,
                                                 std::size_t sensitivity_count) {
  return code(guarded(c, [&](Handle& h) {
    if (seed_count != known_count || sensitivity_count != unknown_count)
      throw UsageError("fmu-size", "seeds belong to knowns, sensitivities to unknowns");
    h.instance.derivative(items(unknowns, unknown_count),
                          items(knowns, known_count),
                          items(seed, seed_count),
                          items(sensitivity, sensitivity_count));
    return Status::ok;
  }));
}
FEMFLEX_FMU_API int fmi3GetAdjointDerivative(void* c,
                                             const Reference* unknowns,
                                             std::size_t unknown_count,
                                             const Reference* knowns,
                                             std::size_t known_count,
                                             const double* seed,
                                             std::size_t seed_count,
                                             double* sensitivity,
                                             std::size_t sensitivity_count) {
  return code(guarded(c, [&](Handle& h) {
    if (seed_count != unknown_count || sensitivity_count != known_count)
      throw UsageError("fmu-size", "seeds belong to unknowns, sensitivities to knowns");
    h.instance.derivative(items(unknowns, unknown_count),
                          items(knowns, known_count),
                          items(seed, seed_count),
                          items(sensitivity, sensitivity_count),
                          true);
    return Status::ok;
  }));
}

// --- clocks and discrete states: there are none

FEMFLEX_FMU_API int fmi3GetIntervalDecimal(
    void* c, const Reference*, std::size_t n, double*, int*) {
  return code(none_of_type(c, n, "Clock"));
}
FEMFLEX_FMU_API int fmi3GetIntervalFraction(
    void* c, const Reference*, std::size_t n, std::uint64_t*, std::uint64_t*, int*) {
  return code(none_of_type(c, n, "Clock"));
}
FEMFLEX_FMU_API int fmi3GetShiftDecimal(void* c, const Reference*, std::size_t n, double*) {
  return code(none_of_type(c, n, "Clock"));
}
FEMFLEX_FMU_API int fmi3GetShiftFraction(
    void* c, const Reference*, std::size_t n, std::uint64_t*, std::uint64_t*) {
  return code(none_of_type(c, n, "Clock"));
}
FEMFLEX_FMU_API int fmi3SetIntervalDecimal(void* c,
                                           const Reference*,
                                           std::size_t n,
                                           const double*) {
  return code(none_of_type(c, n, "Clock"));
}
FEMFLEX_FMU_API int fmi3SetIntervalFraction(
    void* c, const Reference*, std::size_t n, const std::uint64_t*, const std::uint64_t*) {
  return code(none_of_type(c, n, "Clock"));
}
FEMFLEX_FMU_API int fmi3SetShiftDecimal(void* c, const Reference*, std::size_t n, const double*) {
  return code(none_of_type(c, n, "Clock"));
}
FEMFLEX_FMU_API int fmi3SetShiftFraction(
    void* c, const Reference*, std::size_t n, const std::uint64_t*, const std::uint64_t*) {
  return code(none_of_type(c, n, "Clock"));
}
FEMFLEX_FMU_API int fmi3ActivateModelPartition(void* c, Reference, double) {
  return code(not_offered(c, "scheduled execution"));
}
FEMFLEX_FMU_API int fmi3EvaluateDiscreteStates(void* c) {
  return code(guarded(c, [](Handle&) { return Status::ok; }));
}
FEMFLEX_FMU_API int fmi3UpdateDiscreteStates(void* c,
                                             bool* needs_update,
                                             bool* terminates,
                                             bool* nominals_changed,
                                             bool* states_changed,
                                             bool* next_time_defined,
                                             double* next_time) {
  return code(guarded(c, [&](Handle& h) {
    out(needs_update) = out(terminates) = out(nominals_changed) = false;
    out(states_changed) = out(next_time_defined) = false;
    out(next_time) = 0.0;
    if (h.instance.model().is_linear) return Status::ok;
    h.instance.need_events();
    const double next = h.instance.next_event();
    *next_time_defined = std::isfinite(next);
    if (*next_time_defined) *next_time = next;
    return Status::ok;
  }));
}

// --- model exchange

// A linear model has no events, so event mode does not differ from continuous-time mode.
FEMFLEX_FMU_API int fmi3EnterEventMode(void* c) {
  return code(guarded(c, [](Handle& h) {
    if (!h.instance.model().is_linear) h.instance.enter_events();
    return Status::ok;
  }));
}
FEMFLEX_FMU_API int fmi3EnterContinuousTimeMode(void* c) {
  return of_linear(c, [](Instance&) {});
}
FEMFLEX_FMU_API int fmi3CompletedIntegratorStep(void* c,
                                                bool,
                                                bool* enter_event,
                                                bool* terminates) {
  return of_linear(c, [&](Instance&) { out(enter_event) = out(terminates) = false; });
}
FEMFLEX_FMU_API int fmi3SetTime(void* c, double time) {
  return of_linear(c, [&](Instance& instance) { instance.set_time(time); });
}
FEMFLEX_FMU_API int fmi3SetContinuousStates(void* c, const double* x, std::size_t n) {
  return code(set_states(c, x, n));
}
FEMFLEX_FMU_API int fmi3GetContinuousStateDerivatives(void* c, double* x, std::size_t n) {
  return code(get_derivatives(c, x, n));
}
FEMFLEX_FMU_API int fmi3GetEventIndicators(void* c, double*, std::size_t n) {
  return code(none_of_type(c, n, "event indicator"));
}
FEMFLEX_FMU_API int fmi3GetContinuousStates(void* c, double* x, std::size_t n) {
  return code(get_states(c, x, n));
}
FEMFLEX_FMU_API int fmi3GetNominalsOfContinuousStates(void* c, double* x, std::size_t n) {
  return code(get_nominals(c, x, n));
}
FEMFLEX_FMU_API int fmi3GetNumberOfEventIndicators(void* c, std::size_t* count) {
  return of_linear(c, [&](Instance&) { out(count) = 0; });
}
FEMFLEX_FMU_API int fmi3GetNumberOfContinuousStates(void* c, std::size_t* count) {
  return of_linear(c, [&](Instance& instance) {
    out(count) = static_cast<std::size_t>(instance.state_count());
  });
}

// --- co-simulation

FEMFLEX_FMU_API int fmi3EnterStepMode(void* c) {
  return code(change(c, &Instance::leave_events));
}
FEMFLEX_FMU_API int fmi3GetOutputDerivatives(
    void* c, const Reference*, std::size_t, const std::int32_t*, double*, std::size_t) {
  return code(not_offered(c, "derivatives of outputs by time"));
}
FEMFLEX_FMU_API int fmi3DoStep(void* c,
                               double from,
                               double length,
                               bool,
                               bool* needs_events,
                               bool* terminates,
                               bool* early_return,
                               double* last_time) {
  return code(guarded(c, [&](Handle& h) {
    out(needs_events) = out(terminates) = out(early_return) = false;
    const Status status = do_step(c, from, length);
    const double last = h.instance.time();
    out(last_time) = last;
    *needs_events = status == Status::ok && h.instance.is_at_event();
    *early_return = status == Status::ok && last < from + length;
    return status;
  }));
}
