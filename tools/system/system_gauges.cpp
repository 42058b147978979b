// Reads "gauges" of a flexible body in a system file: virtual strain gauges as channels of the run.
// Their strains per mode are computed from the FE model from which the body was reduced.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/durability/gauges.h"
#include "femflex/durability/stress_mesh.h"
#include "femflex/errors.h"

#include "body/inputs.h"
#include "body/model_of_body.h"
#include "document/durability_json.h"
#include "document/placed_at.h"
#include "system/system_reader.h"

namespace femflex::tools {
namespace {

std::vector<durability::Gauge> read_list(const Json& value, const SystemReader& in) {
  if (!value.is_list()) {
    const std::filesystem::path path = in.file(value);
    return *read_once<std::vector<durability::Gauge>>(
        in.cache(), "gauges " + path.string(), [&]() { return read_gauges(path); });
  }
  return gauges_of(value, in.length(), [&](const Json& vector, double factor) {
    return in.vector(vector, factor);
  });
}

/// The model with elements, materials and sections.
std::shared_ptr<const FeModel> model_for_gauges(const Json& value,
                                                const GaugeBody& from,
                                                SystemReader& in) {
  const auto of_file = [&](const std::filesystem::path& path) {
    return read_once<FeModel>(in.cache(), "model for gauges " + path.string(), [&]() {
      return load_model(path, std::nullopt, in.diagnostics(), in.progress());
    });
  };
  if (from.model_name != nullptr) {
    if (const auto* model = in.part<FeModel>(*from.model_name))
      return {std::shared_ptr<const FeModel>(), model};  // the caller keeps it
    return of_file(in.file(*from.model_name));
  }
  std::filesystem::path path;
  try {
    // the cache holds the body, so that its address names it
    path = *read_once<std::filesystem::path>(
        in.cache(), fmt::format("model of body {}", fmt::ptr(from.body)), [&]() {
          return model_file_of(*from.body, from.folder);
        });
  } catch (const UsageError& error) {
    value.fail(error.code(), error.message(), "add \"model\": \"NAME.fe.h5\" to the body");
  }
  return of_file(path);
}

}  // namespace

std::vector<mbd_solver::BodySensor> read_gauge_sensors(const Json& value,
                                                       const GaugeBody& from,
                                                       SystemReader& in) {
  const std::vector<durability::Gauge> gauges = read_list(value, in);
  std::vector<mbd_solver::BodySensor> out;
  const auto add = [&](const durability::Gauge& gauge, Eigen::MatrixXd rows) {
    out.push_back({gauge.name, "strain", "", std::move(rows)});
  };
  if (from.body == nullptr) {
    for (const durability::Gauge& gauge : gauges)
      add(gauge, Eigen::MatrixXd(static_cast<Eigen::Index>(gauge.directions.size()), 0));
    return out;
  }
  placed_at(value, [&] {
    std::shared_ptr<const FeModel> held;
    if (from.model == nullptr) held = model_for_gauges(value, from, in);
    const FeModel& model = held != nullptr ? *held : *from.model;
    check_model_of_body(model, *from.body);
    const durability::ShapeSet shapes = durability::shapes_of(*from.body);
    const durability::StressMesh mesh(model, shapes, {});
    const durability::Skin skin(mesh);
    for (const durability::Gauge& gauge : gauges)
      add(gauge, durability::place_gauge(skin, gauge).strain);
  });
  return out;
}

}  // namespace femflex::tools
