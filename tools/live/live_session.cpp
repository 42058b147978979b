// Implements LiveSession: commands, pictures, and the energy balance.
#include "live/live_session.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "live/live_keep.h"
#include "live/live_lattice.h"

namespace femflex::live {

using tools::Json;

namespace {

static_assert(std::endian::native == std::endian::little, "pictures are sent little endian");

constexpr double kSlowest = 1e-6, kFastest = 1e6;  // speeds
constexpr std::size_t kMostPlotted = 8;            // most curves in a plot
constexpr std::size_t kMostNumbers = 1'000'000;    // limit of the numbers in a recorded run, 8 MB
constexpr std::int64_t kPicturesPerLook = 30;  // number of pictures between two checks of stability
constexpr std::size_t kSmall = 1000;           // vertices; with more, frequencies are computed only
                                               // on request
// largest backlog; after a pause of the computer the run does not catch up
constexpr double kMostDebt = 0.1;  // [s] of real time
constexpr std::int64_t kMostBatch = 4096;

const Json& need(const Json& command, const char* key) {
  const Json* found = command.find(key);
  if (found == nullptr) throw UsageError("command", fmt::format("the command has no '{}'", key));
  return *found;
}
double number(const Json& command, const char* key) {
  const double value = need(command, key).number();
  if (!std::isfinite(value)) throw UsageError("command", fmt::format("'{}' is not finite", key));
  return value;
}
const std::string& text(const Json& command, const char* key) {
  return need(command, key).text();
}
Eigen::Vector3d vector(const Json& command, const char* key) {
  const std::vector<Json>& items = need(command, key).items();
  if (items.size() != 3) throw UsageError("command", fmt::format("'{}' is not [x, y, z]", key));
  const Eigen::Vector3d out(items[0].number(), items[1].number(), items[2].number());
  if (!out.allFinite()) throw UsageError("command", fmt::format("'{}' is not finite", key));
  return out;
}
std::size_t index(const Json& command, const char* key, std::size_t count) {
  const double value = number(command, key);
  if (!(value >= 0.0 && value < static_cast<double>(count)))
    throw UsageError("command", fmt::format("'{}' is {}, not below {}", key, value, count));
  return static_cast<std::size_t>(value);
}

/// A message made of JSON and arrays.
class Message {
 public:
  template <typename Item>
  void add(const char* name, const char* type, std::span<const Item> items) {
    Json entry = Json::object();
    entry["name"] = name;
    entry["type"] = type;
    entry["count"] = static_cast<std::int64_t>(items.size());
    arrays_.push_back(std::move(entry));
    fill(bytes_);
    bytes_.append(reinterpret_cast<const char*>(items.data()), items.size_bytes());
  }
  std::string text(Json head) {
    head["arrays"] = std::move(arrays_);
    std::string json = head.dump_line();
    const auto length = static_cast<std::uint32_t>(json.size());
    std::string out(sizeof length, '\0');
    std::memcpy(out.data(), &length, sizeof length);
    out += json;
    fill(out);
    return out + bytes_;
  }

