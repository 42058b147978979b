// Each field of a state is a dataset under /states with one row per stored time. A fingerprint of
// the system shows whether the states belong to it.
#include "results/stored_states.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"

#include "document/json_text.h"
#include "document/table.h"
#include "results/model_identity.h"
#include "results/results_file.h"

namespace femflex::tools {
namespace {

constexpr double kSameState = 1e-9;  // relative tolerance of the time given by --from

using Eigen::VectorXd;
using mbd_solver::State;

constexpr std::array kNames = {"position",
                               "velocity",
                               "acceleration",
                               "algorithmic_acceleration",
                               "multipliers",
                               "joint_angles",
                               "events",
                               "acceleration_before",
                               "multipliers_before",
                               "matrix_position",
                               "matrix_velocity",
                               "matrix_turns",
                               "force_states",
                               "force_state_rates",
                               "algorithmic_rates",
                               "matrix_states"};
constexpr std::size_t kBytesOfNumber = 6;  // bytes of a guest's state per stored number; a double
                                           // represents 2^48 exactly
constexpr std::size_t kMemoryWidth = 7;    // numbers per row of /states/memory

std::string state_dataset(std::string_view name) {
  return fmt::format("/states/{}", name);
}

// The first difference of two fingerprints, as text; empty if there is none.
std::string difference(const Json& stored, const Json& here) {
  for (const char* list : {"bodies", "joints"}) {
    const Json* a = stored.find(list);
    const Json* b = here.find(list);
    if (a == nullptr || b == nullptr || !a->is_list()) return "it does not name its system";
    const std::size_t common = std::min(a->items().size(), b->items().size());
    for (std::size_t k = 0; k < common; ++k) {
      if (a->items()[k].dump_line() != b->items()[k].dump_line())
        return fmt::format("it has {} where the system has {}",
                           a->items()[k].dump_line(),
                           b->items()[k].dump_line());
    }
    if (a->items().size() != b->items().size())
      return fmt::format(
          "it has {} {}, the system has {}", a->items().size(), list, b->items().size());
  }
  return {};
}

/// The row of the state at time `at`; without `at`, the last row.
/// @throws UsageError  there is no state at that time
Eigen::Index row_at(const VectorXd& time, std::optional<double> at, const std::string& file) {
  if (!at) return time.size() - 1;
  Eigen::Index row = 0;
  const double off = (time.array() - *at).abs().minCoeff(&row);
  if (off <= kSameState * std::max(std::abs(*at), time.cwiseAbs().maxCoeff())) return row;
  throw UsageError("no-such-state",
                   fmt::format("no state is stored at t = {} s; of {} states from {} s to {} s the "
                               "nearest is at {} s",
                               readable(*at),
                               time.size(),
                               readable(time(0)),
                               readable(time(time.size() - 1)),
                               readable(time(row))),
                   {file});
}

/// Decodes the states of guests from the numbers of one row.
std::vector<std::string> guests_of(const VectorXd& numbers, const std::string& file) {
  const auto fail = [&] {
    throw ParseError("row-count",
                     "the states of guests are damaged",
                     {.file = file, .record = "/states/guests"});
  };
  std::vector<std::string> out;
  for (Eigen::Index at = 0; at < numbers.size();) {
    const double size = numbers(at++);
    const auto left = static_cast<double>(numbers.size() - at);
    if (!(size >= 0.0 && size <= left * static_cast<double>(kBytesOfNumber))) fail();
    std::string bytes;
    while (bytes.size() < static_cast<std::size_t>(size)) {
      if (at == numbers.size() || !(numbers(at) >= 0.0 && numbers(at) < 0x1p48)) fail();
      auto packed = static_cast<std::uint64_t>(numbers(at++));
      for (std::size_t k = 0; k < kBytesOfNumber && bytes.size() < static_cast<std::size_t>(size);
           ++k, packed >>= 8)
        bytes += static_cast<char>(packed & 0xff);
    }
    out.push_back(std::move(bytes));
  }
  return out;
}

/// Reads the states of guests in row `row` of `rows`; empty if the result has none.
std::vector<std::string> read_guests(const io::Hdf5File& file,
                                     std::uint64_t row,
                                     std::uint64_t rows,
                                     const std::string& name) {
  if (!file.has("/states/guest_ends")) return {};
  const VectorXd ends = file.read_vector("/states/guest_ends");
  const auto total = static_cast<double>(file.checked_count("/states/guests"));
  const auto at = static_cast<Eigen::Index>(row);
  const bool has_rows = static_cast<std::uint64_t>(ends.size()) == rows;
  const double first = has_rows && at > 0 ? ends(at - 1) : 0.0;
  if (!has_rows || !(first >= 0.0 && first <= ends(at)) || !(ends(at) <= total))
    throw ParseError(
        "row-count", "not one row for each time", {.file = name, .record = "/states/guest_ends"});
  VectorXd numbers(static_cast<Eigen::Index>(ends(at) - first));
  const std::vector<std::uint64_t> start{static_cast<std::uint64_t>(first)};
  const std::vector<std::uint64_t> count{static_cast<std::uint64_t>(numbers.size())};
  file.read_box(
      "/states/guests", start, count, {numbers.data(), static_cast<std::size_t>(numbers.size())});
  return guests_of(numbers, name);
}

Json stored_fingerprint(const io::Hdf5File& file, const std::filesystem::path& path) {
  std::string text;
  for (const std::string& piece : file.read_texts("/texts/states"))
    text += piece;
  return parse_json(text, path.string() + ":/texts/states");
}

}  // namespace

void StateBlock::add(std::size_t column, const VectorXd& values, Eigen::Index width) {
  Column& c = columns_[column];
  c.width = width;
  bytes_ += sizeof(double) * static_cast<std::size_t>(width);
  if (values.size() == width)
    c.values.insert(c.values.end(), values.begin(), values.end());
  else  // not used by this integrator
    c.values.insert(c.values.end(), static_cast<std::size_t>(width), 0.0);
}

void StateBlock::add(const State& state) {
  columns_.resize(kNames.size());
  const mbd_solver::StepMemory& memory = state.memory;
  const Eigen::Index nq = state.position.size();
  const Eigen::Index nv = state.velocity.size();
  const Eigen::Index nl = state.multipliers.size();
  const Eigen::Index turns = state.joint_angles.size();
  add(0, state.position, nq);
  add(1, state.velocity, nv);
  add(2, state.acceleration, nv);
  add(3, state.algorithmic_acceleration, nv);
  add(4, state.multipliers, nl);
  add(5, state.joint_angles, turns);
  add(6, state.events, state.events.size());
  add(7, memory.acceleration_before, nv);
  add(8, memory.multipliers_before, nl);
  add(9, memory.matrix_position, nq);
  add(10, memory.matrix_velocity, nv);
  add(11, memory.matrix_turns, turns);
  const Eigen::Index states = state.force_states.size();
  add(12, state.force_states, states);
  add(13, state.force_state_rates, states);
  add(14, state.algorithmic_rates, states);
  add(15, memory.matrix_states, states);
  add_guests(state);
  time_.push_back(state.time);
  work_.push_back(state.work);
  for (const double number : {state.algorithmic_acceleration.size() == nv ? 1.0 : 0.0,
                              memory.step,
                              memory.correction,
                              memory.power,
                              memory.rate,
                              memory.matrix_step,
                              memory.matrix_time})
    memory_.push_back(number);
}

// The states of guests have different lengths. Each guest is stored as its number of bytes, then
// numbers of six bytes each.
void StateBlock::add_guests(const State& state) {
  if (state.guests.empty()) return;
  for (const std::string& bytes : state.guests) {
    guests_.push_back(static_cast<double>(bytes.size()));
    for (std::size_t at = 0; at < bytes.size(); at += kBytesOfNumber) {
      std::uint64_t packed = 0;
      for (std::size_t k = std::min(at + kBytesOfNumber, bytes.size()); k-- > at;)
        packed = packed << 8 | static_cast<unsigned char>(bytes[k]);
      guests_.push_back(static_cast<double>(packed));
    }
    bytes_ += 8 + bytes.size() / kBytesOfNumber * 8;
  }
  guest_ends_.push_back(static_cast<double>(guests_before_ + guests_.size()));
}

void StateBlock::write(io::Hdf5File& file) {
  if (time_.empty()) return;
  const auto put = [&](const std::string& place, Eigen::Index width, std::vector<double>& values) {
    if (width == 0) return;  // HDF5 cannot store rows of length 0
    const auto w = static_cast<std::uint64_t>(width);
    const std::uint64_t chunk = std::clamp<std::uint64_t>((1U << 17U) / w, 1, 256);
    if (!has_datasets_)
      file.make_growing(place, w == 1 ? std::vector<std::uint64_t>{} : std::vector{w}, chunk);
    file.append(place, values);
    values.clear();
  };
  put("/states/time", 1, time_);
  put("/states/work", 1, work_);
  put("/states/memory", kMemoryWidth, memory_);
  guests_before_ += guests_.size();
  if (!guest_ends_.empty()) {
    put("/states/guest_ends", 1, guest_ends_);
    put("/states/guests", 1, guests_);
  }
  for (std::size_t k = 0; k < kNames.size(); ++k)
    put(state_dataset(kNames[k]), columns_[k].width, columns_[k].values);
  has_datasets_ = true;
  bytes_ = 0;
}

std::string state_fingerprint(const mbd_solver::System& system) {
  Json bodies = Json::list();
  for (const mbd_solver::Body& body : system.bodies) {
    Json item = Json::object();
    item["name"] = body.name;
    item["modes"] = static_cast<std::int64_t>(mbd_solver::acting_mode_count(body));
    bodies.push_back(std::move(item));
  }
  Json joints = Json::list();
  for (const mbd_solver::Joint& joint : system.joints) {
    Json item = Json::object();
    item["name"] = joint.name;
    item["type"] = std::string(mbd_solver::name_of(joint.type));
    joints.push_back(std::move(item));
  }
  Json out = Json::object();
  out["bodies"] = std::move(bodies);
  out["joints"] = std::move(joints);
  out["model"] = model_identity(system);
  return out.dump_line();
}

std::string changed_model(const std::filesystem::path& path, const mbd_solver::System& system) {
  const Json stored = stored_fingerprint(io::Hdf5File::open(path), path);
  const Json* model = stored.find("model");
  return model == nullptr || !model->is_object()
             ? std::string()  // written by an earlier version without the model
             : identity_difference(*model,
                                   parse_json(model_identity(system).dump_line(), "system"));
}

namespace {

/// The datasets of one row of stored states.
struct StoredRow {
  const io::Hdf5File& file;
  const std::filesystem::path& path;
  std::uint64_t row;
  std::uint64_t rows;  // number of rows that each dataset must have

