#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::read_text;
using testing::TemporaryFolder;
using testing::write_text;

constexpr std::array<const char*, 8> folders{"op2/valid",
                                             "matrix_market/valid",
                                             "harwell_boeing/valid",
                                             "abaqus/valid",
                                             "ansys/valid",
                                             "calculix/valid",
                                             "node_table/valid",
                                             "f06/valid"};

/// Reads the file as the format of the undamaged one; any other fault than a typed error is one.
void read_damaged(const std::filesystem::path& path, const std::string& format) {
  Diagnostics diagnostics;
  try {
    read_contents(path, {format}, diagnostics);
  } catch (const ParseError&) {
  }
}

std::vector<std::filesystem::path> small_files() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : folders)
    for (const auto& entry : std::filesystem::directory_iterator(data(folder)))
      if (entry.is_regular_file() && entry.file_size() < 20000) files.push_back(entry.path());
  return files;
}

// A file cut anywhere is read as far as it goes or refused; never a crash, a hang or another
// exception.
TEST(Damage, FilesCutAnywhereAreReadOrRefused) {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> files = small_files();
  EXPECT_GE(files.size(), 40U);
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file.string());
    const std::string format = detect_format(file);
    ASSERT_FALSE(format.empty());
    const std::string whole = read_text(file);
    const std::filesystem::path cut = folder / file.filename().string();
    write_text(cut, whole);
    // each point of short files, a prime step in long ones; the sweep of every byte is a fuzz run
    const std::size_t step = whole.size() < 3000 ? 1 : 11;
    for (std::size_t size = whole.size() - 1; size > 0; size -= std::min(step, size)) {
      std::filesystem::resize_file(cut, size);
      read_damaged(cut, format);
    }
  }
}

TEST(Damage, FlippedBytesAreReadOrRefused) {
  const TemporaryFolder folder;
  std::mt19937 random(20261120);
  for (const std::filesystem::path& file : small_files()) {
    SCOPED_TRACE(file.string());
    const std::string format = detect_format(file);
    const std::string whole = read_text(file);
    const std::filesystem::path flipped = folder / file.filename().string();
    for (int round = 0; round < 150; ++round) {
      std::string bytes = whole;
      const int count = 1 + round % 3;
      for (int k = 0; k < count; ++k)
        bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
      write_text(flipped, bytes);
      read_damaged(flipped, format);
    }
  }
}

}  // namespace
}  // namespace femflex::importer
