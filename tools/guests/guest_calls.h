// GuestCalls: the part of an FMU instance that FMI 2.0 and 3.0 share; only the names of the C
// functions differ. Checked calls, model exchange, and the complete state of the FMU.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "guests/guest_instance.h"

namespace femflex::guests {

/// @tparam Names  the C function names of one FMI version, and `Byte`, its type of serialised
/// states
template <class Names>
class GuestCalls : public GuestInstance {
 public:
  using GuestInstance::GuestInstance;
  GuestCalls(const GuestCalls&) = delete;
  GuestCalls& operator=(const GuestCalls&) = delete;
  GuestCalls(GuestCalls&&) = delete;
  GuestCalls& operator=(GuestCalls&&) = delete;
  ~GuestCalls() override = default;

  void exit_initialisation() override { call(Names::exit_initialisation); }

  void set_time(double time) override { call<double>(Names::set_time, time); }
  void set_states(std::span<const double> x) override {
    call<const double*, std::size_t>(Names::set_states, x.data(), x.size());
  }
  void get_states(std::span<double> x) override { fill(Names::get_states, x); }
  void get_nominals(std::span<double> x) override { fill(Names::get_nominals, x); }
  void get_derivatives(std::span<double> x) override { fill(Names::get_derivatives, x); }
  void get_indicators(std::span<double> z) override { fill(Names::get_indicators, z); }
  void enter_events() override { call(Names::enter_events); }
  void leave_events() override { call(Names::leave_events); }

  void mark() override { call<void**>(Names::get_state, &state_); }
  void go_back() override { call<void*>(Names::set_state, state_); }
  std::string save() override {
    using Byte = typename Names::Byte;
    State state(*this);
    call<void**>(Names::get_state, state.place());
    std::size_t size = 0;
    call<void*, std::size_t*>(Names::state_size, state.get(), &size);
    std::string out(size, '\0');
    call<void*, Byte*, std::size_t>(
        Names::state_to_bytes, state.get(), reinterpret_cast<Byte*>(out.data()), size);
    return out;
  }
  void load(const std::string& bytes) override {
    using Byte = typename Names::Byte;
    State state(*this);
    call<const Byte*, std::size_t, void**>(Names::bytes_to_state,
                                           reinterpret_cast<const Byte*>(bytes.data()),
                                           bytes.size(),
                                           state.place());
    call<void*>(Names::set_state, state.get());
  }

 protected:
  /// Frees the instance. A destructor of a derived class calls it, because the FMU may still use
  /// members of that class.
  void free_instance() {
    if (instance_ == nullptr) return;
    release(state_);
    function<void(void*)>(Names::free_instance)(instance_);
  }
  template <class Function>
  Function* function(const char* name) const {
    return library_->template function<Function>(name);
  }
  /// Calls a function of the instance and checks its status.
  template <class... T>
  void call(const char* name, T... values) {
    call_of<T...>(name, {}, values...);
  }
  /// @param of  what the call is about, for the message
  template <class... T>
  void call_of(const char* name, const std::string& of, T... values) {
    check(function<int(void*, T...)>(name)(instance_, values...), name, of);
  }

  void* instance_ = nullptr;  ///< the instance of the FMU; null if it could not be made

 private:
  /// A state of the FMU, which frees it at the end of its scope, also if a call throws.
  class State {
   public:
    explicit State(const GuestCalls& owner)
        : instance_(owner.instance_),
          free_(owner.template function<int(void*, void**)>(Names::free_state)) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;
    ~State() {
      if (state_ != nullptr) free_(instance_, &state_);
    }
    void* get() const { return state_; }
    void** place() { return &state_; }

   private:
    void* instance_;
    int (*free_)(void*, void**);
    void* state_ = nullptr;
  };

  void fill(const char* name, std::span<double> x) {
    call<double*, std::size_t>(name, x.data(), x.size());
  }
  /// Lets the FMU free one of its states.
  void release(void* state) {
    if (state != nullptr) function<int(void*, void**)>(Names::free_state)(instance_, &state);
  }

  void* state_ = nullptr;  // state stored by mark()
};

}  // namespace femflex::guests
