// Writes test FMUs: builds the descriptions of the guest in FMI versions 2 and 3.
#include "guest_files.h"

#include <fmt/format.h>

#include "femflex/io/atomic_file.h"
#include "femflex/progress.h"

namespace femflex::testing {
namespace {

std::string flag(bool value) {
  return value ? "true" : "false";
}

std::string unit(const std::string& name) {
  return name.empty() ? std::string() : fmt::format(" unit=\"{}\"", name);
}

constexpr const char* kUnits = R"(<UnitDefinitions>
    <Unit name="mm"><BaseUnit m="1" factor="0.001"/></Unit>
    <Unit name="degC"><BaseUnit K="1" factor="1" offset="273.15"/></Unit>
    <Unit name="kN"><BaseUnit kg="1" m="1" s="-2" factor="1000"/></Unit></UnitDefinitions>)";

std::string description_2(const GuestForm& form) {
  const std::string kind = form.is_exchange ? "<ModelExchange modelIdentifier=\"guest\""
                                            : fmt::format(
                                                  "<CoSimulation modelIdentifier=\"guest\" "
                                                  "canHandleVariableCommunicationStepSize=\"true\" "
                                                  "canInterpolateInputs=\"{}\"",
                                                  flag(form.takes_rates));
  return fmt::format(
      R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="lag" guid="guest-token" numberOfEventIndicators="1">
  {} canGetAndSetFMUstate="{}" canSerializeFMUstate="{}" providesDirectionalDerivative="{}"/>
  {}
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent"><Real/></ScalarVariable>
    <ScalarVariable name="u" valueReference="1" causality="input"><Real start="0"{}/></ScalarVariable>
    <ScalarVariable name="y" valueReference="2" causality="output"><Real{}/></ScalarVariable>
    <ScalarVariable name="through" valueReference="3" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="high" valueReference="4" causality="output" variability="discrete"><Boolean/></ScalarVariable>
    <ScalarVariable name="count" valueReference="5" causality="output" variability="discrete"><Integer/></ScalarVariable>
    <ScalarVariable name="gain" valueReference="6" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="lag" valueReference="7" causality="parameter" variability="fixed"><Real start="0.1"/></ScalarVariable>
    <ScalarVariable name="fail" valueReference="8" causality="parameter" variability="fixed"><Integer start="0"/></ScalarVariable>
    <ScalarVariable name="table" valueReference="9" causality="parameter" variability="fixed"><String start=""/></ScalarVariable>
    <ScalarVariable name="x" valueReference="10" causality="local"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="11" causality="local"><Real derivative="11"/></ScalarVariable>
    {}
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="3"/></Outputs>
    <Derivatives><Unknown index="12"/></Derivatives></ModelStructure>
</fmiModelDescription>)xml",
      kind,
      flag(form.serialises),
      flag(form.serialises),
      flag(form.gives_derivatives),
      kUnits,
      unit(form.input_unit),
      unit(form.output_unit),
      form.more);
}

std::string description_3(const GuestForm& form) {
  const std::string kind = form.is_exchange ? "<ModelExchange modelIdentifier=\"guest\""
                                            : "<CoSimulation modelIdentifier=\"guest\" "
                                              "canHandleVariableCommunicationStepSize=\"true\"";
  return fmt::format(
      R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="lag" instantiationToken="guest-token">
  {} canGetAndSetFMUState="{}" canSerializeFMUState="{}" providesDirectionalDerivatives="{}"/>
  {}
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <Float64 name="u" valueReference="1" causality="input" start="0"{}/>
    <Float64 name="y" valueReference="2" causality="output"{}/>
    <Float64 name="through" valueReference="3" causality="output"/>
    <Boolean name="high" valueReference="4" causality="output"/>
    <Int32 name="count" valueReference="5" causality="output"/>
    <Float64 name="gain" valueReference="6" causality="parameter" variability="fixed" start="1"/>
    <Float64 name="lag" valueReference="7" causality="parameter" variability="fixed" start="0.1"/>
    <Int32 name="fail" valueReference="8" causality="parameter" variability="fixed" start="0"/>
    <String name="table" valueReference="9" causality="parameter" variability="fixed"><Start value=""/></String>
    <Float64 name="x" valueReference="10" start="0"/>
    <Float64 name="der(x)" valueReference="11" derivative="10"/>
    <UInt64 name="n" valueReference="14" causality="structuralParameter" variability="fixed" start="3"/>
    <Float64 name="w" valueReference="12" causality="input" start="0 0 0"><Dimension valueReference="14"/></Float64>
    <Float64 name="v" valueReference="13" causality="output"><Dimension start="3"/></Float64>
    {}
  </ModelVariables>
  <ModelStructure><Output valueReference="2"/><ContinuousStateDerivative valueReference="11"/>
    <EventIndicator valueReference="10"/></ModelStructure>
</fmiModelDescription>)xml",
      kind,
      flag(form.serialises),
      flag(form.serialises),
      flag(form.gives_derivatives),
      kUnits,
      unit(form.input_unit),
      unit(form.output_unit),
      form.more);
}

}  // namespace

std::vector<io::ZipEntry> guest_entries(const GuestForm& form) {
  std::vector<io::ZipEntry> out = {
      {"modelDescription.xml", form.version == 2 ? description_2(form) : description_3(form)},
      {"resources/number.txt", "0.25\n"}};
  const std::string own = form.version == 2 ? "binaries/linux64/" : "binaries/x86_64-linux/";
  if (form.binary == "TEST_GUEST")
    out.push_back({own + "guest.so", read_text(TEST_GUEST)});
  else if (!form.binary.empty())
    out.push_back({form.binary, "no library"});
  return out;
}

void write_guest(const std::filesystem::path& path, const GuestForm& form) {
  io::write_file(path, io::zip_bytes(guest_entries(form), io::ZipMethod::deflated));
}

tools::SystemDocument GuestFolder::read(const std::string& system) {
  write_text(folder_ / "system.json", system);
  Progress progress;
  return tools::read_system(
      tools::DocumentInput(folder_ / "system.json"), {}, diagnostics, progress);
}

std::unique_ptr<mbd_solver::Results> GuestFolder::rows(const std::string& system) {
  const tools::SystemDocument document = read(system);
  auto out = std::make_unique<mbd_solver::Results>();
  Progress progress;
  const mbd_solver::SimulationSummary summary = mbd_solver::simulate(
      document.system, document.analyses.back().dynamic, *out, diagnostics, progress);
  if (summary.status != mbd_solver::RunStatus::complete)
    throw NumericalError("step-failed", summary.reason);
  return out;
}

std::string filled(std::string text,
                   const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    const std::string mark = "{" + name + "}";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), value);
  }
  return text;
}

}  // namespace femflex::testing
