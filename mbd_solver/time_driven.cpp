// Finds values that read the time: formulas that name t, curves over t, values between two times,
// and roads that move under a vehicle.
#include "femflex/mbd_solver/time_driven.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "femflex/diagnostics.h"
#include "femflex/listed.h"

#include "spatial/model.h"

namespace femflex::mbd_solver {
namespace {

bool reads_time(const Signal& signal) {
  if (signal.is_constant()) return false;
  const Value& value = *signal.function;
  const auto* formula = std::get_if<laws::Formula>(&value.f);
  if (formula == nullptr || std::isfinite(value.from) || std::isfinite(value.until)) return true;
  const std::vector<std::string> names =
      laws::Formula::names_in(formula->text(), formula->constants());
  return std::find(names.begin(), names.end(), formula->variables().front()) != names.end();
}

/// Text of a value, short enough for a message.
std::string how_of(const Signal& signal) {
  constexpr std::size_t kMost = 80;
  const std::string text = signal.function->text();
  return text.size() <= kMost ? text : text.substr(0, kMost - 3) + "...";
}

}  // namespace

std::vector<TimeDriven> time_driven(const System& system) {
  Diagnostics compiled;
  const Model model = compile(system, compiled);
  std::vector<TimeDriven> out;
  const auto add = [&](const std::string& name, const Signal& signal) {
    if (!reads_time(signal) || (!out.empty() && out.back().name == name)) return;
    out.push_back({name, how_of(signal)});
  };
  for (const Signal& part : model.gravity)
    add("gravity", part);
  for (const MotionModel& motion : model.motions)
    if (motion.input < 0 && motion.block_output < 0) add("motion " + motion.name, motion.value);
  for (const BlockModel& block : model.network.blocks)
    for (const Signal& input : block.inputs)
      add("block " + block.name, input);
  for (const ForceModel& force : model.forces) {
    const std::string name = "force " + force.name;
    force.for_each_signal([&](const Signal& signal) { add(name, signal); });
    const auto* tyre = std::get_if<TyreLaw>(&force.law);
    if (tyre == nullptr) continue;
    if (!tyre->road) add(name, tyre->road_height);
    if (tyre->road && tyre->speed != 0.0)
      out.push_back({name, fmt::format("its road moves at {} m/s", tyre->speed)});
  }
  return out;
}

std::string text_of(const std::vector<TimeDriven>& driven) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (const TimeDriven& each : driven)
    names.push_back(fmt::format("{} ({})", each.name, each.how));
  return listed(names, kNamed);
}

}  // namespace femflex::mbd_solver
