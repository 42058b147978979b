// ReadCache: keeps what was read from files, and values that are expensive to compute, while one
// document is evaluated many times with other numbers. VariedSystem owns one.
#pragma once

#include <algorithm>
#include <any>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "femflex/io/sha256.h"

namespace femflex::tools {

/// Results of reading files (all kept) and computed values (the last 16 kept). The key holds what
/// determines the value: the path or all numbers, and the kind of value. Files must not change
/// during the lifetime of the cache. Several threads may use it at once.
class ReadCache {
 public:
  /// The value for `key`, read from a file by `make` on the first call. One thread at a time reads
  /// files, and others wait, also for values that are there already.
  template <class T, class Make>
  std::shared_ptr<const T> once(const std::string& key, Make make) {
    const std::lock_guard<std::recursive_mutex> lock(files_);  // `make` may ask for another file
    std::any& held = of_files_[key];
    if (!held.has_value()) held = std::make_shared<const T>(make());
    return std::any_cast<std::shared_ptr<const T>>(held);
  }

  /// The value for `key`, which names all numbers from which `make` makes it. Threads do not wait
  /// for each other; two that need the same value at the same time may both make it.
  template <class T, class Make>
  std::shared_ptr<const T> recently_made(const std::string& key, Make make) {
    if (const std::any held = find_recent(key); held.has_value())
      return std::any_cast<std::shared_ptr<const T>>(held);
    const std::any kept = keep_recent(key, std::make_shared<const T>(make()));
    return std::any_cast<std::shared_ptr<const T>>(kept);
  }

  /// Lock for a thread that reads or writes a file of its own, such as the result of a run: HDF5
  /// may be used by one thread at a time.
  std::unique_lock<std::recursive_mutex> lock_files() {
    return std::unique_lock<std::recursive_mutex>(files_);
  }

 private:
  /// Few, so that a study in which every run has a road of its own does not grow.
  static constexpr std::size_t kRecent = 16;

  std::any find_recent(const std::string& key) {
    const std::lock_guard<std::mutex> lock(recent_guard_);
    return held_recent(key);
  }
  /// Keeps `made`, unless another thread was first. Returns what is kept.
  std::any keep_recent(const std::string& key, std::any made) {
    const std::lock_guard<std::mutex> lock(recent_guard_);
    if (std::any held = held_recent(key); held.has_value()) return held;
    recent_.emplace_front(key, std::move(made));
    if (recent_.size() > kRecent) recent_.pop_back();
    return recent_.front().second;
  }
  /// The value for `key`, which becomes the latest; needs recent_guard_.
  std::any held_recent(const std::string& key) {
    const auto found = std::find_if(
        recent_.begin(), recent_.end(), [&](const auto& each) { return each.first == key; });
    if (found == recent_.end()) return {};
    recent_.splice(recent_.begin(), recent_, found);
    return found->second;
  }

  std::recursive_mutex files_;
  std::map<std::string, std::any> of_files_;
  std::mutex recent_guard_;
  std::list<std::pair<std::string, std::any>> recent_;  // the latest first
};

/// The value of a file for `key` from a cache; without a cache it is made by each call.
template <class T, class Make>
std::shared_ptr<const T> read_once(ReadCache* cache, const std::string& key, Make make) {
  if (cache == nullptr) return std::make_shared<const T>(make());
  return cache->once<T>(key, std::move(make));
}

/// The same for a value that is made from numbers.
template <class T, class Make>
std::shared_ptr<const T> recently_made(ReadCache* cache, const std::string& key, Make make) {
  if (cache == nullptr) return std::make_shared<const T>(make());
  return cache->recently_made<T>(key, std::move(make));
}

/// The SHA-256 of a file, computed once; without a cache, on each call.
inline std::string file_digest(ReadCache* cache, const std::filesystem::path& path) {
  return *read_once<std::string>(
      cache, "sha256 " + path.string(), [&]() { return io::sha256_of_file(path); });
}

}  // namespace femflex::tools
