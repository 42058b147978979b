// How fast FE files are read, page cache warm. Binary files against the same bytes read plainly
// into fresh memory (wall time); text files in MB a second of processor time.
//
// The number does not tell: how fast a disk is, nor what import_model() costs afterwards.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "femflex/importer/op4_writer.h"
#include "femflex/importer/read_contents.h"

namespace {

using femflex::importer::FileContents;
using femflex::importer::Op4Format;
using femflex::importer::RawMatrix;

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Cost {
  double wall = 1e300;
  double processor = 1e300;
};

/// The cheapest of five runs.
Cost cost_of(const std::function<void()>& work) {
  Cost best;
  for (int run = 0; run < 5; ++run) {
    const double before = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    best.wall = std::min(best.wall, wall.count());
    best.processor = std::min(best.processor, processor_seconds() - before);
  }
  return best;
}

void read_plainly(const std::filesystem::path& path) {
  const std::size_t size = std::filesystem::file_size(path);
  const std::unique_ptr<char[]> bytes(new char[size]);  // NOLINT: memory that is not cleared
  const int file = ::open(path.c_str(), O_RDONLY);
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::read(file, bytes.get() + have, size - have);
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  ::close(file);
  if (have != size) std::abort();
}

void report(const char* what, const std::filesystem::path& path) {
  const Cost plain = cost_of([&] { read_plainly(path); });
  const Cost read = cost_of([&] {
    femflex::Diagnostics diagnostics;
    const FileContents contents = femflex::importer::read_contents(path, {}, diagnostics);
    if (contents.format.empty()) std::abort();
  });
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  std::fputs(
      fmt::format("{:28} {:7.1f} MB  {:6.3f} s  plain {:6.3f} s  ratio {:5.2f}  {:6.0f} MB/s "
                  "of processor time\n",
                  what,
                  megabytes,
                  read.wall,
                  plain.wall,
                  plain.wall / read.wall,
                  megabytes / read.processor)
          .c_str(),
      stdout);
  std::filesystem::remove(path);
}

/// A writer of OUTPUT2 keys and records, little-endian, 32 bits.
class Op2File {
 public:
  explicit Op2File(const std::filesystem::path& path) : out_(path, std::ios::binary) {}
  void record(const void* data, std::size_t bytes) {
    const auto length = static_cast<std::int32_t>(bytes);
    out_.write(reinterpret_cast<const char*>(&length), 4);  // NOLINT
    out_.write(static_cast<const char*>(data), length);
    out_.write(reinterpret_cast<const char*>(&length), 4);  // NOLINT
  }
  void keys(std::initializer_list<std::int32_t> keys) {
    for (const std::int32_t key : keys)
      record(&key, 4);
  }
  void logical(const std::vector<float>& words) {
    keys({level_--, 1, 0, static_cast<std::int32_t>(words.size())});
    record(words.data(), 4 * words.size());
  }
  void end() { keys({level_, 1, 0, 0}); }

 private:
  std::ofstream out_;
  std::int32_t level_ = -3;
};

float as_float(std::int32_t word) {
  float value = 0.0F;
  std::memcpy(&value, &word, 4);
  return value;
}

void write_op2(const std::filesystem::path& path, std::int32_t points, std::int32_t modes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  Op2File file(path);
  const std::array<std::int32_t, 7> trailer{101, 0, 8, 0, 0, 0, 0};
  file.keys({2});
  file.record("OUGV1   ", 8);
  file.keys({-1, 7});
  file.record(trailer.data(), sizeof trailer);
  file.keys({-2, 1, 0, 2});
  file.record("OUGV1   ", 8);
  std::vector<float> data;
  for (std::int32_t p = 1; p <= points; ++p) {
    data.push_back(as_float(10 * p + 1));
    data.push_back(as_float(1));
    for (int c = 0; c < 6; ++c)
      data.push_back(uniform(random));
  }
  for (std::int32_t m = 1; m <= modes; ++m) {
    std::vector<float> ident(146, 0.0F);
    const std::array<std::int32_t, 5> head{21, 7, 0, 1, m};
    for (std::size_t i = 0; i < head.size(); ++i)
      ident[i] = as_float(head[i]);
    ident[5] = static_cast<float>(m);
    ident[8] = as_float(1);
    ident[9] = as_float(8);
    file.logical(ident);
    file.logical(data);
  }
  file.end();
  file.keys({0});
}

RawMatrix dense_matrix(std::int64_t rows, std::int64_t cols) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  RawMatrix matrix;
  matrix.name = "PHIG";
  matrix.rows = rows;
  matrix.cols = cols;
  matrix.is_dense = true;
  matrix.values.resize(static_cast<std::size_t>(rows * cols));
  for (double& value : matrix.values)
    value = uniform(random);
  return matrix;
}

