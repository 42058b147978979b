// Runs an FMU through the C interface of FMI 3.0. Types and constants are those of
// sections 2.2, 3.2 and 4.2 of the standard. Co-simulation is used without event mode and early
// return, so that a step ends at the requested time.
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "guests/guest_calls.h"

namespace femflex::guests {
namespace {

using Reference3 = std::uint32_t;
using Logger3 = void (*)(void*, int, const char*, const char*);

// Called by the library of the FMU, so it must not throw.
void log_3(void* log, int status, const char* category, const char* text) {
  if (log == nullptr || text == nullptr) return;
  try {
    static_cast<GuestLog*>(log)->add(status, category, text);
  } catch (...) {  // the line is lost if there is no memory
  }
}

/// For GuestCalls.
struct Names3 {
  using Byte = std::uint8_t;
  static constexpr const char* free_instance = "fmi3FreeInstance";
  static constexpr const char* exit_initialisation = "fmi3ExitInitializationMode";
  static constexpr const char* set_time = "fmi3SetTime";
  static constexpr const char* set_states = "fmi3SetContinuousStates";
  static constexpr const char* get_states = "fmi3GetContinuousStates";
  static constexpr const char* get_nominals = "fmi3GetNominalsOfContinuousStates";
  static constexpr const char* get_derivatives = "fmi3GetContinuousStateDerivatives";
  static constexpr const char* get_indicators = "fmi3GetEventIndicators";
  static constexpr const char* enter_events = "fmi3EnterEventMode";
  static constexpr const char* leave_events = "fmi3EnterContinuousTimeMode";
  static constexpr const char* get_state = "fmi3GetFMUState";
  static constexpr const char* set_state = "fmi3SetFMUState";
  static constexpr const char* free_state = "fmi3FreeFMUState";
  static constexpr const char* state_size = "fmi3SerializedFMUStateSize";
  static constexpr const char* state_to_bytes = "fmi3SerializeFMUState";
  static constexpr const char* bytes_to_state = "fmi3DeserializeFMUState";
};

class Instance3 final : public GuestCalls<Names3> {
 public:
  Instance3(std::shared_ptr<const GuestLibrary> library, const std::string& name)
      : GuestCalls(std::move(library)) {
    const std::string resources = library_->resources();
    const char* token = library_->description().token.c_str();
    if (library_->is_exchange())
      instance_ =
          function<void*(const char*, const char*, const char*, bool, bool, void*, Logger3)>(
              "fmi3InstantiateModelExchange")(
              name.c_str(), token, resources.c_str(), false, true, &log_, log_3);
    else
      instance_ = function<void*(const char*,
                                 const char*,
                                 const char*,
                                 bool,
                                 bool,
                                 bool,
                                 bool,
                                 const Reference3*,
                                 std::size_t,
                                 void*,
                                 Logger3,
                                 void*)>("fmi3InstantiateCoSimulation")(name.c_str(),
                                                                        token,
                                                                        resources.c_str(),
                                                                        false,
                                                                        true,
                                                                        false,
                                                                        false,
                                                                        nullptr,
                                                                        0,
                                                                        &log_,
                                                                        log_3,
                                                                        nullptr);
    if (instance_ == nullptr)
      throw ModelError("fmu-instance",
                       fmt::format("it gives no instance: {}",
                                   log_.text().empty() ? "no message" : log_.text()));
  }
  Instance3(const Instance3&) = delete;
  Instance3& operator=(const Instance3&) = delete;
  Instance3(Instance3&&) = delete;
  Instance3& operator=(Instance3&&) = delete;
  ~Instance3() override { free_instance(); }

  void enter_initialisation(double start) override {
    call<bool, double, double, bool, double>(
        "fmi3EnterInitializationMode", false, 0.0, start, false, 0.0);
  }

