// Reads measured histories of a system file: a column of a CSV, HDF5, MATLAB, RPC III or universal
// file over time, used directly or integrated from a rate or an acceleration.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/importer/universal_functions.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/mapped_file.h"
#include "femflex/io/mat5.h"
#include "femflex/laws/curve.h"
#include "femflex/text.h"

#include "document/csv.h"
#include "document/nearest_name.h"
#include "document/placed_at.h"
#include "document/rpc_file.h"
#include "system/system_reader.h"

namespace femflex::tools {
namespace {

/// Samples of a history and, if the file contains them, their times in the file's unit.
struct Samples {
  std::vector<double> t, y;
  std::optional<double> step;  // [s] interval between samples, if the file gives it
  // units that the file states; otherwise those of the system
  bool has_seconds = false;  // of the times
  bool is_si = false;        // of times and values, as in results of femflex
};

/// The file and the column of the history.
struct Wanted {
  const Json& where;  // for messages
  std::filesystem::path path;
  std::string column, time;
  std::optional<std::size_t> index;  // column of an array, counted from 1
};

std::optional<std::size_t> number_of_column(ObjectReader& reader) {
  const Json* index = reader.find("index");
  if (index == nullptr) return std::nullopt;
  constexpr std::int64_t kMost = 1'000'000;
  const auto number = whole_number(index->number(), 1, kMost);
  if (!number)
    index->fail("history", fmt::format("index is {}; expected 1, 2, ...", index->number()));
  return static_cast<std::size_t>(*number);
}

[[noreturn]] void no_such(const Wanted& wanted,
                          const std::string& name,
                          const std::vector<std::string>& names) {
  wanted.where.fail("unknown-column",
                    fmt::format("{} has no column '{}'", wanted.path.string(), name),
                    names.empty() ? "it has none" : suggestion(name, names));
}

Samples from_csv(const Wanted& wanted) {
  const CsvTable table = read_csv_file(wanted.path);
  const std::vector<double>* y = table.find(wanted.column);
  const std::vector<double>* t =
      wanted.time.empty() ? &table.columns.front() : table.find(wanted.time);
  if (y == nullptr || t == nullptr)
    wanted.where.fail("unknown-column",
                      fmt::format("{} has no column '{}'; it has {}",
                                  wanted.path.string(),
                                  y == nullptr ? wanted.column : wanted.time,
                                  fmt::join(table.heads, ", ")));
  return {*t, *y, {}};
}

/// Column `index` of an array that is stored column by column or row by row.
std::vector<double> column_of(const Wanted& wanted,
                              const std::vector<double>& values,
                              std::size_t rows,
                              std::size_t columns,
                              bool by_columns) {
  if (rows == 1 || columns == 1) {
    if (wanted.index.value_or(1) != 1)
      wanted.where.fail("unknown-column",
                        fmt::format("{} in {} has one column; index is {}",
                                    wanted.column,
                                    wanted.path.string(),
                                    *wanted.index));
    return values;
  }
  if (!wanted.index || *wanted.index < 1 || *wanted.index > columns)
    wanted.where.fail("unknown-column",
                      fmt::format("{} in {} has {} columns; {}",
                                  wanted.column,
                                  wanted.path.string(),
                                  columns,
                                  wanted.index ? fmt::format("index is {}", *wanted.index)
                                               : std::string("none is chosen")),
                      fmt::format("give \"index\", 1 to {}", columns));
  std::vector<double> out(rows);
  for (std::size_t k = 0; k < rows; ++k)
    out[k] = values[by_columns ? (*wanted.index - 1) * rows + k : k * columns + *wanted.index - 1];
  return out;
}

Samples from_mat5(const Wanted& wanted, std::string_view bytes) {
  const io::MatFile file = io::read_mat5(bytes, wanted.path.string());
  std::vector<std::string> names;
  for (const io::MatArray& array : file.arrays)
    names.push_back(array.name);
  const auto find = [&](const std::string& name) -> const io::MatArray& {
    for (const io::MatArray& array : file.arrays)
      if (array.name == name) return array;
    for (const std::string& other : file.others)
      if (other == name)
        wanted.where.fail(
            "unknown-column",
            fmt::format("{} in {} is not a full array of real numbers", name, wanted.path.string()),
            "save it as a plain matrix");
    no_such(wanted, name, names);
  };
  Samples out;
  const io::MatArray& y = find(wanted.column);
  out.y = column_of(wanted, y.values, y.rows, y.columns, true);
  if (!wanted.time.empty()) out.t = find(wanted.time).values;
  return out;
}

/// Reads a dataset of HDF5. In MATLAB files of version 7.3 the axes of arrays are in reverse order.
Samples from_hdf5(const Wanted& wanted, bool is_mat) {
  const io::Hdf5File file = io::Hdf5File::open(wanted.path);
  const auto rooted = [](const std::string& name) {
    return name.starts_with('/') ? name : "/" + name;
  };
  const auto check = [&](const std::string& name) {
    if (!file.has(rooted(name))) no_such(wanted, name, file.children("/"));
    return rooted(name);
  };
  const std::string path = check(wanted.column);
  const std::vector<std::uint64_t> shape = file.shape(path);
  if (shape.empty() || shape.size() > 2)
    wanted.where.fail(
        "unknown-column",
        fmt::format(
            "{} in {} has {} axes; expected 1 or 2", path, wanted.path.string(), shape.size()));
  const auto first = static_cast<std::size_t>(shape[0]);
  const auto second = shape.size() > 1 ? static_cast<std::size_t>(shape[1]) : 1;
  Samples out;
  out.y = is_mat ? column_of(wanted, file.read_reals(path), second, first, true)
                 : column_of(wanted, file.read_reals(path), first, second, false);
  if (!wanted.time.empty())
    out.t = file.read_reals(check(wanted.time));
  else if (!is_mat && file.has("/time"))
    out.t = file.read_reals("/time");
  out.is_si = io::root_attribute(wanted.path, "units") == "m-kg-s";
  return out;
}

/// Index of the wanted one of several named objects; it may be given by its number, from 1 on.
/// @param kind  word for such an object
std::size_t place_of(const Wanted& wanted,
                     const std::vector<std::string>& names,
                     const std::string& kind) {
  const auto found = std::find(names.begin(), names.end(), wanted.column);
  if (found != names.end()) {
    if (std::find(found + 1, names.end(), wanted.column) != names.end())
      wanted.where.fail(
          "unknown-column",
          fmt::format("two {}s of {} are named {}", kind, wanted.path.string(), wanted.column),
          fmt::format("give the number of the {}, counted from 1", kind));
    return static_cast<std::size_t>(found - names.begin());
  }
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::to_string(k + 1) == wanted.column) return k;
  no_such(wanted, wanted.column, names);
}

Samples from_rpc(const Wanted& wanted) {
  const io::MappedFile mapped(wanted.path);
  RpcFile file = read_rpc(mapped.bytes(), wanted.path.string());
  std::vector<std::string> names;
  for (const RpcChannel& channel : file.channels)
    names.push_back(channel.name);
  return {{}, std::move(file.channels[place_of(wanted, names, "channel")].values), file.step};
}

/// A function of a universal file (data set 58), by its place as 12+Z or by its number.
Samples from_universal(const Wanted& wanted) {
  std::vector<importer::UniversalFunction> functions =
      importer::read_universal_functions(wanted.path);
  std::vector<std::string> names;
  for (const importer::UniversalFunction& function : functions)
    names.push_back(function.name);
  importer::UniversalFunction& function = functions[place_of(wanted, names, "function")];
  constexpr std::int64_t kTime = 17;  // kind of abscissa
  constexpr std::int64_t kTimeResponse = 1;
  if (function.is_complex || (function.abscissa != kTime && function.type != kTimeResponse))
    wanted.where.fail("history",
                      fmt::format("{} in {} is a {}, not a history over time",
                                  function.name,
                                  wanted.path.string(),
                                  importer::text_of_function(function.type)));
  constexpr bool kHasSeconds = true;  // in all unit systems of universal files
  return {std::move(function.x), std::move(function.y), {}, kHasSeconds};
}

Samples read_samples(const std::string& kind, const Wanted& wanted) {
  if (kind == "csv") return from_csv(wanted);
  if (kind == "hdf5") return from_hdf5(wanted, false);
  if (kind == "rpc") return from_rpc(wanted);
  if (kind == "unv") return from_universal(wanted);
  const io::MappedFile mapped(wanted.path);
  if (io::is_mat5(mapped.bytes())) return from_mat5(wanted, mapped.bytes());
  // level 7.3 is HDF5 after a block of 512 bytes that begins with this text
  if (mapped.bytes().starts_with("MATLAB 7.3") || mapped.bytes().starts_with(io::kHdf5Signature))
    return from_hdf5(wanted, true);
  return from_mat5(wanted, mapped.bytes());  // throws, because it is not a MATLAB file
}

/// Integral of the piecewise linear function through the samples, starting at 0.
std::vector<double> integral_of(const std::vector<double>& t, const std::vector<double>& y) {
  std::vector<double> out(y.size(), 0.0);
  for (std::size_t k = 1; k < y.size(); ++k)
    out[k] = out[k - 1] + 0.5 * (t[k] - t[k - 1]) * (y[k] + y[k - 1]);
  return out;
}

/// Integrates the samples once or twice and returns a text about the drift at the end. With
/// `removes_drift`, the mean is first subtracted from a rate; from an acceleration, the linear
/// function is subtracted with which velocity and position end at 0.
std::string integrate(Samples& samples, int times, bool removes_drift) {
  std::vector<double>& t = samples.t;
  std::vector<double>& y = samples.y;
  const double span = t.back() - t.front();
  const std::vector<double> rate = times == 2 ? integral_of(t, y) : std::vector<double>();
  std::vector<double> x = integral_of(t, times == 2 ? rate : y);
  if (times == 2) {  // the rate is quadratic between two samples
    double sum = 0.0;
    for (std::size_t k = 1; k < x.size(); ++k) {
      const double h = t[k] - t[k - 1];
      sum += h * h * (y[k] - y[k - 1]) / 12.0;
      x[k] -= sum;
    }
  }
  const double end_rate = times == 2 ? rate.back() : 0.0, end = x.back();
  if (removes_drift && span > 0.0) {
    const double slope =
        times == 2 ? 12.0 * (0.5 * end_rate * span - end) / (span * span * span) : 0.0;
    const double offset = times == 2 ? end_rate / span - 0.5 * slope * span : end / span;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double s = t[k] - t.front();
      x[k] -= times == 2 ? s * s * (0.5 * offset + slope * s / 6.0) : offset * s;
    }
  }
  y = std::move(x);
  return times == 2
             ? fmt::format("ends at a velocity of {:.4g} and a position of {:.4g}", end_rate, end)
             : fmt::format("ends at a position of {:.4g}", end);
}

