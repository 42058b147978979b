#include "nastran/op2_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "coordinates.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

const char* form_name(std::int64_t form) {
  switch (form) {
    case 1:
      return "square";
    case 3:
      return "diagonal";
    case 4:
      return "lower-factor";
    case 5:
      return "upper-factor";
    case 6:
      return "symmetric";
    case 8:
      return "identity";
    default:
      return "rectangular";
  }
}

/// Bytes of one real number of a matrix of this type.
std::size_t real_bytes(std::int64_t type, int word) {
  return word == 8 || type == 2 || type == 4 ? 8 : 4;
}

}  // namespace

RawMatrix read_op2_matrix(const Op2Records::Table& table,
                          Op2Records& records,
                          InputFile& file,
                          Progress& progress) {
  const auto fail = [&](std::string what) {
    throw ParseError(
        "damaged",
        std::move(what),
        {file.name(), -1, -1, static_cast<std::int64_t>(records.position()), table.name});
  };
  const std::int64_t cols = table.trailer[1];
  const std::int64_t rows = table.trailer[2];
  const std::int64_t type = table.trailer[4];
  if (type < 1 || type > 4) fail(fmt::format("matrix type {} is none of 1 to 4", type));
  if (rows < 0 || cols < 0 || rows > std::numeric_limits<std::int32_t>::max() ||
      cols > std::numeric_limits<std::int32_t>::max())
    fail(fmt::format("a matrix of {} x {} cannot be", rows, cols));

  RawMatrix matrix;
  matrix.name = table.name;
  matrix.inner_name = table.inner_name == table.name ? "" : table.inner_name;
  matrix.rows = rows;
  matrix.cols = cols;
  matrix.form = form_name(table.trailer[3]);
  matrix.layout = "strings";
  matrix.is_complex = type >= 3;
  const Op2Layout layout = records.layout();
  const std::size_t number = real_bytes(type, layout.word);
  matrix.is_single = number == 4;
  const std::size_t parts = matrix.is_complex ? 2 : 1;
  // word 7: density, in hundredths of a per cent
  ColumnFiller filler(matrix, table.trailer[6] > 5000);
  std::int64_t col = 0;
  do {
    if (records.record_type() != 1) continue;
    std::string_view block;
    while (records.next_block(block)) {
      const Op2Words words(block, layout);
      if (words.size() == 0) continue;
      const std::int64_t row = words.integer(0) - 1;
      const std::string_view data = block.substr(static_cast<std::size_t>(layout.word));
      const std::size_t count = data.size() / (number * parts);
      if (data.size() % (number * parts) != 0) {
        fail(fmt::format("column {}: {} bytes hold no whole number of values of type {}",
                         col + 1,
                         data.size(),
                         type));
      }
      if (const char* fault = filler.fault(row, col, static_cast<std::int64_t>(count)))
        fail(fmt::format("column {}, row {}, {} values: {}", col + 1, row + 1, count, fault));
      double* out = filler.add(row, col, static_cast<std::int64_t>(count));
      if (number == 8) {
        for (std::size_t k = 0; k < count * parts; ++k)
          out[k] = load<double>(data.data() + 8 * k, layout.swap);
      } else {
        for (std::size_t k = 0; k < count * parts; ++k)
          out[k] = static_cast<double>(load<float>(data.data() + 4 * k, layout.swap));
      }
    }
    ++col;
    file.release_before(records.position());
    progress.step(static_cast<double>(records.position()));
  } while (records.next_record());
  filler.finish();
  return matrix;
}

bool is_op2_dmig(const Op2Words& record) {
  return record.size() >= 12 && record.integer(0) == 114 && record.integer(1) == 1 &&
         record.integer(2) == 120;
}

