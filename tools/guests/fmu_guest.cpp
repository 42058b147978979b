// Runs of FMUs: conversion of units, steps of co-simulation, steps of the solver for model
// exchange, states as bytes, derivatives.
#include "guests/fmu_guest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/nearest_name.h"
#include "guests/guest_instance.h"
#include "guests/guest_solver.h"

namespace femflex::guests {
namespace {

using Eigen::Index;

// step of central differences relative to a number: the cube root of round-off
constexpr double kGuestDifference = 6e-6;

// numbers in a stored state before its inputs: start, time, and the memory of the solver
constexpr std::size_t kOwnNumbers = 5;

bool is_real(const GuestVariable& variable) {
  return variable.type == ValueType::real64 || variable.type == ValueType::real32;
}
double factor_of(const GuestVariable& variable) {
  return variable.base ? variable.base->factor : 1.0;
}
double offset_of(const GuestVariable& variable) {
  return variable.base ? variable.base->offset : 0.0;
}

/// Names of variables with the given causality, for suggestions.
std::vector<std::string> names_of(const GuestDescription& description,
                                  const std::string& causality) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < description.variables.size(); ++k) {
    const GuestVariable& variable = description.variables[k];
    if (!causality.empty() && variable.causality != causality) continue;
    for (std::size_t element = 0; element < variable.count(); ++element)
      out.push_back(name_of(description, {k, element}));
  }
  return out;
}

}  // namespace

std::vector<std::string> all_outputs(const GuestDescription& description) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < description.variables.size(); ++k) {
    const GuestVariable& variable = description.variables[k];
    if (variable.causality != "output" || !is_number(variable.type)) continue;
    for (std::size_t element = 0; element < variable.count(); ++element)
      out.push_back(name_of(description, {k, element}));
  }
  return out;
}

FmuGuest::FmuGuest(std::shared_ptr<const GuestLibrary> library, const GuestPlan& plan)
    : library_(std::move(library)) {
  for (const std::string& name : plan.inputs)
    inputs_.push_back(port(name, "input"));
  for (const std::string& name : plan.outputs)
    outputs_.push_back(port(name, ""));
  const GuestDescription& d = library_->description();
  for (const auto& [name, number] : plan.numbers)
    numbers_.emplace_back(port(name, "parameter"), number);
  for (const auto& given : plan.texts) {
    const std::string& name = given.first;
    const auto found = std::find_if(d.variables.begin(), d.variables.end(), [&](const auto& each) {
      return each.name == name && each.type == ValueType::string;
    });
    if (found == d.variables.end())
      throw ModelError("fmu-variable",
                       fmt::format("'{}' is not a text among its variables", name),
                       {.file = library_->file()});
    texts_.emplace_back(static_cast<std::size_t>(found - d.variables.begin()), given.second);
  }
}

GuestPort FmuGuest::port(const std::string& name, const char* causality) const {
  const GuestDescription& d = library_->description();
  const std::optional<GuestPort> found = find_port(d, name);
  const std::string wanted = causality;
  const auto fail = [&](const std::string& why) {
    throw ModelError("fmu-variable",
                     why,
                     {.file = library_->file()},
                     tools::suggestion(name, names_of(d, wanted)));
  };
  const bool is_array = std::any_of(d.variables.begin(), d.variables.end(), [&](const auto& each) {
    return each.name == name && !each.extents.empty();
  });
  if (is_array) fail(fmt::format("'{}' is an array; name its elements, '{}[1]'", name, name));
  if (!found) fail(fmt::format("it has no variable '{}'", name));
  const GuestVariable& variable = d.variables[found->variable];
  if (!is_number(variable.type)) fail(fmt::format("'{}' is not a number", name));
  // variables that an FMU allows to be set before it starts, except inputs
  const bool is_other = !wanted.empty() && variable.causality != wanted &&
                        !(wanted == "parameter" && variable.causality == "local");
  if (is_other)
    fail(fmt::format(
        "'{}' is {} {}, not {} {}",
        name,
        variable.causality.starts_with('i') || variable.causality.starts_with('o') ? "an" : "a",
        variable.causality,
        wanted == "input" ? "an" : "a",
        wanted));
  return *found;
}