/// Converts times to seconds, or computes them from the sampling interval if it is known.
/// @param step  interval given by the user [s]
/// @param unit  unit of the times in the file [s]
void complete_times(Samples& samples,
                    const std::optional<double>& step,
                    double unit,
                    const Json& value,
                    const std::string& what) {
  for (double& each : samples.t)
    each *= unit;
  if (step || samples.step) {
    const double interval = step ? *step : *samples.step;
    if (!(interval > 0.0)) value.fail("history", "the step is not above 0");
    samples.t.resize(samples.y.size());
    for (std::size_t k = 0; k < samples.t.size(); ++k)
      samples.t[k] = static_cast<double>(k) * interval;
  }
  if (samples.t.empty())
    value.fail("history",
               fmt::format("{} has no times", what),
               "give \"time\", the name of their column, or \"step\", the sampling interval");
}

}  // namespace

mbd_solver::Value SystemReader::history(const Json& value, double factor) const {
  ObjectReader reader(value, "history");
  std::string kind;
  const Json* name = nullptr;
  for (const char* each : {"csv", "hdf5", "mat", "rpc", "unv"}) {
    const Json* found = reader.find(each);
    if (found == nullptr) continue;
    if (name != nullptr)
      found->fail("history", fmt::format("'{}' and '{}' name two files", kind, each));
    kind = each;
    name = found;
  }
  if (name == nullptr) name = &reader.need("csv");
  const Json& column = reader.need("column");
  const Wanted wanted{value,
                      file(*name),
                      column.is_text() ? column.text() : fmt::format("{}", column.number()),
                      reader.text("time", ""),
                      number_of_column(reader)};
  const std::optional<double> step = maybe(reader, "step", time());
  const double own_factor = number(reader, "factor", 1.0);
  const auto interpolation =
      choice_or(reader, "interpolation", kInterpolations, laws::Curve::Kind::akima);
  const Json* beyond = reader.find("beyond");
  const bool must_cover = beyond == nullptr || choice(*beyond, {"warn", "hold"}) == "warn";
  const Json* is = reader.find("is");
  const std::string order =
      is == nullptr ? "value" : choice(*is, {"value", "rate", "acceleration"});
  const Json* drift = reader.find("drift");
  const bool removes_drift = drift != nullptr && choice(*drift, {"keep", "remove"}) == "remove";
  reader.finish();
  const std::string key = fmt::format("history {} {} {} {} {}",
                                      kind,
                                      wanted.path.string(),
                                      wanted.column,
                                      wanted.time,
                                      wanted.index.value_or(0));
  Samples samples = *read_once<Samples>(cache_, key, [&]() { return read_samples(kind, wanted); });
  const std::string what = fmt::format("{}, column {}", wanted.path.string(), wanted.column);
  const double unit_of_time = samples.is_si || samples.has_seconds ? 1.0 : time();
  complete_times(samples, step, unit_of_time, value, what);
  return placed_at(value, [&] {
    // the constructor also checks the samples before they are integrated
    laws::Curve curve(samples.t, samples.y, interpolation, laws::Curve::Beyond::hold, what);
    if (order != "value") {
      const std::string ends = integrate(samples, order == "rate" ? 1 : 2, removes_drift);
      diagnostics_.warn("history-drift",
                        fmt::format("{}, integrated from {}, {} after {:.6g} s; {}",
                                    what,
                                    order == "rate" ? "a rate" : "an acceleration",
                                    ends,
                                    samples.t.back() - samples.t.front(),
                                    removes_drift ? "this drift was removed"
                                                  : "\"drift\": \"remove\" takes an offset out"));
      curve = laws::Curve(
          samples.t, samples.y, laws::Curve::Kind::akima, laws::Curve::Beyond::hold, what);
    }
    mbd_solver::Value out = std::move(curve);
    // integrated over seconds: a rate in the file is per unit of time of the system
    const double order_of_time = order == "value" ? 0.0 : order == "rate" ? 1.0 : 2.0;
    const double unit = samples.is_si ? 1.0 : factor / std::pow(time(), order_of_time);
    out.factor = own_factor * unit;
    if (must_cover) out.source = what;
    return out;
  });
}

}  // namespace femflex::tools
