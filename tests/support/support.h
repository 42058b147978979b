// Functions that all tests share: tolerances, data folders, temporary folders, running of commands.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace femflex::testing {

/// `base` times the environment variable FEMFLEX_TOL_SCALE, if it is set. With 0 the tests show the
/// actual residuals.
double tolerance(double base);

/// A file of the project's own data folder.
std::filesystem::path data(const std::string& relative);

/// The folder of real files beside the project (`../shared`, or FEMFLEX_SHARED); empty if it is
/// absent. Tests that need it then call GTEST_SKIP(); these tests have the label `shared`.
std::filesystem::path shared_folder();

/// The program under test.
std::filesystem::path femflex_program();

/// A new folder for one test, which the destructor removes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);

/// Output and exit code of a command.
struct CommandResult {
  int exit_code = -1;
  std::string out;  ///< stdout
  std::string err;  ///< stderr
};
/// Runs a shell command in `folder`.
CommandResult run(const std::string& command, const std::filesystem::path& folder);

/// Largest entry of |a - b| divided by the largest of |b|, or by 1 if b is zero.
double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// The code of the error that `action` throws.
std::string code_of(const std::function<void()>& action);

}  // namespace femflex::testing
