// Tests measured histories in system files: MATLAB level 5 and 7.3, HDF5 and RPC III; their
// integration; and files that are truncated or changed. Truth: the functions that
// data/histories/make_samples.py writes.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/mat5.h"

#include "document/rpc_file.h"
#include "support/support.h"
#include "system/system_json.h"

namespace femflex::testing {
namespace {

std::string sample_path(const std::string& name) {
  return data("histories/valid/" + name).string();
}

double push_at(double t) {
  return 40.0 * std::sin(3.0 * t);
}
double acceleration_at(double t) {
  return 0.5 * std::cos(2.0 * t);
}

/// Reads a history into the x force of a system, with the warnings of the reader.
struct ReadHistory {
  mbd_solver::Value value;
  std::vector<std::string> warnings;
};

ReadHistory read_history(const std::string& history, const std::string& units = "m-kg-s") {
  const TemporaryFolder folder;
  write_text(folder / "s.json",
             R"({ "units": ")" + units + R"(", "bodies": { "b": { "point": { "mass": 1 } } },
                  "forces": { "f": { "type": "force", "on": "b", "value": [)" +
                 history + ", 0, 0] } } }");
  Diagnostics diagnostics;
  const tools::SystemDocument document =
      tools::read_system(folder / "s.json", {}, diagnostics, no_progress());
  ReadHistory out;
  out.value = std::get<mbd_solver::PointForce>(document.system.forces.at(0).law).value[0];
  for (const Warning& warning : diagnostics.warnings())
    out.warnings.push_back(warning.code);
  return out;
}

double value_at(const mbd_solver::Value& value, double t) {
  return value.at(std::array<double, 1>{t});
}

std::string refusal(const std::string& history) {
  try {
    static_cast<void>(read_history(history));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// Tolerances: a single-precision number has 24 bits; an integer of RPC has half a step of its
// scale.
TEST(Histories, EveryFormatGivesItsSamples) {
  const TemporaryFolder folder;
  const std::string h5 = (folder / "bench.h5").string();
  {
    std::vector<double> t, both;
    for (int k = 0; k <= 200; ++k) {
      t.push_back(0.01 * k);
      both.insert(both.end(), {push_at(t.back()), acceleration_at(t.back())});
    }
    io::Hdf5File file = io::Hdf5File::create(h5);
    file.write("/time", t, {201});
    file.write("/run/both", both, {201, 2});
    file.commit();
  }
  struct Case {
    std::string history;
    bool is_push;
    double allowed;
  };
  const std::string mat = R"({ "mat": ")" + sample_path("bench_v6.mat") + R"(", )";
  const std::string packed = R"({ "mat": ")" + sample_path("bench_v7.mat") + R"(", )";
  const std::string hdf5 = R"({ "hdf5": ")" + h5 + R"(", "column": "run/both", )";
  const std::string unv =
      R"({ "unv": ")" + data("universal/valid/functions.unv").string() + R"(", )";
  const std::string bytes =
      R"({ "unv": ")" + data("universal/valid/functions_binary.unv").string() + R"(", )";
  const std::vector<Case> cases = {
      {mat + R"("column": "push", "time": "t" })", true, 1e-12},
      {mat + R"("column": "single", "time": "t" })", true, 4e-6},
      {mat + R"("column": "both", "index": 2, "time": "t" })", false, 1e-12},
      {packed + R"("column": "push", "step": 0.01 })", true, 1e-12},
      {packed + R"("column": "both", "index": 1, "time": "t" })", true, 1e-12},
      {hdf5 + R"("index": 1 })", true, 1e-12},
      {hdf5 + R"("index": 2, "time": "/time" })", false, 1e-12},
      {R"({ "rpc": ")" + sample_path("bench_short.rsp") + R"(", "column": "push" })", true, 7e-4},
      {R"({ "rpc": ")" + sample_path("bench_float.rsp") + R"(", "column": 2 })", false, 1e-7},
      {unv + R"("column": "12+Z" })", true, 5.1e-5},
      {unv + R"("column": "12-X" })", false, 5.1e-6},
      {unv + R"("column": 3 })", false, 1e-12},
      {bytes + R"("column": "12+Z" })", true, 1e-12},
      {bytes + R"("column": "12-X" })", false, 1e-7}};
  for (const Case& each : cases) {
    const ReadHistory read = read_history(each.history);
    EXPECT_TRUE(read.warnings.empty()) << each.history;
    for (const double t : {0.0, 0.5, 1.27, 1.28, 2.0})
      EXPECT_NEAR(
          value_at(read.value, t), each.is_push ? push_at(t) : acceleration_at(t), each.allowed)
          << each.history << " at " << t;
  }
}

// MATLAB's level 7.3 is HDF5 after a header of 512 bytes, with the axes in reverse order.
TEST(Histories, Level73IsReadWithItsAxesReversed) {
  const TemporaryFolder folder;
  {
    std::vector<double> t(201), both(402);
    for (std::size_t k = 0; k < t.size(); ++k) {
      t[k] = 0.01 * static_cast<double>(k);
      both[k] = push_at(t[k]);
      both[201 + k] = acceleration_at(t[k]);
    }
    io::Hdf5File file = io::Hdf5File::create(folder / "plain.h5");
    file.write("/t", t, {1, 201});
    file.write("/both", both, {2, 201});
    file.commit();
  }
  std::string head = "MATLAB 7.3 MAT-file, Platform: GLNXA64";
  head.resize(512, ' ');
  write_text((folder / "run.mat").string(), head + read_text(folder / "plain.h5"));
  const ReadHistory read = read_history(R"({ "mat": ")" + (folder / "run.mat").string() +
                                        R"(", "column": "both", "index": 2, "time": "t" })");
  EXPECT_NEAR(value_at(read.value, 1.5), acceleration_at(1.5), 1e-12);
}

// Truth: 0.5 cos(2 t) integrated twice from rest is (1 - cos(2 t)) / 8.
TEST(Histories, AnAccelerationBecomesAPositionAndItsDriftIsTold) {
  const std::string start = R"({ "mat": ")" + sample_path("bench_v6.mat") +
                            R"(", "column": "both", "index": 2, "time": "t", "is": "acceleration")";
  const ReadHistory kept = read_history(start + " }");
  EXPECT_EQ(kept.warnings, std::vector<std::string>{"history-drift"});
  for (const double t : {0.5, 1.0, 2.0})
    EXPECT_NEAR(value_at(kept.value, t), (1.0 - std::cos(2.0 * t)) / 8.0, 2e-5) << t;
  const ReadHistory removed = read_history(start + R"(, "drift": "remove" })");
  EXPECT_NEAR(value_at(removed.value, 2.0), 0.0, tolerance(1e-12));
  EXPECT_NEAR((value_at(removed.value, 2.0) - value_at(removed.value, 1.99)) / 0.01, 0.0, 5e-3);
  const ReadHistory rate = read_history(R"({ "mat": ")" + sample_path("bench_v6.mat") +
                                        R"(", "column": "push", "time": "t", "is": "rate" })");
  // error of straight lines between the samples: h^2/12 |y'(1) - y'(0)| = 1e-4/12 * 120 (1 - cos 3)
  EXPECT_NEAR(value_at(rate.value, 1.0),
              40.0 / 3.0 * (1.0 - std::cos(3.0)),
              1.01e-4 / 12.0 * 120.0 * (1.0 - std::cos(3.0)));
}