std::string FmuGuest::unit_of(const GuestPort& port) const {
  const GuestVariable& variable = library_->description().variables[port.variable];
  if (!variable.base) return {};
  constexpr const char* kSymbols[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  const GuestUnit& base = *variable.base;
  if (base.factor == 1.0 && base.offset == 0.0) return variable.unit;
  std::string out;
  for (std::size_t k = 0; k < base.exponents.size(); ++k)
    if (const int power = base.exponents[k]; power != 0)
      out += fmt::format("{}{}{}",
                         out.empty() ? "" : " ",
                         kSymbols[k],
                         power == 1 ? std::string() : fmt::format("^{}", power));
  return out;
}

/// One run: an instance, its time and its present inputs.
class FmuRun final : public mbd_solver::GuestRun {
 public:
  FmuRun(std::shared_ptr<const GuestLibrary> library, const FmuGuest& guest)
      : library_(std::move(library)),
        inputs_(guest.inputs_),
        outputs_(guest.outputs_),
        numbers_(guest.numbers_),
        texts_(guest.texts_) {}

  std::string begin(double time, std::span<const double> inputs) override {
    return guarded([&] {
      start(time, inputs);
      if (solver_) solver_->begin(time);
    });
  }

  std::string advance(double time, std::span<const double> next) override {
    return guarded([&] {
      const double length = time - time_;
      if (solver_) {
        const std::vector<double> first = now_, last(next.begin(), next.end());
        const auto set = [&](double t) {
          const double share = (t - time_) / length;
          for (std::size_t k = 0; k < inputs_.size(); ++k)
            if (is_continuous(k)) put(k, first[k] + share * (last[k] - first[k]));
        };
        const bool ramps = !next.empty() && first != last;
        solver_->advance(time_, time, ramps ? std::function<void(double)>(set) : nullptr);
      } else {
        if (!next.empty()) ramp(next, length);
        instance_->step(time_, length);
      }
      time_ = time;
    });
  }

  std::string exchange(std::span<const double> inputs, std::span<double> outputs) override {
    return guarded([&] {
      const bool changes = !std::equal(inputs.begin(), inputs.end(), now_.begin(), now_.end());
      const auto set = [&] {
        for (std::size_t k = 0; k < inputs.size(); ++k)
          if (inputs[k] != now_[k]) put(k, inputs[k]);
      };
      if (changes && solver_)
        solver_->handle_events(time_, set);
      else if (changes)
        set();
      read(outputs);
    });
  }

  std::string mark() override {
    return guarded([&] {
      instance_->mark();
      marked_ = {time_, now_, solver_ ? solver_->memory : SolverMemory{}};
    });
  }
  std::string go_back() override {
    return guarded([&] {
      instance_->go_back();
      time_ = marked_.time;
      now_ = marked_.inputs;
      if (!solver_) return;
      solver_->memory = marked_.memory;
      solver_->refresh(time_);
    });
  }

  std::string save(std::string& bytes) override {
    return guarded([&] {
      const SolverMemory memory = solver_ ? solver_->memory : SolverMemory{};
      std::vector<double> numbers = {
          begun_, time_, memory.step, memory.has_event ? 1.0 : 0.0, memory.event};
      numbers.insert(numbers.end(), now_.begin(), now_.end());
      bytes.resize(numbers.size() * sizeof(double));
      std::memcpy(bytes.data(), numbers.data(), bytes.size());
      bytes += instance_->save();
    });
  }
  std::string load(const std::string& bytes) override {
    return guarded([&] {
      std::vector<double> numbers(kOwnNumbers + inputs_.size());
      const std::size_t size = numbers.size() * sizeof(double);
      if (bytes.size() < size)
        throw ModelError("fmu-state", "the state belongs to an FMU with other inputs");
      std::memcpy(numbers.data(), bytes.data(), size);
      start(numbers[0], std::span(numbers).subspan(kOwnNumbers));
      if (solver_) solver_->begin(numbers[0]);
      instance_->load(bytes.substr(size));
      time_ = numbers[1];
      if (!solver_) return;
      solver_->memory = {numbers[2], numbers[3] != 0.0, numbers[4]};
      solver_->refresh(time_);
    });
  }

  std::string linearise(mbd_solver::LinearGuest& out) override {
    return guarded([&] {
      const auto inputs = static_cast<Index>(inputs_.size());
      const auto outputs = static_cast<Index>(outputs_.size());
      const Index n = solver_ ? static_cast<Index>(solver_->states().size()) : 0;
      out.A.setZero(n, n);
      out.B.setZero(n, inputs);
      out.C.setZero(outputs, n);
      out.D.setZero(outputs, inputs);
      out.inputs = Eigen::Map<const Eigen::VectorXd>(now_.data(), inputs);
      std::vector<double> y(outputs_.size());
      read(y);
      out.outputs = Eigen::Map<const Eigen::VectorXd>(y.data(), outputs);
      if (has_slopes()) return slopes(out);
      if (!solver_)
        throw ModelError("fmu-derivatives",
                         "it gives no directional derivatives, so that nothing is known of it near "
                         "a state; take it as model exchange, or leave it out");
      differences(out);
    });
  }

 private:
  struct Marked {
    double time = 0.0;
    std::vector<double> inputs;
    SolverMemory memory;
  };

  template <class Work>
  std::string guarded(const Work& work) {
    try {
      work();
      return {};
    } catch (const Error& error) {
      return std::string(error.message());
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  const GuestVariable& variable(const GuestPort& port) const {
    return library_->description().variables[port.variable];
  }
  bool is_continuous(std::size_t input) const {
    const GuestVariable& each = variable(inputs_[input]);
    return is_real(each) && each.variability == "continuous";
  }

  /// Instantiates and initialises the FMU at `time` with inputs.
  void start(double time, std::span<const double> inputs) {
    solver_.reset();
    instance_ = instantiate(library_, "guest");
    now_.assign(inputs.begin(), inputs.end());
    for (const auto& [index, text] : texts_)
      instance_->set_text(library_->description().variables[index], text);
    for (const auto& [port, number] : numbers_)
      set_element(port, number);
    instance_->enter_initialisation(time);
    for (std::size_t k = 0; k < inputs.size(); ++k)  // without inputs, the FMU's own start values
                                                     // remain
      put(k, inputs[k]);
    instance_->exit_initialisation();
    time_ = begun_ = time;
    if (library_->is_exchange()) solver_.emplace(*instance_);
  }

  /// Sets one number in the FMU's unit; the other elements of an array are unchanged.
  void set_element(const GuestPort& port, double number) {
    const GuestVariable& each = variable(port);
    scratch_.assign(each.count(), number);
    if (each.count() > 1) {
      instance_->get(each, scratch_);
      scratch_[port.element] = number;
    }
    instance_->set(each, scratch_);
  }
  /// Sets an input from a value in SI units.
  void put(std::size_t input, double value) {
    const GuestVariable& each = variable(inputs_[input]);
    set_element(inputs_[input], (value - offset_of(each)) / factor_of(each));
    now_[input] = value;
  }
  void read(std::span<double> outputs) {
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      const GuestVariable& each = variable(outputs_[k]);
      scratch_.assign(each.count(), 0.0);
      instance_->get(each, scratch_);
      outputs[k] = scratch_[outputs_[k].element] * factor_of(each) + offset_of(each);
    }
  }
  /// Sets inputs that change linearly to `next` in a step of co-simulation: by their rates if the
  /// FMU supports rates, else by their mean.
  void ramp(std::span<const double> next, double length) {
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      if (next[k] == now_[k] || !is_continuous(k)) continue;
      const GuestVariable& each = variable(inputs_[k]);
      if (library_->kind().takes_rates)
        instance_->set_rate(each, (next[k] - now_[k]) / length / factor_of(each));
      else
        put(k, 0.5 * (now_[k] + next[k]));
    }
  }

  bool has_slopes() const {
    if (!library_->kind().gives_derivatives) return false;
    const GuestDescription& d = library_->description();
    const auto is_array = [&](std::size_t k) { return !d.variables[k].extents.empty(); };
    return std::none_of(d.derivatives.begin(), d.derivatives.end(), is_array) &&
           std::none_of(inputs_.begin(),
                        inputs_.end(),
                        [&](const GuestPort& p) { return is_array(p.variable); }) &&
           std::none_of(outputs_.begin(), outputs_.end(), [&](const GuestPort& p) {
             return is_array(p.variable);
           });
  }
  void slopes(mbd_solver::LinearGuest& out) {
    const GuestDescription& d = library_->description();
    const auto slope = [&](const GuestVariable& of, const GuestVariable& by) {
      return is_real(of) && is_real(by) ? instance_->slope(of, by) : 0.0;
    };
    const Index n = out.A.rows();
    for (Index i = 0; i < n; ++i) {
      const GuestVariable& rate = d.variables[d.derivatives[static_cast<std::size_t>(i)]];
      for (Index k = 0; k < n; ++k)
        out.A(i, k) = slope(rate, state(static_cast<std::size_t>(k)));
      for (Index k = 0; k < out.B.cols(); ++k) {
        const GuestVariable& by = variable(inputs_[static_cast<std::size_t>(k)]);
        out.B(i, k) = slope(rate, by) / factor_of(by);
      }
    }
    for (Index i = 0; i < out.D.rows(); ++i) {
      const GuestVariable& of = variable(outputs_[static_cast<std::size_t>(i)]);
      for (Index k = 0; k < n; ++k)
        out.C(i, k) = factor_of(of) * slope(of, state(static_cast<std::size_t>(k)));
      for (Index k = 0; k < out.D.cols(); ++k) {
        const GuestVariable& by = variable(inputs_[static_cast<std::size_t>(k)]);
        out.D(i, k) = factor_of(of) * slope(of, by) / factor_of(by);
      }
    }
  }
  const GuestVariable& state(std::size_t k) const {
    const GuestDescription& d = library_->description();
    return d.variables[*d.variables[d.derivatives[k]].state];
  }

  /// Computes rates and outputs by central differences; states and inputs are restored afterwards.
  void differences(mbd_solver::LinearGuest& out) {
    const std::vector<double> x = solver_->states(), u = now_;
    std::vector<double> rates(x.size()), y(outputs_.size());
    const auto column = [&](double step, const std::function<void(double)>& move) {
      Eigen::VectorXd of_rates(out.A.rows()), of_outputs(out.D.rows());
      of_rates.setZero();
      of_outputs.setZero();
      for (const double side : {1.0, -1.0}) {
        move(side * step);
        if (!rates.empty()) instance_->get_derivatives(rates);
        read(y);
        of_rates +=
            side / (2.0 * step) * Eigen::Map<Eigen::VectorXd>(rates.data(), of_rates.size());
        of_outputs +=
            side / (2.0 * step) * Eigen::Map<Eigen::VectorXd>(y.data(), of_outputs.size());
      }
      move(0.0);
      return std::pair(of_rates, of_outputs);
    };
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double size = std::max(std::abs(x[k]), std::abs(solver_->nominals()[k]));
      const auto [a, c] = column(kGuestDifference * size, [&](double by) {
        std::vector<double> moved = x;
        moved[k] += by;
        instance_->set_states(moved);
      });
      out.A.col(static_cast<Index>(k)) = a;
      out.C.col(static_cast<Index>(k)) = c;
    }
    for (std::size_t k = 0; k < u.size(); ++k) {
      if (!is_continuous(k)) continue;
      const auto [b, d] = column(kGuestDifference * std::max(1.0, std::abs(u[k])),
                                 [&](double by) { put(k, u[k] + by); });
      out.B.col(static_cast<Index>(k)) = b;
      out.D.col(static_cast<Index>(k)) = d;
    }
  }

  std::shared_ptr<const GuestLibrary> library_;
  std::vector<GuestPort> inputs_, outputs_;
  std::vector<std::pair<GuestPort, double>> numbers_;
  std::vector<std::pair<std::size_t, std::string>> texts_;
  std::unique_ptr<GuestInstance> instance_;
  std::optional<GuestSolver> solver_;  // for model exchange; refers to the instance
  double time_ = 0.0, begun_ = 0.0;    // [s]
  std::vector<double> now_;            // present inputs, in SI units
  std::vector<double> scratch_;
  Marked marked_;
};

std::unique_ptr<mbd_solver::GuestRun> FmuGuest::make_run() const {
  return std::make_unique<FmuRun>(library_, *this);
}

}  // namespace femflex::guests