void read_op2_dmig(const Op2Words& record,
                   const std::string& file,
                   const Op2Records::Table& table,
                   Diagnostics& diagnostics,
                   FileContents& contents) {
  const auto fail = [&](const std::string& what) {
    throw ParseError("damaged",
                     "DMIG: " + what,
                     {file, -1, -1, static_cast<std::int64_t>(table.byte), table.name});
  };
  const Op2Layout layout = record.layout();
  std::size_t at = 3;
  while (at + 9 <= record.size()) {
    RawMatrix matrix;
    matrix.name = record.text(at, 2);
    matrix.layout = "dmig";
    const std::int64_t form = record.integer(at + 3);
    const std::int64_t type = record.integer(at + 4);
    const bool polar = record.integer(at + 6) == 1;
    if (type < 1 || type > 4) fail(fmt::format("{}: type {} is none of 1 to 4", matrix.name, type));
    at += 9;
    const bool is_complex = type >= 3;
    const std::size_t number =
        real_bytes(type, layout.word) / static_cast<std::size_t>(layout.word);
    const std::size_t step = 2 + number * (is_complex ? 2 : 1);
    const auto real_at = [&](std::size_t i) {
      return number == 2 || layout.word == 8 ? record.real64(i) : record.real(i);
    };
    struct Entry {
      Dof row, col;
      double real, imaginary;
    };
    std::vector<Entry> entries;
    const auto dof_at = [&](std::size_t i) {
      return Dof{record.integer(i),
                 static_cast<std::int8_t>(std::clamp<std::int64_t>(record.integer(i + 1), -1, 7))};
    };
    while (at + 2 <= record.size()) {
      const Dof col = dof_at(at);
      at += 2;
      if (col.node == -1) break;
      while (at + 2 <= record.size() && record.integer(at) != -1) {
        if (at + step > record.size()) fail(matrix.name + ": the last entry is cut off");
        Entry entry{dof_at(at), col, real_at(at + 2), is_complex ? real_at(at + 2 + number) : 0.0};
        if (polar && is_complex) {
          const double phase = entry.imaginary * std::numbers::pi / 180.0;
          entry.imaginary = entry.real * std::sin(phase);
          entry.real = entry.real * std::cos(phase);
        }
        entries.push_back(entry);
        at += step;
      }
      at += 2;
    }
    const bool square = form == 1 || form == 6;
    std::vector<Dof> rows;
    std::vector<Dof> cols;
    for (const Entry& entry : entries) {
      rows.push_back(entry.row);
      (square ? rows : cols).push_back(entry.col);
    }
    const auto tidy = [](std::vector<Dof>& dofs) {
      std::sort(dofs.begin(), dofs.end());
      dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
    };
    tidy(rows);
    tidy(cols);
    if (square) cols = rows;
    const auto place = [](const std::vector<Dof>& dofs, const Dof& dof) {
      return static_cast<std::int32_t>(std::lower_bound(dofs.begin(), dofs.end(), dof) -
                                       dofs.begin());
    };
    Coordinates coordinates(is_complex);
    for (const Entry& entry : entries) {
      std::int32_t row = place(rows, entry.row);
      std::int32_t col = place(cols, entry.col);
      if (form == 6 && row < col) std::swap(row, col);  // either triangle is written
      if (is_complex) {
        coordinates.add(row, col, entry.real, entry.imaginary);
      } else {
        coordinates.add(row, col, entry.real);
      }
    }
    matrix.rows = static_cast<std::int64_t>(rows.size());
    matrix.cols = static_cast<std::int64_t>(cols.size());
    matrix.form = form_name(form);
    matrix.is_single = number * static_cast<std::size_t>(layout.word) == 4;
    if (form == 6) matrix.triangle = RawMatrix::Triangle::lower;
    if (coordinates.finish(Coordinates::Duplicates::keep_first, matrix) > 0) {
      diagnostics.warn(
          "dmig-repeat",
          fmt::format("{}: entries appear twice with different values; the first count",
                      matrix.name),
          {file, -1, -1, static_cast<std::int64_t>(table.byte), table.name});
    }
    matrix.row_dofs = std::move(rows);
    matrix.col_dofs = std::move(cols);
    contents.matrices.push_back(std::move(matrix));
  }
}

}  // namespace femflex::importer