/// The bytes of an RPC III file with another value of a keyword.
std::string with_value(std::string bytes, const std::string& key, std::string value) {
  constexpr std::size_t kRecord = 128, kKeyword = 32;
  value.resize(kRecord - kKeyword, '\0');
  for (std::size_t at = 0; at + kRecord <= bytes.size(); at += kRecord)
    if (bytes.compare(at, key.size() + 1, key.c_str(), key.size() + 1) == 0)
      return bytes.replace(at + kKeyword, value.size(), value);
  ADD_FAILURE() << "no " << key;
  return bytes;
}

/// The same with its samples of `width` bytes in reverse order of bytes.
std::string with_reversed_samples(std::string bytes, std::size_t header, std::size_t width) {
  for (std::size_t at = header; at + width <= bytes.size(); at += width)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + width));
  return with_value(std::move(bytes), "FORMAT", "BINARY_IEEE_BIG_END");
}

// Truth: the same samples in little-endian order.
TEST(Histories, RpcSamplesHaveTheByteOrderOfTheFormat) {
  for (const auto& [name, width] : {std::pair("bench_short.rsp", std::size_t{2}),
                                    std::pair("bench_float.rsp", std::size_t{4})}) {
    const std::string bytes = read_text(sample_path(name));
    const tools::RpcFile expected = tools::read_rpc(bytes, name);
    constexpr std::size_t header = 5 * 512;  // NUM_HEADER_BLOCKS
    const tools::RpcFile read = tools::read_rpc(with_reversed_samples(bytes, header, width), name);
    ASSERT_EQ(read.channels.size(), expected.channels.size());
    for (std::size_t c = 0; c < read.channels.size(); ++c)
      EXPECT_EQ(read.channels[c].values, expected.channels[c].values) << name << " " << c;
    const tools::RpcFile named =
        tools::read_rpc(with_value(bytes, "FORMAT", "BINARY_IEEE_LITTLE_END"), name);
    EXPECT_EQ(named.channels[0].values, expected.channels[0].values);
  }
}

