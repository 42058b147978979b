// The HDF5 part of result files. Rows are collected in memory and appended in blocks to one dataset
// per channel group. CSV is in results_table.cpp.
#include "results/results_file.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/text.h"
#include "femflex/version.h"

#include "document/table.h"
#include "results/channel_leaf.h"
#include "results/signal_heads.h"
#include "results/stored_states.h"

namespace femflex::tools {
namespace fs = std::filesystem;
/// Channels of one dataset. "chassis/2101/position/x" is column x of the dataset
/// "chassis/2101/position"; a name that does not end in a component is a separate dataset.
struct ChannelGroup {
  std::string path;
  std::string unit;
  std::vector<std::string> components;  // empty: one plain series
  std::size_t first = 0;                // number of its first channel
  std::size_t count() const { return std::max<std::size_t>(1, components.size()); }
};

namespace {

constexpr const char* kKindAttribute = "femflex_kind";
constexpr std::uint64_t kChunkRows = 256;
constexpr std::int64_t kFlushRows = 256;
constexpr std::chrono::seconds kFlushInterval{2};  // largest loss of time if a run is killed

/// True for the last part of a name that is a direction or a number: "x", "rz", "12".
bool is_component(std::string_view leaf) {
  constexpr std::string_view kNames[] = {"x", "y", "z", "w", "rx", "ry", "rz", "xx", "yy", "zz"};
  if (std::find(std::begin(kNames), std::end(kNames), leaf) != std::end(kNames)) return true;
  return !leaf.empty() && std::all_of(leaf.begin(), leaf.end(), is_digit);
}

/// The datasets for the channels of a result; their paths are distinct.
std::vector<ChannelGroup> grouped(std::span<const mbd_solver::Channel> channels) {
  std::vector<ChannelGroup> out;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::string& name = channels[c].name;
    const auto [base, leaf] = split_leaf(name);
    const bool is_part = is_component(leaf);
    const std::string path = "/channels/" + (is_part ? base : name);
    if (!is_part) {
      out.push_back({path, channels[c].unit, {}, c});
      continue;
    }
    if (out.empty() || out.back().path != path || out.back().components.empty() ||
        out.back().unit != channels[c].unit)
      out.push_back({path, channels[c].unit, {}, c});
    out.back().components.push_back(leaf);
  }
  // HDF5 cannot contain a series and a group of the same name ("energy" and "energy/kinetic"), nor
  // the same name twice (x and y of a place with other channels between them)
  std::unordered_map<std::string, int> uses;
  std::unordered_set<std::string> folders;
  for (const ChannelGroup& group : out) {
    ++uses[group.path];
    for (std::size_t at = group.path.rfind('/'); at != std::string::npos && at > 0;
         at = group.path.rfind('/', at - 1)) {
      // if a folder is listed, all folders above it are listed too
      if (!folders.insert(group.path.substr(0, at)).second) break;
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::string& path = out[i].path;
    if (uses[path] > 1)
      path += fmt::format("/part{}", i);
    else if (folders.contains(path))
      path += "/value";
    else
      continue;
    while (uses.contains(path) || folders.contains(path))
      path += '_';
    ++uses[path];
  }
  return out;
}

}  // namespace

// Collects rows in memory and passes them to HDF5 in blocks, group by group.
struct ResultsFile::Impl {
  explicit Impl(const fs::path& path) : target(path), file(io::Hdf5File::create(path)) {}

  void write_block() {
    if (time.empty()) return;
    file.append("/time", time);
    const double last_time = time.back();
    std::vector<double> part;
    for (const ChannelGroup& group : groups) {
      part.clear();
      for (std::size_t r = 0; r < time.size(); ++r) {
        const double* row = block.data() + r * width + group.first;
        part.insert(part.end(), row, row + group.count());
      }
      file.append(group.path, part);
    }
    time.clear();
    block.clear();
    if (!picture_time.empty()) {
      file.append("/picture/time", picture_time);
      file.append("/picture/motion", picture_rows);
      picture_time.clear();
      picture_rows.clear();
    }
    states.write(file);
    file.flush();
    flushed = Clock::now();
    flushed_rows = rows;
    flushed_time = last_time;
  }

