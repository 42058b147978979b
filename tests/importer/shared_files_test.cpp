// Tests every file of the shared collection whose content was verified independently
// (expected.json) against the results of the readers. Conventions of the verified numbers: a matrix
// stored as one triangle is mirrored before norms and sums are computed; a DMIG of form 1 or 6 is
// square over the sorted union of its DOFs; positions of grids are in basic coordinates; shapes are
// as read.
#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using Json = nlohmann::json;

std::complex<double> complex_of(const Json& value) {
  if (value.is_array()) return {value[0].get<double>(), value[1].get<double>()};
  return value.get<double>();
}

bool close(std::complex<double> a, std::complex<double> b, double tolerance, double scale) {
  const double size = std::max({std::abs(b.real()), std::abs(b.imag()), scale, 1e-300});
  return std::abs(a.real() - b.real()) <= tolerance * size &&
         std::abs(a.imag() - b.imag()) <= tolerance * size;
}

struct Seen {
  const RawMatrix* matrix = nullptr;
  MatrixStatistics figures;
};

std::vector<std::string> matrix_faults(const Json& wanted, const FileContents& contents) {
  std::vector<std::string> faults;
  std::vector<Seen> left;
  for (const RawMatrix& matrix : contents.matrices)
    left.push_back({&matrix, statistics_of(matrix)});
  for (const Json& want : wanted) {
    const bool named = want.contains("name") && !want["name"].is_null();
    const std::string name = named ? want["name"].get<std::string>() : "";
    const auto rows = want["rows"].get<std::int64_t>();
    const auto cols = want["cols"].get<std::int64_t>();
    const auto fro = want["fro"].get<double>();
    const std::complex<double> sum =
        want.contains("sum") ? complex_of(want["sum"]) : std::complex<double>(0.0);
    const auto distance = [&](const Seen& seen) {
      return std::abs(seen.figures.frobenius - fro) + std::abs(seen.figures.sum - sum);
    };
    auto best = left.end();
    for (auto it = left.begin(); it != left.end(); ++it) {
      if ((named && it->matrix->name != name) || it->matrix->rows != rows ||
          it->matrix->cols != cols)
        continue;
      if (best == left.end() || distance(*it) < distance(*best)) best = it;
    }
    if (best == left.end()) {
      faults.push_back(fmt::format("matrix {} {}x{} is not there", name, rows, cols));
      continue;
    }
    const Seen seen = *best;
    left.erase(best);
    // values of single precision are verified to its own digits, and the verified norms and sums
    // carry twelve digits
    const int type =
        want.contains("type") && want["type"].is_number() ? want["type"].get<int>() : 2;
    const double tolerance = testing::tolerance(type == 1 || type == 3 ? 1e-6 : 5e-12);
    if (!close(seen.figures.frobenius, fro, tolerance, 0.0))
      faults.push_back(fmt::format("{}: norm {} is not {}", name, seen.figures.frobenius, fro));
    // sums of both signs cancel: measured by the norm times the number of terms
    const double terms = std::sqrt(std::max(1.0, static_cast<double>(seen.figures.nonzeros)));
    if (want.contains("sum") && !close(seen.figures.sum, sum, tolerance, fro * terms))
      faults.push_back(
          fmt::format("{}: sum {} is not {}", name, seen.figures.sum.real(), sum.real()));
    if (want.contains("nnz") && want["nnz"].get<std::int64_t>() != seen.figures.nonzeros)
      faults.push_back(fmt::format("{}: {} non-zeros, not {}",
                                   name,
                                   seen.figures.nonzeros,
                                   want["nnz"].get<std::int64_t>()));
    for (const Json& sample : want.value("samples", Json::array())) {
      const std::complex<double> value = entry_of(
          *seen.matrix, sample[0].get<std::int64_t>() - 1, sample[1].get<std::int64_t>() - 1);
      if (!close(value, complex_of(sample[2]), tolerance, 1e-14 * fro))
        faults.push_back(fmt::format("{}({}, {}) = {}, not {}",
                                     name,
                                     sample[0].get<int>(),
                                     sample[1].get<int>(),
                                     value.real(),
                                     sample[2].dump()));
    }
  }
  return faults;
}

