// ProgressBar: the progress line of the command line on stderr, with task, share done, rate and
// remaining time.
#pragma once

#include <chrono>
#include <string>

#include "femflex/progress.h"

#include "interrupts.h"

namespace femflex::cli {

/// Shows the progress of tasks as a line, see progress_line(). For tasks shorter than half a second
/// there is none.
class ProgressBar : public Progress {
 public:
  /// @param is_shown  false: draws nothing, because stderr is not a terminal or --quiet is given
  explicit ProgressBar(bool is_shown) : is_shown_(is_shown) {}
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ProgressBar(ProgressBar&&) = delete;
  ProgressBar& operator=(ProgressBar&&) = delete;
  ~ProgressBar() override { clear(); }

  void begin(std::string_view task, double total, std::string_view unit) override;
  void update(double done) override;
  void end() override;
  bool stop_requested() const override { return is_interrupted(); }

 private:
  using Clock = std::chrono::steady_clock;
  void clear();

  bool is_shown_;
  bool is_drawn_ = false;
  std::string task_, unit_;
  double total_ = 0.0;
  Clock::time_point start_, last_drawn_;
};

/// The text of the line: "reading a.op4 [####......]  42 %  12.4 MB/s  0:07 left".
/// @param total    amount of the task in `unit`; 0: unknown
/// @param seconds  time since the start of the task
std::string progress_line(
    const std::string& task, double done, double total, const std::string& unit, double seconds);

}  // namespace femflex::cli
