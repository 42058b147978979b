// Tests all readers with damaged files. Truth: every file gives a correct result or a typed error,
// never a crash, a hang, another exception, or memory far beyond the size of the file.
#include <algorithm>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"

#include "readers.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;

#if defined(__SANITIZE_ADDRESS__)
constexpr int kFlips = 1000;  // twenty times slower there, and the fuzz targets cover more
#else
constexpr int kFlips = 10'000;
#endif

/// Small files of the project by the reader that claims them.
std::map<std::string, std::vector<std::filesystem::path>> small_files() {
  std::map<std::string, std::vector<std::filesystem::path>> out;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data("")))
    if (entry.is_regular_file() && entry.path().parent_path().filename() == "valid" &&
        entry.file_size() > 0 && entry.file_size() < 20'000)
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path& path : paths)
    if (const std::string format = detect_format(path); !format.empty())
      out[format].push_back(path);
  return out;
}

/// A file in memory: ten thousands of writes to a disk take minutes.
class Scratch {
 public:
  Scratch() : file_(memfd_create("femflex", MFD_CLOEXEC)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() { ::close(file_); }
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(file_); }
  void cut(std::size_t size) const { EXPECT_EQ(::ftruncate(file_, static_cast<off_t>(size)), 0); }
  void write(const std::string& bytes) const {
    cut(bytes.size());
    EXPECT_EQ(::pwrite(file_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }

 private:
  int file_;
};

void read_damaged(const std::filesystem::path& path, const std::string& format) {
  Diagnostics diagnostics;
  try {
    read_contents(path, {format}, diagnostics);
  } catch (const ParseError&) {  // the only permitted outcome besides a successful read
  } catch (const ModelError&) {
  }
}

class Damage : public ::testing::TestWithParam<std::string> {};

TEST_P(Damage, FilesCutAnywhereAreReadOrRefused) {
  const auto files = small_files();
  const auto it = files.find(GetParam());
  if (it == files.end()) GTEST_SKIP() << "no small files of this format";
  // every byte of short files; long ones share a budget
  std::size_t total = 0;
  for (const std::filesystem::path& path : it->second)
    total += std::filesystem::file_size(path);
  const std::size_t stride = total / static_cast<std::size_t>(4 * kFlips) + 1;
  for (const std::filesystem::path& path : it->second) {
    SCOPED_TRACE(path.string());
    const std::string whole = testing::read_text(path);
    const Scratch scratch;
    scratch.write(whole);
    const std::size_t step = whole.size() < 4096 && kFlips >= 10'000 ? 1 : stride;
    for (std::size_t size = whole.size() - 1; size > 0; size -= std::min(step, size)) {
      scratch.cut(size);
      read_damaged(scratch.path(), GetParam());
    }
  }
}

TEST_P(Damage, FlippedBytesAreReadOrRefused) {
  const auto files = small_files();
  const auto it = files.find(GetParam());
  if (it == files.end()) GTEST_SKIP() << "no small files of this format";
  std::mt19937 random(20261120);
  const int rounds = kFlips / static_cast<int>(it->second.size()) + 1;
  for (const std::filesystem::path& path : it->second) {
    SCOPED_TRACE(path.string());
    const std::string whole = testing::read_text(path);
    const Scratch scratch;
    for (int round = 0; round < rounds; ++round) {
      std::string bytes = whole;
      for (int k = 0; k <= round % 3; ++k)
        bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
      scratch.write(bytes);
      read_damaged(scratch.path(), GetParam());
    }
  }
}

std::vector<std::string> formats() {
  std::vector<std::string> out;
  for (const Reader& reader : readers())
    out.emplace_back(reader.format);
  return out;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& param) {
  std::string name = param.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Readers, Damage, ::testing::ValuesIn(formats()), test_name);

// A file and its gzip'd copy are one file: the same format, grids, matrices and shapes.
TEST(Packed, EveryFormatIsReadThroughGzip) {
  const testing::TemporaryFolder folder;
  for (const auto& [format, files] : small_files()) {
    const std::filesystem::path& plain = files.front();
    SCOPED_TRACE(plain.string());
    const std::string name = plain.filename().string() + ".gz";
    ASSERT_EQ(testing::run("gzip -c '" + plain.string() + "' > " + name, folder.path()).exit_code,
              0);
    EXPECT_EQ(detect_format(folder / name), format);
    Diagnostics diagnostics;
    const FileContents a = read_contents(plain, {}, diagnostics);
    const FileContents b = read_contents(folder / name, {.format = format}, diagnostics);
    EXPECT_EQ(a.grids.size(), b.grids.size());
    ASSERT_EQ(a.matrices.size(), b.matrices.size());
    for (std::size_t k = 0; k < a.matrices.size(); ++k)
      EXPECT_EQ(a.matrices[k].values, b.matrices[k].values);
    ASSERT_EQ(a.modes.size(), b.modes.size());
    for (std::size_t k = 0; k < a.modes.size(); ++k)
      EXPECT_EQ(a.modes[k].shapes, b.modes[k].shapes);
  }
}

// Every format has small files of the project's own. Truth: the table of readers.
TEST(DamagedFiles, EveryReaderHasSmallFilesToDamage) {
  const auto files = small_files();
  for (const std::string& format : formats())
    EXPECT_TRUE(files.contains(format)) << "no file of " << format << " under data/";
}

// Truth: counts in these files promise up to terabytes; the files hold a hundred bytes. The process
// may not grow by more than 64 MB.
TEST(DamagedFiles, PromisesOfAFileAreNotBelieved) {
  const testing::TemporaryFolder folder;
  const auto grown = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const std::map<std::string, std::string> files{
      {"dense.op4",
       "99999999-9999999       2       2HUGE    1P,3E23.16\n       1       1 9999999\n 1.0E+00\n"},
      {"wide.op4",
       "99999998       2       2       2HUGE    1P,3E23.16\n       1       1       2\n"
       " 1.0000000000000000E+00 1.0000000000000000E+00\n99999999       1       1\n 1.0\n"},
      {"points.bdf", "BEGIN BULK\nSPC1,1,123456,1,THRU,999999999\nASET1,123456,1,THRU,999999999\n"},
  };
  const auto before = grown();
  for (const auto& [name, text] : files) {
    testing::write_text(folder / name, text);
    Diagnostics diagnostics;
    try {
      read_contents(folder / name, {}, diagnostics);
    } catch (const ParseError&) {
    }
  }
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(grown() - before, 64 * 1024);
#else
  EXPECT_GE(grown(), before);
#endif
}

}  // namespace
}  // namespace femflex::importer
