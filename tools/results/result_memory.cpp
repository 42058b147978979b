// Collects channels, motion for pictures, and states of a run, limits their memory, and writes them
// to a file later if the script requests it.
#include "results/result_memory.h"

#include <utility>

#include <fmt/format.h>

#include "femflex/io/atomic_file.h"

namespace femflex::tools {
namespace {

// Limit for the numbers of a run. At the end of a run the rows and the arrays made from them exist
// at the same time, so a run needs up to twice this memory.
constexpr double kMaxMemory = 2e9;  // [bytes]

[[noreturn]] void refuse_size(const std::string& found) {
  throw UsageError(
      "large-result",
      fmt::format("the result in memory {}, more than {}", found, io::bytes_text(kMaxMemory)),
      {},
      "name a file with output=, take a longer output_step, or add force=True");
}

/// Writes the texts, states and pictures of a run made in memory.
void write_extras(const ResultSeries& series, ResultsFile& file) {
  const RunExtras& extras = *series.extras;
  for (const auto& [name, text] : series.attributes)
    file.set_attribute(name, text);
  for (const auto& [name, text] : extras.texts)
    file.set_text(name, text);
  file.keep_all(extras.states);
  if (extras.picture_channels.empty()) return;
  file.begin_picture(extras.picture_channels);
  const std::size_t width = extras.picture_channels.size();
  const std::span<const double> rows = extras.picture_rows;
  for (std::size_t r = 0; r < extras.picture_time.size(); ++r)
    file.append_picture(extras.picture_time[r], rows.subspan(r * width, width));
}

}  // namespace

ResultMemory::ResultMemory() : extras_(std::make_shared<RunExtras>()) {
  rows_.emplace();
}

void ResultMemory::expect(ExpectedRows expected, bool force) {
  expected_ = std::move(expected);
  force_ = force;
}

void ResultMemory::check_expected(double bytes_per_row) {
  expected_.bytes_per_row += bytes_per_row;
  const double bytes = expected_.rows * expected_.bytes_per_row;
  if (force_ || bytes <= kMaxMemory) return;
  refuse_size(fmt::format("would take {} ({:.3g} rows of {})",
                          io::bytes_text(bytes),
                          expected_.rows,
                          io::bytes_text(expected_.bytes_per_row)));
}

void ResultMemory::check_size() const {
  const double numbers =
      static_cast<double>(rows_->rows()) * static_cast<double>(1 + rows_->channels().size()) +
      static_cast<double>(extras_->picture_time.size() + extras_->picture_rows.size());
  const double bytes = sizeof(double) * numbers + static_cast<double>(extras_->states.bytes());
  if (force_ || bytes <= kMaxMemory) return;
  refuse_size(fmt::format("takes {} after {} rows", io::bytes_text(bytes), rows_->rows()));
}

void ResultMemory::begin(std::span<const mbd_solver::Channel> channels) {
  check_expected(sizeof(double) * static_cast<double>(1 + channels.size()));
  rows_->begin(channels);
}

void ResultMemory::append(double t, std::span<const double> values) {
  rows_->append(t, values);
  check_size();
}

void ResultMemory::keep(const mbd_solver::State& state) {
  const bool is_first = extras_->states.bytes() == 0;
  extras_->states.add(state);
  if (is_first) check_expected(static_cast<double>(extras_->states.bytes()));
}

void ResultMemory::set_attribute(const std::string& name, const std::string& text) {
  if (name == "name")
    name_ = text;
  else
    attributes_.emplace_back(name, text);
}

void ResultMemory::set_text(const std::string& name, const std::string& text) {
  extras_->texts[name] = text;
}

void ResultMemory::begin_picture(const std::vector<std::string>& channels) {
  extras_->picture_channels = channels;
}

void ResultMemory::append_picture(double t, std::span<const double> values) {
  extras_->picture_time.push_back(t);
  extras_->picture_rows.insert(extras_->picture_rows.end(), values.begin(), values.end());
}

void ResultMemory::commit(bool is_complete) {
  auto series = std::make_shared<ResultSeries>();
  series->name = name_;
  series->is_complete = is_complete;
  series->attributes = attributes_;
  series->channels = rows_->channels();
  const Eigen::Index count = rows_->rows();
  series->time = Eigen::Map<const Eigen::VectorXd>(rows_->time().data(), count);
  series->values.resize(count, static_cast<Eigen::Index>(series->channels.size()));
  for (Eigen::Index c = 0; c < series->values.cols(); ++c)
    for (Eigen::Index r = 0; r < count; ++r)
      series->values(r, c) = rows_->value(r, c);
  series->extras = extras_;
  series_ = std::move(series);
  rows_.emplace();
}

std::unique_ptr<ResultRows> rows_for(const std::filesystem::path& output) {
  if (output.empty()) return std::make_unique<ResultMemory>();
  return std::make_unique<ResultsFile>(output);
}

void write_results(const ResultSeries& series,
                   const std::filesystem::path& path,
                   const std::string& options) {
  ResultsFile file(path);
  file.set_attribute("name", series.name);
  if (series.extras)
    write_extras(series, file);
  else
    file.set_attribute("options", options);
  file.begin(series.channels);
  std::vector<double> row(series.channels.size());
  for (Eigen::Index r = 0; r < series.time.size(); ++r) {
    for (std::size_t c = 0; c < row.size(); ++c)
      row[c] = series.values(r, static_cast<Eigen::Index>(c));
    file.append(series.time(r), row);
  }
  file.commit(series.is_complete);
}

void ResultMemory::give_up(const Error& error, const std::string& how_to_go_on) {
  if (error.kind() != "NumericalError") return;
  const std::string more = how_to_go_on.empty() ? "" : "; " + how_to_go_on;
  throw UnfinishedRun(
      error, {}, "name a file with output=, so that the rows up to the failure are kept" + more);
}

}  // namespace femflex::tools
