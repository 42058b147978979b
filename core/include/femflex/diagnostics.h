// Collects the warnings of readers and algorithms, for callers that print or return them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "femflex/errors.h"

namespace femflex {

/// Something that the user should know but that does not stop a reader or an algorithm.
struct Warning {
  std::string code;  ///< kebab case, for scripts
  std::string message;
  Where where;
};

/// Collects warnings. A valid input produces none. Never prints.
class Diagnostics {
 public:
  void warn(std::string code, std::string message, Where where = {}) {
    warnings_.push_back({std::move(code), std::move(message), std::move(where)});
  }
  const std::vector<Warning>& warnings() const { return warnings_; }
  bool empty() const { return warnings_.empty(); }

 private:
  std::vector<Warning> warnings_;
};

}  // namespace femflex
