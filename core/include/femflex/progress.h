// Interface through which long computations report progress and receive a request to stop.
#pragma once

#include <string_view>

namespace femflex {

/// Where long computations report their progress and learn that they should stop. Libraries report
/// to the silent base class unless the caller gives a sink of its own (a bar, a Python callback).
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;
  virtual ~Progress() = default;

  /// A piece of work begins. `total` is its amount in `unit` ("B", "modes", "s"); total <= 0:
  /// unknown.
  virtual void begin(std::string_view /*what*/, double /*total*/, std::string_view /*unit*/) {}
  /// Reports that the amount `done` of `total` is finished.
  virtual void update(double /*done*/) {}
  /// The piece of work is finished.
  virtual void end() {}
  /// True once the user wants to stop.
  virtual bool stop_requested() const { return false; }

  /// Reports and throws Cancelled if the user wants to stop: to be called in every long loop.
  void step(double done);
};

/// The silent sink, for default arguments.
Progress& no_progress();

}  // namespace femflex