  /// True if the rows in memory must be written: always at multiples of 256 rows, and earlier if
  /// two seconds have passed. One write never extends beyond such a multiple. Therefore datasets
  /// grow in the same order, and the bytes of a result do not depend on the speed of the run.
  bool is_due() const { return rows % kFlushRows == 0 || Clock::now() - flushed >= kFlushInterval; }

  /// Adds to the expected size of a row, and checks that the result fits on the disk.
  void add_to_forecast(std::size_t numbers_per_row);

  using Clock = std::chrono::steady_clock;
  fs::path target;
  ExpectedRows expected;
  bool force = false;  // write the result regardless of its size
  io::Hdf5File file;
  Clock::time_point flushed = Clock::now();
  std::vector<ChannelGroup> groups;
  std::size_t width = 0;  // number of channels
  std::vector<double> time, block;
  std::vector<double> picture_time, picture_rows;
  StateBlock states;
  std::int64_t rows = 0, flushed_rows = 0, rows_without_state = 0;
  double flushed_time = 0.0;  // time of the last row visible to readers [s]
  bool keeps_states = false;
};

ResultsFile::ResultsFile(const fs::path& path) : impl_(std::make_unique<Impl>(path)) {
  io::Hdf5File& file = impl_->file;
  file.set_attribute("/", kKindAttribute, std::string_view("result"));
  file.set_attribute("/", "femflex_version", std::string_view(kVersion));
  file.set_attribute("/", "units", std::string_view("m-kg-s"));
  file.set_attribute("/", "complete", std::int64_t{0});
}

ResultsFile::~ResultsFile() = default;

void ResultsFile::expect(ExpectedRows expected, bool force) {
  impl_->expected = std::move(expected);
  impl_->force = force;
}

void ResultsFile::Impl::add_to_forecast(std::size_t numbers_per_row) {
  expected.bytes_per_row += static_cast<double>(numbers_per_row * sizeof(double));
  if (expected.rows > 0.0) check_room(target, expected, force);
}

void ResultsFile::begin(std::span<const mbd_solver::Channel> channels) {
  impl_->add_to_forecast(1 + channels.size());
  io::Hdf5File& file = impl_->file;
  file.make_growing("/time", {}, kChunkRows);
  file.set_attribute("/time", "unit", std::string_view("s"));
  impl_->width = channels.size();
  impl_->groups = grouped(channels);
  std::vector<std::string> names;
  std::vector<std::string> places;
  for (const ChannelGroup& group : impl_->groups) {
    const std::size_t count = group.count();
    if (group.components.empty())
      file.make_growing(group.path, {}, kChunkRows);
    else
      file.make_growing(group.path, {count}, kChunkRows);
    file.set_attribute(group.path, "unit", group.unit);
    if (!group.components.empty())
      file.set_attribute(
          group.path, "components", fmt::format("{}", fmt::join(group.components, " ")));
    for (std::size_t c = 0; c < count; ++c) {
      names.push_back(channels[group.first + c].name);
      places.push_back(fmt::format("{}#{}", group.path, c));
    }
  }
  if (names.empty()) return;
  file.write("/channel_names", names);
  file.write("/channel_places", places);
}

void ResultsFile::append(double t, std::span<const double> values) {
  impl_->time.push_back(t);
  impl_->block.insert(impl_->block.end(), values.begin(), values.end());
  ++impl_->rows;
  ++impl_->rows_without_state;
  const bool state_follows = impl_->keeps_states && impl_->rows_without_state == 1;
  if (impl_->is_due() && !state_follows) impl_->write_block();
}

void ResultsFile::keep(const mbd_solver::State& state) {
  impl_->states.add(state);
  if (!impl_->keeps_states) impl_->add_to_forecast(impl_->states.bytes() / sizeof(double));
  impl_->keeps_states = true;
  impl_->rows_without_state = 0;
  if (impl_->states.is_large() || impl_->is_due()) impl_->write_block();
}

void ResultsFile::keep_all(const StateBlock& states) {
  impl_->states = states;
}

void ResultsFile::set_attribute(const std::string& name, const std::string& text) {
  impl_->file.set_attribute("/", name, std::string_view(text));
}

void ResultsFile::set_text(const std::string& name, const std::string& text) {
  // The text is stored in pieces, because HDF5 limits the length of one stored text. No piece ends
  // in a blank, because trailing blanks are read as padding.
  constexpr std::size_t kPiece = 1U << 20U;
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(at + kPiece, text.size());
    while (end < text.size() && end > at + 1 && text[end - 1] == ' ')
      --end;
    pieces.push_back(text.substr(at, end - at));
    at = end;
  }
  if (!pieces.empty()) impl_->file.write("/texts/" + name, pieces);
}