/// Takes one number close to `value` out of the pool.
bool take(std::vector<double>& pool, double value, double tolerance, double scale) {
  const auto it = std::find_if(
      pool.begin(), pool.end(), [&](double x) { return close(x, value, tolerance, scale); });
  if (it == pool.end()) return false;
  pool.erase(it);
  return true;
}

std::vector<std::string> shape_faults(const Json& tables, const FileContents& contents) {
  std::vector<std::string> faults;
  std::vector<double> norms;
  std::vector<double> eigenvalues;
  std::size_t count = 0;
  for (const RawModes& modes : contents.modes) {
    const std::vector<double> each = shape_norms(modes);
    norms.insert(norms.end(), each.begin(), each.end());
    eigenvalues.insert(eigenvalues.end(), modes.eigenvalues.begin(), modes.eigenvalues.end());
    count += each.size();
  }
  // verified by readers of single precision data
  const double tolerance = testing::tolerance(1e-6);
  for (const Json& table : tables) {
    if (!table.is_object() || !table.contains("blocks")) continue;
    const auto blocks = table["blocks"].get<std::size_t>();
    count = blocks > count ? (faults.push_back("too few shapes"), 0) : count - blocks;
    for (const Json& norm : table.value("fro_per_block", Json::array()))
      if (!take(norms, norm.get<double>(), tolerance, 1e-6))
        faults.push_back(fmt::format("no shape of norm {}", norm.get<double>()));
    if (table.value("complex", false) || !table.contains("eign")) continue;
    double largest = 0.0;
    for (const Json& x : table["eign"])
      if (x.is_number()) largest = std::max(largest, std::abs(x.get<double>()));
    if (table.value("approach", 0) == 1) continue;
    for (const Json& x : table["eign"])
      if (x.is_number() && table.value("is_mode", true) &&
          !take(eigenvalues, x.get<double>(), tolerance, largest * 1e-6))
        faults.push_back(fmt::format("no eigenvalue {}", x.get<double>()));
  }
  return faults;
}

std::vector<std::string> grid_faults(const Json& want,
                                     std::int64_t count,
                                     const FileContents& contents) {
  std::vector<std::string> faults;
  Diagnostics diagnostics;
  const std::vector<Eigen::Vector3d> positions =
      basic_positions(contents, resolve_systems(contents, diagnostics), diagnostics);
  // a file that only names DOFs counts their nodes
  std::set<std::int64_t> nodes;
  for (const Dof& dof : contents.row_map)
    nodes.insert(dof.node);
  const std::size_t found = positions.empty() ? nodes.size() : positions.size();
  if (static_cast<std::int64_t>(found) != count)
    faults.push_back(fmt::format("{} grids, not {}", found, count));
  if (want.contains("basic_sum_xyz")) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    double scale = 0.0;
    for (const Eigen::Vector3d& position : positions) {
      sum += position;
      scale += position.norm();
    }
    for (int k = 0; k < 3; ++k)
      if (!close(sum(k),
                 want["basic_sum_xyz"][static_cast<std::size_t>(k)].get<double>(),
                 testing::tolerance(1e-11),
                 scale))
        faults.push_back(fmt::format("the sum of positions is {} {} {}", sum(0), sum(1), sum(2)));
  }
  return faults;
}

std::vector<std::string> eigenvalue_faults(const Json& rows, const FileContents& contents) {
  std::vector<double> pool;
  for (const RawEigenvalues& list : contents.eigenvalues)
    pool.insert(pool.end(), list.eigenvalue.begin(), list.eigenvalue.end());
  for (const RawModes& modes : contents.modes)
    pool.insert(pool.end(), modes.eigenvalues.begin(), modes.eigenvalues.end());
  std::vector<std::string> faults;
  double largest = 0.0;
  for (const Json& row : rows)
    if (row[0].get<int>() > 0) largest = std::max(largest, std::abs(row[1].get<double>()));
  for (const Json& row : rows)
    // rows numbered 0 come from pages of a table of forces, there are no eigenvalues
    if (row[0].get<int>() > 0 &&
        !take(pool, row[1].get<double>(), testing::tolerance(1e-6), 1e-6 * largest))
      faults.push_back(fmt::format("no eigenvalue {}", row[1].get<double>()));
  return faults;
}

