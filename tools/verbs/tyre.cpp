// Reads a tyre and the requested states, evaluates the tyre at them, and writes the table.
#include "verbs/tyre.h"

#include <array>
#include <cmath>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/unit_constants.h"

#include "document/csv.h"
#include "system/wheel_files.h"
#include "system/wheels.h"

namespace femflex::verbs {
namespace {

constexpr std::size_t kMostRows = 1'000'000;  // largest number of combinations of the given values

using tyres::TyreState;

struct StateColumn {
  const char* head;
  double TyreState::*member;
  double factor;
};

constexpr std::array<StateColumn, 8> kStateColumns = {{{"kappa", &TyreState::kappa, 1.0},
                                                       {"alpha", &TyreState::alpha, 1.0},
                                                       {"alpha_deg", &TyreState::alpha, kDegree},
                                                       {"gamma", &TyreState::gamma, 1.0},
                                                       {"gamma_deg", &TyreState::gamma, kDegree},
                                                       {"load", &TyreState::load, 1.0},
                                                       {"speed", &TyreState::speed, 1.0},
                                                       {"pressure", &TyreState::pressure, 1.0}}};

std::vector<TyreState> states_of_table(const TyreRequest& request, const TyreState& fallback) {
  const tools::CsvTable table = tools::read_csv_file(request.table);
  std::vector<TyreState> states(table.rows(), fallback);
  std::vector<const StateColumn*> given;
  for (std::size_t k = 0; k < table.heads.size(); ++k) {
    const StateColumn* known = nullptr;
    for (const StateColumn& each : kStateColumns)
      if (lower_case(table.heads[k]) == each.head) known = &each;
    if (known == nullptr)
      throw UsageError("unknown-column",
                       fmt::format("column '{}' is not an input of a tyre", table.heads[k]),
                       {request.table.string()},
                       "columns are kappa, alpha, alpha_deg, gamma, gamma_deg, load, speed, "
                       "pressure, in SI units; the first line names them");
    for (const StateColumn* each : given)
      if (each->member == known->member)
        throw UsageError(
            "columns",
            fmt::format("columns '{}' and '{}' give the same input", each->head, known->head),
            {request.table.string()},
            "keep one of them");
    given.push_back(known);
    for (std::size_t row = 0; row < states.size(); ++row)
      states[row].*known->member = known->factor * table.columns[k][row];
  }
  return states;
}

std::vector<TyreState> states_of_values(const TyreRequest& request,
                                        const std::vector<double>& loads,
                                        const TyreState& fallback) {
  const std::size_t count =
      request.kappa.size() * request.alpha_deg.size() * request.gamma_deg.size() * loads.size();
  if (count > kMostRows)
    throw UsageError("usage", fmt::format("{} combinations; at most {}", count, kMostRows));
  std::vector<TyreState> states;
  states.reserve(count);
  for (const double load : loads)
    for (const double gamma : request.gamma_deg)
      for (const double alpha : request.alpha_deg)
        for (const double kappa : request.kappa) {
          TyreState state = fallback;
          state.load = load;
          state.gamma = gamma * kDegree;
          state.alpha = alpha * kDegree;
          state.kappa = kappa;
          states.push_back(state);
        }
  return states;
}

/// @throws ModelError  an input is not a number, or a result is not finite
void check_row(const TyreRow& row, std::size_t index, const std::string& file) {
  const TyreState& at = row.state;
  const tyres::TyreForces& f = row.forces;
  const std::string where = fmt::format(
      "row {}, kappa {}, alpha {} rad, camber {} rad, load {} N, speed {} m/s, pressure {} Pa",
      index + 1,
      at.kappa,
      at.alpha,
      at.gamma,
      at.load,
      at.speed,
      std::isnan(at.pressure) ? std::string("nominal") : fmt::format("{}", at.pressure));
  for (const double input : {at.kappa, at.alpha, at.gamma, at.load, at.speed})
    if (!std::isfinite(input))
      throw ModelError("not-finite", where + ": an input is not a finite number", {.file = file});
  for (const double output :
       {f.fx, f.fy, f.mx, f.my, f.mz, f.effective_radius, f.relaxation_x, f.relaxation_y})
    if (!std::isfinite(output))
      throw ModelError("not-finite",
                       where + ": the forces are not finite",
                       {.file = file},
                       "use loads, speeds and pressures of a tyre");
}

void write_table(const TyreOutcome& outcome, const std::filesystem::path& path) {
  std::vector<std::vector<double>> rows;
  for (const TyreRow& row : outcome.rows)
    rows.push_back({row.state.kappa,
                    row.state.alpha,
                    row.state.gamma,
                    row.state.load,
                    row.state.speed,
                    row.forces.fx,
                    row.forces.fy,
                    row.forces.mx,
                    row.forces.my,
                    row.forces.mz,
                    row.forces.effective_radius,
                    row.forces.relaxation_x,
                    row.forces.relaxation_y,
                    static_cast<double>(row.forces.outside)});
  io::write_file(path,
                 tools::csv_text({"kappa",
                                  "alpha",
                                  "gamma",
                                  "load",
                                  "speed",
                                  "fx",
                                  "fy",
                                  "mx",
                                  "my",
                                  "mz",
                                  "effective_radius",
                                  "relaxation_x",
                                  "relaxation_y",
                                  "outside"},
                                 rows));
}

}  // namespace

TyreOutcome tyre(const TyreRequest& request, Diagnostics& diagnostics, Progress& /*progress*/) {
  TyreOutcome out;
  out.read = tools::read_tyre_file(request.file, diagnostics);
  out.nominal_load = tyres::nominal_load(out.read.tyre);
  TyreState fallback;
  fallback.load = out.nominal_load;
  fallback.speed = request.speed;
  fallback.side = request.is_right ? tyres::Side::right : tyres::Side::left;
  const std::vector<TyreState> states =
      request.table.empty()
          ? states_of_values(request,
                             request.load.empty() ? std::vector{out.nominal_load} : request.load,
                             fallback)
          : states_of_table(request, fallback);
  for (const TyreState& state : states) {
    out.rows.push_back({state, tyres::forces(out.read.tyre, state)});
    check_row(out.rows.back(),
              out.rows.size() - 1,
              (request.table.empty() ? request.file : request.table).string());
  }
  if (!request.csv.empty()) write_table(out, request.csv);
  return out;
}

}  // namespace femflex::verbs
