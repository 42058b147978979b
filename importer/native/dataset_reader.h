// Reads the datasets of a .fe.h5 file and checks their sizes, for all tables of the native FE
// model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"

#include "native/layout.h"

namespace femflex::importer::native {

/// The error of a file that is not what the program writes.
/// @param path  of the dataset or group
inline ParseError damaged(const io::Hdf5File& file, const std::string& path, std::string message) {
  return {"fe-model",
          std::move(message),
          {file.name(), -1, -1, -1, path},
          "the file is damaged: import the model again"};
}

/// Datasets by their paths. An absent one counts as empty, which is an error where a number of
/// values is expected.
class DatasetReader {
 public:
  explicit DatasetReader(const io::Hdf5File& file) : file_(file) {}
  const io::Hdf5File& file() const { return file_; }
  bool has(const std::string& path) const { return file_.has(path); }

  Integers integers(const std::string& path) const {
    return has(path) ? file_.read_integers(path) : Integers{};
  }
  Integers integers(const std::string& path, std::size_t size) const {
    return sized(integers(path), path, size);
  }
  Reals reals(const std::string& path, std::size_t size) const {
    return sized(has(path) ? file_.read_reals(path) : Reals{}, path, size);
  }
  Texts texts(const std::string& path) const {
    return has(path) ? file_.read_texts(path) : Texts{};
  }
  Texts texts(const std::string& path, std::size_t size) const {
    return sized(texts(path), path, size);
  }
  /// An integer of a dataset as an enumerator up to `last`.
  template <class Kind>
  Kind kind(const std::string& path, std::int64_t value, Kind last) const {
    if (value < 0 || value > static_cast<std::int64_t>(last))
      fail(path, fmt::format("{} is not a known value", value));
    return static_cast<Kind>(value);
  }
  [[noreturn]] void fail(const std::string& path, std::string message) const {
    throw damaged(file_, path, std::move(message));
  }

 private:
  template <typename T>
  std::vector<T> sized(std::vector<T> values, const std::string& path, std::size_t size) const {
    if (values.size() != size)
      fail(path, fmt::format("has {} values, expected {}", values.size(), size));
    return values;
  }
  const io::Hdf5File& file_;
};

}  // namespace femflex::importer::native
