// Tests the first steps of a new user: one command from a deck to a body, a motion as a series for
// ParaView, and pictures of FE files.
#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

#include "program.h"

namespace femflex::testing {
namespace {

std::string chassis_file(const std::string& name) {
  return "'" + data("chassis/" + name).string() + "'";
}

/// The numbers of an array in a `.vtu` file with raw appended data.
std::vector<double> array_of_vtu(const std::string& text, const std::string& name) {
  const std::size_t declared = text.find("Name=\"" + name + "\"");
  if (declared == std::string::npos) return {};
  const std::size_t offset = text.find("offset=\"", declared) + 8;
  const std::size_t start =
      text.find("encoding=\"raw\">\n_") + 17 + std::stoul(text.substr(offset));
  std::uint64_t size = 0;
  std::memcpy(&size, text.data() + start, sizeof size);
  std::vector<double> out(size / sizeof(double));
  std::memcpy(out.data(), text.data() + start + sizeof size, size);
  return out;
}

// Truth: import, followed by reduce with all options given.
TEST(FrontDoor, OneCommandMakesABodyOfADeckAndItsMatrices) {
  const Program femflex;
  const std::string files =
      chassis_file("framec.bdf") + " " + chassis_file("framec_kgg_mgg_ascii.op4");
  const std::string common = " --interface 1-8,51 --units m-kg-s ";
  const CommandResult one = femflex("reduce " + files + common + "--normal 12 -o one.fbm");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_NE(one.out.find("rigid modes off"), std::string::npos) << one.out;
  EXPECT_NE(one.out.find("damping adams"), std::string::npos) << one.out;
  ASSERT_EQ(femflex("import " + files + common + "-o c.fe.h5").exit_code, 0);
  ASSERT_EQ(femflex("reduce c.fe.h5 --method craig-bampton --normal 12 --orthogonalise --scale "
                    "--damping adams -o two.fbm")
                .exit_code,
            0);
  const CommandResult same = femflex("compare one.fbm two.fbm --tol 1e-10");
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  const CommandResult bare = femflex("reduce c.fe.h5 --normal 12 --damping none -o three.fbm");
  EXPECT_NE(bare.out.find("undamped"), std::string::npos) << bare.out;
}

TEST(FrontDoor, FilesBesideAModelAreRefused) {
  const Program femflex;
  ASSERT_EQ(femflex("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") +
                    " --units m-kg-s --interface 3 -o dms.fe.h5")
                .exit_code,
            0);
  for (const char* words :
       {"reduce dms.fe.h5 --interface 3 -o b.fbm", "reduce dms.fe.h5 dms.fe.h5 -o b.fbm"}) {
    const CommandResult refused = femflex(words);
    EXPECT_EQ(refused.exit_code, 2) << words;
    EXPECT_NE(refused.err.find("femflex import"), std::string::npos) << refused.err;
    EXPECT_FALSE(femflex.has("b.fbm"));
  }
}

// Truth: `validate` against the full model. With one free mode less the tolerance is not satisfied.
TEST(FrontDoor, AutoGivesTheSmallestSetThatItCanProve) {
  const Program femflex;
  const std::string files =
      chassis_file("framec.bdf") + " " + chassis_file("framec_kgg_mgg_ascii.op4");
  ASSERT_EQ(femflex("import " + files + " --interface 1-8,51 --units m-kg-s -o c.fe.h5").exit_code,
            0);
  const tools::Json made =
      femflex.json("reduce c.fe.h5 --method auto --band 0-60Hz --tolerance 1e-2 -o auto.fbm");
  const std::size_t modes = made.find("modes")->items().size();
  const std::string band = " --against c.fe.h5 --band 0-60Hz";
  const auto error_of = [&](const std::string& body) {
    return femflex.json("validate " + body + band)
        .find("frf_error")
        ->find("max_relative")
        ->number();
  };
  EXPECT_LE(error_of("auto.fbm"), 1e-2);
  const std::size_t interface = 54;  // one shape for each interface DOF
  ASSERT_LT(modes, interface + 20) << "held modes alone take more than 70";
  const std::size_t elastic = modes - interface;
  ASSERT_EQ(femflex("reduce c.fe.h5 --method craig-chang --normal " +
                    std::to_string(6 + elastic - 1) + " -o fewer.fbm")
                .exit_code,
            0);
  EXPECT_GT(error_of("fewer.fbm"), 1e-2);
}

// Truth: the channels of the same run. The position of a node is its initial position plus its
// displacement.
TEST(FrontDoor, AMotionBecomesASeriesForParaView) {
  const Program femflex;
  ASSERT_EQ(femflex("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " " + dms("dms.op2") +
                    " --units m-kg-s --name dms -o dms.fe.h5")
                .exit_code,
            0);
  ASSERT_EQ(
      femflex("reduce dms.fe.h5 --select dynamic:1-2 --orthogonalise --scale --damping 0.02 -o "
              "dms.fbm")
          .exit_code,
      0);
  std::filesystem::copy_file(data("../examples/double_mass_spring/push.json"),
                             femflex.file("push.json"));
  ASSERT_EQ(femflex("simulate push.json -o push.h5 --csv push.csv").exit_code, 0);
  const CommandResult made = femflex("convert push.h5 motion.pvd --frames 10");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string series = read_text(femflex.file("motion.pvd"));
  std::size_t instants = 0;
  for (std::size_t at = 0; (at = series.find("<DataSet", at)) != std::string::npos; ++at)
    ++instants;
  EXPECT_GT(instants, 5U);
  EXPECT_LE(instants, 10U);
  const std::size_t last = series.rfind("timestep=\"") + 10;
  const double end = std::stod(series.substr(last));
  const std::size_t name = series.find("file=\"", last) + 6;
  const std::string frame =
      read_text(femflex.file(series.substr(name, series.find('"', name) - name)));
  const std::vector<double> nodes = array_of_vtu(frame, "node");
  const std::vector<double> moved = array_of_vtu(frame, "displacement");
  const std::vector<double> points = array_of_vtu(frame, "Points");
  ASSERT_EQ(points.size(), 3 * nodes.size());
  ASSERT_EQ(moved.size(), points.size());
  std::istringstream table(read_text(femflex.file("push.csv")));
  std::string line, head;
  std::getline(table, head);
  std::string row;
  while (std::getline(table, line))
    row = line;
  const auto column = [](const std::string& text, std::size_t k) {
    std::istringstream in(text);
    std::string cell;
    for (std::size_t i = 0; i <= k; ++i)
      std::getline(in, cell, ',');
    return cell;
  };
  EXPECT_NEAR(std::stod(column(row, 0)), end, 1e-9);
  std::size_t k = 0;
  while (column(head, k).rfind("dms/3/displacement/z", 0) != 0 && k < 100)
    ++k;
  ASSERT_LT(k, 100U) << head;
  const double truth = std::stod(column(row, k));
  std::size_t at = 0;
  while (at < nodes.size() && nodes[at] != 3.0)
    ++at;
  ASSERT_LT(at, nodes.size());
  EXPECT_NEAR(moved[3 * at + 2], truth, tolerance(1e-9) * std::abs(truth) + 1e-15);
  // the second file, for the first instant, gives the node's position at rest
  const std::string start = read_text(femflex.file("motion_0001.vtu"));
  const double rest =
      array_of_vtu(start, "Points")[3 * at + 2] - array_of_vtu(start, "displacement")[3 * at + 2];
  EXPECT_NEAR(points[3 * at + 2] - rest, truth, tolerance(1e-9) * std::abs(truth) + 1e-15);

  const CommandResult wrong = femflex("convert push.h5 motion.fem");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find(".pvd"), std::string::npos) << wrong.err;
  EXPECT_EQ(femflex("convert push.h5 none.pvd --frames 0").exit_code, 2);
  EXPECT_FALSE(femflex.has("none.pvd"));
}

