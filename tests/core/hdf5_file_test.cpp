// Tests HDF5 files: values, atomic writing, disk errors, killed programs.
#include "femflex/io/hdf5_file.h"

#include <csignal>
#include <filesystem>
#include <span>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include "femflex/errors.h"

#include "hdf5_storage.h"
#include "support/support.h"

namespace femflex::io {
namespace {

TEST(Hdf5File, GivesBackWhatWasWritten) {
  const testing::TemporaryFolder folder;
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(7, 3);
  const std::vector<double> big(100000, 1.5);
  {
    Hdf5File file = Hdf5File::create(folder / "x.h5");
    file.write_matrix("/a/b/matrix", a);
    file.write("/ids", std::vector<std::int64_t>{3, 1, 1LL << 40}, {3});
    file.write("/names", std::vector<std::string>{"one", "", "zwei ü"});
    file.write("/big", big, {100, 1000}, 4);
    file.set_attribute("/", "version", std::string_view("0.1"));
    file.set_attribute("/a", "mass", 2.5);
    file.set_attribute("/a", "count", std::int64_t{42});
    file.commit();
  }
  const Hdf5File file = Hdf5File::open(folder / "x.h5");
  EXPECT_EQ(file.read_matrix("/a/b/matrix"), a);
  EXPECT_EQ(file.read_integers("/ids"), (std::vector<std::int64_t>{3, 1, 1LL << 40}));
  EXPECT_EQ(file.read_texts("/names"), (std::vector<std::string>{"one", "", "zwei ü"}));
  EXPECT_EQ(file.read_reals("/big"), big);
  EXPECT_EQ(file.text_attribute("/", "version"), "0.1");
  EXPECT_EQ(file.real_attribute("/a", "mass"), 2.5);
  EXPECT_EQ(file.integer_attribute("/a", "count"), 42);
  std::vector<double> box(6);
  file.read_box("/a/b/matrix", {2, 1}, {3, 2}, box);
  EXPECT_EQ(box[5], a(4, 2));
  EXPECT_EQ(file.children("/"), (std::vector<std::string>{"a", "big", "ids", "names"}));
}

TEST(Hdf5File, GrowsRowByRow) {
  const testing::TemporaryFolder folder;
  {
    Hdf5File file = Hdf5File::create(folder / "x.h5");
    file.make_growing("/time", {}, 64);
    file.make_growing("/state", {2}, 64);
    for (int k = 0; k < 200; ++k) {
      file.append("/time", std::vector<double>{0.1 * k});
      file.append("/state", std::vector<double>{1.0 * k, -1.0 * k});
    }
    file.commit();
  }
  const Hdf5File file = Hdf5File::open(folder / "x.h5");
  EXPECT_EQ(file.read_reals("/time").size(), 200U);
  EXPECT_EQ(file.read_matrix("/state")(199, 1), -199.0);
}

TEST(Hdf5File, NamesTheFileAndThePathThatIsMissing) {
  const testing::TemporaryFolder folder;
  { Hdf5File::create(folder / "x.h5").commit(); }
  try {
    Hdf5File::open(folder / "x.h5").read_reals("/no/such");
    FAIL() << "accepted";
  } catch (const ParseError& e) {
    EXPECT_EQ(e.where().record, "/no/such");
    EXPECT_EQ(e.message(), "is missing");
  }
}

TEST(Hdf5File, RefusesWhatIsNotHdf5AndWhatIsNotThere) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "x.h5", "GRID    1");
  EXPECT_THROW(Hdf5File::open(folder / "x.h5"), ParseError);
  EXPECT_THROW(Hdf5File::open(folder / "y.h5"), UsageError);
}

/// The one part in a folder.
std::filesystem::path part_in(const testing::TemporaryFolder& folder) {
  for (const auto& each : std::filesystem::directory_iterator(folder.path()))
    if (each.path().extension() == ".part") return each.path();
  return {};
}

std::vector<double> numbers(std::size_t count) {
  std::vector<double> out(count);
  for (std::size_t k = 0; k < count; ++k)
    out[k] = 0.1 * static_cast<double>(k);
  return out;
}

/// Limits the size of files during its lifetime, which simulates a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    struct rlimit now = before_;
    now.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  FullDisk(FullDisk&&) = delete;
  FullDisk& operator=(FullDisk&&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  struct rlimit before_ = {};
  void (*handler_)(int);
};

// What a killed program leaves: at any time the part holds the data of the last flush.
TEST(Hdf5File, WhatWasFlushedCanBeReadWhileMoreIsWritten) {
  const testing::TemporaryFolder folder;
  Hdf5File file = Hdf5File::create(folder / "r.h5");
  file.make_growing("/time", {}, 64);
  file.make_growing("/x", {3}, 64);
  const std::vector<double> rows = numbers(3 * 1000);
  std::size_t flushed = 0;
  for (const std::size_t count : {1U, 40U, 70U, 64U, 500U, 3U}) {
    file.append("/time", std::span(rows).subspan(flushed, count));
    file.append("/x", std::span(rows).subspan(3 * flushed, 3 * count));
    if (flushed > 0) {  // not flushed yet: as before, and whole
      const Hdf5File part = Hdf5File::open(part_in(folder));
      EXPECT_EQ(part.read_reals("/time").size(), flushed);
      EXPECT_EQ(part.read_reals("/x").size(), 3 * flushed);
    }
    file.flush();
    flushed += count;
    const Hdf5File part = Hdf5File::open(part_in(folder));
    EXPECT_EQ(part.read_reals("/time"), std::vector(rows.begin(), rows.begin() + flushed));
    EXPECT_EQ(part.read_reals("/x"), std::vector(rows.begin(), rows.begin() + 3 * flushed));
  }
  file.commit();
  EXPECT_EQ(Hdf5File::open(folder / "r.h5").read_reals("/time").size(), flushed);
}

