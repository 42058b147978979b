// Loads the FMU of a block, finds its inputs and outputs, and checks their units.
#include "system/fmu_block.h"

#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/simulate.h"

#include "document/base_unit.h"
#include "guests/fmu_guest.h"
#include "guests/guest_library.h"

namespace femflex::tools {
namespace {

using guests::FmuGuest;
using guests::GuestLibrary;
using guests::GuestPlan;

constexpr std::int64_t kMostRepeats = 1000;

/// Calls `work`; adds the name of the file to its errors.
template <class Work>
auto of_file(const Json& file, const Work& work) {
  try {
    return work();
  } catch (const ModelError& error) {
    throw ModelError(error.code(),
                     fmt::format("{}: {}", file.text(), error.message()),
                     {},
                     std::string(error.fix()));
  }
}

/// Loads the requested kind; if none is requested, the kind that the FMU has, preferably
/// co-simulation.
std::shared_ptr<const GuestLibrary> load_library(ObjectReader& reader,
                                                 const std::filesystem::path& path) {
  const Json* kind = reader.find("kind");
  if (kind != nullptr)
    return std::make_shared<const GuestLibrary>(
        path, choice(*kind, {"co-simulation", "model-exchange"}) == "model-exchange");
  return std::make_shared<const GuestLibrary>(path);
}

GuestPlan plan_of(ObjectReader& reader, const SystemReader& in, mbd_solver::Block& block) {
  GuestPlan plan;
  if (const Json* inputs = reader.find("inputs"); inputs != nullptr) {
    if (!inputs->is_object())
      inputs->fail(
          "wrong-kind", "a list where names were expected", "write { \"u\": \"[angle]\" }");
    for (const Json::Member& input : inputs->members()) {
      plan.inputs.push_back(input.key);
      block.inputs.push_back(in.value(input.value));
    }
  }
  if (const Json* parameters = reader.find("parameters"); parameters != nullptr)
    for (const Json::Member& each : parameters->members()) {
      const bool is_text = each.value.is_text() && !each.value.text().starts_with('=');
      if (is_text)
        plan.texts.emplace_back(each.key, each.value.text());
      else if (each.value.is_boolean())
        plan.numbers.emplace_back(each.key, each.value.boolean() ? 1.0 : 0.0);
      else
        plan.numbers.emplace_back(each.key, in.number(each.value));
    }
  if (const Json* outputs = reader.find("outputs"); outputs != nullptr)
    for (const Json& name : outputs->items())
      plan.outputs.push_back(name.text());
  return plan;
}

/// Initial outputs of the FMU with its default inputs.
Eigen::VectorXd first_outputs(const FmuGuest& guest) {
  const std::unique_ptr<mbd_solver::GuestRun> run = guest.make_run();
  Eigen::VectorXd out(static_cast<Eigen::Index>(guest.outputs().size()));
  std::string why = run->begin(0.0, {});
  if (why.empty()) why = run->exchange({}, {out.data(), static_cast<std::size_t>(out.size())});
  if (!why.empty()) throw ModelError("fmu-start", fmt::format("it does not start: {}", why));
  if (!out.allFinite()) throw ModelError("fmu-start", "an output is not finite at its start");
  return out;
}

/// The channel that a value passes on unchanged; empty if the value is a formula or a number.
std::string channel_of(const mbd_solver::Value& value) {
  const auto* formula = std::get_if<laws::Formula>(&value.f);
  if (formula == nullptr || value.factor != 1.0 || value.offset != 0.0) return {};
  const std::vector<std::string> variables = value.variables();
  if (variables.size() != 2) return {};
  const std::string& name = variables.back();
  return formula->text() == name || formula->text() == "[" + name + "]" ? name : std::string();
}

/// Exponents of base units as text; a radian counts as 1.
std::string dimension(const int* exponents) {
  constexpr std::array kSymbols = {"kg", "m", "s", "A", "K", "mol", "cd"};
  std::string out;
  for (std::size_t k = 0; k < kSymbols.size(); ++k)
    if (exponents[k] != 0) out += fmt::format(" {}^{}", kSymbols[k], exponents[k]);
  return out;
}

}  // namespace

void read_fmu_block(ObjectReader& reader, const SystemReader& in, mbd_solver::Block& block) {
  const Json& name = reader.need("file");
  const std::filesystem::path path = in.file(name);
  mbd_solver::GuestBlock law;
  law.file = name.text();
  GuestPlan plan = plan_of(reader, in, block);
  const auto guest = of_file(name, [&] {
    const std::shared_ptr<const GuestLibrary> library = load_library(reader, path);
    if (plan.outputs.empty()) plan.outputs = guests::all_outputs(library->description());
    if (plan.outputs.empty()) throw ModelError("fmu-variable", "it has no output that is a number");
    return std::make_shared<const FmuGuest>(library, plan);
  });
  law.initial = of_file(name, [&] { return first_outputs(*guest); });
  law.guest = guest;
  const guests::GuestDescription& description = guest->library().description();
  if (const Json* step = reader.find("step"); step != nullptr)
    law.step = in.number(*step, in.time());
  else if (description.step)
    law.step = *description.step;
  else
    name.fail("missing-key",
              fmt::format("block '{}': {} proposes no step", block.name, name.text()),
              "add \"step\", the time between two exchanges");
  law.offset = in.number(reader, "offset", 0.0, in.time());
  const Json* extrapolation = reader.find("extrapolation");
  if (const Json* repeats = reader.find("repeats"); repeats != nullptr) {
    law.repeats = static_cast<int>(in.whole(*repeats, 0, kMostRepeats));
    if (law.repeats > 0 && !guest->goes_back())
      repeats->fail(
          "fmu-state",
          fmt::format("block '{}': {} cannot go back to a state that it had, so its steps "
                      "are not repeated",
                      block.name,
                      name.text()),
          "leave \"repeats\" out");
  }
  law.is_linear = extrapolation != nullptr ? choice(*extrapolation, {"hold", "linear"}) == "linear"
                                           : law.repeats > 0;
  block.output_names = plan.outputs;
  for (const guests::GuestPort& port : guest->outputs())
    block.output_units.push_back(guest->unit_of(port));
  block.law = std::move(law);
}

void check_guest_units(const mbd_solver::System& system) {
  for (const mbd_solver::Block& block : system.blocks) {
    const auto* law = std::get_if<mbd_solver::GuestBlock>(&block.law);
    const auto* guest = law == nullptr ? nullptr : dynamic_cast<const FmuGuest*>(law->guest.get());
    if (guest == nullptr) continue;
    for (std::size_t k = 0; k < block.inputs.size(); ++k) {
      const guests::GuestVariable& variable =
          guest->library().description().variables[guest->inputs()[k].variable];
      const std::string channel = channel_of(block.inputs[k]);
      if (channel.empty() || !variable.base) continue;
      mbd_solver::System asked = system;
      asked.outputs = {channel};
      std::vector<mbd_solver::Channel> found;
      try {
        found = mbd_solver::channels_of(asked);
      } catch (const ModelError&) {  // the run itself reports the error in the system
        return;
      }
      if (found.size() != 1 || found.front().unit.empty()) continue;
      const std::optional<BaseUnit> unit = base_unit(found.front().unit);
      if (!unit || dimension(unit->exponents) == dimension(variable.base->exponents.data()))
        continue;
      throw ModelError("fmu-unit",
                       fmt::format("block '{}': {}: the input '{}' is in {}, and '{}' is in {}",
                                   block.name,
                                   law->file,
                                   variable.name,
                                   variable.unit,
                                   channel,
                                   found.front().unit),
                       {},
                       "convert it by a formula, such as \"2*[name]\"");
    }
  }
}

}  // namespace femflex::tools
