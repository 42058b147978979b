// A running model that a page controls and watches, with an account of its energy.
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

/// A model as read from a file, ready to run.
struct LiveSource {
  tools::Json document;
  bool is_lattice = true;
  std::filesystem::path folder;  ///< paths in the document are relative to it
  std::string name;              ///< for titles and for the files that are kept
  /// Bodies by the texts that the document has in place of file names.
  LiveBodies bodies{};
  double speed = 1.0;  ///< initial speed: seconds of the model per second of real time
  /// the run pauses once at this time of the model [s]; NaN: it does not
  double pause_at = std::numeric_limits<double>::quiet_NaN();
};

/// @throws as the readers; UsageError  neither a lattice nor a system
LiveSource read_live_source(const std::filesystem::path& path);
/// A model of the gallery or of a script.
LiveSource live_source_of(tools::Json document, std::string name, std::filesystem::path folder);

/// A running model with its parameters: commands in, pictures out. It uses no clock, no thread and
/// no network.
class LiveSession {
 public:
  /// @param kept  the folder that "keep" writes to; empty: keeping is refused
  explicit LiveSession(LiveSource source, std::filesystem::path kept = {});
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;
  LiveSession(LiveSession&&) = delete;
  LiveSession& operator=(LiveSession&&) = delete;
  ~LiveSession();

  /// Runs for `seconds` of real time at the chosen speed; stops earlier if `enough` returns true.
  void advance(double seconds, const std::function<bool()>& enough = {});
  /// Carries out a command of a page: { "do": "pause" }, see docs/how-to/watch-a-model-live.md.
  /// Returns what the page shows next to the picture.
  /// @throws UsageError, ParseError, ModelError, NumericalError  the command is refused, and the
  /// model runs on as before
  tools::Json command(const tools::Json& command);
  /// { "model", "running", "sliders", "stepping", ... }
  tools::Json status() const;

  bool is_running() const { return is_running_; }
  double time() const { return model_->time(); }
  LiveModel& model() { return *model_; }
  const LiveDocument& document() const { return document_; }
  /// |energy - energy at the start - energy added since| / largest energy so far.
  double energy_error();

  /// The drawing, and a picture of the present state, each as bytes: a length (4 bytes, little
  /// endian), as many bytes of JSON, padding to a multiple of 4, then the arrays that the JSON
  /// lists.
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
    std::int64_t stride = 1, skipped = 0;  // every stride-th picture is kept
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
  std::optional<LiveEnergy> energy_;  // of the present state, once it is asked for
  std::optional<double> pause_at_;    // [s]
  Account account_;
  Record record_;
  std::string message_;  // message to the watcher
  bool is_running_ = false;
  bool is_warned_ = false;   // the present step was warned of
  std::string method_;       // the integrator that the watcher chose; empty: the model's own
  double step_given_ = 0.0;  // [s] the step that the watcher chose; 0: the model's own
  double speed_ = 1.0;
  double debt_ = 0.0;        // [s] of the model's time that is still to be run
  double real_speed_ = 0.0;  // reached in the last advance()
  std::int64_t pictures_ = 0, revision_ = 0;
  std::int64_t batch_ = 1;  // steps between two calls of `enough`
};

}  // namespace femflex::live
