// Participation, effective mass and kinetic energy of the modes of a body, as JSON and tables.
// Declared in fe_report.h.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/frequency.h"
#include "femflex/modal/correlation.h"

#include "body/fe_report.h"

namespace femflex::tools {
namespace {

constexpr std::size_t kMaxNodes = 5;

/// Share of a node in the kinetic energy of a mode.
struct Share {
  std::int64_t node = 0;
  double fraction = 0.0;
};

/// The nodes with the largest shares of the kinetic energy of a mode, in descending order.
std::vector<Share> largest_shares(const FlexBody& body, const Eigen::VectorXd& fractions) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(fractions.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  const std::size_t count = std::min(kMaxNodes, order.size());
  std::partial_sort(order.begin(),
                    order.begin() + static_cast<std::ptrdiff_t>(count),
                    order.end(),
                    [&](Eigen::Index a, Eigen::Index b) {
                      return fractions(a) != fractions(b) ? fractions(a) > fractions(b) : a < b;
                    });
  std::vector<Share> out;
  for (std::size_t k = 0; k < count; ++k)
    out.push_back({body.nodes[static_cast<std::size_t>(order[k])].id, fractions(order[k])});
  return out;
}

/// The frequency of mode `i` as text.
std::string mode_hz(const FlexBody& body, Eigen::Index i) {
  return readable(frequency_hz(body.modes[static_cast<std::size_t>(i)].eigenvalue));
}

void add_row(TextTable& table, std::vector<std::string> row, const Eigen::VectorXd& values) {
  for (const double value : values)
    row.push_back(readable(value, 4));
  table.add(std::move(row));
}

std::vector<double> listed(const Eigen::VectorXd& values) {
  return {values.begin(), values.end()};
}

}  // namespace

Json mode_mass_json(const FlexBody& body, const Eigen::MatrixXd& fractions) {
  const modal::EffectiveMass effective = modal::effective_mass(body);
  Json modes = Json::list();
  for (Eigen::Index i = 0; i < body.mode_count(); ++i) {
    Json item = Json::object();
    item["index"] = i + 1;
    item["participation"] = listed(effective.participation.row(i).transpose());
    item["effective_mass"] = listed(effective.effective_mass.row(i).transpose());
    Json energy = Json::list();
    for (const Share& share : largest_shares(body, fractions.col(i))) {
      Json node = Json::object();
      node["node"] = share.node;
      node["fraction"] = share.fraction;
      energy.push_back(std::move(node));
    }
    item["kinetic_energy"] = std::move(energy);
    modes.push_back(std::move(item));
  }
  Json out = Json::object();
  out["modes"] = std::move(modes);
  out["orthogonal"] = effective.is_orthogonal;
  out["sum"] = listed(effective.set_sum);
  out["body"] = listed(effective.total);
  return out;
}

TextTable participation_table(const FlexBody& body) {
  const modal::EffectiveMass effective = modal::effective_mass(body);
  TextTable table({"mode", "Hz", "x", "y", "z", "rx", "ry", "rz"});
  for (Eigen::Index i = 0; i < body.mode_count(); ++i)
    add_row(table,
            {std::to_string(i + 1), mode_hz(body, i)},
            effective.participation.row(i).transpose());
  return table;
}

TextTable effective_mass_table(const FlexBody& body) {
  const modal::EffectiveMass effective = modal::effective_mass(body);
  TextTable table({"mode", "Hz", "x kg", "y kg", "z kg", "rx kg m^2", "ry kg m^2", "rz kg m^2"});
  // effective masses, relative to the total, that count as zero
  constexpr double kRoundOff = 1e-20;
  for (Eigen::Index i = 0; i < body.mode_count(); ++i) {
    Eigen::VectorXd row = effective.effective_mass.row(i).transpose();
    for (Eigen::Index k = 0; k < row.size(); ++k)
      if (std::abs(row(k)) < kRoundOff * std::abs(effective.total(k))) row(k) = 0.0;
    add_row(table, {std::to_string(i + 1), mode_hz(body, i)}, row);
  }
  // if modes are not orthogonal, their effective masses do not add up
  add_row(table, {effective.is_orthogonal ? "sum" : "together", "-"}, effective.set_sum);
  add_row(table, {"body", "-"}, effective.total);
  return table;
}

TextTable kinetic_energy_table(const FlexBody& body, const Eigen::MatrixXd& fractions) {
  TextTable table({"mode", "Hz", "sum", "nodes that move most (share of the kinetic energy)"});
  for (Eigen::Index i = 0; i < body.mode_count(); ++i) {
    std::string nodes;
    for (const Share& share : largest_shares(body, fractions.col(i)))
      nodes += fmt::format(
          "{}{} ({})", nodes.empty() ? "" : ", ", share.node, readable(share.fraction, 3));
    table.add(
        {std::to_string(i + 1), mode_hz(body, i), readable(fractions.col(i).sum(), 4), nodes});
  }
  return table;
}

}  // namespace femflex::tools
