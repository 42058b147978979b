// Reads "blocks" of a system file: transfer functions, state spaces, PID, lags, delays, tables,
// hysteresis, sampling, paths and FMUs.
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "system/fmu_block.h"
#include "system/system_reader.h"

namespace femflex::tools {
namespace {

using namespace mbd_solver;  // the names below are types of the solver

/// The block to fill, and the readers of its JSON members and numbers.
struct BlockInput {
  ObjectReader& reader;
  const SystemReader& in;
  Block& block;
};

/// Reads "input", the only input of a block.
void read_block_input(const BlockInput& input) {
  input.block.inputs.push_back(input.in.value(input.reader.need("input")));
}

/// Reads the list "inputs" of a law with several inputs, or a single "input".
void read_block_inputs(const BlockInput& input) {
  if (const Json* one = input.reader.find("input"); one != nullptr)
    return input.block.inputs.push_back(input.in.value(*one));
  for (const Json& item : input.reader.need("inputs").items())
    input.block.inputs.push_back(input.in.value(item));
}

Eigen::MatrixXd block_matrix(const Json& value, const SystemReader& in) {
  const std::vector<Json>& rows = value.items();
  const std::size_t width =
      rows.empty() || !rows.front().is_list() ? 0 : rows.front().items().size();
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(width));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!rows[r].is_list())
      value.fail("wrong-kind", "a number where a row was expected", "write [[1, 2], [3, 4]]");
    const std::vector<double> numbers = in.numbers(rows[r]);
    if (numbers.size() != width)
      rows[r].fail(
          "wrong-size",
          fmt::format("{} numbers in row {}, {} in the first", numbers.size(), r + 1, width));
    for (std::size_t c = 0; c < width; ++c)
      out(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = numbers[c];
  }
  return out;
}

void read_expression(const BlockInput& input) {
  read_block_input(input);
  input.block.law = gain(input.in.number(input.reader, "gain", 1.0));
}

void read_transfer_function(const BlockInput& input) {
  read_block_input(input);
  input.block.law = transfer_function(input.in.numbers(input.reader.need("numerator")),
                                      input.in.numbers(input.reader.need("denominator")));
}

void read_state_space(const BlockInput& input) {
  read_block_inputs(input);
  LinearBlock out;
  out.A = block_matrix(input.reader.need("A"), input.in);
  out.B = block_matrix(input.reader.need("B"), input.in);
  out.C = block_matrix(input.reader.need("C"), input.in);
  const Json* D = input.reader.find("D");
  out.D = D != nullptr ? block_matrix(*D, input.in)
                       : Eigen::MatrixXd::Zero(
                             out.C.rows(), static_cast<Eigen::Index>(input.block.inputs.size()));
  if (const Json* initial = input.reader.find("initial"); initial != nullptr) {
    const std::vector<double> x = input.in.numbers(*initial);
    out.initial = Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  }
  input.block.law = std::move(out);
}

void read_pid(const BlockInput& input) {
  const auto& [reader, in, block] = input;
  read_block_input(input);
  if (const Json* rate = reader.find("rate"); rate != nullptr)
    block.inputs.push_back(in.value(*rate));
  PidBlock out;
  out.proportional = in.number(reader, "proportional", 0.0);
  out.integral = in.number(reader, "integral", 0.0);
  out.derivative = in.number(reader, "derivative", 0.0);
  out.filter = in.number(reader, "filter", 0.0, in.time());
  out.min = in.number(reader, "min", out.min);
  out.max = in.number(reader, "max", out.max);
  out.tracking_time = in.number(reader, "tracking_time", 0.0, in.time());
  out.initial = in.number(reader, "initial", 0.0);
  block.law = out;
}

void read_lag(const BlockInput& input) {
  const auto& [reader, in, block] = input;
  read_block_input(input);
  const double size = in.number(reader, "gain", 1.0);
  const double first = in.number(reader, "initial", 0.0);
  block.law = first_order_lag(in.number(reader.need("time"), in.time()), size, first);
}

void read_second_order_lag(const BlockInput& input) {
  const auto& [reader, in, block] = input;
  read_block_input(input);
  const double size = in.number(reader, "gain", 1.0);
  const double first = in.number(reader, "initial", 0.0);
  block.law = second_order_lag(in.with_unit(reader.need("frequency"), "Hz"),
                               in.number(reader, "damping_ratio", 1.0),
                               size,
                               first);
}

/// The integer at `key`; `fallback` if it is missing.
int whole_of_block(ObjectReader& reader,
                   const SystemReader& in,
                   std::string_view key,
                   int fallback) {
  constexpr std::int64_t kMost = 1'000'000;
  const Json* found = reader.find(key);
  return found == nullptr ? fallback : static_cast<int>(in.whole(*found, -kMost, kMost));
}

void read_delay(const BlockInput& input) {
  const auto& [reader, in, block] = input;
  read_block_input(input);
  constexpr int kDefaultOrder = 8;
  const double time = in.number(reader.need("time"), in.time());
  const int order = whole_of_block(reader, in, "order", kDefaultOrder);
  block.law = delay(time, order, in.number(reader, "initial", 0.0));
}

