// Keeps what was read from files, for documents that are read many times with other numbers.
#pragma once

#include <any>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace femflex::tools {

/// Values made from files. A key names the file and what was made from it. Files must not change
/// during the life of the cache. Not for several threads at once.
class ReadCache {
 public:
  /// The value of `key`, made by `make` when it is first asked for.
  template <class T, class Make>
  std::shared_ptr<const T> once(const std::string& key, Make make) {
    std::any& held = values_[key];
    if (!held.has_value()) held = std::make_shared<const T>(make());
    return std::any_cast<std::shared_ptr<const T>>(held);
  }

 private:
  std::map<std::string, std::any> values_;
};

/// The value of `key` in a cache; without a cache it is made each time.
template <class T, class Make>
std::shared_ptr<const T> read_once(ReadCache* cache, const std::string& key, Make make) {
  if (cache == nullptr) return std::make_shared<const T>(make());
  return cache->once<T>(key, std::move(make));
}

}  // namespace femflex::tools
