// Measures how fast files are read, compared with a plain read of the same file into fresh memory
// in the same process (with a warm page cache). Prints the ratio of wall times for binary formats,
// and megabytes per second of processor time for text formats. Peak memory is measured in a
// separate process, without the size of the result.
//
//   bench_importer [megabytes of each file, 200] [part of the names of the formats]
//
// Not measured: disks. Files are written to the temporary folder and removed afterwards.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "femflex/importer/op4_writer.h"
#include "femflex/importer/read_contents.h"

namespace {

namespace fs = std::filesystem;
using femflex::importer::FileContents;
using femflex::importer::Op4Format;
using femflex::importer::RawMatrix;
using femflex::importer::write_op4;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Wall seconds to read the file into fresh memory, as it comes or in large pages.
double plain_read(const fs::path& path, bool in_large_pages = false) {
  const auto size = static_cast<std::size_t>(fs::file_size(path));
  const auto start = Clock::now();
  constexpr std::size_t kLargePage = std::size_t{1} << 21U;
  const std::unique_ptr<char[], void (*)(char*)> memory(
      in_large_pages
          ? static_cast<char*>(std::aligned_alloc(kLargePage, (size / kLargePage + 1) * kLargePage))
          : static_cast<char*>(std::malloc(size)),
      [](char* p) { std::free(p); });
  if (in_large_pages) ::madvise(memory.get(), size, MADV_HUGEPAGE);
  const int file = ::open(path.c_str(), O_RDONLY);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(file, memory.get() + done, size - done);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  ::close(file);
  return seconds_since(start);
}

std::size_t bytes_of(const FileContents& contents) {
  std::size_t bytes = 0;
  for (const RawMatrix& m : contents.matrices)
    bytes += m.values.size() * 8 + m.row.size() * 4 + m.col.size() * 4 + m.col_start.size() * 8 +
             (m.row_dofs.size() + m.col_dofs.size()) * sizeof(femflex::Dof);
  for (const auto& modes : contents.modes)
    bytes += static_cast<std::size_t>(modes.shapes.size() + modes.imaginary.size()) * 8 +
             modes.points.size() * 9;
  bytes += contents.grids.size() * sizeof(contents.grids[0]);
  for (const auto& stress : contents.stresses)
    bytes += static_cast<std::size_t>(stress.values.size()) * 8 +
             stress.places.size() * sizeof(stress.places[0]);
  for (const auto& block : contents.elements)
    bytes += (block.ids.size() + block.connectivity.size()) * 8;
  return bytes;
}

/// Measures one read in a separate process.
void measure(const char* name, const fs::path& path, bool is_text) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child != 0) {
    ::waitpid(child, nullptr, 0);
    return;
  }
  plain_read(path);  // warms the page cache
  const double mega = static_cast<double>(fs::file_size(path)) / 1e6;
  double plain = 1e99;
  double plain_large = 1e99;
  double wall = 1e99;
  double cpu = 1e99;
  std::size_t result = 0;
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  for (int round = 0; round < 5; ++round) {
    plain = std::min(plain, plain_read(path));
    plain_large = std::min(plain_large, plain_read(path, true));
    const double cpu_start = cpu_seconds();
    const auto start = Clock::now();
    femflex::Diagnostics diagnostics;
    const FileContents contents = femflex::importer::read_contents(path, {}, diagnostics);
    wall = std::min(wall, seconds_since(start));
    cpu = std::min(cpu, cpu_seconds() - cpu_start);
    result = bytes_of(contents);
  }
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  fmt::print("{:34} {:7.0f} MB  plain {:6.3f} s  read {:6.3f} s", name, mega, plain, wall);
  if (is_text)
    fmt::print("  {:6.0f} MB/s of processor time", mega / cpu);
  else
    fmt::print("  ratio {:.2f} ({:.2f} to a plain read into large pages)",
               plain / wall,
               plain_large / wall);
  fmt::print("  peak {:6.0f} MB, result {:6.0f} MB\n",
             static_cast<double>(after.ru_maxrss) / 1024.0,
             static_cast<double>(result) / 1048576.0);
  std::fflush(stdout);
  ::_exit(0);
}