std::vector<std::string> punch_faults(const Json& results,
                                      std::size_t blocks,
                                      const FileContents& contents) {
  std::vector<std::string> faults;
  std::vector<double> norms;
  for (const RawModes& modes : contents.modes) {
    const std::vector<double> each = shape_norms(modes);
    norms.insert(norms.end(), each.begin(), each.end());
  }
  if (norms.size() > blocks) faults.push_back("more shapes than blocks of results");
  for (const Json& result : results) {
    const auto kind = result["kind"].get<std::string>();
    if (kind.find("EIGENVECTOR") == std::string::npos &&
        kind.find("DISPLACEMENT") == std::string::npos)
      continue;
    if (!take(norms, result["fro"].get<double>(), testing::tolerance(1e-9), 1e-12))
      faults.push_back(fmt::format("no shape of norm {}", result["fro"].get<double>()));
  }
  return faults;
}

std::vector<std::string> faults_of(const std::filesystem::path& path,
                                   const Json& want,
                                   bool& checked) {
  Json matrices = Json::array();
  if (want.contains("matrices") && want["matrices"].is_array())
    matrices = want["matrices"];
  else if (want.contains("dmig"))
    matrices = want["dmig"];
  else if (want.contains("fro") && want.contains("rows"))
    matrices = Json::array({want});
  Json kept = Json::array();
  for (const Json& matrix : matrices)
    if (matrix.is_object() && matrix.contains("rows")) kept.push_back(matrix);
  std::int64_t grids = -1;
  if (want.contains("nodes") && want["nodes"].is_number_integer())
    grids = want["nodes"].get<std::int64_t>();
  else if (want.contains("grids") && want["grids"].is_object() && want["grids"].contains("n"))
    grids = want["grids"]["n"].get<std::int64_t>();
  Json shapes = Json::array();
  for (const char* key : {"eigenvectors", "displacements"})
    if (want.contains(key) && want[key].is_array())
      for (Json table : want[key]) {
        if (table.is_object()) table["is_mode"] = std::string(key) == "eigenvectors";
        shapes.push_back(table);
      }
  const char* eigenvalues = "eigenvalues_mode_lambda_hz_genmass";
  checked = !kept.empty() || grids >= 0 || !shapes.empty() || want.contains(eigenvalues) ||
            want.contains("results");
  if (!checked) return {};
  try {
    Diagnostics diagnostics;
    const FileContents contents = read_contents(path, {}, diagnostics);
    std::vector<std::string> faults = matrix_faults(kept, contents);
    const auto add = [&](std::vector<std::string> more) {
      faults.insert(faults.end(), more.begin(), more.end());
    };
    if (grids >= 0) add(grid_faults(want, grids, contents));
    add(shape_faults(shapes, contents));
    if (want.contains(eigenvalues)) add(eigenvalue_faults(want[eigenvalues], contents));
    if (want.contains("results"))
      add(punch_faults(want["results"], want["result_blocks"].get<std::size_t>(), contents));
    return faults;
  } catch (const Error& error) {
    return {std::string(error.kind()) + ": " + error.what()};
  }
}

// Truth: contents verified by independent readers, in expected.json next to the files.
TEST(SharedFiles, EveryFileAgreesWithItsVerifiedContents) {
  const std::filesystem::path shared = testing::shared_folder();
  if (shared.empty()) GTEST_SKIP() << "the folder ../shared with real files is not there";
  const std::filesystem::path root = shared / "data" / "nastran";
  std::ifstream stream(root / "expected.json");
  ASSERT_TRUE(stream) << "expected.json is not there";
  const Json expected = Json::parse(stream);
  int right = 0;
  for (const auto& [name, want] : expected.items()) {
    const std::string ending = std::filesystem::path(name).extension();
    if ((ending == ".inp" || ending == ".txt" || ending == ".mapping") && !want.contains("rows"))
      continue;
    if (!std::filesystem::exists(root / name)) continue;
    bool checked = false;
    const std::vector<std::string> faults = faults_of(root / name, want, checked);
    right += checked && faults.empty() ? 1 : 0;
    if (!faults.empty())
      ADD_FAILURE() << fmt::format(
          "{}: {}",
          name,
          fmt::join(
              faults.begin(),
              faults.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(faults.size(), 3)),
              "; "));
  }
  EXPECT_GT(right, 100);
}

}  // namespace
}  // namespace femflex::importer
