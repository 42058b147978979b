// ReadCache: keeps the content of files, for documents that are read many times with different
// numbers. VariedSystem owns one.
#pragma once

#include <any>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace femflex::tools {

/// Values made from files. A key identifies the file and the kind of value. Files must not change
/// during the lifetime of the cache. Only one thread may use it at a time.
class ReadCache {
 public:
  /// The value for `key`; the first call makes it with `make`.
  template <class T, class Make>
  std::shared_ptr<const T> once(const std::string& key, Make make) {
    std::any& held = values_[key];
    if (!held.has_value()) held = std::make_shared<const T>(make());
    return std::any_cast<std::shared_ptr<const T>>(held);
  }

 private:
  std::map<std::string, std::any> values_;
};

/// The value for `key` from a cache; without a cache it is made by each call.
template <class T, class Make>
std::shared_ptr<const T> read_once(ReadCache* cache, const std::string& key, Make make) {
  if (cache == nullptr) return std::make_shared<const T>(make());
  return cache->once<T>(key, std::move(make));
}

}  // namespace femflex::tools