void read_table_block(const BlockInput& input) {
  const auto& [reader, in, block] = input;
  const Json* z = reader.find("z");
  if (z == nullptr) {
    read_block_input(input);
    TableBlock out;
    const Json* beyond = reader.find("beyond");
    out.curve =
        laws::Curve(in.numbers(reader.need("x")),
                    in.numbers(reader.need("y")),
                    choice_or(reader, "interpolation", kInterpolations, laws::Curve::Kind::linear),
                    beyond != nullptr && choice(*beyond, {"hold", "extrapolate"}) == "extrapolate"
                        ? laws::Curve::Beyond::extrapolate
                        : laws::Curve::Beyond::hold,
                    fmt::format("block {}", block.name));
    block.law = std::move(out);
    return;
  }
  read_block_inputs(input);
  SurfaceBlock out;
  out.x = in.numbers(reader.need("x"));
  out.y = in.numbers(reader.need("y"));
  out.z = block_matrix(*z, in);
  block.law = std::move(out);
}

void read_hysteresis(const BlockInput& input) {
  const auto& [reader, in, block] = input;
  read_block_input(input);
  if (const Json* width = reader.find("width"); width != nullptr) {
    block.law = PlayBlock{in.number(*width), in.number(reader, "initial", 0.0)};
    return;
  }
  RelayBlock out;
  out.on = in.number(reader.need("on"));
  out.off = in.number(reader.need("off"));
  out.low = in.number(reader, "low", out.low);
  out.high = in.number(reader, "high", out.high);
  out.is_high = reader.boolean("starts_high", false);
  block.law = out;
}

void read_sample_and_hold(const BlockInput& input) {
  const auto& [reader, in, block] = input;
  read_block_input(input);
  SampleBlock out;
  out.period = in.number(reader.need("period"), in.time());
  out.offset = in.number(reader, "offset", 0.0, in.time());
  out.delay = whole_of_block(reader, in, "delay", 0);
  out.initial = in.number(reader, "initial", 0.0);
  block.law = out;
}

void read_fmu(const BlockInput& input) {
  read_fmu_block(input.reader, input.in, input.block);
}

/// Reads `inputs` x, y and heading, or the place `on` that provides them, and the preview.
void read_path(const BlockInput& input) {
  const auto& [reader, in, block] = input;
  if (const Json* on = reader.find("on"); on != nullptr) {
    const auto part = [&](const char* channel) {
      return fmt::format("[{}/{}]", on->text(), channel);
    };
    const std::string w = part("orientation/w"), x = part("orientation/x"),
                      y = part("orientation/y"), z = part("orientation/z");
    block.inputs = {mbd_solver::Value(part("position/x")),
                    mbd_solver::Value(part("position/y")),
                    // direction of the place's x axis in the plane
                    mbd_solver::Value(
                        fmt::format("atan2(2*({0}*{3}+{1}*{2}), 1-2*({2}^2+{3}^2))", w, x, y, z))};
  } else {
    const Json& inputs = reader.need("inputs");
    read_block_inputs(input);
    if (block.inputs.size() != 3)
      inputs.fail("wrong-size", "inputs of a path are x, y and heading");
  }
  block.inputs.push_back(in.value(reader, "preview", 0.0));
  PathBlock out;
  out.x = in.numbers(reader.need("x"));
  out.y = in.numbers(reader.need("y"));
  out.is_closed = reader.boolean("closed", ends_meet(out));
  block.law = std::move(out);
}

struct BlockType {
  const char* name;
  void (*read)(const BlockInput& input);
};

// Each row begins with `    {"name", `, because tools/CMakeLists.txt reads the names for the
// schema.
constexpr BlockType kBlockTypes[] = {
    {"expression", read_expression},
    {"transfer-function", read_transfer_function},
    {"state-space", read_state_space},
    {"pid", read_pid},
    {"lag", read_lag},
    {"second-order-lag", read_second_order_lag},
    {"delay", read_delay},
    {"table", read_table_block},
    {"hysteresis", read_hysteresis},
    {"sample-and-hold", read_sample_and_hold},
    {"fmu", read_fmu},
    {"path", read_path},
};

}  // namespace

Block read_block(const std::string& name, const Json& value, const SystemReader& in) {
  ObjectReader reader(value, fmt::format("block '{}'", name));
  std::vector<std::string> names;
  for (const BlockType& type : kBlockTypes)
    names.emplace_back(type.name);
  const std::string type = choice(reader.need("type"), names);
  Block out;
  out.name = name;
  out.unit = reader.text("unit", "");
  for (const BlockType& known : kBlockTypes) {
    if (type != known.name) continue;
    try {
      known.read({reader, in, out});
    } catch (const ModelError& error) {
      value.fail(error.code(), fmt::format("block '{}': {}", name, error.message()), error.fix());
    }
  }
  reader.finish();
  return out;
}

}  // namespace femflex::tools
