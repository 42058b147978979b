// LiveDesk: the runs of all open live pages, one thread each, and their pictures.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "document/json.h"
#include "live/live_session.h"

namespace femflex::live {

/// Runs sessions in real time, one thread each. Pages start them, send commands and fetch pictures.
/// A session ends if its page requests no picture for a while.
class LiveDesk {
 public:
  /// @param files  models that a page may start; they come first in its list
  /// @param kept   folder to which the command "keep" writes; empty: "keep" is refused
  explicit LiveDesk(const std::vector<std::filesystem::path>& files,
                    std::filesystem::path kept = {},
                    std::chrono::milliseconds patience = std::chrono::seconds(20));
  LiveDesk(const LiveDesk&) = delete;
  LiveDesk& operator=(const LiveDesk&) = delete;
  LiveDesk(LiveDesk&&) = delete;
  LiveDesk& operator=(LiveDesk&&) = delete;
  ~LiveDesk();

  /// [{ "name", "is_file" }]
  tools::Json models() const;
  /// @return the random number of the session
  /// @throws UsageError  no such model, or too many sessions
  /// @throws  the exceptions of LiveSession
  std::string start(const std::string& model);
  tools::Json command(const std::string& session, const tools::Json& command);
  std::string drawing(const std::string& session);
  /// The first picture with a number above `after`, waiting at most `wait`; empty if there is none.
  struct Picture {
    std::int64_t number = 0;
    std::string bytes;
  };
  Picture picture(const std::string& session, std::int64_t after, std::chrono::milliseconds wait);
  void close(const std::string& session);
  std::size_t sessions();

 private:
  class Run;
  std::shared_ptr<Run> find(const std::string& session);
  void end_of_idle();
  void check_count() const;  // mutex_ must be held

  std::vector<LiveSource> sources_;
  std::size_t files_ = 0;  // number of `sources_` that are files of the user; they come first
  std::filesystem::path kept_;
  std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Run>> runs_;  // guarded by mutex_
};

}  // namespace femflex::live