 private:
  static void fill(std::string& bytes) {
    constexpr std::size_t kWord = 4;
    bytes.resize((bytes.size() + kWord - 1) / kWord * kWord, ' ');
  }
  Json arrays_ = Json::list();
  std::string bytes_;
};

std::unique_ptr<LiveModel> make_model(const LiveSource& source, const LiveDocument& document) {
  return source.is_lattice ? live_lattice(document.json())
                           : live_system(document.json(), source.folder, source.bodies);
}

Json sliders_json(const LiveDocument& document) {
  Json out = Json::list();
  for (const Slider& slider : document.sliders()) {
    Json entry = Json::object();
    entry["name"] = slider.name;
    entry["value"] = slider.value;
    entry["low"] = slider.low;
    entry["high"] = slider.high;
    entry["at"] = slider.at;
    entry["formula"] = slider.formula;
    out.push_back(std::move(entry));
  }
  return out;
}

Json stepping_json(const LiveStepping& stepping) {
  Json out = Json::object();
  out["integrator"] = stepping.integrator;
  out["integrators"] = stepping.integrators;
  out["step"] = stepping.step;
  out["stable_step"] = std::isfinite(stepping.stable_step) ? Json(stepping.stable_step) : Json();
  out["is_always_stable"] = std::isinf(stepping.stable_step);
  return out;
}

}  // namespace

LiveSession::LiveSession(LiveSource source, std::filesystem::path kept)
    : source_(std::move(source)),
      kept_(std::move(kept)),
      document_(source_.document, source_.is_lattice),
      speed_(source_.speed) {
  start_again();
}
LiveSession::~LiveSession() = default;

void LiveSession::start_again() {
  model_ = make_model(source_, document_);
  keep_stepping(*model_);
  energy_.reset();
  cut_.clear();
  pause_at_.reset();
  if (source_.pause_at > model_->time()) pause_at_ = source_.pause_at;
  account_ = {};
  account_.start = balance();
  record_ = {};
  message_.clear();
  is_warned_ = false;
  debt_ = 0.0;
  plotted_.erase(std::remove_if(plotted_.begin(),
                                plotted_.end(),
                                [&](std::size_t c) { return c >= model_->channels().size(); }),
                 plotted_.end());
  ++revision_;
  find_frequencies();
  check_stability();
}

/// Gives a changed model the method and the step that the watcher chose.
void LiveSession::keep_stepping(LiveModel& model) const {
  if (method_.empty() && step_given_ == 0.0) return;
  model.set_stepping(method_.empty() ? model.stepping().integrator : method_, step_given_);
}

const LiveEnergy& LiveSession::energy() {
  if (!energy_) energy_ = model_->energy();
  return *energy_;
}

/// The energy minus all work. Only errors of the integrator and changes by the user alter it.
double LiveSession::balance() {
  const LiveEnergy& now = energy();
  return now.kinetic + now.potential - now.work;
}

/// Changes the model; the energy added by the change is not counted as an error of the integrator.
void LiveSession::change(const std::function<void()>& work) {
  const double before = balance();
  work();
  energy_.reset();
  account_.given += balance() - before;
}

void LiveSession::look_at_energy() {
  const LiveEnergy& now = energy();
  account_.largest = std::max({account_.largest,
                               now.kinetic,
                               std::abs(now.kinetic + now.potential),
                               std::abs(now.work),
                               std::abs(account_.given)});
  account_.error = std::abs(balance() - account_.start - account_.given);
}
double LiveSession::energy_error() {
  look_at_energy();
  return account_.largest > 0.0 ? account_.error / account_.largest : 0.0;
}

/// Builds the model of the changed document and continues the motion so far.
void LiveSession::rebuild() {
  std::unique_ptr<LiveModel> next = make_model(source_, document_);
  const bool goes_on = next->take_over(*model_->state());
  keep_stepping(*next);
  const double before = balance();
  model_ = std::move(next);
  energy_.reset();
  ++revision_;
  if (!goes_on) {
    account_ = {};
    account_.start = balance();
    record_ = {};
    message_ = "the changed model does not continue the motion: it starts again";
  } else {
    account_.given += balance() - before;
  }
  is_warned_ = false;
  find_frequencies();
  check_stability();
}

/// Changes the document; restores it if the changed model cannot run.
void LiveSession::edit(const std::function<void(LiveDocument&)>& work) {
  const LiveDocument before = document_;
  try {
    work(document_);
    rebuild();
  } catch (...) {
    document_ = before;
    throw;
  }
}

/// Pauses the run once, with a message, if the step is longer than the largest stable step.
void LiveSession::check_stability() {
  const LiveStepping stepping = model_->stepping();
  if (!(stepping.step > stepping.stable_step)) {
    is_warned_ = false;
    return;
  }
  if (is_warned_) return;
  is_warned_ = true;
  is_running_ = false;
  message_ = stepping.stable_step > 0.0
                 ? fmt::format(
                       "paused: a step of {:.3g} s is not stable with {}, up to {:.3g} s is; "
                       "run makes it all the same",
                       stepping.step,
                       stepping.integrator,
                       stepping.stable_step)
                 : fmt::format(
                       "paused: no step of {} is known to be stable here; run makes it all "
                       "the same",
                       stepping.integrator);
}

void LiveSession::find_frequencies(bool asked) {
  frequencies_.clear();
  no_frequencies_.clear();
  if (!asked && model_->drawing().grips > kSmall) {
    no_frequencies_ = "computed on request: this model is large";
    return;
  }
  try {
    frequencies_ = model_->frequencies(asked);
    if (frequencies_.empty())
      no_frequencies_ = asked ? "none: nothing vibrates in this state"
                              : "computed on request: this model is large";
  } catch (const Error& error) {
    no_frequencies_ = error.message();
  }
}

/// Pauses once at the time that the model's file specifies.
void LiveSession::meet_pause() {
  if (!pause_at_ || model_->time() < *pause_at_ - 0.5 * model_->stepping().step) return;
  is_running_ = false;
  message_ = fmt::format("paused at {:.6g} s, as the file says; run continues", *pause_at_);
  pause_at_.reset();
}

void LiveSession::advance(double seconds, const std::function<bool()>& enough) {
  if (!is_running_) return;
  const double step = model_->stepping().step;
  const double before = model_->time();
  debt_ = std::min(debt_ + speed_ * seconds, speed_ * std::max(kMostDebt, seconds) + step);
  bool is_enough = false;
  energy_.reset();
  while (debt_ >= step && !is_enough && is_running_) {
    const auto owed = static_cast<std::int64_t>(debt_ / step);
    std::int64_t count = enough ? std::min(owed, batch_) : owed;
    const double from = model_->time();
    if (pause_at_)
      count = std::clamp<std::int64_t>(std::llround((*pause_at_ - from) / step), 1, count);
    if (!model_->advance(count)) {
      is_running_ = false;
      message_ = "stopped: " + model_->failure();
      break;
    }
    debt_ -= std::max(model_->time() - from, 0.5 * step * static_cast<double>(count));
    meet_pause();
    is_enough = enough && enough();
    // adapts the number of steps between two calls of `enough`
    if (enough)
      batch_ = is_enough ? std::max<std::int64_t>(1, batch_ / 2) : std::min(kMostBatch, batch_ * 2);
  }
  real_speed_ = seconds > 0.0 ? (model_->time() - before) / seconds : 0.0;
  look_at_energy();
  record();
  if (++pictures_ % kPicturesPerLook == 0 && model_->drawing().grips <= kSmall) {
    if (model_->is_quick_to_linearise()) find_frequencies();
    model_->look_at_stability();
    check_stability();
  }
}

void LiveSession::record() {
  record_.columns = model_->channels().size();
  if (record_.columns == 0 || ++record_.skipped < record_.stride) return;
  record_.skipped = 0;
  const std::vector<double> row = model_->values();
  if (record_.rows.size() + row.size() > kMostNumbers) {
    // every second row is dropped; from now on only every second row is recorded
    std::size_t kept = 0;
    for (std::size_t r = 0; r < record_.times.size(); r += 2, ++kept) {
      record_.times[kept] = record_.times[r];
      std::copy_n(record_.rows.begin() + static_cast<std::ptrdiff_t>(r * record_.columns),
                  record_.columns,
                  record_.rows.begin() + static_cast<std::ptrdiff_t>(kept * record_.columns));
    }
    record_.times.resize(kept);
    record_.rows.resize(kept * record_.columns);
    record_.stride *= 2;
  }
  if (!record_.times.empty() && model_->time() <= record_.times.back()) return;
  record_.times.push_back(model_->time());
  record_.rows.insert(record_.rows.end(), row.begin(), row.end());
}

Json LiveSession::command(const Json& command) {
  Json answer = done(text(command, "do"), command);
  Json out = status();
  if (!answer.is_null()) out["answer"] = std::move(answer);
  return out;
}

Json LiveSession::done(const std::string& what, const Json& command) {
  if (what == "status") return {};
  if (what == "run") {
    is_running_ = true;
    debt_ = 0.0;
    message_.clear();
  } else if (what == "pause") {
    is_running_ = false;
  } else if (what == "step") {
    is_running_ = false;
    energy_.reset();
    if (!model_->advance(1)) message_ = "stopped: " + model_->failure();
    look_at_energy();
    record();
  } else if (what == "restart") {
    start_again();
  } else if (what == "keep-state") {
    kept_state_ = model_->state();
  } else if (what == "return") {
    if (kept_state_ == nullptr) throw UsageError("no-state", "no state was kept");
    change([&] {
      if (!model_->take_over(*kept_state_))
        throw UsageError("no-state", "the kept state is that of another model");
    });
    record_ = {};
    find_frequencies();
  } else if (what == "speed") {
    speed_ = std::clamp(number(command, "value"), kSlowest, kFastest);
    debt_ = 0.0;
  } else if (what == "set") {
    edit([&](LiveDocument& document) {
      if (command.find("at") != nullptr)
        document.set_at(text(command, "name"), number(command, "at"));
      else
        document.set(text(command, "name"), number(command, "value"));
    });
  } else if (what == "pick") {
    return picked(command);
  } else if (what == "name") {
    edit([&](LiveDocument& document) {
      document.name(text(command, "path"), text(command, "name"));
    });
  } else if (what == "grab") {
    const std::size_t vertex = index(command, "vertex", model_->drawing().vertices);
    change([&] { model_->grab(vertex, vector(command, "at")); });
    check_stability();
  } else if (what == "drag") {
    change([&] { model_->drag(vector(command, "at")); });
  } else if (what == "release") {
    change([&] { model_->release(); });
  } else if (what == "cut") {
    cut(text(command, "path"));
  } else if (what == "load") {
    edit([&](LiveDocument& document) {
      document.add_load(text(command, "place"), vector(command, "force"));
    });
  } else if (what == "gravity") {
    edit([&](LiveDocument& document) { document.switch_gravity(need(command, "on").boolean()); });
  } else if (what == "stepping") {
    set_stepping(command);
  } else if (what == "plot") {
    choose_plotted(need(command, "channels"));
  } else if (what == "frequencies") {
    find_frequencies(true);
  } else if (what == "keep") {
    return keep();
  } else {
    throw UsageError("command", fmt::format("'{}' is not a command", what.substr(0, 64)));
  }
  return {};
}

void LiveSession::cut(const std::string& path) {
  bool is_cut = false;
  change([&] { is_cut = model_->cut(path); });
  if (is_cut)
    cut_.push_back(path);
  else
    edit([&](LiveDocument& document) { document.cut(path); });
}

void LiveSession::choose_plotted(const Json& names) {
  std::vector<std::size_t> plotted;
  const auto& channels = model_->channels();
  for (const Json& name : names.items()) {
    const auto found = std::find_if(
        channels.begin(), channels.end(), [&](const auto& c) { return c.name == name.text(); });
    if (found == channels.end())
      throw UsageError("no-channel", fmt::format("there is no channel '{}'", name.text()));
    if (plotted.size() < kMostPlotted)
      plotted.push_back(static_cast<std::size_t>(found - channels.begin()));
  }
  plotted_ = std::move(plotted);
}

void LiveSession::set_stepping(const Json& command) {
  const LiveStepping now = model_->stepping();
  const Json* name = command.find("integrator");
  const Json* step = command.find("step");
  const double length = step == nullptr ? (name == nullptr ? now.step : 0.0) : step->number();
  if (!(length >= 0.0) || !std::isfinite(length))
    throw UsageError("bad-step", "the step must be a time above 0");
  change([&] { model_->set_stepping(name == nullptr ? now.integrator : name->text(), length); });
  if (name != nullptr) method_ = name->text();
  step_given_ = step != nullptr ? length : 0.0;
  message_.clear();
  is_warned_ = false;
  check_stability();
}

Json LiveSession::picked(const Json& command) const {
  const Drawing& drawing = model_->drawing();
  Drawing::Item found{source_.name, {}, {}};  // if nothing was hit: the model itself
  std::int32_t item = -1;
  if (command.find("vertex") != nullptr)
    item = drawing.item_of_vertex[index(command, "vertex", drawing.vertices)];
  else if (command.find("line") != nullptr)
    item = drawing.item_of_line[index(command, "line", drawing.item_of_line.size())];
  if (item >= 0) found = drawing.items[static_cast<std::size_t>(item)];
  Json out = Json::object();
  out["name"] = found.name;
  out["path"] = found.path;
  out["place"] = found.place;
  out["can_cut"] = LiveDocument::can_cut(found.path);
  out["fields"] = Json::list();
  const auto add = [&](const std::string& path, const std::string& before) {
    for (const Field& field : document_.fields(path)) {
      Json entry = Json::object();
      entry["path"] = field.path;
      entry["label"] = before + field.label;
      entry["value"] = field.value;
      entry["parameter"] = field.parameter;
      out["fields"].push_back(std::move(entry));
    }
  };
  if (item < 0 || !found.path.empty()) add(found.path, "");
  for (const std::string& path : document_.related(found.path, found.place))
    add(path, path.substr(path.find('/') + 1) + ": ");
  return out;
}

Json LiveSession::keep() {
  if (kept_.empty())
    throw UsageError("no-keep", "this page keeps no files", {}, "femflex live FILE --keep FOLDER");
  LiveDocument document = document_;
  for (const std::string& path : cut_)
    document.cut(path);
  return keep_run({document.json(), source_, *model_, record_.times, record_.rows}, kept_);
}

Json LiveSession::status() const {
  Json out = Json::object();
  out["model"] = source_.name;
  out["running"] = is_running_;
  out["speed"] = speed_;
  out["time"] = model_->time();
  out["message"] = message_;
  out["sliders"] = sliders_json(document_);
  out["stepping"] = stepping_json(model_->stepping());
  out["gravity"] = document_.has_gravity();
  out["has_state"] = kept_state_ != nullptr;
  out["keeps"] = !kept_.empty();
  out["revision"] = revision_;
  return out;
}

std::string LiveSession::drawing() const {
  const Drawing& drawing = model_->drawing();
  Json head = status();
  head["vertices"] = static_cast<std::int64_t>(drawing.vertices);
  head["grips"] = static_cast<std::int64_t>(drawing.grips);
  head["first_sign_line"] = static_cast<std::int64_t>(drawing.first_sign_line);
  head["planar"] = drawing.is_planar;
  head["size"] = drawing.size;
  Json channels = Json::list();
  for (const mbd_solver::Channel& channel : model_->channels())
    channels.push_back(channel.name);
  head["channels"] = std::move(channels);
  Message message;
  message.add<std::uint32_t>("points", "u32", drawing.points);
  message.add<std::uint32_t>("lines", "u32", drawing.lines);
  message.add<std::uint32_t>("triangles", "u32", drawing.triangles);
  message.add<std::uint8_t>("held", "u8", drawing.held);
  return message.text(std::move(head));
}

std::string LiveSession::picture() {
  Json head = Json::object();
  head["time"] = model_->time();
  head["running"] = is_running_;
  head["revision"] = revision_;
  head["message"] = message_;
  head["real_speed"] = real_speed_;
  const double error = energy_error();
  head["energy"] = std::vector<double>{
      energy().kinetic, energy().potential, energy().work + account_.given, error};
  head["stable_step"] = stepping_json(model_->stepping())["stable_step"];
  Json hz = Json::list();
  Json damping = Json::list();
  for (const LiveFrequency& each : frequencies_) {
    hz.push_back(each.hz);
    damping.push_back(each.damping);
  }
  head["hz"] = std::move(hz);
  head["no_hz"] = no_frequencies_;
  head["damping"] = std::move(damping);
  if (!plotted_.empty()) {
    const std::vector<double> values = model_->values();
    Json plotted = Json::list();
    for (const std::size_t c : plotted_)
      plotted.push_back(values[c]);
    head["plotted"] = std::move(plotted);
  }
  std::vector<float> places;
  std::vector<std::int8_t> tensions;
  model_->places(places);
  model_->tensions(tensions);
  Message message;
  message.add<float>("places", "f32", places);
  message.add<std::int8_t>("tensions", "i8", tensions);
  return message.text(std::move(head));
}

}  // namespace femflex::live
