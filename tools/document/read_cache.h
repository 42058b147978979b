// ReadCache: keeps the content of files, and values that take long to make from numbers, for
// documents that are read many times with different numbers. VariedSystem owns one.
#pragma once

#include <algorithm>
#include <any>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace femflex::tools {

/// Values made from files, all of which are kept, and values made from numbers, of which the last
/// few are kept. A key identifies the file, or all numbers, and the kind of value. Files must not
/// change during the lifetime of the cache. Several threads may use it at once.
class ReadCache {
 public:
  /// The value of a file for `key`; the first call makes it with `make`. One thread at a time reads
  /// files.
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
  std::shared_ptr<const T> recent(const std::string& key, Make make) {
    if (const std::any held = find_recent(key); held.has_value())
      return std::any_cast<std::shared_ptr<const T>>(held);
    auto made = std::make_shared<const T>(make());
    keep_recent(key, made);
    return made;
  }

  /// Held by a thread that reads or writes a file of its own, such as the result of a run: HDF5
  /// serves one thread at a time.
  std::unique_lock<std::recursive_mutex> files() {
    return std::unique_lock<std::recursive_mutex>(files_);
  }

 private:
  /// Few, so that a study in which every run has a road of its own does not grow.
  static constexpr std::size_t kRecent = 16;

  std::any find_recent(const std::string& key) {
    const std::lock_guard<std::mutex> lock(guard_);
    const auto found = std::find_if(
        recent_.begin(), recent_.end(), [&](const auto& each) { return each.first == key; });
    if (found == recent_.end()) return {};
    recent_.splice(recent_.begin(), recent_, found);
    return found->second;
  }
  void keep_recent(const std::string& key, std::any made) {
    const std::lock_guard<std::mutex> lock(guard_);
    recent_.emplace_front(key, std::move(made));
    if (recent_.size() > kRecent) recent_.pop_back();
  }

  std::recursive_mutex files_;
  std::map<std::string, std::any> of_files_;
  std::mutex guard_;
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
std::shared_ptr<const T> made_once(ReadCache* cache, const std::string& key, Make make) {
  if (cache == nullptr) return std::make_shared<const T>(make());
  return cache->recent<T>(key, std::move(make));
}

}  // namespace femflex::tools