/// A band of 30 entries a column around the diagonal.
RawMatrix band_matrix(std::int32_t size) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1e9, 1e9);
  RawMatrix matrix;
  matrix.name = "KGG";
  matrix.rows = matrix.cols = size;
  matrix.form = "square";
  for (std::int32_t col = 0; col < size; ++col) {
    matrix.col.push_back(col);
    matrix.col_start.push_back(static_cast<std::int64_t>(matrix.row.size()));
    for (std::int32_t row = std::max(0, col - 45); row < std::min(size, col + 46); row += 3) {
      matrix.row.push_back(row);
      matrix.values.push_back(uniform(random));
    }
  }
  matrix.col_start.push_back(static_cast<std::int64_t>(matrix.row.size()));
  return matrix;
}

void write_lines(const std::filesystem::path& path,
                 std::int64_t count,
                 const std::string& head,
                 const std::function<void(std::string&, std::int64_t)>& line) {
  std::ofstream out(path, std::ios::binary);
  std::string text = head;
  for (std::int64_t i = 1; i <= count; ++i) {
    line(text, i);
    if (text.size() > (1U << 20U)) {
      out << text;
      text.clear();
    }
  }
  out << text;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("femflex-read-speed-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const std::int64_t scale = argc > 1 ? std::max(1, std::atoi(argv[1])) : 10;

  write_op2(folder / "shapes.op2", 200000, static_cast<std::int32_t>(4 * scale));
  report("OP2 eigenvectors", folder / "shapes.op2");

  const std::vector<RawMatrix> dense{dense_matrix(600000, 5 * scale)};
  femflex::importer::write_op4(dense, {Op4Format::Layout::dense}, folder / "dense.op4");
  report("OP4 dense binary", folder / "dense.op4");
  const std::vector<RawMatrix> band{band_matrix(static_cast<std::int32_t>(40000 * scale))};
  femflex::importer::write_op4(band, {Op4Format::Layout::bigmat}, folder / "sparse.op4");
  report("OP4 sparse binary", folder / "sparse.op4");
  const std::vector<RawMatrix> text{dense_matrix(60000, 4 * scale)};
  femflex::importer::write_op4(text, {Op4Format::Layout::dense, true}, folder / "ascii.op4");
  report("OP4 ASCII", folder / "ascii.op4");

  const auto value = [](std::int64_t i) { return std::sin(static_cast<double>(i)); };
  write_lines(
      folder / "shapes.pch",
      60000 * scale,
      "$TITLE   =\n$SUBTITLE=\n$LABEL   =\n$EIGENVECTOR\n$REAL OUTPUT\n$SUBCASE ID =           "
      "1\n$EIGENVALUE =  1.0000000E+00  MODE =     1\n",
      [&](std::string& out, std::int64_t i) {
        fmt::format_to(std::back_inserter(out),
                       "{:10}       G{:18.6E}{:18.6E}{:18.6E}{:8}\n-CONT-            "
                       "{:18.6E}{:18.6E}{:18.6E}{:8}\n",
                       i,
                       value(i),
                       value(2 * i),
                       value(3 * i),
                       (2 * i) % 100000000,
                       value(4 * i),
                       value(5 * i),
                       value(6 * i),
                       (2 * i + 1) % 100000000);
      });
  report("punch eigenvector", folder / "shapes.pch");
  write_lines(
      folder / "model.bdf", 100000 * scale, "BEGIN BULK\n", [&](std::string& out, std::int64_t i) {
        fmt::format_to(std::back_inserter(out),
                       "GRID    {:8}        {:8.5f}{:8.5f}{:8.5f}\n",
                       i,
                       value(i),
                       value(2 * i),
                       value(3 * i));
      });
  report("bulk data", folder / "model.bdf");
  write_lines(folder / "job.sti", 300000 * scale, "", [&](std::string& out, std::int64_t i) {
    fmt::format_to(std::back_inserter(out),
                   "{} {} {: .13e}\n",
                   std::max<std::int64_t>(1, i / 30),
                   i / 30 + 1,
                   1e9 * value(i));
  });
  report("CalculiX matrix", folder / "job.sti");
  std::filesystem::remove_all(folder);
}
