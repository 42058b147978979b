// Implements LiveDesk: sessions in real time, one thread each, sixty pictures per second.
#include "live/live_desk.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <optional>
#include <random>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "live/live_gallery.h"

namespace femflex::live {

using tools::Json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kMostSessions = 16;              // each has a thread
constexpr std::chrono::microseconds kPicture{16'667};  // a sixtieth of a second
// longest time for which a model runs between two pictures
constexpr std::chrono::milliseconds kLongestTurn{200};
constexpr std::chrono::microseconds kBreath{200};  // pause between turns, to accept commands
// if a picture takes less time, it is made before the page requests it, so that a late request
// finds a new one
constexpr std::chrono::milliseconds kCheapPicture{3};

std::string random_number() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

}  // namespace

/// One session and its thread.
class LiveDesk::Run {
 public:
  Run(LiveSource source, std::filesystem::path kept, std::chrono::milliseconds patience)
      : session_(std::move(source), std::move(kept)), patience_(patience), asked_(Clock::now()) {
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  Run(Run&&) = delete;
  Run& operator=(Run&&) = delete;
  ~Run() {
    thread_.request_stop();
    changed_.notify_all();
  }

  Json command(const Json& command) {
    ++waiting_;
    const std::lock_guard lock(mutex_);
    --waiting_;
    stay();
    is_stale_ = true;
    changed_.notify_all();
    return session_.command(command);
  }
  std::string drawing() {
    ++waiting_;
    const std::lock_guard lock(mutex_);
    --waiting_;
    return session_.drawing();
  }
  Picture picture(std::int64_t after, std::chrono::milliseconds wait) {
    std::unique_lock lock(pictures_);
    asked_ = Clock::now();
    wanted_ = true;
    made_.wait_for(lock, wait, [&] { return last_.number > after || end_; });
    if (last_.number <= after) return {};
    return last_;
  }
  Clock::time_point asked() {
    const std::lock_guard lock(pictures_);
    return asked_;
  }
  /// The reason why the run ended; empty while it continues.
  std::optional<std::string> end() {
    const std::lock_guard lock(pictures_);
    return end_;
  }

 private:
  void stay() {
    const std::lock_guard lock(pictures_);
    asked_ = Clock::now();
  }

  /// Advances the model until no page requests pictures. Its errors end only this run, not the
  /// program.
  void work(const std::stop_token& stop) {
    std::string why = "this run has ended";
    try {
      move(stop);
    } catch (const std::exception& error) {
      why += fmt::format(": {}", error.what());
    }
    const std::lock_guard lock(pictures_);
    end_ = std::move(why);
    made_.notify_all();
  }

  void move(const std::stop_token& stop) {
    Clock::time_point before = Clock::now();
    Clock::time_point due = before;  // time of the next picture, on a grid, so that delays do not
                                     // accumulate
    while (!stop.stop_requested() && Clock::now() - asked() < patience_) {
      const Clock::time_point begin = Clock::now();
      // if a picture takes long to make, the model runs for the same time before the next picture
      due = std::max(due + kPicture, begin + std::min<Clock::duration>(cost_, kLongestTurn));
      if (due < begin + kPicture / 2) due = begin + kPicture;  // too late for the grid
      {
        std::unique_lock lock(mutex_);
        if (!session_.is_running() && !is_stale_) {
          // the model is paused: the next command wakes this thread
          changed_.wait_for(lock, std::chrono::milliseconds(250), [&] {
            return stop.stop_requested() || session_.is_running() || is_stale_;
          });
          before = due = Clock::now();
          continue;
        }
        const std::chrono::duration<double> passed = begin - before;
        before = begin;
        session_.advance(passed.count(), [&] {
          return waiting_ > 0 || stop.stop_requested() || Clock::now() >= due;
        });
        is_stale_ = !show() && is_stale_;
      }
      // commands are accepted during this pause, even if the model runs slower than real time
      std::this_thread::sleep_until(std::max(due, Clock::now() + kBreath));
    }
  }

  /// Makes a picture if the last one was fetched or if pictures are cheap. Returns whether it made
  /// one.
  bool show() {
    {
      const std::lock_guard lock(pictures_);
      if (!wanted_ && cost_ > kCheapPicture) return false;
      wanted_ = false;
    }
    const Clock::time_point begin = Clock::now();
    std::string bytes = session_.picture();
    cost_ = Clock::now() - begin;
    const std::lock_guard lock(pictures_);
    last_.bytes = std::move(bytes);
    ++last_.number;
    made_.notify_all();
    return true;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  LiveSession session_;           // guarded by mutex_
  bool is_stale_ = true;          // guarded by mutex_: a command arrived since the last picture
  std::atomic<int> waiting_ = 0;  // number of requests that wait for mutex_
  std::chrono::milliseconds patience_;
  std::mutex pictures_;
  std::condition_variable made_;
  Picture last_;                    // guarded by pictures_
  bool wanted_ = true;              // guarded by pictures_
  Clock::time_point asked_;         // guarded by pictures_
  std::optional<std::string> end_;  // guarded by pictures_
  Clock::duration cost_{};          // cost of the last picture; used only by thread_
  std::jthread thread_;             // last member: the thread ends before the others are destroyed
};

LiveDesk::LiveDesk(const std::vector<std::filesystem::path>& files,
                   std::filesystem::path kept,
                   std::chrono::milliseconds patience)
    : files_(files.size()), kept_(std::move(kept)), patience_(patience) {
  for (const std::filesystem::path& file : files)
    sources_.push_back(read_live_source(file));
  for (LiveSource& source : gallery())
    sources_.push_back(std::move(source));
}
LiveDesk::~LiveDesk() = default;

Json LiveDesk::models() const {
  Json out = Json::list();
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    Json entry = Json::object();
    entry["name"] = sources_[k].name;
    entry["is_file"] = k < files_;
    out.push_back(std::move(entry));
  }
  return out;
}

std::string LiveDesk::start(const std::string& model) {
  end_of_idle();
  const auto found = std::find_if(
      sources_.begin(), sources_.end(), [&](const LiveSource& each) { return each.name == model; });
  if (found == sources_.end())
    throw UsageError("no-model", fmt::format("there is no model '{}'", model.substr(0, 64)));
  {
    const std::lock_guard lock(mutex_);
    check_count();
  }
  auto run = std::make_shared<Run>(*found, kept_, patience_);
  const std::string number = random_number();
  const std::lock_guard lock(mutex_);
  check_count();  // others may have started in the meantime
  runs_.emplace(number, std::move(run));
  return number;
}

void LiveDesk::check_count() const {
  if (runs_.size() >= kMostSessions)
    throw UsageError("too-many",
                     fmt::format("{} models run already", runs_.size()),
                     {},
                     "close one of the pages");
}

std::shared_ptr<LiveDesk::Run> LiveDesk::find(const std::string& session) {
  std::shared_ptr<Run> ended;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(session);
  if (found == runs_.end())
    throw UsageError("no-session", "this run has ended", {}, "load the page again");
  if (const std::optional<std::string> why = found->second->end()) {
    ended = std::move(found->second);
    runs_.erase(found);
    throw UsageError("no-session", *why, {}, "load the page again");
  }
  return found->second;
}

Json LiveDesk::command(const std::string& session, const Json& command) {
  return find(session)->command(command);
}
std::string LiveDesk::drawing(const std::string& session) {
  return find(session)->drawing();
}
LiveDesk::Picture LiveDesk::picture(const std::string& session,
                                    std::int64_t after,
                                    std::chrono::milliseconds wait) {
  return find(session)->picture(after, wait);
}

void LiveDesk::close(const std::string& session) {
  std::shared_ptr<Run> run;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(session);
  if (found == runs_.end()) return;
  run = std::move(found->second);
  runs_.erase(found);
}

std::size_t LiveDesk::sessions() {
  end_of_idle();
  const std::lock_guard lock(mutex_);
  return runs_.size();
}

void LiveDesk::end_of_idle() {
  std::vector<std::shared_ptr<Run>> ended;
  const std::lock_guard lock(mutex_);
  for (auto each = runs_.begin(); each != runs_.end();) {
    if (Clock::now() - each->second->asked() < patience_) {
      ++each;
      continue;
    }
    ended.push_back(std::move(each->second));
    each = runs_.erase(each);
  }
}

}  // namespace femflex::live