// Truth: a result that was moved away from its body file is drawn with the body given on the
// command line.
TEST(FrontDoor, AMovedResultIsShownWithItsBodyNamed) {
  const Program femflex;
  ASSERT_EQ(femflex("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " " + dms("dms.op2") +
                    " --units m-kg-s --name dms -o dms.fe.h5")
                .exit_code,
            0);
  ASSERT_EQ(femflex("reduce dms.fe.h5 --select dynamic:1-2 -o dms.fbm").exit_code, 0);
  std::filesystem::copy_file(data("../examples/double_mass_spring/push.json"),
                             femflex.file("push.json"));
  ASSERT_EQ(femflex("simulate push.json -o push.h5").exit_code, 0);
  std::filesystem::create_directory(femflex.file("away"));
  std::filesystem::rename(femflex.file("push.h5"), femflex.file("away/push.h5"));
  std::filesystem::rename(femflex.file("dms.fbm"), femflex.file("body.fbm"));
  const CommandResult lost = femflex("view away/push.h5 -o page.html");
  EXPECT_EQ(lost.exit_code, 2);
  EXPECT_NE(lost.err.find("--flex"), std::string::npos) << lost.err;
  for (const char* words : {"view away/push.h5 --flex body.fbm -o page.html",
                            "convert away/push.h5 motion.pvd --flex body.fbm --frames 3"}) {
    const CommandResult found = femflex(words);
    EXPECT_EQ(found.exit_code, 0) << words << found.err;
  }
}

}  // namespace
}  // namespace femflex::testing
