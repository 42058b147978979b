// Frequency responses and mode shapes of a linearised system, by channels. A unit input is the
// generalised force given by the derivatives of its channel with respect to the velocity
// coordinates; an output is measured along those of its own.
#include "system/responses.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/errors.h"

namespace femflex::tools {
namespace {

/// True for positions of places, coordinates of joints and modes, and quaternions.
bool is_position(const std::string& channel) {
  const ChannelName name = parse_channel(channel);
  if (name.component.empty()) return name.quantity == "angle" || name.quantity == "displacement";
  constexpr std::array<std::string_view, 6> kVectors{
      "position", "orientation", "displacement", "rotation", "zeta", "eta"};
  return std::find(kVectors.begin(), kVectors.end(), name.quantity) != kVectors.end();
}

/// The first channel that `name` means.
std::string example_of(const std::string& name, const mbd_solver::ChannelJacobian& slopes) {
  for (const mbd_solver::Channel& channel : slopes.channels)
    if (channel.name.starts_with(name + "/")) return channel.name;
  return name + "/x";
}

/// Derivatives (slopes) of `channels` by the velocity coordinates, one row per channel.
Eigen::MatrixXd slopes_of(const mbd_solver::System& system,
                          const mbd_solver::State& state,
                          const std::vector<std::string>& channels,
                          Diagnostics& diagnostics) {
  mbd_solver::System asked = system;
  asked.outputs = channels;
  const mbd_solver::ChannelJacobian slopes =
      mbd_solver::channel_jacobian(asked, state, diagnostics);
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(channels.size()), slopes.rows.cols());
  for (std::size_t k = 0; k < channels.size(); ++k) {
    const auto found = std::find_if(
        slopes.channels.begin(), slopes.channels.end(), [&](const mbd_solver::Channel& channel) {
          return channel.name == channels[k];
        });
    if (found == slopes.channels.end())
      throw UsageError("no-channel",
                       fmt::format("'{}' means several channels", channels[k]),
                       {},
                       fmt::format("name one, for example {}", example_of(channels[k], slopes)));
    if (!is_position(channels[k]))
      throw UsageError("no-position",
                       fmt::format("'{}' is neither a position nor an angle", channels[k]),
                       {},
                       "name channels like car/position/y or pin/angle");
    rows.row(static_cast<Eigen::Index>(k)) = slopes.rows.row(found - slopes.channels.begin());
  }
  return rows;
}

}  // namespace

std::vector<Response> responses_of(const mbd_solver::System& system,
                                   const mbd_solver::State& state,
                                   const mbd_solver::Linearisation& linear,
                                   const std::vector<ResponseRequest>& wanted,
                                   const Eigen::VectorXd& hz,
                                   Diagnostics& diagnostics) {
  std::vector<Response> out;
  for (const ResponseRequest& request : wanted) {
    std::vector<std::string> channels = request.outputs;
    channels.insert(channels.begin(), request.input);
    const Eigen::MatrixXd rows = slopes_of(system, state, channels, diagnostics);
    for (std::size_t k = 1; k < channels.size(); ++k)
      out.push_back(
          {channels[0],
           channels[k],
           hz,
           mbd_solver::frequency_response(linear,
                                          rows.row(0).transpose(),
                                          rows.row(static_cast<Eigen::Index>(k)).transpose(),
                                          hz)});
  }
  return out;
}

Json responses_json(const std::vector<Response>& responses) {
  Json list = Json::list();
  for (const Response& response : responses) {
    const Eigen::VectorXd re = response.value.real();
    const Eigen::VectorXd im = response.value.imag();
    Json item = Json::object();
    item["input"] = response.input;
    item["output"] = response.output;
    item["hz"] = std::vector<double>(response.hz.begin(), response.hz.end());
    item["re"] = std::vector<double>(re.begin(), re.end());
    item["im"] = std::vector<double>(im.begin(), im.end());
    list.push_back(std::move(item));
  }
  return list;
}

TextTable responses_table(const std::vector<Response>& responses) {
  TextTable table({"input", "output", "Hz", "size", "phase deg"});
  for (const Response& response : responses)
    for (Eigen::Index k = 0; k < response.hz.size(); ++k)
      table.add({response.input,
                 response.output,
                 readable(response.hz(k), 4),
                 readable(std::abs(response.value(k))),
                 readable(std::arg(response.value(k)) * 180.0 / std::numbers::pi, 4)});
  return table;
}

ModeShapes shapes_of(const mbd_solver::System& system,
                     const mbd_solver::State& state,
                     const std::vector<mbd_solver::SystemMode>& modes,
                     Diagnostics& diagnostics) {
  const mbd_solver::ChannelJacobian slopes =
      mbd_solver::channel_jacobian(system, state, diagnostics);
  ModeShapes out;
  std::vector<Eigen::Index> rows;
  for (std::size_t c = 0; c < slopes.channels.size(); ++c) {
    if (!is_position(slopes.channels[c].name)) continue;
    out.channels.push_back(slopes.channels[c].name);
    rows.push_back(static_cast<Eigen::Index>(c));
  }
  out.values.resize(static_cast<Eigen::Index>(rows.size()),
                    static_cast<Eigen::Index>(modes.size()));
  for (std::size_t m = 0; m < modes.size(); ++m)
    for (std::size_t c = 0; c < rows.size(); ++c)
      out.values(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(m)) =
          (slopes.rows.row(rows[c]) * modes[m].shape)(0);
  return out;
}

void add_shapes(const ModeShapes& shapes, Json& list) {
  for (Eigen::Index m = 0; m < shapes.values.cols(); ++m) {
    Json shape = Json::object();
    for (std::size_t c = 0; c < shapes.channels.size(); ++c) {
      const std::complex<double> value = shapes.values(static_cast<Eigen::Index>(c), m);
      shape[shapes.channels[c]] = std::vector<double>{value.real(), value.imag()};
    }
    list.items()[static_cast<std::size_t>(m)]["shape"] = std::move(shape);
  }
}

}  // namespace femflex::tools
