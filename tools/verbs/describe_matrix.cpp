// Sums up the entries of a matrix, each stored one of a symmetric matrix for both of its places.
#include "verbs/describe_matrix.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include <fmt/format.h>

#include "femflex/importer/statistics.h"

namespace femflex::tools {
namespace {

/// A number, or [real, imaginary].
Json number_or_pair(const std::complex<double>& value, bool is_complex) {
  if (!is_complex) return value.real();
  return std::vector<double>{value.real(), value.imag()};
}

/// The requested entries that a matrix has; warns of the others.
std::vector<Sample> samples_within(const std::vector<Sample>& samples,
                                   const std::string& name,
                                   std::int64_t rows,
                                   std::int64_t cols,
                                   Diagnostics& diagnostics) {
  std::vector<Sample> out;
  for (const Sample& each : samples) {
    if (each.row >= 1 && each.row <= rows && each.col >= 1 && each.col <= cols)
      out.push_back(each);
    else
      diagnostics.warn("no-entry",
                       fmt::format("--samples: {} is {} x {} and has no entry {},{}",
                                   name,
                                   rows,
                                   cols,
                                   each.row,
                                   each.col));
  }
  return out;
}

}  // namespace

Json matrix_json(const importer::RawMatrix& matrix,
                 const std::vector<Sample>& samples,
                 Diagnostics& diagnostics) {
  const importer::MatrixStatistics figures = importer::statistics_of(matrix);
  Json out = Json::object();
  out["name"] = matrix.name;
  out["rows"] = matrix.rows;
  out["cols"] = matrix.cols;
  out["nnz"] = figures.nonzeros;
  out["type"] = matrix.is_complex ? "complex" : "real";
  out["precision"] = matrix.is_single ? "single" : "double";
  out["form"] = importer::text_of(matrix.form);
  out["layout"] = importer::text_of(matrix.layout);
  out["frobenius"] = figures.frobenius;
  out["sum"] = number_or_pair(figures.sum, matrix.is_complex);
  Json shown = Json::list();
  for (const Sample& sample :
       samples_within(samples, matrix.name, matrix.rows, matrix.cols, diagnostics)) {
    Json entry = Json::list();
    entry.push_back(sample.row);
    entry.push_back(sample.col);
    entry.push_back(number_or_pair(importer::entry_of(matrix, sample.row - 1, sample.col - 1),
                                   matrix.is_complex));
    shown.push_back(std::move(entry));
  }
  out["samples"] = std::move(shown);
  return out;
}

Json sparse_json(const std::string& name,
                 const SparseMatrix& lower,
                 const std::vector<Sample>& samples,
                 Diagnostics& diagnostics) {
  double squares = 0.0;
  double sum = 0.0;
  std::int64_t nonzeros = 0;
  for (int col = 0; col < lower.outerSize(); ++col) {
    for (SparseMatrix::InnerIterator entry(lower, col); entry; ++entry) {
      const double copies = entry.row() == entry.col() ? 1.0 : 2.0;
      squares += copies * entry.value() * entry.value();
      sum += copies * entry.value();
      nonzeros += static_cast<std::int64_t>(copies);
    }
  }
  Json out = Json::object();
  out["name"] = name;
  out["rows"] = lower.rows();
  out["cols"] = lower.cols();
  out["nnz"] = nonzeros;
  out["type"] = "real";
  out["precision"] = "double";
  out["form"] = "symmetric";
  out["layout"] = "sparse";
  out["frobenius"] = std::sqrt(squares);
  out["sum"] = sum;
  Json shown = Json::list();
  for (const Sample& sample :
       samples_within(samples, name, lower.rows(), lower.cols(), diagnostics)) {
    const auto row = static_cast<int>(std::max(sample.row, sample.col) - 1);
    const auto col = static_cast<int>(std::min(sample.row, sample.col) - 1);
    Json entry = Json::list();
    entry.push_back(sample.row);
    entry.push_back(sample.col);
    entry.push_back(lower.coeff(row, col));
    shown.push_back(std::move(entry));
  }
  out["samples"] = std::move(shown);
  return out;
}

}  // namespace femflex::tools
