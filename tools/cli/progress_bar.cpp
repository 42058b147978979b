// Overwrites the progress line (carriage return, erase to the end of the line) at most ten times
// per second.
#include "progress_bar.h"

#include <algorithm>

#include <fmt/format.h>

#include "tell.h"

namespace femflex::cli {
namespace {

/// An amount with its unit; bytes in kB, MB, GB or TB.
std::string with_prefix(double amount, const std::string& unit) {
  if (unit != "B") return fmt::format("{:.3g} {}", amount, unit);
  constexpr const char* kByteUnits[] = {"B", "kB", "MB", "GB", "TB"};
  std::size_t i = 0;
  while (amount >= 1000.0 && i + 1 < std::size(kByteUnits)) {
    amount /= 1000.0;
    ++i;
  }
  return fmt::format("{:.3g} {}", amount, kByteUnits[i]);
}

}  // namespace

std::string progress_line(
    const std::string& task, double done, double total, const std::string& unit, double seconds) {
  const double rate = seconds > 0.0 ? done / seconds : 0.0;
  if (total <= 0.0) return fmt::format("{}  {}", task, with_prefix(done, unit));
  constexpr int kWidth = 20;
  const double fraction = std::clamp(done / total, 0.0, 1.0);
  const int filled = static_cast<int>(fraction * kWidth);
  std::string line = fmt::format("{} [{}{}] {:3.0f} %",
                                 task,
                                 std::string(static_cast<std::size_t>(filled), '#'),
                                 std::string(static_cast<std::size_t>(kWidth - filled), '.'),
                                 100.0 * fraction);
  if (rate > 0.0) {
    const auto seconds_left = static_cast<long>((total - done) / rate);
    line += fmt::format(
        "  {}/s  {}:{:02} left", with_prefix(rate, unit), seconds_left / 60, seconds_left % 60);
  }
  return line;
}

void ProgressBar::begin(std::string_view task, double total, std::string_view unit) {
  clear();
  task_ = task;
  unit_ = unit;
  total_ = total;
  start_ = Clock::now();
  last_drawn_ = start_;
}

void ProgressBar::update(double done) {
  if (!is_shown_ || task_.empty()) return;
  using namespace std::chrono_literals;
  const Clock::time_point now = Clock::now();
  if (now - start_ < 500ms || now - last_drawn_ < 100ms) return;
  last_drawn_ = now;
  is_drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string line = progress_line(task_, done, total_, unit_, seconds);
  tell(fmt::format("\r{}\033[K", line));
}

void ProgressBar::end() {
  clear();
  task_.clear();
}

void ProgressBar::clear() {
  if (!is_drawn_) return;
  tell("\r\033[K");
  is_drawn_ = false;
}

}  // namespace femflex::cli
