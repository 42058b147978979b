// Writes gradients as JSON, text, CSV and HDF5, and reads them back.
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/hdf5_file.h"

#include "document/csv.h"
#include "document/json_text.h"
#include "runs/gradient.h"

namespace femflex::tools {
namespace {

constexpr const char* kGradientKind = "gradient";

double slope_of(const RunGradient& gradient, std::size_t measure, std::size_t parameter) {
  return gradient.slopes(static_cast<Eigen::Index>(measure), static_cast<Eigen::Index>(parameter));
}

/// Names, paths and values of the parameters, and the measures.
Json gradient_head(const RunGradient& gradient) {
  Json out = Json::object();
  out["system"] = gradient.name;
  out["model"] = gradient.model;
  Json parameters = Json::list();
  for (const GradientParameter& each : gradient.parameters) {
    Json item = Json::object();
    item["name"] = each.name;
    item["path"] = each.path;
    item["kind"] = "value";
    item["value"] = each.value;
    parameters.push_back(std::move(item));
  }
  out["parameters"] = std::move(parameters);
  Json measures = Json::list();
  for (std::size_t m = 0; m < gradient.measures.size(); ++m) {
    Json item = Json::object();
    item["name"] = gradient.measures[m].name;
    item["measure"] = gradient.measures[m].text;
    item["unit"] = gradient.units[m];
    item["value"] = Json::finite_or_null(gradient.values[m]);
    Json slopes = Json::list();
    for (std::size_t p = 0; p < gradient.parameters.size(); ++p) {
      Json entry = Json::object();
      entry["parameter"] = gradient.parameters[p].name;
      entry["slope"] = Json::finite_or_null(slope_of(gradient, m, p));
      entry["relative"] = Json::finite_or_null(gradient.relative(m, p));
      entry["reason"] = gradient.reasons[m][p].empty() ? Json() : Json(gradient.reasons[m][p]);
      slopes.push_back(std::move(entry));
    }
    item["gradient"] = std::move(slopes);
    measures.push_back(std::move(item));
  }
  out["measures"] = std::move(measures);
  return out;
}

}  // namespace

Json gradient_json(const RunGradient& gradient, bool is_reproducible) {
  Json out = gradient_head(gradient);
  Json cost = Json::object();
  cost["cpu_seconds"] = is_reproducible ? Json() : Json(gradient.cpu_seconds);
  cost["run_cpu_seconds"] = is_reproducible ? Json() : Json(gradient.run_seconds);
  cost["extra_runs"] = gradient.extra_runs;
  out["cost"] = std::move(cost);
  return out;
}

TextTable gradient_table(const RunGradient& gradient) {
  TextTable out({"measure", "value", "unit", "parameter", "at", "derivative", "% per %"});
  for (std::size_t m = 0; m < gradient.measures.size(); ++m)
    for (std::size_t p = 0; p < gradient.parameters.size(); ++p)
      out.add({p == 0 ? gradient.measures[m].name : "",
               p == 0 ? readable(gradient.values[m]) : "",
               p == 0 ? gradient.units[m] : "",
               gradient.parameters[p].name,
               readable(gradient.parameters[p].value),
               readable(slope_of(gradient, m, p), 8),
               readable(gradient.relative(m, p), 4)});
  return out;
}

std::string gradient_text(const RunGradient& gradient, bool is_reproducible) {
  std::string out = gradient.name + "\n" + gradient_table(gradient).text();
  for (std::size_t m = 0; m < gradient.measures.size(); ++m)
    for (std::size_t p = 0; p < gradient.parameters.size(); ++p)
      if (const std::string& reason = gradient.reasons[m][p]; !reason.empty())
        out += fmt::format("{} by {}: not differentiable: {}\n",
                           gradient.measures[m].name,
                           gradient.parameters[p].name,
                           reason);
  if (!is_reproducible && gradient.run_seconds > 0.0)
    out += fmt::format("processor time: {} s, {} times a run of {} s\n",
                       readable(gradient.cpu_seconds, 3),
                       readable(gradient.cpu_seconds / gradient.run_seconds, 3),
                       readable(gradient.run_seconds, 3));
  return out;
}

void write_gradient_csv(const RunGradient& gradient, const std::filesystem::path& path) {
  std::string out = "measure,value,unit";
  for (const GradientParameter& each : gradient.parameters)
    out += "," + csv_cell(each.name);
  out += "\n";
  for (std::size_t m = 0; m < gradient.measures.size(); ++m) {
    out += csv_cell(gradient.measures[m].name) + "," + shortest(gradient.values[m]) + "," +
           csv_cell(gradient.units[m]);
    for (std::size_t p = 0; p < gradient.parameters.size(); ++p) {
      const double slope = slope_of(gradient, m, p);
      out += "," + (std::isfinite(slope) ? shortest(slope) : std::string());
    }
    out += "\n";
  }
  io::write_file(path, out);
}

void write_gradient(const RunGradient& gradient, const std::filesystem::path& path) {
  io::Hdf5File file = io::Hdf5File::create(path);
  file.set_attribute("/", "femflex", kGradientKind);
  file.set_attribute("/", "complete", std::int64_t{1});
  file.write_text("/head", gradient_head(gradient).dump());
  std::vector<std::string> parameters, measures;
  std::vector<double> at, slopes;
  for (const GradientParameter& each : gradient.parameters) {
    parameters.push_back(each.name);
    at.push_back(each.value);
  }
  for (std::size_t m = 0; m < gradient.measures.size(); ++m) {
    measures.push_back(gradient.measures[m].name);
    for (std::size_t p = 0; p < parameters.size(); ++p)
      slopes.push_back(slope_of(gradient, m, p));
  }
  file.write("/parameter_names", parameters);
  file.write("/parameters", at, {at.size()});
  file.write("/measure_names", measures);
  file.write("/measure_units", gradient.units);
  file.write("/measures", gradient.values, {gradient.values.size()});
  file.write("/slopes", slopes, {measures.size(), parameters.size()});
  file.commit();
}

bool is_gradient_file(const std::filesystem::path& path) {
  return marked_kind(path) == kGradientKind;
}

RunGradient read_gradient(const std::filesystem::path& path) {
  if (!is_gradient_file(path))
    throw ParseError("wrong-file-kind",
                     "is not a gradient",
                     {path.string()},
                     "make one with 'femflex study SYSTEM --vary NAME --gradient -o FILE.h5'");
  const io::Hdf5File file = io::Hdf5File::open(path);
  const std::vector<std::string> head = file.read_texts("/head");
  const Json document = parse_json(head.empty() ? "" : head.front(), path.string());
  ObjectReader reader(document, "gradient");
  RunGradient out;
  out.name = reader.need("system").text();
  out.model = reader.need("model").text();
  for (const Json& each : reader.need("parameters").items()) {
    ObjectReader inner(each, "parameter");
    out.parameters.push_back(
        {inner.need("name").text(), inner.need("path").text(), inner.need("value").number()});
  }
  for (const Json& each : reader.need("measures").items()) {
    ObjectReader inner(each, "measure");
    RunMeasure measure = parse_measure(inner.need("measure").text());
    measure.name = inner.need("name").text();
    out.measures.push_back(std::move(measure));
    out.units.push_back(inner.need("unit").text());
    std::vector<std::string> reasons;
    for (const Json& slope : inner.need("gradient").items()) {
      const Json* reason = slope.find("reason");
      reasons.push_back(reason != nullptr && reason->is_text() ? reason->text() : "");
    }
    reasons.resize(out.parameters.size());
    out.reasons.push_back(std::move(reasons));
  }
  const std::vector<double> slopes = file.read_reals("/slopes");
  out.values = file.read_reals("/measures");
  const std::size_t m = out.measures.size(), n = out.parameters.size();
  if (out.values.size() != m || slopes.size() != m * n)
    throw ParseError("damaged", "the datasets have different sizes", {path.string()});
  out.slopes =
      RunSamples::Map(slopes.data(), static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(n));
  return out;
}

}  // namespace femflex::tools
