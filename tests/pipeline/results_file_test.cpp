// Tests result files: HDF5 and CSV.
#include "results/results_file.h"

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"

#include "results/result_memory.h"
#include "support/support.h"

namespace femflex::tools {
namespace {

using mbd_solver::Channel;

const std::vector<Channel> kChannels = {{"beam/17/position/x", "m"},
                                        {"beam/17/position/y", "m"},
                                        {"beam/17/position/z", "m"},
                                        {"beam/zeta/1", ""},
                                        {"beam/zeta/2", ""},
                                        {"energy", "J"},
                                        {"energy/kinetic", "J"}};

void fill(ResultRows& file, int rows) {
  file.begin(kChannels);
  for (int r = 0; r < rows; ++r) {
    std::vector<double> values;
    for (std::size_t c = 0; c < kChannels.size(); ++c)
      values.push_back(1.0 / 3.0 * r + static_cast<double>(c));
    file.append(0.1 * r, values);
  }
}

// Truth: the numbers given to the writer, bit for bit; more rows than one block of the writer.
TEST(ResultsFile, HoldsEveryNumberWithItsBitsUnderItsName) {
  const testing::TemporaryFolder folder;
  ResultsFile file(folder / "r.h5");
  fill(file, 1000);
  file.commit(true);
  const ResultSeries series = read_results(folder / "r.h5");
  ASSERT_EQ(series.time.size(), 1000);
  EXPECT_TRUE(series.is_complete);
  ASSERT_EQ(series.channels.size(), kChannels.size());
  for (std::size_t c = 0; c < kChannels.size(); ++c) {
    EXPECT_EQ(series.channels[c].name, kChannels[c].name);
    EXPECT_EQ(series.channels[c].unit, kChannels[c].unit);
    for (Eigen::Index r = 0; r < 1000; ++r)
      ASSERT_EQ(series.values(r, static_cast<Eigen::Index>(c)),
                1.0 / 3.0 * static_cast<double>(r) + static_cast<double>(c));
  }
}

// Truth: the file written by the same run.
TEST(ResultMemory, HoldsWhatTheFileOfTheRunHolds) {
  const testing::TemporaryFolder folder;
  const auto run_into = [](ResultRows& rows) {
    rows.set_attribute("name", "beam");
    rows.set_attribute("modes", "2");
    rows.set_text("picture", "{}");
    rows.begin_picture({"cab/position/x", "cab/position/y"});
    for (const double t : {0.0, 0.1, 0.2})
      rows.append_picture(t, std::vector{1.0 + t, 2.0 + t});
    fill(rows, 1000);
    rows.commit(false);
  };
  ResultsFile file(folder / "file.h5");
  run_into(file);
  ResultMemory memory;
  run_into(memory);
  const ResultSeries expected = read_results(folder / "file.h5");
  const ResultSeries& series = *memory.series();
  EXPECT_EQ(series.name, "beam");
  EXPECT_EQ(series.is_complete, expected.is_complete);
  EXPECT_EQ(series.attributes, expected.attributes);
  EXPECT_EQ(series.time, expected.time);
  EXPECT_EQ(series.values, expected.values);
  write_results(series, folder / "memory.h5", "unused");
  const ResultSeries again = read_results(folder / "memory.h5");
  EXPECT_EQ(again.attributes, expected.attributes);
  EXPECT_EQ(again.values, expected.values);
  const ResultPicture picture = read_picture(folder / "memory.h5");
  EXPECT_EQ(picture.scene, "{}");
  EXPECT_EQ(picture.motion.values, read_picture(folder / "file.h5").motion.values);
}

// 3e8 rows of 8 numbers of 8 bytes are 19.2 GB.
TEST(ResultMemory, RefusesARunThatTakesTooMuchUnlessForced) {
  ResultMemory memory;
  memory.expect({3e8, 0.0, ""}, false);
  try {
    memory.begin(kChannels);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.code(), "large-result");
    EXPECT_NE(error.message().find("19.2 GB"), std::string::npos) << error.message();
    EXPECT_NE(error.fix().find("output="), std::string::npos);
  }
  ResultMemory forced;
  forced.expect({3e8, 0.0, ""}, true);
  EXPECT_NO_THROW(forced.begin(kChannels));
}

// Other programs see a vector as one dataset with the name in the system file.
TEST(ResultsFile, KeepsTheComponentsOfAVectorInOneDataset) {
  const testing::TemporaryFolder folder;
  ResultsFile file(folder / "r.h5");
  fill(file, 3);
  file.commit(true);
  const io::Hdf5File raw = io::Hdf5File::open(folder / "r.h5");
  EXPECT_EQ(raw.shape("/channels/beam/17/position"), (std::vector<std::uint64_t>{3, 3}));
  EXPECT_EQ(raw.shape("/channels/beam/zeta"), (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(raw.shape("/channels/energy/kinetic"), (std::vector<std::uint64_t>{3}));
}

// A file with the requested name exists only after commit().
TEST(ResultsFile, WithoutCommitLeavesNoFileBehind) {
  const testing::TemporaryFolder folder;
  {
    ResultsFile file(folder / "r.h5");
    fill(file, 600);
    EXPECT_FALSE(std::filesystem::exists(folder / "r.h5"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ResultsFile, AnInterruptedRunSaysSoAndHoldsTheRowsSoFar) {
  const testing::TemporaryFolder folder;
  ResultsFile file(folder / "r.h5");
  fill(file, 5);
  file.commit(false);
  const ResultSeries series = read_results(folder / "r.h5");
  EXPECT_FALSE(series.is_complete);
  EXPECT_EQ(series.time.size(), 5);
}

// The shortest decimal numbers are read back exactly.
TEST(ResultsFile, TablesOfTextReadBackToTheSameBits) {
  const testing::TemporaryFolder folder;
  ResultSeries series;
  series.time = Eigen::Vector3d(0.0, 0.1, 0.2);
  series.channels = {{"a/x", "m"}, {"b", ""}};
  series.values = (Eigen::MatrixXd(3, 2) << 1.0 / 3.0, -1e-300, 0.1, 2.0, 1e300, -0.0).finished();
  write_csv(series, folder / "r.csv");
  const ResultSeries again = read_csv(folder / "r.csv");
  EXPECT_EQ(again.time, series.time);
  EXPECT_EQ(again.values, series.values);
  EXPECT_EQ(again.channels[0].name, "a/x");
}

// Truth: line and field of the fault, counted by hand.
TEST(ResultsFile, TextInANumberFieldOfATableIsAnErrorWithItsLine) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "r.csv", "t,a\n0,1\n1,two\n");
  try {
    static_cast<void>(read_csv(folder / "r.csv"));
    FAIL() << "no error";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.where().line, 3);
    EXPECT_NE(std::string(error.what()).find("column 'a': 'two' is not a number"),
              std::string::npos)
        << error.what();
  }
}

// Truth: the tables. Each refusal says what is wrong, in which line, and what to do.
TEST(ResultsFile, RefusalsOfTablesSayWhatIsWrong) {
  const testing::TemporaryFolder folder;
  const struct {
    std::string text, message;
    std::int64_t line;
  } cases[] = {{"t,a\n0,1\n1\n", "the row has 1 number, the table 2 columns", 3},
               {"t,a\n0,1,2\n", "the row has 3 numbers, the table 2 columns", 2},
               {"t,a\n0,\n", "column 'a' is blank in this row", 2},
               {"t,\n0,x\n", "column 2: 'x' is not a number", 2},
               {"t,a\n0,1e400\n", "column 'a': 1e400 is beyond the range of numbers", 2},
               {"t,a,a\n0,1,2\n", "two columns have the name 'a'", 1},
               {"t,\"a b\n0,1\n", "has one quote", 1},
               {"t;a\n0;1,5\n", "column 'a': '1,5' is not a number", 2}};
  for (const auto& each : cases) {
    SCOPED_TRACE(each.text);
    testing::write_text(folder / "r.csv", each.text);
    try {
      static_cast<void>(read_csv(folder / "r.csv"));
      ADD_FAILURE() << "no error";
    } catch (const ParseError& error) {
      EXPECT_NE(error.message().find(each.message), std::string::npos) << error.message();
      EXPECT_EQ(error.where().line, each.line);
      EXPECT_FALSE(error.fix().empty());
    }
  }
  for (const char* text : {"t;a\n0;1\n1;2\n", "t\ta\n0\t1\n1\t2\n"}) {
    testing::write_text(folder / "r.csv", text);
    EXPECT_TRUE(is_csv_table(folder / "r.csv"));
    EXPECT_EQ(read_csv(folder / "r.csv").values(1, 0), 2.0);
  }
}

// Truth: the first row, which would be lost as names of columns. Names may be numbers behind the
// first column.
TEST(ResultsFile, ATableWithoutNamesIsAnError) {
  const testing::TemporaryFolder folder;
  for (const char* text : {"0,1\n1,2\n", "\xEF\xBB\xBF 0.5, 1\n1,2\n", "1e-3,nan\n1,2\n"}) {
    testing::write_text(folder / "r.csv", text);
    try {
      static_cast<void>(read_csv(folder / "r.csv"));
      FAIL() << "no error";
    } catch (const ParseError& error) {
      EXPECT_EQ(error.where().line, 1);
      EXPECT_EQ(error.code(), "no-heads");
    }
  }
  testing::write_text(folder / "r.csv", "t,12\n0,1\n");
  EXPECT_EQ(read_csv(folder / "r.csv").channels[0].name, "12");
}

// Truth: the rows that were written. In HDF5 one name can be either a data set or a group.
TEST(ResultsFile, NamesThatAreFoldersOrComeTwiceAreKeptApart) {
  const testing::TemporaryFolder folder;
  const std::vector<Channel> channels{
      {"a/x", "m"}, {"energy", "J"}, {"a/y", "m"}, {"energy/kinetic", "J"}, {"energy/value", "J"}};
  ResultsFile file(folder / "r.h5");
  file.begin(channels);
  file.append(0.0, std::vector<double>{1.0, 2.0, 3.0, 4.0, 5.0});
  file.commit(true);
  const ResultSeries series = read_results(folder / "r.h5");
  ASSERT_EQ(series.channels.size(), channels.size());
  for (std::size_t c = 0; c < channels.size(); ++c) {
    EXPECT_EQ(series.channels[c].name, channels[c].name);
    EXPECT_EQ(series.values(0, static_cast<Eigen::Index>(c)), static_cast<double>(c + 1));
  }
}

}  // namespace
}  // namespace femflex::tools
