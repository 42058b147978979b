// Reads modelDescription.xml by pugixml: FMI 2.0, section 2.2; FMI 3.0, section 2.4. Ignores
// attributes that a run does not need.
#include "guests/guest_description.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/base_unit.h"

#if FEMFLEX_HAVE_PUGIXML
#include <pugixml.hpp>
#endif

namespace femflex::guests {

bool is_number(ValueType type) {
  return type != ValueType::string && type != ValueType::binary && type != ValueType::clock;
}

std::size_t GuestVariable::count() const {
  std::size_t out = 1;
  for (const std::size_t extent : extents)
    out *= extent;
  return out;
}

std::string name_of(const GuestDescription& description, const GuestPort& port) {
  const GuestVariable& variable = description.variables[port.variable];
  if (variable.extents.empty()) return variable.name;
  std::string index;
  std::size_t rest = port.element;
  for (std::size_t k = variable.extents.size(); k-- > 0;) {
    index = fmt::format("{}{}{}", rest % variable.extents[k] + 1, index.empty() ? "" : ",", index);
    rest /= variable.extents[k];
  }
  return fmt::format("{}[{}]", variable.name, index);
}

std::optional<GuestPort> find_port(const GuestDescription& description, const std::string& name) {
  for (std::size_t k = 0; k < description.variables.size(); ++k) {
    const GuestVariable& variable = description.variables[k];
    if (variable.extents.empty()) {
      if (variable.name == name) return GuestPort{k, 0};
      continue;
    }
    if (!name.starts_with(variable.name + "[") || !name.ends_with(']')) continue;
    for (std::size_t element = 0; element < variable.count(); ++element)
      if (name_of(description, {k, element}) == name) return GuestPort{k, element};
  }
  return std::nullopt;
}

#if FEMFLEX_HAVE_PUGIXML

namespace {

// a larger array is probably an error in the file
constexpr std::size_t kMostElements = 1U << 20U;
constexpr const char* kBaseSymbols[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

class DescriptionReader {
 public:
  DescriptionReader(pugi::xml_node root, const std::string& file) : root_(root), file_(file) {}

  GuestDescription read() {
    const std::string version = root_.attribute("fmiVersion").value();
    if (version.starts_with("1."))
      throw ModelError("fmu-version",
                       fmt::format("it is an FMU of FMI {}; expected 2.0 or 3.0", version),
                       {.file = file_},
                       "export it again for FMI 2.0 or 3.0");
    if (!version.starts_with("2.") && !version.starts_with("3."))
      fail(fmt::format("fmiVersion is '{}'; expected 2.0 or 3.0", version));
    out_.version = version.front() - '0';
    is_2_ = out_.version == 2;
    out_.name = root_.attribute("modelName").value();
    out_.token = root_.attribute(is_2_ ? "guid" : "instantiationToken").value();
    out_.co_simulation = kind("CoSimulation");
    out_.model_exchange = kind("ModelExchange");
    out_.has_scheduled = !root_.child("ScheduledExecution").empty();
    const pugi::xml_attribute step = root_.child("DefaultExperiment").attribute("stepSize");
    if (!step.empty()) out_.step = step.as_double();
    read_units();
    read_types();
    is_2_ ? read_variables_2() : read_variables_3();
    is_2_ ? read_structure_2() : read_structure_3();
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw ParseError("fmu-description", why, {.file = file_});
  }

  std::optional<GuestKind> kind(const char* element) const {
    const pugi::xml_node node = root_.child(element);
    if (node.empty()) return std::nullopt;
    GuestKind out;
    out.identifier = node.attribute("modelIdentifier").value();
    if (out.identifier.empty() || out.identifier.find('/') != std::string::npos)
      fail(fmt::format("{}: the modelIdentifier '{}' names no library", element, out.identifier));
    out.goes_back =
        node.attribute(is_2_ ? "canGetAndSetFMUstate" : "canGetAndSetFMUState").as_bool();
    out.serialises =
        out.goes_back &&
        node.attribute(is_2_ ? "canSerializeFMUstate" : "canSerializeFMUState").as_bool();
    out.gives_derivatives =
        node.attribute(is_2_ ? "providesDirectionalDerivative" : "providesDirectionalDerivatives")
            .as_bool();
    out.takes_rates = is_2_ && node.attribute("canInterpolateInputs").as_bool();
    out.needs_tool = node.attribute("needsExecutionTool").as_bool();
    out.has_fixed_step = !node.attribute("canHandleVariableCommunicationStepSize").as_bool();
    return out;
  }

  void read_units() {
    for (const pugi::xml_node unit : root_.child("UnitDefinitions").children("Unit")) {
      const pugi::xml_node base = unit.child("BaseUnit");
      if (base.empty()) continue;
      GuestUnit out;
      for (std::size_t k = 0; k < out.exponents.size(); ++k)
        out.exponents[k] = base.attribute(kBaseSymbols[k]).as_int();
      out.factor = base.attribute("factor").as_double(1.0);
      out.offset = base.attribute("offset").as_double(0.0);
      if (!(std::abs(out.factor) > 0.0) || !std::isfinite(out.factor + out.offset))
        fail(fmt::format("unit '{}' has the factor {} and the offset {}",
                         unit.attribute("name").value(),
                         out.factor,
                         out.offset));
      units_[unit.attribute("name").value()] = out;
    }
  }

  /// Reads the units of declared types.
  void read_types() {
    for (const pugi::xml_node type : root_.child("TypeDefinitions").children()) {
      const pugi::xml_node numbers = is_2_ ? type.child("Real") : type;
      if (const pugi::xml_attribute unit = numbers.attribute("unit"); !unit.empty())
        unit_of_type_[type.attribute("name").value()] = unit.value();
    }
  }

  void set_unit(pugi::xml_node node, GuestVariable& variable) const {
    if (const pugi::xml_attribute unit = node.attribute("unit"); !unit.empty())
      variable.unit = unit.value();
    else if (const auto type = unit_of_type_.find(node.attribute("declaredType").value());
             type != unit_of_type_.end())
      variable.unit = type->second;
    if (variable.unit.empty()) return;
    if (const auto known = units_.find(variable.unit); known != units_.end()) {
      variable.base = known->second;
    } else if (const std::optional<tools::BaseUnit> ours = tools::base_unit(variable.unit)) {
      GuestUnit unit{.factor = ours->factor};
      std::copy(std::begin(ours->exponents), std::end(ours->exponents), unit.exponents.begin());
      variable.base = unit;
    }
  }

  GuestVariable head_of(pugi::xml_node node, const char* causality) const {
    GuestVariable out;
    out.name = node.attribute("name").value();
    const pugi::xml_attribute reference = node.attribute("valueReference");
    if (out.name.empty() || reference.empty()) fail("a variable has no name or no valueReference");
    out.reference = reference.as_uint();
    out.causality = node.attribute("causality").as_string(causality);
    out.variability = node.attribute("variability").as_string("");
    return out;
  }

  void read_variables_2() {
    static const std::map<std::string_view, ValueType> types = {{"Real", ValueType::real64},
                                                                {"Integer", ValueType::int32},
                                                                {"Enumeration", ValueType::int32},
                                                                {"Boolean", ValueType::boolean},
                                                                {"String", ValueType::string}};
    for (const pugi::xml_node node : root_.child("ModelVariables").children("ScalarVariable")) {
      GuestVariable variable = head_of(node, "local");
      const pugi::xml_node value = node.find_child(
          [&](pugi::xml_node child) { return types.contains(std::string_view(child.name())); });
      if (value.empty()) fail(fmt::format("the variable {} has no type", variable.name));
      variable.type = types.at(value.name());
      if (variable.variability.empty())
        variable.variability = variable.type == ValueType::real64 ? "continuous" : "discrete";
      set_unit(value, variable);
      if (const unsigned state = value.attribute("derivative").as_uint(); state > 0)
        variable.state = state - 1;
      out_.variables.push_back(std::move(variable));
    }
    check_states();
  }

  void read_variables_3() {
    static const std::map<std::string_view, ValueType> types = {{"Float64", ValueType::real64},
                                                                {"Float32", ValueType::real32},
                                                                {"Int8", ValueType::int8},
                                                                {"UInt8", ValueType::uint8},
                                                                {"Int16", ValueType::int16},
                                                                {"UInt16", ValueType::uint16},
                                                                {"Int32", ValueType::int32},
                                                                {"UInt32", ValueType::uint32},
                                                                {"Int64", ValueType::int64},
                                                                {"UInt64", ValueType::uint64},
                                                                {"Enumeration", ValueType::int64},
                                                                {"Boolean", ValueType::boolean},
                                                                {"String", ValueType::string},
                                                                {"Binary", ValueType::binary},
                                                                {"Clock", ValueType::clock}};
    std::vector<std::optional<std::uint32_t>> states;
    std::map<std::uint32_t, double> starts;  // start values of structural parameters, which give
                                             // sizes of arrays
    const pugi::xml_node all = root_.child("ModelVariables");
    for (const pugi::xml_node node : all.children())
      if (std::string_view(node.attribute("causality").value()) == "structuralParameter")
        starts[node.attribute("valueReference").as_uint()] = node.attribute("start").as_double();
    for (const pugi::xml_node node : all.children()) {
      const auto type = types.find(std::string_view(node.name()));
      if (type == types.end()) continue;
      GuestVariable variable = head_of(node, "local");
      variable.type = type->second;
      const bool is_real = variable.type == ValueType::real64 || variable.type == ValueType::real32;
      if (variable.variability.empty()) variable.variability = is_real ? "continuous" : "discrete";
      set_unit(node, variable);
      for (const pugi::xml_node extent : node.children("Dimension")) {
        double size = extent.attribute("start").as_double();
        if (const pugi::xml_attribute by = extent.attribute("valueReference"); !by.empty())
          size = starts.contains(by.as_uint()) ? starts.at(by.as_uint()) : -1.0;
        if (!(size >= 0.0 && size * static_cast<double>(variable.count()) <= kMostElements))
          fail(fmt::format(
              "the array {} has an extent that is not 0 to {}", variable.name, kMostElements));
        variable.extents.push_back(static_cast<std::size_t>(size));
      }
      const pugi::xml_attribute of = node.attribute("derivative");
      states.push_back(of.empty() ? std::nullopt : std::optional(of.as_uint()));
      out_.variables.push_back(std::move(variable));
    }
    for (std::size_t k = 0; k < states.size(); ++k)
      if (states[k]) out_.variables[k].state = by_reference(*states[k]);
  }

  std::size_t by_reference(std::uint32_t reference) const {
    for (std::size_t k = 0; k < out_.variables.size(); ++k)
      if (out_.variables[k].reference == reference) return k;
    fail(fmt::format("there is no variable with the value reference {}", reference));
  }

  void check_states() const {
    for (const GuestVariable& each : out_.variables)
      if (each.state && *each.state >= out_.variables.size())
        fail(fmt::format("{} is the derivative of a variable that does not exist", each.name));
  }

  void read_structure_2() {
    out_.indicators = root_.attribute("numberOfEventIndicators").as_uint();
    for (const pugi::xml_node unknown :
         root_.child("ModelStructure").child("Derivatives").children("Unknown")) {
      const unsigned index = unknown.attribute("index").as_uint();
      if (index == 0 || index > out_.variables.size())
        fail(fmt::format("ModelStructure: there is no variable {}", index));
      out_.derivatives.push_back(index - 1);
    }
    check_derivatives();
  }

  void read_structure_3() {
    const pugi::xml_node structure = root_.child("ModelStructure");
    for (const pugi::xml_node each : structure.children("ContinuousStateDerivative"))
      out_.derivatives.push_back(by_reference(each.attribute("valueReference").as_uint()));
    for (const pugi::xml_node each : structure.children("EventIndicator"))
      out_.indicators +=
          out_.variables[by_reference(each.attribute("valueReference").as_uint())].count();
    check_derivatives();
  }

  void check_derivatives() const {
    for (const std::size_t k : out_.derivatives)
      if (!out_.variables[k].state)
        fail(fmt::format("{} is listed as a derivative, and does not say of what",
                         out_.variables[k].name));
  }

  pugi::xml_node root_;
  const std::string& file_;
  bool is_2_ = true;
  GuestDescription out_;
  std::map<std::string, GuestUnit, std::less<>> units_;
  std::map<std::string, std::string, std::less<>> unit_of_type_;
};

}  // namespace

GuestDescription read_guest_description(std::string_view xml, const std::string& file) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(xml.data(), xml.size());
  if (!result)
    throw ParseError(
        "fmu-description",
        fmt::format("modelDescription.xml: byte {}: {}", result.offset, result.description()),
        {.file = file});
  const pugi::xml_node root = document.child("fmiModelDescription");
  if (root.empty())
    throw ParseError(
        "fmu-description", "modelDescription.xml is not an fmiModelDescription", {.file = file});
  return DescriptionReader(root, file).read();
}

#else

GuestDescription read_guest_description(std::string_view /*xml*/, const std::string& file) {
  throw UsageError("not-built-in",
                   "FMUs cannot be read by this build",
                   {file},
                   "install libpugixml-dev and build again");
}

#endif

}  // namespace femflex::guests