double noise(std::size_t k) {
  return std::sin(static_cast<double>(k) * 12.9898) * 1e5;
}

RawMatrix dense(std::int64_t rows, std::int64_t cols) {
  RawMatrix m;
  m.name = "PHI";
  m.rows = rows;
  m.cols = cols;
  m.is_dense = true;
  m.values.resize(static_cast<std::size_t>(rows * cols));
  for (std::size_t k = 0; k < m.values.size(); ++k)
    m.values[k] = noise(k) + 1e6;
  return m;
}

/// A matrix with the pattern of a stiffness matrix: 13 runs of 6 consecutive values per column.
RawMatrix sparse(std::int64_t cols) {
  RawMatrix m;
  m.name = "KGG";
  m.rows = cols;
  m.cols = cols;
  for (std::int64_t col = 0; col < cols; ++col) {
    m.col.push_back(static_cast<std::int32_t>(col));
    m.col_start.push_back(static_cast<std::int64_t>(m.row.size()));
    for (std::int64_t block = -6; block <= 6; ++block)
      for (std::int64_t k = 0; k < 6; ++k) {
        const std::int64_t row = col - col % 6 + block * 60 + k;
        if (row < 0 || row >= cols) continue;
        m.row.push_back(static_cast<std::int32_t>(row));
        m.values.push_back(noise(m.row.size()) + 2e6);
      }
  }
  m.col_start.push_back(static_cast<std::int64_t>(m.row.size()));
  return m;
}

void write_lines(const fs::path& path,
                 double megabytes,
                 const std::string& head,
                 const std::function<std::string(std::size_t)>& piece) {
  std::ofstream out(path, std::ios::binary);
  out << head;
  double written = 0.0;
  for (std::size_t k = 1; written < megabytes * 1e6; ++k) {
    const std::string text = piece(k);
    out << text;
    written += static_cast<double>(text.size());
  }
}

void record(std::ofstream& out, const std::string& payload) {
  const auto n = static_cast<std::int32_t>(payload.size());
  out.write(reinterpret_cast<const char*>(&n), 4);
  out << payload;
  out.write(reinterpret_cast<const char*>(&n), 4);
}

template <typename T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void key(std::ofstream& out, std::int32_t value) {
  std::string payload;
  put(payload, value);
  record(out, payload);
}

/// Writes an OP2 file with table OUGV1: `modes` shapes at `points` grids, little-endian, 32-bit,
/// without file header.
void write_op2(const fs::path& path, std::int32_t points, std::int32_t modes) {
  std::ofstream out(path, std::ios::binary);
  key(out, 2);
  record(out, "OUGV1   ");
  key(out, -1);
  key(out, 7);
  record(out, std::string(28, '\1'));
  key(out, -2);
  key(out, 1);
  key(out, 0);
  key(out, 2);
  record(out, "OUG1    ");
  std::int32_t subtable = -3;
  for (std::int32_t mode = 1; mode <= modes; ++mode) {
    std::string ident(146 * 4, ' ');
    const auto set = [&](std::size_t word, auto value) {
      std::memcpy(ident.data() + (word - 1) * 4, &value, 4);
    };
    for (std::size_t word = 1; word <= 50; ++word)
      set(word, std::int32_t{0});
    set(1, std::int32_t{21});
    set(2, std::int32_t{7});
    set(4, std::int32_t{1});
    set(5, mode);
    set(6, static_cast<float>(mode * mode));
    set(9, std::int32_t{1});
    set(10, std::int32_t{8});
    for (const bool data : {false, true}) {
      key(out, subtable--);
      key(out, 1);
      key(out, 0);
      if (!data) {
        key(out, 146);
        record(out, ident);
        continue;
      }
      std::string payload;
      payload.reserve(static_cast<std::size_t>(points) * 32);
      for (std::int32_t id = 1; id <= points; ++id) {
        put(payload, id * 10 + 1);
        put(payload, std::int32_t{1});
        for (int c = 0; c < 6; ++c)
          put(payload, static_cast<float>(id + c) * 1e-3F);
      }
      key(out, points * 8);
      record(out, payload);
    }
  }
  key(out, subtable);
  key(out, 1);
  key(out, 0);
  key(out, 0);
  key(out, 0);
}