  /// The numbers of a dataset in this row; none if there is no such dataset.
  /// @throws ParseError  another number of rows, or a number that is not finite
  VectorXd read(std::string_view name) const {
    const std::string place = state_dataset(name);
    VectorXd out;
    if (!file.has(place)) return out;
    const std::vector<std::uint64_t> shape = file.shape(place);
    if (shape.empty() || shape.size() > 2 || shape[0] != rows)
      throw ParseError("row-count",
                       fmt::format("not one row for each of {} times", rows),
                       {.file = path.string(), .record = place});
    static_cast<void>(file.checked_count(place));
    const bool is_wide = shape.size() == 2;
    out.resize(static_cast<Eigen::Index>(is_wide ? shape[1] : 1));
    std::vector<std::uint64_t> start{row};
    std::vector<std::uint64_t> count{1};
    if (is_wide) {
      start.push_back(0);
      count.push_back(shape[1]);
    }
    file.read_box(place, start, count, {out.data(), static_cast<std::size_t>(out.size())});
    if (!out.allFinite())
      throw ParseError("not-finite",
                       fmt::format("row {} is not finite", row),
                       {.file = path.string(), .record = place});
    return out;
  }
};

}  // namespace

State read_state(const std::filesystem::path& path,
                 std::optional<double> at,
                 const mbd_solver::System& system) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  if (!is_results_file(path))
    throw ParseError("not-a-result", "holds no femflex result", {path.string()});
  if (!file.has("/states/time"))
    throw UsageError("no-states",
                     "the result holds no states to continue from",
                     {path.string()},
                     "run it with --keep-states");
  const std::string other =
      difference(stored_fingerprint(file, path), parse_json(state_fingerprint(system), "system"));
  if (!other.empty())
    throw ModelError("restart-system",
                     "the result holds states of another system: " + other,
                     {path.string()},
                     "continue with the system that made it");
  const VectorXd time = file.read_vector("/states/time");
  if (time.size() == 0 || !time.allFinite())
    throw ParseError("row-count", "no times", {.file = path.string(), .record = "/states/time"});
  const auto row = static_cast<std::uint64_t>(row_at(time, at, path.string()));
  const StoredRow stored{file, path, row, static_cast<std::uint64_t>(time.size())};
  State state;
  mbd_solver::StepMemory& memory = state.memory;
  const std::array<VectorXd*, kNames.size()> into = {&state.position,
                                                     &state.velocity,
                                                     &state.acceleration,
                                                     &state.algorithmic_acceleration,
                                                     &state.multipliers,
                                                     &state.joint_angles,
                                                     &state.events,
                                                     &memory.acceleration_before,
                                                     &memory.multipliers_before,
                                                     &memory.matrix_position,
                                                     &memory.matrix_velocity,
                                                     &memory.matrix_turns,
                                                     &state.force_states,
                                                     &state.force_state_rates,
                                                     &state.algorithmic_rates,
                                                     &memory.matrix_states};
  for (std::size_t k = 0; k < kNames.size(); ++k)
    *into[k] = stored.read(kNames[k]);
  const VectorXd work = stored.read("work");
  const VectorXd numbers = stored.read("memory");
  if (work.size() != 1 || numbers.size() != static_cast<Eigen::Index>(kMemoryWidth))
    throw ParseError("row-count",
                     fmt::format("{} numbers per row; expected {}", numbers.size(), kMemoryWidth),
                     {.file = path.string(), .record = "/states/memory"});
  state.guests = read_guests(file, row, stored.rows, path.string());
  state.time = time(static_cast<Eigen::Index>(row));
  state.work = work(0);
  if (numbers(0) == 0.0) {
    state.algorithmic_acceleration.resize(0);
    state.algorithmic_rates.resize(0);
  }
  memory.step = numbers(1);
  memory.correction = numbers(2);
  memory.power = numbers(3);
  memory.rate = numbers(4);
  memory.matrix_step = numbers(5);
  memory.matrix_time = numbers(6);
  return state;
}

}  // namespace femflex::tools
