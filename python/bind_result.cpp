// Binds simulation results: channels over time by name, as views or copies.
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "femflex/errors.h"

#include "arrays.h"
#include "bindings.h"
#include "body/inputs.h"
#include "calls.h"
#include "document/nearest_name.h"
#include "results/back_transform.h"
#include "results/outputs.h"
#include "results/results_file.h"

namespace femflex::python {
namespace {

using tools::ResultSeries;
using Series = std::shared_ptr<ResultSeries>;

Series read_result(const std::string& path) {
  auto series = std::make_shared<ResultSeries>();
  call([&](Progress& /*none*/) {
    if (tools::kind_of(path) == tools::FileKind::result) {
      *series = tools::read_results(path);
    } else if (tools::is_csv_table(path)) {
      *series = tools::read_csv(path);
    } else {
      tools::refuse_kind(
          path, tools::kind_of(path), "a result", "make one with femflex.simulate()");
    }
  });
  return series;
}

Series make_result(const Numbers& time,
                   const py::dict& channels,
                   const py::dict& units,
                   const std::string& name) {
  auto series = std::make_shared<ResultSeries>();
  series->name = name;
  series->time = vector_of(time, "time");
  for (Eigen::Index row = 0; row < series->time.size(); ++row)
    if (!std::isfinite(series->time(row)) || (row > 0 && series->time(row) < series->time(row - 1)))
      throw UsageError(
          "time",
          fmt::format(
              "time: {} at row {}; times are numbers that do not fall", series->time(row), row),
          {},
          "sort the rows by time");
  series->values.resize(series->time.size(), static_cast<Eigen::Index>(channels.size()));
  Eigen::Index column = 0;
  for (const auto& [key, values] : channels) {
    const std::string channel = py::str(key);
    const Numbers given_values = Numbers::ensure(values);
    if (!given_values)
      throw UsageError(
          "shape", fmt::format("{}: not numbers", channel), {}, "give one number per time");
    const Eigen::VectorXd numbers = vector_of(given_values, channel.c_str());
    if (numbers.size() != series->time.size())
      throw UsageError(
          "shape",
          fmt::format(
              "{}: {} values, but time has {}", channel, numbers.size(), series->time.size()));
    const std::string unit = units.contains(key) ? std::string(py::str(units[key])) : "";
    series->channels.push_back({channel, unit});
    series->values.col(column++) = numbers;
  }
  return series;
}

// A full channel name gives a view; the common beginning of several, "chassis/2101/position", gives
// their columns.
py::array channel_of(const py::object& self, const std::string& name) {
  const auto series = self.cast<Series>();
  const Eigen::Index rows = series->values.rows();
  const Eigen::Index column = series->find(name);
  if (column >= 0)
    return view(py::dtype::of<double>(),
                {rows},
                {sizeof(double)},
                series->values.data() + column * rows,
                self);
  std::vector<Eigen::Index> members;
  for (std::size_t c = 0; c < series->channels.size(); ++c) {
    if (series->channels[c].name.starts_with(name + "/"))
      members.push_back(static_cast<Eigen::Index>(c));
  }
  if (members.empty())
    throw UsageError("no-such-channel",
                     fmt::format("no channel '{}'", name),
                     {},
                     tools::suggestion(name, series->names()));
  Eigen::MatrixXd columns(rows, static_cast<Eigen::Index>(members.size()));
  for (std::size_t c = 0; c < members.size(); ++c)
    columns.col(static_cast<Eigen::Index>(c)) = series->values.col(members[c]);
  return copy(columns);
}

}  // namespace

void bind_result(py::module_& module) {
  py::class_<ResultSeries, Series>(
      module, "Result", "Channels over time, by name: result['chassis/2101/position/x'].")
      .def(py::init(&make_result),
           py::arg("time"),
           py::arg("channels"),
           py::kw_only(),
           py::arg("units") = py::dict(),
           py::arg("name") = "",
           "From arrays: time [s] and a dict of channels of the same length.")
      .def_property_readonly(
          "name", [](const ResultSeries& series) { return series.name; }, "Name of the system.")
      .def_property_readonly(
          "time",
          [](const py::object& self) { return view(self.cast<Series>()->time, self); },
          "[s]. A view.")
      .def_property_readonly(
          "values",
          [](const py::object& self) { return view(self.cast<Series>()->values, self); },
          "All channels (rows x channels), in the order of `channels`. A view.")
      .def_property_readonly("channels", &ResultSeries::names, "Names of the channels.")
      .def_property_readonly(
          "units",
          [](const ResultSeries& series) {
            py::dict out;
            for (const mbd_solver::Channel& channel : series.channels)
              out[py::str(channel.name)] = channel.unit;
            return out;
          },
          "Unit of each channel.")
      .def_property_readonly(
          "is_complete",
          [](const ResultSeries& series) { return series.is_complete; },
          "False where the run ended early.")
      .def_property_readonly(
          "attributes",
          [](const ResultSeries& series) {
            py::dict out;
            for (const auto& [key, text] : series.attributes)
              out[py::str(key)] = text;
            return out;
          },
          "What the file says of itself: options, sources.")
      .def("keys", &ResultSeries::names, "Names of the channels.")
      .def("__len__", [](const ResultSeries& series) { return series.channels.size(); })
      .def("__iter__",
           [](const ResultSeries& series) { return py::iter(py::cast(series.names())); })
      .def("__contains__",
           [](const ResultSeries& series, const std::string& name) {
             return series.find(name) >= 0;
           })
      .def("__getitem__",
           &channel_of,
           py::arg("name"),
           "One channel (rows), a view; or all channels that begin with NAME/ (rows x channels).")
      .def(
          "write",
          [](const ResultSeries& series, const std::filesystem::path& path) {
            call([&](Progress& /*none*/) {
              if (path.extension() == ".csv") {
                tools::write_csv(series, path);
              } else {
                tools::refuse_text_name(path);
                tools::write_results(series, path, "written from Python");
              }
            });
          },
          py::arg("path"),
          "Writes a result (.h5), or a table where the name ends in .csv, whole or not at all.");
  module.def("read_result", &read_result, py::arg("path"));
}

}  // namespace femflex::python
