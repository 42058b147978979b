// The program gets a process group of its own, so that Ctrl-C reaches femflex alone, which then
// ends the whole group: first politely, then by force.
#include "verbs/outside_program.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "femflex/errors.h"

extern char** environ;  // of this process, which the program inherits

namespace femflex::verbs {
namespace {

constexpr int kNotFound = 127;  // exit code of a child that could not start the program
constexpr auto kLook = std::chrono::milliseconds(20);  // between two looks at the child
constexpr int kGrace = 100;                            // looks until a stopped child is killed

/// posix_spawn's list of what the child does before it begins.
class Actions {
 public:
  Actions() { posix_spawn_file_actions_init(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  Actions(Actions&&) = delete;
  Actions& operator=(Actions&&) = delete;
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

int started(const OutsideProgram& program, pid_t& child) {
  Actions actions;
  posix_spawn_file_actions_addchdir_np(actions.get(), program.folder.c_str());
  posix_spawn_file_actions_addopen(actions.get(), 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(
      actions.get(), 1, program.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(actions.get(), 1, 2);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<std::string> words = {program.name};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int failure = posix_spawnp(
      &child, program.name.c_str(), actions.get(), &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  return failure;
}

/// Ends the group of the child and waits for it.
void stop_group(pid_t child) {
  int status = 0;
  kill(-child, SIGTERM);
  for (int look = 0; look < kGrace; ++look) {
    if (waitpid(child, &status, WNOHANG) != 0) {
      kill(-child, SIGKILL);  // programs that it started and that are left
      return;
    }
    std::this_thread::sleep_for(kLook);
  }
  kill(-child, SIGKILL);
  waitpid(child, &status, 0);
}

}  // namespace

bool run_outside(const OutsideProgram& program, const Progress& progress) {
  pid_t child = 0;
  const int failure = started(program, child);
  int status = 0;
  while (failure == 0) {
    const pid_t found = waitpid(child, &status, WNOHANG);
    if (found == child) break;
    // without a status nobody knows how it ended, as where the caller ignores SIGCHLD
    if (found < 0 && errno != EINTR) return false;
    if (progress.stop_requested()) {
      stop_group(child);
      throw Cancelled();
    }
    std::this_thread::sleep_for(kLook);
  }
  if (failure != 0 || (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound))
    throw UsageError("no-program",
                     fmt::format("the program {} cannot be started: {}",
                                 program.name,
                                 std::strerror(failure == 0 ? ENOENT : failure)),
                     {},
                     "install it, or name it with --program");
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool is_installed(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace femflex::verbs
