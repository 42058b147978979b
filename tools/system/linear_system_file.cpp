// Writes a linearised system in the format given by the file extension.
#include "system/linear_system_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/mbd_solver/time_driven.h"

#include "document/csv.h"

namespace femflex::tools {
namespace {

void add_named_row(std::string& out, const std::string& name, const Eigen::RowVectorXd& numbers) {
  out += csv_cell(name);
  for (const double number : numbers)
    out += fmt::format(",{}", number);
  out += '\n';
}

std::string csv_of(const mbd_solver::LinearSystem& s) {
  std::string out = s.step > 0.0 ? fmt::format("step {} s", s.step) : std::string("rates");
  for (const auto* names : {&s.states, &s.inputs})
    for (const std::string& name : *names)
      out += "," + csv_cell(name);
  out += '\n';
  Eigen::RowVectorXd row(s.A.cols() + s.B.cols());
  for (Eigen::Index k = 0; k < s.A.rows(); ++k) {
    row << s.A.row(k), s.B.row(k);
    add_named_row(out, s.states[static_cast<std::size_t>(k)], row);
  }
  for (Eigen::Index k = 0; k < s.C.rows(); ++k) {
    row << s.C.row(k), s.D.row(k);
    add_named_row(out, s.outputs[static_cast<std::size_t>(k)].name, row);
  }
  return out;
}

}  // namespace

void check_linear_system_file(const std::filesystem::path& path) {
  for (const char* known : {".mat", ".npz", ".csv"})
    if (path.extension() == known) return;
  throw UsageError(
      "file-kind",
      fmt::format("'{}': A, B, C, D are written as .mat, .npz or .csv", path.string()));
}

void warn_of_matrices(const mbd_solver::System& system,
                      const mbd_solver::LinearSystem& linear,
                      Diagnostics& diagnostics) {
  mbd_solver::warn_of_movers(
      linear, "A, B, C and D leave that out (dx0 in a .mat or .npz file holds it)", diagnostics);
  if (const auto driven = mbd_solver::time_driven(system); !driven.empty())
    diagnostics.warn("time-driven",
                     fmt::format("{} {} with time: A, B, C and D hold {} as at the start",
                                 mbd_solver::text_of(driven),
                                 driven.size() == 1 ? "changes" : "change",
                                 driven.size() == 1 ? "it" : "them"));
  for (const mbd_solver::Input& input : system.inputs)
    if (!input.value.is_number() &&
        std::find(linear.inputs.begin(), linear.inputs.end(), input.name) == linear.inputs.end())
      diagnostics.warn("time-driven",
                       fmt::format("the input {} ({}) is not an input of A, B, C and D, which hold "
                                   "it as at the start",
                                   input.name,
                                   input.value.text()));
  for (std::size_t k = 0; k < linear.inputs.size(); ++k)
    for (const mbd_solver::Input& input : system.inputs)
      if (input.is_parameter && input.name == linear.inputs[k] &&
          linear.effects[k] != mbd_solver::InputEffect::load)
        diagnostics.warn(
            "first-order",
            fmt::format("parameter {} changes more than loads: B and D hold its effect "
                        "on this state to first order, and A keeps its value {:.6g}",
                        input.name,
                        linear.u0(static_cast<Eigen::Index>(k))));
}

void write_linear_system(const mbd_solver::LinearSystem& system,
                         const std::filesystem::path& path,
                         MatLevel level) {
  check_linear_system_file(path);
  if (path.extension() == ".csv") return io::write_file(path, csv_of(system));
  std::vector<std::string> outputs;
  for (const mbd_solver::Channel& channel : system.outputs)
    outputs.push_back(channel.name);
  write_matrices({{{"A", system.A},
                   {"B", system.B},
                   {"C", system.C},
                   {"D", system.D},
                   {"u0", system.u0},
                   {"y0", system.y0},
                   {"dx0", system.rates0},
                   {"step", Eigen::MatrixXd::Constant(1, 1, system.step)}},
                  {{"states", system.states}, {"inputs", system.inputs}, {"outputs", outputs}}},
                 path,
                 level);
}

}  // namespace femflex::tools
