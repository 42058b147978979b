// FMUs made from the C source guest.c, and systems that contain them, for the tests of guests.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/io/zip_file.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/simulate.h"

#include "support/support.h"
#include "system/system_json.h"

namespace femflex::testing {

/// Properties of a guest FMU and of its description.
struct GuestForm {
  int version = 2;
  bool is_exchange = false;
  bool gives_derivatives = true, serialises = true, takes_rates = true;
  std::string input_unit, output_unit;  ///< units of u and y; empty: none
  std::string binary = "TEST_GUEST";    ///< folder of the binary; empty: no binary; other values:
                                        ///< see guest_entries()
  std::string more;                     ///< additional variables
};

/// The entries of an archive that holds the guest.
std::vector<io::ZipEntry> guest_entries(const GuestForm& form);
/// Writes the archive.
void write_guest(const std::filesystem::path& path, const GuestForm& form = {});

/// A temporary folder with guests and systems.
class GuestFolder {
 public:
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
  tools::SystemDocument read(const std::string& system);
  /// Rows of the dynamic analysis of a system.
  std::unique_ptr<mbd_solver::Results> rows(const std::string& system);
  Diagnostics diagnostics;

 private:
  TemporaryFolder folder_;
};

/// The text with each {name} replaced by its value.
std::string filled(std::string text,
                   const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace femflex::testing
