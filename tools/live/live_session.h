// LiveSession: a running model that a web page controls and watches, with its energy balance. The
// live service (`femflex live`) and the tests use it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "document/json.h"
#include "live/live_document.h"
#include "live/live_model.h"
#include "live/live_system.h"

namespace femflex::live {

/// A model read from a file, ready to run.
struct LiveSource {
  tools::Json document;
  bool is_lattice = true;
  std::filesystem::path folder;  ///< paths in the document are relative to it
  std::string name;              ///< for titles and for names of saved files
  /// Bodies, by the texts that the document has in place of their file names.
  LiveBodies bodies{};
  double speed = 1.0;  ///< initial speed: seconds of the model per second of real time
  /// the run pauses once at this model time [s]; NaN: it does not pause
  double pause_at = std::numeric_limits<double>::quiet_NaN();
};

/// @throws  the exceptions of the readers
/// @throws UsageError  the file is neither a lattice nor a system
LiveSource read_live_source(const std::filesystem::path& path);
/// A model of the gallery or of a script.
LiveSource live_source_of(tools::Json document, std::string name, std::filesystem::path folder);

/// A running model with its parameters. Takes commands and returns pictures. It uses no clock, no
/// thread and no network; the caller advances it.
class LiveSession {
 public:
  /// @param kept  folder to which the command "keep" writes; empty: "keep" is refused
  explicit LiveSession(LiveSource source, std::filesystem::path kept = {});
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;
  LiveSession(LiveSession&&) = delete;
  LiveSession& operator=(LiveSession&&) = delete;
  ~LiveSession();

  /// Runs for `seconds` of real time at the chosen speed; stops early if `enough` returns true.
  void advance(double seconds, const std::function<bool()>& enough = {});
  /// Executes a command of a page such as { "do": "pause" }, see docs/how-to/watch-a-model-live.md.
  /// Returns what the page shows next to the picture.
  /// @throws UsageError, ParseError, ModelError, NumericalError  the command is refused; the model
  /// continues unchanged
  tools::Json command(const tools::Json& command);
  /// { "model", "running", "sliders", "stepping", ... }
  tools::Json status() const;

  bool is_running() const { return is_running_; }
  double time() const { return model_->time(); }
  LiveModel& model() { return *model_; }
  const LiveDocument& document() const { return document_; }
  /// |energy - energy at the start - energy added since| / largest energy so far
  double energy_error();

  /// The drawing (shapes, sent once) and a picture of the present state, each as bytes: a length (4
  /// bytes, little endian), that many bytes of JSON, padding to a multiple of 4, then the arrays
  /// that the JSON lists.
  std::string drawing() const;
  std::string picture();

 private:
  struct Account {
    double start = 0.0;  // [J]
    double given = 0.0;  // energy added by the pointer and by changes of the model [J]
    double largest = 0.0;
    double error = 0.0;  // [J]
  };
  struct Record {
    std::vector<double> times;
    std::vector<double> rows;
    std::size_t columns = 0;
    std::int64_t stride = 1, skipped = 0;  // every stride-th picture is recorded
  };

  void change(const std::function<void()>& work);
  void rebuild();
  void start_again();
  void keep_stepping(LiveModel& model) const;
  const LiveEnergy& energy();
  double balance();
  void look_at_energy();
  void check_stability();
  void record();
  void find_frequencies(bool asked = false);
  void meet_pause();
  tools::Json done(const std::string& what, const tools::Json& command);
  tools::Json picked(const tools::Json& command) const;
  void edit(const std::function<void(LiveDocument&)>& work);
  void cut(const std::string& path);
  void set_stepping(const tools::Json& command);
  /// Plots the channels of this list of names.
  void choose_plotted(const tools::Json& names);
  tools::Json keep();

  LiveSource source_;
  std::filesystem::path kept_;
  LiveDocument document_;
  std::unique_ptr<LiveModel> model_;
  std::unique_ptr<LiveState> kept_state_;
  std::vector<std::string> cut_;      // springs that were cut
  std::vector<std::size_t> plotted_;  // indices of the plotted channels
  std::vector<LiveFrequency> frequencies_;
  std::string no_frequencies_;        // why there are none
  std::optional<LiveEnergy> energy_;  // energy of the present state, once it was requested
  std::optional<double> pause_at_;    // [s]
  Account account_;
  Record record_;
  std::string message_;  // message to the watcher
  bool is_running_ = false;
  bool is_warned_ = false;   // a warning was given for the present step
  std::string method_;       // the integrator that the watcher chose; empty: that of the model
  double step_given_ = 0.0;  // [s] the step that the watcher chose; 0: that of the model
  double speed_ = 1.0;
  double debt_ = 0.0;        // [s] model time that still has to be run
  double real_speed_ = 0.0;  // speed in the last advance()
  std::int64_t pictures_ = 0, revision_ = 0;
  std::int64_t batch_ = 1;  // steps between two calls of `enough`
};

}  // namespace femflex::live
