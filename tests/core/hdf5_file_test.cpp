#include "femflex/io/hdf5_file.h"

#include <gtest/gtest.h>

#include "femflex/errors.h"

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

}  // namespace
}  // namespace femflex::io
