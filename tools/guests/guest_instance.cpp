// The log of an FMU, and the messages about rejected calls.
#include "guests/guest_instance.h"

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::guests {
namespace {

constexpr std::size_t kMostLines = 5;  // an FMU may repeat a message in every step
constexpr std::size_t kLongestLine = 400;
constexpr int kWarning = 1;  // the statuses of both versions: ok, warning, discard, error, fatal

std::string status_word(int status) {
  constexpr const char* kWords[] = {"ok", "warning", "discard", "error", "fatal"};
  return status >= 0 && status < static_cast<int>(std::size(kWords)) ? kWords[status]
                                                                     : std::to_string(status);
}

}  // namespace

void GuestLog::add(int status, const char* category, const std::string& text) {
  lines_.push_back(fmt::format("[{}{}{}] {}",
                               status_word(status),
                               category == nullptr ? "" : ", ",
                               category == nullptr ? "" : category,
                               text.substr(0, kLongestLine)));
  if (lines_.size() > kMostLines) lines_.pop_front();
}

std::string GuestLog::text() const {
  std::string out;
  for (const std::string& line : lines_)
    out += (out.empty() ? "" : "; ") + line;
  return out;
}

void GuestInstance::check(int status, const char* function, const std::string& of) const {
  if (status >= 0 && status <= kWarning) return;
  const std::string log = log_.text();
  throw ModelError("fmu-status",
                   fmt::format("{}{}{} gives status {}{}{}",
                               function,
                               of.empty() ? "" : " of ",
                               of,
                               status_word(status),
                               log.empty() ? ", without a message" : ": ",
                               log));
}

std::unique_ptr<GuestInstance> instantiate(const std::shared_ptr<const GuestLibrary>& library,
                                           const std::string& name) {
  return library->description().version == 2 ? instantiate_2(library, name)
                                             : instantiate_3(library, name);
}

}  // namespace femflex::guests