/// Writes a binary `.frd` file of CalculiX: `modes` displacement fields at `points` nodes, with or
/// without the stresses.
void write_frd(const fs::path& path, std::int32_t points, std::int32_t modes, bool with_stresses) {
  std::ofstream out(path, std::ios::binary);
  out << "    1C\n    1UPGM               CalculiX\n"
      << fmt::format("    2C{:18}{:12}{:37}{:1}\n", "", points, "", 2);
  std::string payload;
  for (std::int32_t id = 1; id <= points; ++id) {
    put(payload, id);
    for (int c = 0; c < 3; ++c)
      put(payload, static_cast<float>(id + c));
  }
  out << payload;
  for (std::int32_t mode = 1; mode <= modes; ++mode)
    for (const bool is_stress : {false, true}) {
      if (is_stress && !with_stresses) continue;
      const int components = is_stress ? 6 : 3;
      out << fmt::format("  100CL{:>5}{:12.5f}{:12}{:20}{:2}{:5}{:10}{:2}\n",
                         100 + mode,
                         static_cast<double>(mode),
                         points,
                         "",
                         2,
                         mode,
                         "MODAL",
                         2)
          << fmt::format(
                 " -4  {:8}{:5}{:5}\n", is_stress ? "STRESS" : "DISP", components + !is_stress, 1);
      for (int c = 1; c <= components; ++c)
        out << fmt::format(" -5  C{:<7}{:5}{:5}{:5}{:5}\n", c, 1, 2, c, 0);
      if (!is_stress) out << fmt::format(" -5  ALL     {:5}{:5}{:5}{:5}{:5}ALL\n", 1, 2, 0, 0, 1);
      payload.clear();
      for (std::int32_t id = 1; id <= points; ++id) {
        put(payload, id);
        for (int c = 0; c < components; ++c)
          put(payload, static_cast<float>(noise(static_cast<std::size_t>(id + c))));
      }
      out << payload;
    }
  out << " 9999\n";
}

constexpr std::uint32_t kAnsysIntegers = 0x80000000U;

/// Writes a record of an ANSYS binary file.
template <typename T>
void ansys_record(std::ofstream& out, std::uint32_t flags, const std::vector<T>& items) {
  const auto words = static_cast<std::int32_t>(items.size() * sizeof(T) / 4);
  std::string text;
  put(text, words);
  put(text, flags);
  text.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
  put(text, words);
  out << text;
}

std::int32_t ansys_word(std::ofstream& out) {
  return static_cast<std::int32_t>(out.tellp() / 4);
}

/// Writes the first record, which tells the kind of the file.
void ansys_head(std::ofstream& out, std::int32_t kind) {
  std::vector<std::int32_t> head(100, 0);
  head[0] = kind;
  ansys_record(out, kAnsysIntegers, head);
}