void ResultsFile::begin_picture(const std::vector<std::string>& channels) {
  impl_->file.make_growing("/picture/time", {}, kChunkRows);
  impl_->file.make_growing("/picture/motion", {channels.size()}, kChunkRows);
  impl_->file.write("/picture/channels", channels);
}

void ResultsFile::append_picture(double t, std::span<const double> values) {
  impl_->picture_time.push_back(t);
  impl_->picture_rows.insert(impl_->picture_rows.end(), values.begin(), values.end());
}

std::int64_t ResultsFile::rows() const {
  return impl_->rows;
}

void ResultsFile::commit(bool is_complete) {
  impl_->write_block();
  impl_->file.set_attribute("/", "complete", std::int64_t{is_complete ? 1 : 0});
  impl_->file.commit();
}

fs::path ResultsFile::commit_partial() {
  if (impl_->rows == 0) return {};
  const fs::path place = io::path_for_unfinished(impl_->target);
  try {
    impl_->write_block();
    impl_->file.commit_as(place);
    return place;
  } catch (const UsageError&) {  // the disk is full: keep the rows that were flushed before
  }
  return impl_->file.keep_flushed(place) ? place : fs::path();
}

void ResultsFile::give_up(const Error& error, const std::string& how_to_go_on) {
  const fs::path place = commit_partial();
  if (place.empty()) throw UnfinishedRun(error, {}, {});
  // avoid repeating the time: most failures already contain it
  const bool tells_time = error.message().find("at t = ") != std::string::npos;
  throw UnfinishedRun(
      error,
      fmt::format("{} rows{} are in {}",
                  impl_->flushed_rows,
                  tells_time ? "" : fmt::format(" to t = {} s", readable(impl_->flushed_time)),
                  place.string()),
      how_to_go_on);
}

std::vector<std::string> ResultSeries::names() const {
  std::vector<std::string> out;
  for (const mbd_solver::Channel& channel : channels)
    out.push_back(channel.name);
  return out;
}

Eigen::Index ResultSeries::find(std::string_view channel) const {
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (channels[c].name == channel) return static_cast<Eigen::Index>(c);
  }
  return column_without_unit(*this, channel);
}

std::string ResultSeries::attribute(std::string_view attribute_name) const {
  for (const auto& [key, text] : attributes) {
    if (key == attribute_name) return text;
  }
  return {};
}

