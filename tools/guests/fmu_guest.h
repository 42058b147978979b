// FmuGuest: an FMU (a model of another program) as a guest of the solver; inputs and outputs by
// name, in SI units.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "femflex/mbd_solver/guest.h"

#include "guests/guest_library.h"

namespace femflex::guests {

/// The variables of an FMU that take part in a run, by name.
struct GuestPlan {
  std::vector<std::string> inputs, outputs;
  std::vector<std::pair<std::string, double>> numbers;  ///< parameters, in the units of the FMU
  std::vector<std::pair<std::string, std::string>> texts;
};

/// An FMU with the variables of a plan.
class FmuGuest final : public mbd_solver::Guest {
 public:
  /// @throws ModelError  a variable does not exist, or has another causality or type
  FmuGuest(std::shared_ptr<const GuestLibrary> library, const GuestPlan& plan);

  std::unique_ptr<mbd_solver::GuestRun> make_run() const override;
  bool goes_back() const override { return library_->kind().goes_back; }
  bool saves() const override { return library_->kind().serialises; }

  /// SI unit of an input or output as text; empty if the FMU gives no known unit.
  std::string unit_of(const GuestPort& port) const;
  const std::vector<GuestPort>& inputs() const { return inputs_; }
  const std::vector<GuestPort>& outputs() const { return outputs_; }
  const GuestLibrary& library() const { return *library_; }

 private:
  friend class FmuRun;
  GuestPort port(const std::string& name, const char* causality) const;

  std::shared_ptr<const GuestLibrary> library_;
  std::vector<GuestPort> inputs_, outputs_;
  std::vector<std::pair<GuestPort, double>> numbers_;
  std::vector<std::pair<std::size_t, std::string>> texts_;
};

/// Names of all numerical outputs.
std::vector<std::string> all_outputs(const GuestDescription& description);

}  // namespace femflex::guests
