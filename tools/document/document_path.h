// DocumentPath: names a value in a document, as --set and --vary write it: forces.spring.stiffness.
#pragma once

#include <string>
#include <vector>

#include "document/json.h"

namespace femflex::tools {

/// Keys and list indices (counted from 0), separated by '/' if the path has one, else by '.'.
class DocumentPath {
 public:
  explicit DocumentPath(const std::string& text);

  /// At least one.
  const std::vector<std::string>& steps() const { return steps_; }
  /// The text of the first `count` steps.
  std::string start(std::size_t count) const;

 private:
  char separator_;
  std::vector<std::string> steps_;
};

/// The member of an object or the item of a list to which a step leads; null if there is none.
const Json* member_at(const Json& value, const std::string& step);
Json* member_at(Json& value, const std::string& step);

/// The steps that lead on from a value: keys of an object, indices of a list.
std::vector<std::string> steps_from(const Json& value);

}  // namespace femflex::tools