  void get(const GuestVariable& v, std::span<double> values) override {
    switch (v.type) {
      case ValueType::real64:
        return get_as<double>("fmi3GetFloat64", v, values);
      case ValueType::real32:
        return get_as<float>("fmi3GetFloat32", v, values);
      case ValueType::int8:
        return get_as<std::int8_t>("fmi3GetInt8", v, values);
      case ValueType::uint8:
        return get_as<std::uint8_t>("fmi3GetUInt8", v, values);
      case ValueType::int16:
        return get_as<std::int16_t>("fmi3GetInt16", v, values);
      case ValueType::uint16:
        return get_as<std::uint16_t>("fmi3GetUInt16", v, values);
      case ValueType::int32:
        return get_as<std::int32_t>("fmi3GetInt32", v, values);
      case ValueType::uint32:
        return get_as<std::uint32_t>("fmi3GetUInt32", v, values);
      case ValueType::int64:
        return get_as<std::int64_t>("fmi3GetInt64", v, values);
      case ValueType::uint64:
        return get_as<std::uint64_t>("fmi3GetUInt64", v, values);
      case ValueType::boolean:
        return get_as<bool>("fmi3GetBoolean", v, values);
      default:
        break;
    }
  }
  void set(const GuestVariable& v, std::span<const double> values) override {
    switch (v.type) {
      case ValueType::real64:
        return set_as<double>("fmi3SetFloat64", v, values);
      case ValueType::real32:
        return set_as<float>("fmi3SetFloat32", v, values);
      case ValueType::int8:
        return set_as<std::int8_t>("fmi3SetInt8", v, values);
      case ValueType::uint8:
        return set_as<std::uint8_t>("fmi3SetUInt8", v, values);
      case ValueType::int16:
        return set_as<std::int16_t>("fmi3SetInt16", v, values);
      case ValueType::uint16:
        return set_as<std::uint16_t>("fmi3SetUInt16", v, values);
      case ValueType::int32:
        return set_as<std::int32_t>("fmi3SetInt32", v, values);
      case ValueType::uint32:
        return set_as<std::uint32_t>("fmi3SetUInt32", v, values);
      case ValueType::int64:
        return set_as<std::int64_t>("fmi3SetInt64", v, values);
      case ValueType::uint64:
        return set_as<std::uint64_t>("fmi3SetUInt64", v, values);
      case ValueType::boolean:
        return set_as<bool>("fmi3SetBoolean", v, values);
      default:
        break;
    }
  }
  void set_text(const GuestVariable& v, const std::string& text) override {
    const Reference3 reference = v.reference;
    const char* pointer = text.c_str();
    call_of<const Reference3*, std::size_t, const char* const*, std::size_t>(
        "fmi3SetString", v.name, &reference, 1, &pointer, 1);
  }
  void set_rate(const GuestVariable& v, double) override {
    throw ModelError("fmu-rate", fmt::format("FMI 3 takes no rate of {}", v.name));
  }
  double slope(const GuestVariable& unknown, const GuestVariable& known) override {
    const Reference3 of = unknown.reference, by = known.reference;
    const double seed = 1.0;
    double out = 0.0;
    call_of<const Reference3*,
            std::size_t,
            const Reference3*,
            std::size_t,
            const double*,
            std::size_t,
            double*,
            std::size_t>("fmi3GetDirectionalDerivative",
                         fmt::format("{} by {}", unknown.name, known.name),
                         &of,
                         1,
                         &by,
                         1,
                         &seed,
                         1,
                         &out,
                         1);
    return out;
  }

  void step(double from, double length) override {
    log_.clear();
    bool needs_events = false, ends = false, early = false;
    double last = from;
    call_of<double, double, bool, bool*, bool*, bool*, double*>(
        "fmi3DoStep",
        fmt::format("{:.9g} s from t = {:.9g} s", length, from),
        from,
        length,
        false,
        &needs_events,
        &ends,
        &early,
        &last);
    if (ends) throw ModelError("fmu-end", "it asks to end the simulation");
    if (early)
      throw ModelError(
          "fmu-early",
          fmt::format("fmi3DoStep returns at t = {:.9g} s, before the end of its step", last));
  }

  EventOutcome update_events() override {
    EventOutcome out;
    bool nominals = false;
    call<bool*, bool*, bool*, bool*, bool*, double*>("fmi3UpdateDiscreteStates",
                                                     &out.again,
                                                     &out.ends,
                                                     &nominals,
                                                     &out.states_changed,
                                                     &out.has_time,
                                                     &out.next_time);
    return out;
  }
  bool complete_step() override {
    bool enters = false, ends = false;
    call<bool, bool*, bool*>("fmi3CompletedIntegratorStep", true, &enters, &ends);
    if (ends) throw ModelError("fmu-end", "it asks to end the simulation");
    return enters;
  }

 private:
  template <class T>
  void get_as(const char* name, const GuestVariable& v, std::span<double> values) {
    const Reference3 reference = v.reference;
    const auto numbers = std::make_unique<T[]>(values.size());
    call_of<const Reference3*, std::size_t, T*, std::size_t>(
        name, v.name, &reference, 1, numbers.get(), values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = static_cast<double>(numbers[k]);
  }
  template <class T>
  void set_as(const char* name, const GuestVariable& v, std::span<const double> values) {
    const Reference3 reference = v.reference;
    const auto numbers = std::make_unique<T[]>(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      if constexpr (std::is_same_v<T, bool>)
        numbers[k] = values[k] != 0.0;
      else if constexpr (std::is_floating_point_v<T>)
        numbers[k] = static_cast<T>(values[k]);
      else
        numbers[k] = static_cast<T>(std::llround(values[k]));
    }
    call_of<const Reference3*, std::size_t, const T*, std::size_t>(
        name, v.name, &reference, 1, numbers.get(), values.size());
  }
};

}  // namespace

std::unique_ptr<GuestInstance> instantiate_3(const std::shared_ptr<const GuestLibrary>& library,
                                             const std::string& name) {
  return std::make_unique<Instance3>(library, name);
}

}  // namespace femflex::guests