/// Writes a `.full` file: K with `band` entries below the diagonal of each column.
void write_ansys_full(const fs::path& path, std::int32_t nodes, std::int32_t band) {
  std::ofstream out(path, std::ios::binary);
  const std::int32_t equations = 3 * nodes;
  ansys_head(out, 4);
  std::vector<std::int32_t> full(160, 0);
  full[0] = -4;
  full[1] = equations;
  full[7] = 3;
  full[32] = nodes;
  const auto header = out.tellp();
  ansys_record(out, kAnsysIntegers, full);
  std::vector<std::int32_t> list{1, 2, 3};
  ansys_record(out, kAnsysIntegers, list);
  list.resize(static_cast<std::size_t>(nodes));
  for (std::int32_t k = 0; k < nodes; ++k)
    list[static_cast<std::size_t>(k)] = k + 1;
  ansys_record(out, kAnsysIntegers, list);
  full[18] = ansys_word(out);
  std::vector<std::int32_t> rows;
  std::vector<double> values;
  std::int64_t terms = 0;
  for (std::int32_t col = 1; col <= equations; ++col) {
    rows.clear();
    for (std::int32_t row = col + 1; row <= std::min(col + band, equations); ++row)
      rows.push_back(row);
    rows.push_back(col);
    values.assign(rows.size(), noise(static_cast<std::size_t>(col)) + 2e6);
    terms += static_cast<std::int64_t>(rows.size());
    ansys_record(out, kAnsysIntegers, rows);
    ansys_record(out, 0, values);
  }
  full[8] = static_cast<std::int32_t>(terms);
  full[35] = ansys_word(out);
  list.assign(static_cast<std::size_t>(nodes), 3);
  ansys_record(out, kAnsysIntegers, list);
  list.clear();
  for (std::int32_t k = 0; k < equations; ++k)
    list.push_back(k % 3 + 1);
  ansys_record(out, kAnsysIntegers, list);
  out.seekp(header);
  ansys_record(out, kAnsysIntegers, full);
}

/// Writes a `.sub` file: one full matrix of one row per DOF of `nodes` nodes.
void write_ansys_superelement(const fs::path& path, std::int32_t nodes) {
  std::ofstream out(path, std::ios::binary);
  const std::int32_t rows = 3 * nodes;
  ansys_head(out, 8);
  std::vector<std::int32_t> sub(130, 0);
  sub[0] = 8;
  sub[1] = rows;
  sub[4] = 3;
  sub[5] = sub[7] = sub[8] = nodes;
  sub[10] = 1;
  const auto header = out.tellp();
  ansys_record(out, kAnsysIntegers, sub);
  sub[30] = ansys_word(out);
  ansys_record(out, kAnsysIntegers, std::vector<std::int32_t>{1, 2, 3});
  sub[31] = ansys_word(out);
  std::vector<std::int32_t> list;
  for (std::int32_t k = 1; k <= rows; ++k)
    list.push_back(k);
  ansys_record(out, kAnsysIntegers, list);
  list.resize(static_cast<std::size_t>(nodes));
  sub[32] = sub[34] = ansys_word(out);
  ansys_record(out, kAnsysIntegers, list);
  sub[35] = ansys_word(out);
  for (std::int32_t k = 0; k < nodes; ++k)
    ansys_record(out, 0, std::vector<double>{static_cast<double>(k), 1.0, 2.0, 0.0, 0.0, 0.0});
  sub[21] = ansys_word(out);
  std::vector<double> row(static_cast<std::size_t>(rows));
  for (std::int32_t i = 0; i < rows; ++i) {
    for (std::int32_t j = 0; j < rows; ++j)
      row[static_cast<std::size_t>(j)] = noise(static_cast<std::size_t>(i + j));
    ansys_record(out, 0, row);
  }
  out.seekp(header);
  ansys_record(out, kAnsysIntegers, sub);
}

