// Writes modelDescription.xml: sections 2.2 of FMI 2.0 and 2.4 of FMI 3.0.
#include "fmu/fmu_description.h"

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/text.h"
#include "femflex/version.h"

#include "document/base_unit.h"

namespace femflex::fmu {
namespace {

using Role = Variable::Role;

constexpr const char* kBaseNames[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

/// A number with 17 digits, so that it is read back exactly.
std::string digits(double x) {
  return fmt::format("{:.17g}", x);
}

/// Channels whose value does not change at once with an input: they belong to positions and
/// velocities, which forces change only over time.
bool is_of_state(const std::string& channel) {
  static const std::set<std::string, std::less<>> quantities = {"position",
                                                                "orientation",
                                                                "velocity",
                                                                "angular_velocity",
                                                                "displacement",
                                                                "rotation",
                                                                "zeta",
                                                                "zeta_dot",
                                                                "eta",
                                                                "eta_dot",
                                                                "angle",
                                                                "angle_rate",
                                                                "displacement_rate"};
  const std::size_t last = channel.rfind('/');
  if (last == std::string::npos) return false;
  const std::string tail = channel.substr(last + 1);
  if (quantities.contains(tail)) return true;
  const bool is_component =
      tail.size() == 1 ? std::string_view("wxyz").find(tail[0]) != std::string_view::npos : false;
  if (!is_component && tail.find_first_not_of("0123456789") != std::string::npos) return false;
  const std::size_t before = channel.rfind('/', last - 1);
  return before != std::string::npos &&
         quantities.contains(channel.substr(before + 1, last - before - 1));
}

// For the importer's integrator. With 1e-4 displacements of a beam of 16 modes were 5 % off.
constexpr double kTolerance = 1e-6;

class Description {
 public:
  Description(const FmuModel& model, Version version)
      : model_(model), is_2_(version == Version::fmi2) {}

  std::string write(const std::string& identifier, double step) {
    out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out_ += fmt::format(
        "<fmiModelDescription fmiVersion=\"{}\" modelName=\"{}\" {}=\"{}\" "
        "generationTool=\"femflex {}\" variableNamingConvention=\"flat\"{}>\n",
        is_2_ ? "2.0" : "3.0",
        xml_escaped(model_.system.name.empty() ? identifier : model_.system.name),
        is_2_ ? "guid" : "instantiationToken",
        xml_escaped(model_.token),
        kVersion,
        is_2_ ? " numberOfEventIndicators=\"0\"" : "");
    write_kind(identifier);
    write_units();
    out_ += "  <LogCategories>\n";
    for (const char* name : {"logStatusWarning", "logStatusDiscard", "logStatusError"})
      out_ += fmt::format("    <Category name=\"{}\"/>\n", name);
    out_ += "  </LogCategories>\n";
    out_ +=
        fmt::format("  <DefaultExperiment startTime=\"{}\" stopTime=\"{}\" stepSize=\"{}\"{}/>\n",
                    digits(model_.start),
                    digits(model_.stop),
                    digits(step),
                    model_.is_linear ? fmt::format(" tolerance=\"{:g}\"", kTolerance) : "");
    out_ += "  <ModelVariables>\n";
    for (std::size_t k = 0; k < model_.variables.size(); ++k)
      is_2_ ? write_variable_2(k) : write_variable_3(k);
    out_ += "  </ModelVariables>\n  <ModelStructure>\n";
    is_2_ ? write_structure_2() : write_structure_3();
    out_ += "  </ModelStructure>\n</fmiModelDescription>\n";
    return std::move(out_);
  }

 private:
  void write_kind(const std::string& identifier) {
    const char* element = model_.is_linear ? "ModelExchange" : "CoSimulation";
    out_ += fmt::format("  <{} modelIdentifier=\"{}\" ", element, identifier);
    if (is_2_)
      out_ +=
          "canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" "
          "canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\"";
    else
      out_ +=
          "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
          "providesDirectionalDerivatives=\"true\" providesAdjointDerivatives=\"true\"";
    if (!model_.is_linear) {
      out_ += " canHandleVariableCommunicationStepSize=\"true\"";
      out_ += is_2_ ? " canInterpolateInputs=\"true\""
                    : " hasEventMode=\"true\" providesIntermediateUpdate=\"true\" "
                      "mightReturnEarlyFromDoStep=\"true\" "
                      "canReturnEarlyAfterIntermediateUpdate=\"true\"";
    }
    out_ += "/>\n";
  }

  void write_units() {
    std::set<std::string> names;
    for (const Variable& each : model_.variables)
      if (!each.unit.empty()) names.insert(each.unit);
    if (names.empty()) return;
    out_ += "  <UnitDefinitions>\n";
    for (const std::string& name : names) {
      out_ += fmt::format("    <Unit name=\"{}\">", xml_escaped(name));
      if (const std::optional<tools::BaseUnit> base = tools::base_unit(name); base) {
        out_ += "<BaseUnit";
        for (std::size_t k = 0; k < std::size(kBaseNames); ++k)
          if (base->exponents[k] != 0)
            out_ += fmt::format(" {}=\"{}\"", kBaseNames[k], base->exponents[k]);
        if (base->factor != 1.0) out_ += fmt::format(" factor=\"{}\"", digits(base->factor));
        out_ += "/>";
      }
      out_ += "</Unit>\n";
    }
    out_ += "  </UnitDefinitions>\n";
  }

  /// Attributes for the causality; equal in both versions.
  static std::string kind_of(const Variable& variable) {
    switch (variable.role) {
      case Role::time:
        return "causality=\"independent\" variability=\"continuous\"";
      case Role::parameter:
        return "causality=\"parameter\" variability=\"tunable\" initial=\"exact\"";
      case Role::input:
        return "causality=\"input\" variability=\"continuous\"";
      case Role::output:
        return "causality=\"output\" variability=\"continuous\" initial=\"calculated\"";
      case Role::state:
        return "causality=\"local\" variability=\"continuous\" initial=\"exact\"";
      case Role::derivative:
        return "causality=\"local\" variability=\"continuous\" initial=\"calculated\"";
      case Role::constant:
        return "causality=\"local\" variability=\"constant\" initial=\"exact\"";
    }
    return {};
  }

  /// Attributes of the value: unit, range, start.
  static std::string value_of(const Variable& variable) {
    std::string out;
    if (!variable.unit.empty()) out += fmt::format(" unit=\"{}\"", xml_escaped(variable.unit));
    if (variable.min) out += fmt::format(" min=\"{}\"", digits(*variable.min));
    if (variable.max) out += fmt::format(" max=\"{}\"", digits(*variable.max));
    if (variable.role == Role::state && variable.nominal != 1.0)
      out += fmt::format(" nominal=\"{}\"", digits(variable.nominal));
    if (variable.role == Role::input || variable.role == Role::parameter ||
        variable.role == Role::state || variable.role == Role::constant)
      out += fmt::format(" start=\"{}\"", digits(variable.start));
    return out;
  }

  std::string head_of(std::size_t k) const {
    const Variable& each = model_.variables[k];
    std::string out = fmt::format("name=\"{}\" valueReference=\"{}\"", xml_escaped(each.name), k);
    if (!each.description.empty())
      out += fmt::format(" description=\"{}\"", xml_escaped(each.description));
    return out + " " + kind_of(each);
  }

  void write_variable_2(std::size_t k) {
    const Variable& each = model_.variables[k];
    out_ += fmt::format("    <ScalarVariable {}><Real{}", head_of(k), value_of(each));
    if (each.role == Role::derivative)  // indices count from 1
      out_ += fmt::format(" derivative=\"{}\"", index_of(Role::state, each.index) + 1);
    out_ += "/></ScalarVariable>\n";
  }

  void write_variable_3(std::size_t k) {
    const Variable& each = model_.variables[k];
    out_ += fmt::format("    <Float64 {}{}", head_of(k), value_of(each));
    if (each.role == Role::derivative)
      out_ += fmt::format(" derivative=\"{}\"", index_of(Role::state, each.index));
    out_ += "/>\n";
  }

  std::size_t index_of(Role role, std::uint32_t index) const {
    for (std::size_t k = 0; k < model_.variables.size(); ++k)
      if (model_.variables[k].role == role && model_.variables[k].index == index) return k;
    return 0;
  }

  /// The attribute with the dependencies of an output or derivative; empty text if it depends on
  /// all variables.
  std::string dependencies_of(const Variable& variable) const {
    std::string list;
    if (!model_.is_linear) {
      for (const Variable& each : model_.variables)  // an input that is also an output
        if (each.role == Role::input && each.name == variable.name) return {};
      return is_of_state(variable.name) ? " dependencies=\"\"" : "";
    }
    const LinearModel& m = model_.linear;
    const auto row = static_cast<Eigen::Index>(variable.index);
    const bool of_output = variable.role == Role::output;
    for (std::size_t k = 0; k < model_.variables.size(); ++k) {
      const Variable& each = model_.variables[k];
      const auto column = static_cast<Eigen::Index>(each.index);
      double entry = 0.0;
      if (each.role == Role::state) entry = of_output ? m.C(row, column) : m.A(row, column);
      if (each.role == Role::input) entry = of_output ? m.D(row, column) : m.B(row, column);
      if (entry == 0.0) continue;  // parameters are not listed as dependencies
      list += fmt::format("{}{}", list.empty() ? "" : " ", is_2_ ? k + 1 : k);
    }
    return fmt::format(" dependencies=\"{}\"", list);
  }

  void write_structure_2() {
    const auto list = [&](const char* element, Role role, bool with_dependencies) {
      std::string rows;
      for (std::size_t k = 0; k < model_.variables.size(); ++k)
        if (model_.variables[k].role == role)
          rows += fmt::format("      <Unknown index=\"{}\"{}/>\n",
                              k + 1,
                              with_dependencies ? dependencies_of(model_.variables[k]) : "");
      if (!rows.empty()) out_ += fmt::format("    <{0}>\n{1}    </{0}>\n", element, rows);
    };
    list("Outputs", Role::output, true);
    list("Derivatives", Role::derivative, true);
    std::string first;
    for (std::size_t k = 0; k < model_.variables.size(); ++k)
      if (is_first_unknown(model_.variables[k]))
        first += fmt::format("      <Unknown index=\"{}\"/>\n", k + 1);
    if (!first.empty())
      out_ += fmt::format("    <InitialUnknowns>\n{}    </InitialUnknowns>\n", first);
  }

  static bool is_first_unknown(const Variable& variable) {
    return variable.role == Role::output || variable.role == Role::derivative;
  }

  void write_structure_3() {
    for (const auto& [role, element] : {std::pair{Role::output, "Output"},
                                        std::pair{Role::derivative, "ContinuousStateDerivative"}})
      for (std::size_t k = 0; k < model_.variables.size(); ++k)
        if (model_.variables[k].role == role)
          out_ += fmt::format("    <{} valueReference=\"{}\"{}/>\n",
                              element,
                              k,
                              dependencies_of(model_.variables[k]));
    for (std::size_t k = 0; k < model_.variables.size(); ++k)
      if (is_first_unknown(model_.variables[k]))
        out_ += fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", k);
  }

  const FmuModel& model_;
  bool is_2_;
  std::string out_;
};

}  // namespace

std::string description_of(const FmuModel& model,
                           Version version,
                           const std::string& identifier,
                           double step) {
  return Description(model, version).write(identifier, step);
}

}  // namespace femflex::fmu
