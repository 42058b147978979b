// Runs an FMU through the C interface of FMI 2.0. Types and constants are those of
// sections 2.1, 3.2 and 4.2 of the standard.
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "guests/guest_instance.h"

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

class Instance2 final : public GuestInstance {
 public:
  Instance2(std::shared_ptr<const GuestLibrary> library, const std::string& name)
      : GuestInstance(std::move(library)) {
    callbacks_ = {log_2, std::calloc, std::free, nullptr, &log_};
    constexpr int kExchange = 0, kCoSimulation = 1;
    const std::string resources = library_->resources();
    c_ = function<void*(const char*, int, const char*, const char*, const Callbacks2*, int, int)>(
        "fmi2Instantiate")(name.c_str(),
                           library_->is_exchange() ? kExchange : kCoSimulation,
                           library_->description().token.c_str(),
                           resources.c_str(),
                           &callbacks_,
                           0,
                           1);
    if (c_ == nullptr)
      throw ModelError("fmu-instance",
                       fmt::format("fmi2Instantiate gives no instance: {}",
                                   log_.text().empty() ? "no message" : log_.text()));
  }
  ~Instance2() override {
    if (c_ == nullptr) return;
    release(state_);
    function<void(void*)>("fmi2FreeInstance")(c_);
  }

  void enter_initialisation(double start) override {
    call<int, double, double, int, double>("fmi2SetupExperiment", 0, 0.0, start, 0, 0.0);
    call("fmi2EnterInitializationMode");
  }
  void exit_initialisation() override { call("fmi2ExitInitializationMode"); }

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
    check(function<int(void*, double, double, int)>("fmi2DoStep")(c_, from, length, 0),
          "fmi2DoStep",
          fmt::format("{:.9g} s from t = {:.9g} s", length, from));
  }

  void set_time(double time) override { call<double>("fmi2SetTime", time); }
  void set_states(std::span<const double> x) override {
    call<const double*, std::size_t>("fmi2SetContinuousStates", x.data(), x.size());
  }
  void get_states(std::span<double> x) override {
    call<double*, std::size_t>("fmi2GetContinuousStates", x.data(), x.size());
  }
  void get_nominals(std::span<double> x) override {
    call<double*, std::size_t>("fmi2GetNominalsOfContinuousStates", x.data(), x.size());
  }
  void get_derivatives(std::span<double> x) override {
    call<double*, std::size_t>("fmi2GetDerivatives", x.data(), x.size());
  }
  void get_indicators(std::span<double> z) override {
    call<double*, std::size_t>("fmi2GetEventIndicators", z.data(), z.size());
  }
  void enter_events() override { call("fmi2EnterEventMode"); }
  EventOutcome update_events() override {
    EventInfo2 info;
    call<EventInfo2*>("fmi2NewDiscreteStates", &info);
    return {info.again != 0,
            info.ends != 0,
            info.states_changed != 0,
            info.has_time != 0,
            info.next_time};
  }
  void leave_events() override { call("fmi2EnterContinuousTimeMode"); }
  bool complete_step() override {
    int enters = 0, ends = 0;
    call<int, int*, int*>("fmi2CompletedIntegratorStep", 1, &enters, &ends);
    if (ends != 0) throw ModelError("fmu-end", "it asks to end the simulation");
    return enters != 0;
  }

  void mark() override { call<void**>("fmi2GetFMUstate", &state_); }
  void go_back() override { call<void*>("fmi2SetFMUstate", state_); }
  std::string save() override {
    void* state = nullptr;
    call<void**>("fmi2GetFMUstate", &state);
    std::size_t size = 0;
    call<void*, std::size_t*>("fmi2SerializedFMUstateSize", state, &size);
    std::string out(size, '\0');
    call<void*, char*, std::size_t>("fmi2SerializeFMUstate", state, out.data(), size);
    release(state);
    return out;
  }
  void load(const std::string& bytes) override {
    void* state = nullptr;
    call<const char*, std::size_t, void**>(
        "fmi2DeSerializeFMUstate", bytes.data(), bytes.size(), &state);
    call<void*>("fmi2SetFMUstate", state);
    release(state);
  }

 private:
  /// Lets the FMU free one of its states.
  void release(void* state) {
    if (state != nullptr) function<int(void*, void**)>("fmi2FreeFMUstate")(c_, &state);
  }
  template <class Function>
  Function* function(const char* name) const {
    return library_->function<Function>(name);
  }
  /// Calls a function of the instance and checks its status.
  template <class... T>
  void call(const char* name, T... values) {
    call_of<T...>(name, {}, values...);
  }
  template <class... T>
  void call_of(const char* name, const std::string& of, T... values) {
    check(function<int(void*, T...)>(name)(c_, values...), name, of);
  }
  /// Calls a getter or setter for one variable.
  template <class T>
  void one(const char* name, const GuestVariable& variable, T* value) {
    const Reference2 reference = variable.reference;
    call_of<const Reference2*, std::size_t, T*>(name, variable.name, &reference, 1, value);
  }

  Callbacks2 callbacks_;
  void* c_ = nullptr;
  void* state_ = nullptr;  // state stored by mark()
};

}  // namespace

std::unique_ptr<GuestInstance> instantiate_2(const std::shared_ptr<const GuestLibrary>& library,
                                             const std::string& name) {
  return std::make_unique<Instance2>(library, name);
}

}  // namespace femflex::guests