/// Writes a `.rst` file with nodes and modes, but without elements.
void write_ansys_result(const fs::path& path, std::int32_t nodes, std::int32_t modes) {
  std::ofstream out(path, std::ios::binary);
  ansys_head(out, 12);
  std::vector<std::int32_t> result(80, 0);
  result[3] = modes;
  result[7] = 2;
  result[8] = modes;
  const auto header = out.tellp();
  ansys_record(out, kAnsysIntegers, result);
  std::vector<std::int32_t> list;
  for (std::int32_t k = 1; k <= nodes; ++k)
    list.push_back(k);
  result[14] = ansys_word(out);
  ansys_record(out, kAnsysIntegers, list);
  result[11] = ansys_word(out);
  ansys_record(out, 0, std::vector<double>(static_cast<std::size_t>(modes), 1.0));
  result[15] = ansys_word(out);
  std::vector<std::int32_t> geometry(80, 0);
  geometry[3] = nodes;
  geometry[26] = ansys_word(out) + 83;
  ansys_record(out, kAnsysIntegers, geometry);
  for (std::int32_t k = 1; k <= nodes; ++k)
    ansys_record(out, 0, std::vector<double>{static_cast<double>(k), 1.0, 2.0, 3.0, 0.0, 0.0, 0.0});
  std::vector<std::int32_t> sets(2 * static_cast<std::size_t>(modes), 0);
  std::vector<double> shape(3 * static_cast<std::size_t>(nodes));
  for (std::size_t k = 0; k < shape.size(); ++k)
    shape[k] = noise(k);
  for (std::int32_t mode = 0; mode < modes; ++mode) {
    sets[static_cast<std::size_t>(mode)] = ansys_word(out);
    std::vector<std::int32_t> set(200, 0);
    set[2] = nodes;
    set[19] = 3;
    set[20] = 1;
    set[21] = 2;
    set[22] = 3;
    set[104] = 203;
    ansys_record(out, kAnsysIntegers, set);
    ansys_record(out, 0, shape);
  }
  result[10] = ansys_word(out);
  ansys_record(out, kAnsysIntegers, sets);
  out.seekp(header);
  ansys_record(out, kAnsysIntegers, result);
}

std::string ansys_deck_piece(std::size_t k) {
  return fmt::format("{:9d}{:9d}{:9d}{:21.13E}{:21.13E}{:21.13E}\n", k, 0, 0, noise(k), 1.0, -2.5);
}

std::string universal_piece(std::size_t k) {
  return fmt::format("{:10d}\n{:13.5E}{:13.5E}{:13.5E}{:13.5E}{:13.5E}{:13.5E}\n",
                     k,
                     noise(k),
                     1.0,
                     2.0,
                     0.0,
                     0.5,
                     -1.0);
}

std::string punch_head(std::size_t mode) {
  return fmt::format(
      "$TITLE   = BENCH\n$SUBTITLE=\n$LABEL   =\n$EIGENVECTOR\n$REAL OUTPUT\n$SUBCASE ID =         "
      "  1\n"
      "$EIGENVALUE = {:14.7E}  MODE = {:5d}\n",
      static_cast<double>(mode),
      mode);
}

}  // namespace