TEST(Histories, RpcOfTextOrOfAnotherKindAndTwoChannelsOfOneNameAreRefused) {
  const std::string bytes = read_text(sample_path("bench_short.rsp"));
  const auto message = [](const std::string& changed) -> std::string {
    try {
      static_cast<void>(tools::read_rpc(changed, "a.rsp"));
    } catch (const Error& error) {
      return error.message();
    }
    return {};
  };
  EXPECT_NE(message(with_value(bytes, "FORMAT", "ASCII")).find("ASCII"), std::string::npos);
  EXPECT_NE(message(with_value(bytes, "FILE_TYPE", "SPECTRAL")).find("SPECTRAL"),
            std::string::npos);
  const TemporaryFolder folder;
  const std::string twice = (folder / "twice.rsp").string();
  write_text(twice, with_value(bytes, "DESC.CHAN_2", "push"));
  EXPECT_NE(refusal(R"({ "rpc": ")" + twice + R"(", "column": "push" })").find("two channels"),
            std::string::npos);
  EXPECT_EQ(refusal(R"({ "rpc": ")" + twice + R"(", "column": 2 })"), "");
}

TEST(Histories, FaultsNameWhatIsThere) {
  const std::string mat = R"({ "mat": ")" + sample_path("bench_v6.mat") + R"(", )";
  EXPECT_NE(refusal(mat + R"("column": "pusch", "time": "t" })").find("push"), std::string::npos);
  EXPECT_NE(refusal(mat + R"("column": "note", "time": "t" })").find("note"), std::string::npos);
  EXPECT_NE(refusal(mat + R"("column": "both", "time": "t" })").find("2 columns"),
            std::string::npos);
  EXPECT_NE(refusal(mat + R"("column": "push" })").find("step"), std::string::npos);
  EXPECT_NE(refusal(mat + R"("column": "push", "time": "counts" })"), "");
  EXPECT_NE(refusal(R"({ "rpc": ")" + sample_path("bench_short.rsp") + R"(", "column": 3 })"), "");
  EXPECT_NE(refusal(R"({ "csv": "a", "mat": "b", "column": "c" })").find("two files"),
            std::string::npos);
}

/// Reads changed bytes. Any exception other than an Error of femflex fails the test. Returns 1 if
/// the bytes are refused.
template <typename Read>
int refuses(const Read& read, const std::string& bytes) {
  try {
    static_cast<void>(read(bytes, "changed"));
  } catch (const Error& error) {
    EXPECT_FALSE(error.message().empty());
    return 1;
  }
  return 0;
}

// Truth: a file is read, or refused with one Error of femflex; every truncated RPC III file is
// refused.
TEST(Histories, CutAndChangedFilesAreReadOrRefused) {
  std::mt19937 random(3);
  for (const char* name : {"bench_short.rsp", "bench_float.rsp", "bench_v6.mat", "bench_v7.mat"}) {
    const std::string bytes = read_text(sample_path(name));
    const bool is_rpc = std::string(name).ends_with("rsp");
    const auto try_one = [&](const std::string& changed) {
      return is_rpc ? refuses(tools::read_rpc, changed) : refuses(io::read_mat5, changed);
    };
    for (std::size_t size = 0; size < bytes.size(); size += is_rpc ? 1 : 3)
      EXPECT_TRUE(try_one(bytes.substr(0, size)) == 1 || !is_rpc) << name << " cut at " << size;
    int refused = 0;
    for (int k = 0; k < 2500; ++k) {
      std::string changed = bytes;
      changed[random() % (k % 2 == 0 ? bytes.size() : 600)] = static_cast<char>(random() & 0xFFU);
      refused += try_one(changed);
    }
    EXPECT_GT(refused, 20) << name;
  }
}

// Truth: results of femflex are in SI, and times of universal files in seconds, whatever the units
// of the system.
TEST(Histories, TheUnitsThatAFileStatesHold) {
  const TemporaryFolder folder;
  const std::string h5 = (folder / "run.h5").string();
  const auto write = [&](bool is_result) {
    io::Hdf5File file = io::Hdf5File::create(h5);
    file.write("/time", std::vector<double>{0.0, 1.0, 2.0}, {3});
    file.write("/push", std::vector<double>{0.0, 10.0, 20.0}, {3});
    if (is_result) file.set_attribute("/", "units", std::string_view("m-kg-s"));
    file.commit();
  };
  const std::string hdf5 = R"({ "hdf5": ")" + h5 + R"(", "column": "push" })";
  write(true);
  EXPECT_NEAR(value_at(read_history(hdf5, "mm-kg-ms").value, 1.0), 10.0, 1e-12);
  write(false);  // in kN over ms
  EXPECT_NEAR(value_at(read_history(hdf5, "mm-kg-ms").value, 1e-3), 1e4, 1e-8);
  const std::string unv =
      R"({ "unv": ")" + data("universal/valid/functions.unv").string() + R"(", "column": "12+Z" })";
  EXPECT_NEAR(value_at(read_history(unv, "mm-kg-ms").value, 0.5), 1e3 * push_at(0.5), 0.06);
}

}  // namespace
}  // namespace femflex::testing
