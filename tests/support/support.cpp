// Reads the environment variables FEMFLEX_TOL_SCALE and FEMFLEX_SHARED, runs commands through the
// shell, and removes temporary folders.
#include "support/support.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "femflex/errors.h"

namespace femflex::testing {
namespace fs = std::filesystem;

double tolerance(double base) {
  const char* scale = std::getenv("FEMFLEX_TOL_SCALE");
  return scale == nullptr ? base : base * std::strtod(scale, nullptr);
}

fs::path data(const std::string& relative) {
  return fs::path(FEMFLEX_SOURCE_DIR) / "data" / relative;
}

fs::path shared_folder() {
  const char* named = std::getenv("FEMFLEX_SHARED");
  const fs::path folder =
      named == nullptr ? fs::path(FEMFLEX_SOURCE_DIR) / ".." / "shared" : fs::path(named);
  std::error_code ignored;
  return fs::is_directory(folder, ignored) ? fs::canonical(folder) : fs::path();
}

fs::path femflex_program() {
  return fs::path(FEMFLEX_BINARY_DIR) / "bin" / "femflex";
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "femflex-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder: " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::permissions(path_, fs::perms::owner_all, ignored);
  fs::remove_all(path_, ignored);
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

CommandResult run(const std::string& command, const fs::path& folder) {
  const TemporaryFolder scratch;
  const fs::path out = scratch / "out";
  const fs::path err = scratch / "err";
  const std::string line = fmt::format("cd '{}' && ( {} ) > '{}' 2> '{}' < /dev/null",
                                       folder.string(),
                                       command,
                                       out.string(),
                                       err.string());
  const int status = std::system(line.c_str());  // NOLINT: tests run the program as a user would
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(out), read_text(err)};
}

double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  if (b.size() == 0) return 0.0;
  const double scale = b.cwiseAbs().maxCoeff();
  return (a - b).cwiseAbs().maxCoeff() / (scale > 0.0 ? scale : 1.0);
}

std::string code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return "no error";
}

}  // namespace femflex::testing
