// Splits paths at their separator, and follows one step.
#include "document/document_path.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace femflex::tools {

DocumentPath::DocumentPath(const std::string& text)
    : separator_(text.find('/') != std::string::npos ? '/' : '.') {
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator_); end != std::string::npos;
       end = text.find(separator_, begin)) {
    steps_.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  steps_.push_back(text.substr(begin));
}

std::string DocumentPath::start(std::size_t count) const {
  const std::vector<std::string> first(steps_.begin(),
                                       steps_.begin() + static_cast<std::ptrdiff_t>(count));
  return fmt::format("{}", fmt::join(first, std::string(1, separator_)));
}

const Json* member_at(const Json& value, const std::string& step) {
  if (value.is_object()) return value.find(step);
  if (!value.is_list()) return nullptr;
  std::size_t index = 0;
  const char* step_end = step.data() + step.size();
  const auto [end, error] = std::from_chars(step.data(), step_end, index);
  if (error != std::errc() || end != step_end || index >= value.items().size()) return nullptr;
  return &value.items()[index];
}

Json* member_at(Json& value, const std::string& step) {
  return const_cast<Json*>(member_at(std::as_const(value), step));  // NOLINT: value is not const
}

std::vector<std::string> steps_from(const Json& value) {
  std::vector<std::string> out;
  if (value.is_object())
    for (const Json::Member& member : value.members())
      out.push_back(member.key);
  if (value.is_list())
    for (std::size_t i = 0; i < value.items().size(); ++i)
      out.push_back(fmt::format("{}", i));
  return out;
}

}  // namespace femflex::tools
