// FMUs made of the C source of the tests, and systems that take them in.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/simulate.h"

#include "document/zip_file.h"
#include "support/support.h"
#include "system/system_json.h"

namespace femflex::testing {

/// How a guest is described.
struct GuestForm {
  int version = 2;
  bool is_exchange = false;
  bool gives_derivatives = true, serialises = true, takes_rates = true;
  std::string input_unit, output_unit;  ///< of u and y; empty: none
  std::string binary = "TEST_GUEST";    ///< its folder: empty: none; else see guest_entries()
  std::string more;                     ///< variables more
};

/// The entries of an archive that holds the guest.
std::vector<tools::ZipEntry> guest_entries(const GuestForm& form);
/// Writes the archive.
void write_guest(const std::filesystem::path& path, const GuestForm& form = {});

/// A folder with guests and systems.
class GuestFolder {
 public:
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
  tools::SystemDocument read(const std::string& system);
  /// Rows of the dynamic analysis.
  std::unique_ptr<mbd_solver::Results> rows(const std::string& system);
  Diagnostics diagnostics;

 private:
  TemporaryFolder folder_;
};

/// A text with {name} replaced by its value.
std::string filled(std::string text,
                   const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace femflex::testing
