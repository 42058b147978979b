// Tests FMUs that cannot be used because of their archive, description, platform or variables. Each
// gives one message.
#include "guest_files.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "guests/guest_library.h"
#include "verbs/describe.h"

namespace femflex::testing {
namespace {

using io::ZipEntry;
using io::ZipMethod;

std::string system_with(const std::string& block) {
  return R"({ "bodies": { "m": { "point": { "mass": 1 } } }, "blocks": { "g": )" + block +
         R"( }, "forces": { "f": { "type": "force", "on": "m", "value": ["[g/y]", 0, 0] } },
             "analyses": [ { "type": "dynamic", "end": 0.1, "step": 0.01 } ] })";
}

/// The message of an error, and its remedy.
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.what()) + " " + std::string(error.fix());
  }
  return "no error";
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

// Truth: the description in guest_files.cpp. The FMU has no library, so nothing of it can have run.
TEST(GuestFiles, AreDescribedWithTheirVariables) {
  const TemporaryFolder folder;
  for (const int version : {2, 3}) {
    write_guest(folder / "x.fmu", {.version = version, .output_unit = "kN", .binary = ""});
    Diagnostics diagnostics;
    const tools::Json file =
        tools::describe(folder / "x.fmu", {}, std::nullopt, diagnostics, no_progress());
    EXPECT_EQ(file.find("format")->text(), fmt::format("FMU of FMI {}", version));
    EXPECT_EQ(file.find("name")->text(), "lag");
    EXPECT_EQ(file.find("kinds")->items().at(0).text(), "co-simulation");
    EXPECT_EQ(file.find("states")->number(), 1.0);
    const tools::Json& y = file.find("variables")->items().at(2);
    EXPECT_EQ(y.find("name")->text(), "y");
    EXPECT_EQ(y.find("causality")->text(), "output");
    EXPECT_EQ(y.find("unit")->text(), "kN");
  }
}

// Truth: the standard and the messages.
TEST(GuestFiles, SayWhyTheyCannotBeTaken) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "x.fmu";
  const auto load = [&](const std::vector<ZipEntry>& entries) {
    io::write_file(path, io::zip_bytes(entries, ZipMethod::deflated));
    return message_of([&] { const guests::GuestLibrary library(path); });
  };
  expect_parts(load({{"readme.txt", "x"}}), {"x.fmu", "modelDescription.xml"});
  expect_parts(load({{"modelDescription.xml", "<html>"}}), {"x.fmu", "modelDescription.xml"});
  expect_parts(load({{"modelDescription.xml", "<fmiModelDescription fmiVersion=\"1.0\"/>"}}),
               {"FMI 1.0", "2.0 or 3.0"});
  expect_parts(load({{"modelDescription.xml", "<fmiModelDescription fmiVersion=\"4.0\"/>"}}),
               {"'4.0'"});
  expect_parts(load({{"modelDescription.xml",
                      "<fmiModelDescription fmiVersion=\"3.0\"><ScheduledExecution "
                      "modelIdentifier=\"x\"/></fmiModelDescription>"}}),
               {"co-simulation", "scheduled execution"});
  expect_parts(load(guest_entries({.binary = "binaries/win64/guest.dll"})),
               {"linux64/guest.so", "win64", "Linux"});
  expect_parts(load(guest_entries({.binary = ""})), {"no platform"});
  expect_parts(load(guest_entries({.binary = "binaries/linux64/guest.so"})),
               {"cannot be loaded", "guest.so"});
  expect_parts(
      load(guest_entries({.version = 3, .more = "<Clock name=\"tick\" valueReference=\"99\"/>"})),
      {"clocks", "tick"});
  write_text(path, "no archive");
  expect_parts(message_of([&] { const guests::GuestLibrary library(path); }), {"archive"});
}

// Truth: the names. The message for a wrong name contains similar names.
TEST(GuestFiles, NameWhatIsWrongInABlock) {
  GuestFolder folder;
  write_guest(folder / "guest.fmu");
  const auto read = [&](const std::string& members) {
    return message_of([&] {
      folder.read(
          system_with(R"({ "type": "fmu", "file": "guest.fmu", "step": 0.01)" + members + " }"));
    });
  };
  EXPECT_EQ(read(""), "no error");
  expect_parts(read(R"(, "inputs": { "uu": 1 })"), {"block 'g'", "guest.fmu", "'uu'", "u"});
  expect_parts(read(R"(, "inputs": { "y": 1 })"), {"'y'", "output", "input"});
  expect_parts(read(R"(, "outputs": ["throug"])"), {"'throug'", "through"});
  expect_parts(read(R"(, "parameters": { "gian": 1 })"), {"'gian'", "gain"});
  expect_parts(read(R"(, "parameters": { "tabel": "x" })"), {"'tabel'"});
  expect_parts(read(R"(, "kind": "model-exchange")"), {"model exchange"});
  expect_parts(read(R"(, "repeats": -1)"), {"-1"});
  expect_parts(read(R"(, "inputs": [1])"), {"names"});
  expect_parts(read(R"(, "stepp": 1)"), {"stepp", "step"});
  expect_parts(
      message_of([&] { folder.read(system_with(R"({ "type": "fmu", "file": "guest.fmu" })")); }),
      {"step"});
  expect_parts(
      message_of([&] { folder.read(system_with(R"({ "type": "fmu", "file": "none.fmu" })")); }),
      {"none.fmu"});
  write_guest(folder / "guest.fmu", {.serialises = false});
  expect_parts(read(R"(, "repeats": 3)"), {"repeated"});
}

// Truth: the files on disk. Unpacked files are removed when no object uses them.
TEST(GuestFiles, LeaveNothingBehind) {
  const auto unpacked = [] {
    int count = 0;
    for (const auto& each :
         std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
      count += each.path().filename().string().starts_with("femflex-fmu-") ? 1 : 0;
    return count;
  };
  const TemporaryFolder folder;
  setenv("TMPDIR", folder.path().c_str(), 1);
  write_guest(folder / "guest.fmu");
  {
    const guests::GuestLibrary first(folder / "guest.fmu"), second(folder / "guest.fmu");
    EXPECT_EQ(unpacked(), 2);
  }
  EXPECT_EQ(unpacked(), 0);
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace femflex::testing