int main(int argc, char** argv) {
  const double mega = argc > 1 ? std::stod(argv[1]) : 200.0;
  const std::string wanted = argc > 2 ? argv[2] : "";
  const fs::path folder = fs::temp_directory_path() / fmt::format("femflex-bench-{}", ::getpid());
  fs::create_directory(folder);
  const auto run =
      [&](const char* name, bool is_text, const std::function<void(const fs::path&)>& write) {
        if (std::string(name).find(wanted) == std::string::npos) return;
        const fs::path path = folder / "file";
        write(path);
        measure(name, path, is_text);
        fs::remove(path);
      };
  const auto columns = static_cast<std::int64_t>(mega * 1e6 / 8e5);
  run("OP4 binary dense", false, [&](const fs::path& path) {
    const RawMatrix m = dense(100'000, columns);
    write_op4({&m, 1}, {Op4Format::Layout::dense, false, false, 4}, path);
  });
  run("OP4 binary sparse (BIGMAT)", false, [&](const fs::path& path) {
    const RawMatrix m = sparse(static_cast<std::int64_t>(mega * 1e6 / (78 * 8 + 13 * 8)));
    write_op4({&m, 1}, {Op4Format::Layout::bigmat, false, false, 4}, path);
  });
  run("OP4 ASCII dense", true, [&](const fs::path& path) {
    const RawMatrix m = dense(100'000, columns / 3);
    write_op4({&m, 1}, {Op4Format::Layout::dense, true, false, 4}, path);
  });
  run("OP4 ASCII sparse", true, [&](const fs::path& path) {
    const RawMatrix m = sparse(static_cast<std::int64_t>(mega * 1e6 / (78 * 23 + 13 * 17)));
    write_op4({&m, 1}, {Op4Format::Layout::bigmat, true, false, 4}, path);
  });
  run("OP2 eigenvectors", false, [&](const fs::path& path) {
    write_op2(path, 100'000, static_cast<std::int32_t>(mega * 1e6 / 3.2e6));
  });
  run("punch eigenvectors", true, [&](const fs::path& path) {
    write_lines(path, mega, "", [](std::size_t k) {
      std::string text = k % 100'000 == 1 ? punch_head(k / 100'000 + 1) : "";
      text += fmt::format("{:10d}       G{:18.6E}{:18.6E}{:18.6E}{:8d}\n",
                          (k - 1) % 100'000 + 1,
                          noise(k),
                          0.0,
                          -1.5,
                          2 * k % 99999999);
      text += fmt::format("-CONT-            {:18.6E}{:18.6E}{:18.6E}{:8d}\n",
                          1e-3,
                          noise(k + 1),
                          0.0,
                          2 * k % 99999999 + 1);
      return text;
    });
  });
  run("punch DMIG", true, [&](const fs::path& path) {
    write_lines(path,
                mega,
                "DMIG    KAAX           0       6       2       0                       0\n",
                [](std::size_t k) {
                  std::string text = fmt::format("DMIG*   KAAX            {:16d}{:16d}\n", k, 1);
                  for (std::size_t row = k; row < k + 50; ++row)
                    text += fmt::format("*       {:16d}{:16d}{:16.9E}\n", row, 1, noise(row));
                  return text;
                });
  });
  run("bulk data", true, [&](const fs::path& path) {
    write_lines(path, mega, "BEGIN BULK\n", [](std::size_t k) {
      std::string text = fmt::format("GRID    {:8d}        {:8.3f}{:8.3f}{:8.3f}\n",
                                     k,
                                     static_cast<double>(k % 1000),
                                     0.25,
                                     -1.5);
      text += fmt::format("CQUAD4  {:8d}       1{:8d}{:8d}{:8d}{:8d}\n", k, k, k + 1, k + 2, k + 3);
      if (k % 4 == 0)
        text += fmt::format("GRID*   {:16d}                {:16.9E}{:16.9E}\n*       {:16.9E}\n",
                            k + 50'000'000,
                            noise(k),
                            1.0,
                            2.0);
      return text;
    });
  });
  const auto megabytes = static_cast<std::int32_t>(mega);
  run("ANSYS .full", false, [&](const fs::path& path) {
    constexpr std::int32_t kBand = 40;
    write_ansys_full(path, megabytes * 1'000'000 / (3 * (24 + 12 * (kBand + 1))), kBand);
  });
  run("ANSYS .sub", false, [&](const fs::path& path) {
    write_ansys_superelement(path, static_cast<std::int32_t>(std::sqrt(mega * 1e6 / 8.0) / 3.0));
  });
  run("CalculiX .frd, binary", false, [&](const fs::path& path) {
    write_frd(path, 100'000, std::max(1, megabytes * 1'000'000 / 1'600'000), false);
  });
  run("CalculiX .frd, binary, stresses", false, [&](const fs::path& path) {
    write_frd(path, 100'000, std::max(1, megabytes * 1'000'000 / 4'400'000), true);
  });
  run("ANSYS .rst", false, [&](const fs::path& path) {
    write_ansys_result(path, 100'000, std::max(1, megabytes * 1'000'000 / 2'400'000));
  });
  run("ANSYS .cdb", true, [&](const fs::path& path) {
    write_lines(path, mega, "NBLOCK,6,SOLID,1,1\n(3i9,6e21.13e3)\n", ansys_deck_piece);
    std::ofstream(path, std::ios::app) << "N,R5.3,LOC,       -1,\n";
  });
  run("universal file, 55", true, [&](const fs::path& path) {
    write_lines(path,
                mega,
                "    -1\n    55\n1\n2\n3\n4\n5\n         1         2         3         8         2"
                "         6\n         2         4         0         1\n  1.0  1.0  0.0  0.0\n",
                universal_piece);
    std::ofstream(path, std::ios::app) << "    -1\n";
  });
  fs::remove_all(folder);
  return 0;
}
