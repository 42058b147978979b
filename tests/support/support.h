// What all tests share: tolerances, data folders, temporary folders, running commands.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace femflex::testing {

/// `base`, times the environment variable FEMFLEX_TOL_SCALE where set: 0 shows the true residuals.
double tolerance(double base);

/// A file of the project's own data folder.
std::filesystem::path data(const std::string& relative);

/// The folder of real files next to the project (`../shared`, or FEMFLEX_SHARED), empty where it is
/// absent: tests that need it then call GTEST_SKIP(); they have the label `shared`.
std::filesystem::path shared_folder();

/// The program under test.
std::filesystem::path femflex_program();

/// A folder of its own for one test, removed at the end.
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

/// What a command printed and how it ended.
struct CommandResult {
  int exit_code = -1;
  std::string out;  ///< stdout
  std::string err;  ///< stderr
};
/// Runs a shell command in `folder`.
CommandResult run(const std::string& command, const std::filesystem::path& folder);

/// Largest entry of |a - b| over the largest of |b| (or 1 where b is zero).
double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// The code of the error that `action` ends with.
std::string code_of(const std::function<void()>& action);

}  // namespace femflex::testing