ResultPicture read_picture(const fs::path& path) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  ResultPicture out;
  const auto text_of = [&](const char* name) {
    const std::string place = std::string("/texts/") + name;
    std::string joined;
    if (!file.has(place)) return joined;
    for (const std::string& piece : file.read_texts(place))
      joined += piece;
    return joined;
  };
  out.scene = text_of("picture");
  out.lattice = text_of("lattice");
  if (!file.has("/picture/motion")) return out;
  for (const std::string& name : file.read_texts("/picture/channels"))
    out.motion.channels.push_back({name, ""});
  out.motion.time = file.read_vector("/picture/time");
  out.motion.values = file.read_matrix("/picture/motion");
  if (out.motion.values.rows() != out.motion.time.size() ||
      out.motion.values.cols() != static_cast<Eigen::Index>(out.motion.channels.size()))
    throw ParseError("row-count",
                     fmt::format("{} x {} numbers where {} rows of {} channels are announced",
                                 out.motion.values.rows(),
                                 out.motion.values.cols(),
                                 out.motion.time.size(),
                                 out.motion.channels.size()),
                     {.file = path.string(), .record = "/picture/motion"});
  return out;
}

bool is_results_file(const fs::path& path) {
  return io::root_attribute(path, kKindAttribute) == "result";
}

ResultSeries read_results(const fs::path& path) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  if (!file.has_attribute("/", kKindAttribute) ||
      file.text_attribute("/", kKindAttribute) != "result")
    throw ParseError("not-a-result",
                     "holds no femflex result",
                     {path.string()},
                     "make one with 'femflex simulate'");
  ResultSeries out;
  out.name = file.has_attribute("/", "name") ? file.text_attribute("/", "name") : std::string();
  out.is_complete = file.integer_attribute("/", "complete") != 0;
  for (const char* name : {"options", "sources", "flex", "modes"}) {
    if (file.has_attribute("/", name))
      out.attributes.emplace_back(name, file.text_attribute("/", name));
  }
  if (!file.has("/time")) return out;
  out.time = file.read_vector("/time");
  if (!file.has("/channel_names")) return out;
  const std::vector<std::string> names = file.read_texts("/channel_names");
  const std::vector<std::string> places = file.read_texts("/channel_places");
  if (places.size() != names.size())
    throw ParseError("row-count",
                     fmt::format("{} places for {} names", places.size(), names.size()),
                     {.file = path.string(), .record = "/channel_places"});
  out.values.resize(out.time.size(), static_cast<Eigen::Index>(names.size()));
  std::string dataset;
  std::string unit;
  std::vector<double> rows;
  std::size_t width = 1;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::size_t hash = places[c].rfind('#');
    const std::string here = places[c].substr(0, hash);
    if (here != dataset) {
      dataset = here;
      const std::vector<std::uint64_t> shape = file.shape(dataset);
      width = shape.size() > 1 ? shape[1] : 1;
      rows = file.read_reals(dataset);
      unit = file.has_attribute(dataset, "unit") ? file.text_attribute(dataset, "unit") : "";
      if (rows.size() != static_cast<std::size_t>(out.time.size()) * width)
        throw ParseError(
            "row-count",
            fmt::format("{} numbers where /time has {} rows", rows.size(), out.time.size()),
            {.file = path.string(), .record = dataset});
    }
    std::size_t column = 0;
    const char* digits = places[c].data() + std::min(hash, places[c].size() - 1) + 1;
    const auto [end, error] = std::from_chars(digits, places[c].data() + places[c].size(), column);
    if (error != std::errc() || column >= width)
      throw ParseError("place",
                       fmt::format("'{}' is not a place in a dataset", places[c]),
                       {.file = path.string(), .record = "/channel_places"});
    for (Eigen::Index r = 0; r < out.time.size(); ++r)
      out.values(r, static_cast<Eigen::Index>(c)) =
          rows[static_cast<std::size_t>(r) * width + column];
    out.channels.push_back({names[c], unit});
  }
  return out;
}

ResultSeries read_results(const fs::path& path, Diagnostics& diagnostics) {
  ResultSeries out = read_results(path);
  if (!out.is_complete)
    diagnostics.warn("incomplete-result",
                     fmt::format("the run did not reach its end: {} rows to t = {} s",
                                 out.time.size(),
                                 readable(out.time.size() > 0 ? out.time(out.time.size() - 1) : 0)),
                     {path.string()});
  return out;
}

}  // namespace femflex::tools
