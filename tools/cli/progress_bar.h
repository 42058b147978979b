// The progress line of the command line: task, share done, rate and remaining time, on stderr.
#pragma once

#include <chrono>
#include <string>

#include "femflex/progress.h"

#include "interrupts.h"

namespace femflex::cli {

/// A line on stderr with task, share done, rate and remaining time, shown on a terminal only. Work
/// of less than half a second shows no line.
class ProgressBar : public Progress {
 public:
  explicit ProgressBar(bool is_shown) : is_shown_(is_shown) {}
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ProgressBar(ProgressBar&&) = delete;
  ProgressBar& operator=(ProgressBar&&) = delete;
  ~ProgressBar() override { clear(); }

  void begin(std::string_view what, double total, std::string_view unit) override;
  void update(double done) override;
  void end() override;
  bool stop_requested() const override { return is_interrupted(); }

 private:
  using Clock = std::chrono::steady_clock;
  void clear();

  bool is_shown_;
  bool is_drawn_ = false;
  std::string what_, unit_;
  double total_ = 0.0;
  Clock::time_point start_, drawn_;
};

/// The line itself: "reading a.op4 [####......]  42 %  12.4 MB/s  0:07 left".
std::string progress_line(
    const std::string& what, double done, double total, const std::string& unit, double seconds);

}  // namespace femflex::cli