// Bit for bit: a slow run is flushed more often than a fast one and gives the same file.
TEST(Hdf5File, TheBytesDoNotDependOnHowOftenItIsFlushed) {
  const testing::TemporaryFolder folder;
  const std::vector<double> rows = numbers(4 * 1024);
  for (const std::size_t piece : {1U, 16U, 256U}) {
    Hdf5File file = Hdf5File::create(folder / std::to_string(piece));
    for (const char* name : {"/a/x", "/a/y", "/b"})
      file.make_growing(name, {4}, 256);
    for (std::size_t r = 0; r < 1024; r += piece) {
      for (const char* name : {"/a/x", "/a/y", "/b"})
        file.append(name, std::span(rows).subspan(4 * r, 4 * piece));
      file.flush();
    }
    file.commit();
  }
  const std::string seldom = testing::read_text(folder / "256");
  EXPECT_TRUE(testing::read_text(folder / "1") == seldom);
  EXPECT_TRUE(testing::read_text(folder / "16") == seldom);
}

// HDF5 alone ends the program here when it exits: its close fails, and fails again.
TEST(Hdf5File, AFullDiskIsAnErrorAndLeavesTheOldFile) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "r.h5", "old");
  const std::vector<double> rows = numbers(100'000);
  for (const rlim_t bytes : {0U, 100U, 5000U, 70'000U, 790'000U}) {
    const FullDisk full(bytes);
    EXPECT_THROW(
        {
          Hdf5File file = Hdf5File::create(folder / "r.h5");
          file.write("/x", std::span<const double>(rows), {rows.size()});
          file.commit();
        },
        UsageError)
        << bytes;
    EXPECT_EQ(testing::read_text(folder / "r.h5"), "old");
    EXPECT_EQ(part_in(folder), "");
  }
  Hdf5File file = Hdf5File::create(folder / "r.h5");
  file.write("/x", std::span<const double>(rows), {rows.size()});
  file.commit();
  EXPECT_EQ(Hdf5File::open(folder / "r.h5").read_reals("/x"), rows);
}

TEST(Hdf5File, AFullDiskLeavesWhatWasFlushedBefore) {
  const testing::TemporaryFolder folder;
  const std::vector<double> rows = numbers(256);
  Hdf5File file = Hdf5File::create(folder / "r.h5");
  file.make_growing("/x", {}, 256);
  const FullDisk full(200'000);
  std::size_t flushed = 0;
  try {
    for (; flushed < 1'000'000; flushed += rows.size()) {
      file.append("/x", rows);
      file.flush();
    }
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("File too large"), std::string::npos) << error.what();
  }
  ASSERT_TRUE(file.keep_flushed(folder / "kept.h5"));
  EXPECT_EQ(Hdf5File::open(folder / "kept.h5").read_reals("/x").size(), flushed);
  EXPECT_GT(flushed, 10'000U);
  EXPECT_EQ(part_in(folder), "");
}

herr_t note_fault(hid_t /*stack*/, void* count) {
  ++*static_cast<int*>(count);
  return 0;
}

// When HDF5 closes a file it calls the driver after dropping the file's reference to it.
// Truth: HDF5's own account of what the identifier is once the file is closed.
TEST(Hdf5File, KeepsItsDriverAfterTheLastFileIsClosed) {
  const testing::TemporaryFolder folder;
  const hid_t driver = Hdf5Storage::driver();
  for (int k = 0; k < 3; ++k) {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.write_text("/text", "x");
    file.commit();
    EXPECT_EQ(H5Iget_type(driver), H5I_VFL);
    EXPECT_EQ(Hdf5Storage::driver(), driver);
  }
}

// Truth: the error handler that HDF5 reports. A handler set by a host program is restored, also
// after our faults.
TEST(Hdf5File, LeavesTheErrorHandlerOfTheHost) {
  H5E_auto2_t before = nullptr;
  void* data_before = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data_before);
  int faults = 0;
  H5Eset_auto2(H5E_DEFAULT, note_fault, &faults);
  const testing::TemporaryFolder folder;
  {
    Hdf5File file = Hdf5File::create(folder / "x.h5");
    file.write("/x", std::vector<double>{1.0}, {1});
    file.commit();
  }
  EXPECT_THROW(Hdf5File::open(folder / "x.h5").read_texts("/x"), ParseError);
  testing::write_text(folder / "none.h5", "not HDF5");
  EXPECT_THROW(Hdf5File::open(folder / "none.h5"), Error);
  EXPECT_EQ(faults, 0);
  H5E_auto2_t after = nullptr;
  void* data_after = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &after, &data_after);
  EXPECT_EQ(after, &note_fault);
  EXPECT_EQ(data_after, &faults);
  H5Eset_auto2(H5E_DEFAULT, before, data_before);
}

}  // namespace
}  // namespace femflex::io
