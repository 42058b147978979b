// Runs an FMU through the C interface of FMI 2.0. Types and constants are those of
// sections 2.1, 3.2 and 4.2 of the standard.
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "guests/guest_calls.h"

namespace femflex::guests {
namespace {

using Reference2 = unsigned int;

/// fmi2CallbackFunctions; the FMU stores a pointer to it
struct Callbacks2 {
  void (*logger)(void*, const char*, int, const char*, const char*, ...) = nullptr;
  void* (*allocate)(std::size_t, std::size_t) = nullptr;
  void (*release)(void*) = nullptr;
  void (*step_finished)(void*, int) = nullptr;
  void* environment = nullptr;
};

/// fmi2EventInfo
struct EventInfo2 {
  int again = 0, ends = 0, nominals_changed = 0, states_changed = 0, has_time = 0;
  double next_time = 0.0;
};

// Called by the library of the FMU, so it must not throw.
void log_2(void* log, const char*, int status, const char* category, const char* format, ...) {
  if (log == nullptr || format == nullptr) return;
  std::array<char, 1024> text{};
  va_list parts;
  va_start(parts, format);
  std::vsnprintf(text.data(), text.size(), format, parts);
  va_end(parts);
  try {
    static_cast<GuestLog*>(log)->add(status, category, text.data());
  } catch (...) {  // the line is lost if there is no memory
  }
}

/// For GuestCalls.
struct Names2 {
  using Byte = char;
  static constexpr const char* free_instance = "fmi2FreeInstance";
  static constexpr const char* exit_initialisation = "fmi2ExitInitializationMode";
  static constexpr const char* set_time = "fmi2SetTime";
  static constexpr const char* set_states = "fmi2SetContinuousStates";
  static constexpr const char* get_states = "fmi2GetContinuousStates";
  static constexpr const char* get_nominals = "fmi2GetNominalsOfContinuousStates";
  static constexpr const char* get_derivatives = "fmi2GetDerivatives";
  static constexpr const char* get_indicators = "fmi2GetEventIndicators";
  static constexpr const char* enter_events = "fmi2EnterEventMode";
  static constexpr const char* leave_events = "fmi2EnterContinuousTimeMode";
  static constexpr const char* get_state = "fmi2GetFMUstate";
  static constexpr const char* set_state = "fmi2SetFMUstate";
  static constexpr const char* free_state = "fmi2FreeFMUstate";
  static constexpr const char* state_size = "fmi2SerializedFMUstateSize";
  static constexpr const char* state_to_bytes = "fmi2SerializeFMUstate";
  static constexpr const char* bytes_to_state = "fmi2DeSerializeFMUstate";
};

class Instance2 final : public GuestCalls<Names2> {
 public:
  Instance2(std::shared_ptr<const GuestLibrary> library, const std::string& name)
      : GuestCalls(std::move(library)) {
    callbacks_ = {log_2, std::calloc, std::free, nullptr, &log_};
    constexpr int kExchange = 0, kCoSimulation = 1;
    const std::string resources = library_->resources();
    instance_ =
        function<void*(const char*, int, const char*, const char*, const Callbacks2*, int, int)>(
            "fmi2Instantiate")(name.c_str(),
                               library_->is_exchange() ? kExchange : kCoSimulation,
                               library_->description().token.c_str(),
                               resources.c_str(),
                               &callbacks_,
                               0,
                               1);
    if (instance_ == nullptr)
      throw ModelError("fmu-instance",
                       fmt::format("fmi2Instantiate gives no instance: {}",
                                   log_.text().empty() ? "no message" : log_.text()));
  }
  Instance2(const Instance2&) = delete;
  Instance2& operator=(const Instance2&) = delete;
  Instance2(Instance2&&) = delete;
  Instance2& operator=(Instance2&&) = delete;
  ~Instance2() override { free_instance(); }

  void enter_initialisation(double start) override {
    call<int, double, double, int, double>("fmi2SetupExperiment", 0, 0.0, start, 0, 0.0);
    call("fmi2EnterInitializationMode");
  }

  void get(const GuestVariable& v, std::span<double> values) override {
    if (v.type == ValueType::real64) return one<double>("fmi2GetReal", v, &values[0]);
    int number = 0;
    one<int>(v.type == ValueType::boolean ? "fmi2GetBoolean" : "fmi2GetInteger", v, &number);
    values[0] = number;
  }
  void set(const GuestVariable& v, std::span<const double> values) override {
    if (v.type == ValueType::real64) return one<const double>("fmi2SetReal", v, &values[0]);
    const int number = v.type == ValueType::boolean ? static_cast<int>(values[0] != 0.0)
                                                    : static_cast<int>(std::lround(values[0]));
    one<const int>(v.type == ValueType::boolean ? "fmi2SetBoolean" : "fmi2SetInteger", v, &number);
  }
  void set_text(const GuestVariable& v, const std::string& text) override {
    const char* pointer = text.c_str();
    one<const char* const>("fmi2SetString", v, &pointer);
  }
  void set_rate(const GuestVariable& v, double rate) override {
    const Reference2 reference = v.reference;
    const int order = 1;
    call_of<const Reference2*, std::size_t, const int*, const double*>(
        "fmi2SetRealInputDerivatives", v.name, &reference, 1, &order, &rate);
  }
  double slope(const GuestVariable& unknown, const GuestVariable& known) override {
    const Reference2 of = unknown.reference, by = known.reference;
    const double seed = 1.0;
    double out = 0.0;
    call_of<const Reference2*, std::size_t, const Reference2*, std::size_t, const double*, double*>(
        "fmi2GetDirectionalDerivative",
        fmt::format("{} by {}", unknown.name, known.name),
        &of,
        1,
        &by,
        1,
        &seed,
        &out);
    return out;
  }

  void step(double from, double length) override {
    log_.clear();
    check(function<int(void*, double, double, int)>("fmi2DoStep")(instance_, from, length, 0),
          "fmi2DoStep",
          fmt::format("{:.9g} s from t = {:.9g} s", length, from));
  }

  EventOutcome update_events() override {
    EventInfo2 info;
    call<EventInfo2*>("fmi2NewDiscreteStates", &info);
    return {info.again != 0,
            info.ends != 0,
            info.states_changed != 0,
            info.has_time != 0,
            info.next_time};
  }
  bool complete_step() override {
    int enters = 0, ends = 0;
    call<int, int*, int*>("fmi2CompletedIntegratorStep", 1, &enters, &ends);
    if (ends != 0) throw ModelError("fmu-end", "it asks to end the simulation");
    return enters != 0;
  }

 private:
  /// Calls a getter or setter for one variable.
  template <class T>
  void one(const char* name, const GuestVariable& variable, T* value) {
    const Reference2 reference = variable.reference;
    call_of<const Reference2*, std::size_t, T*>(name, variable.name, &reference, 1, value);
  }

  Callbacks2 callbacks_;
};

}  // namespace

std::unique_ptr<GuestInstance> instantiate_2(const std::shared_ptr<const GuestLibrary>& library,
                                             const std::string& name) {
  return std::make_unique<Instance2>(library, name);
}

}  // namespace femflex::guests
