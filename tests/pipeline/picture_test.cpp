// Tests what results store for pictures: all moving parts, and no channels that were not requested.
#include <gtest/gtest.h>

#include "program.h"
#include "results/results_file.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

void make_chain(const Program& femflex) {
  ASSERT_EQ(femflex("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") +
                    " --units m-kg-s --name dms --interface 3 -o dms.fe.h5")
                .exit_code,
            0);
  ASSERT_EQ(femflex("modes dms.fe.h5 --normal 2").exit_code, 0);
  ASSERT_EQ(femflex("reduce dms.fe.h5 -o dms.fbm").exit_code, 0);
}

std::string chain_system(const std::string& as, const std::string& outputs) {
  return R"({ "femflex": 1, "name": "chain", "units": "m-kg-s",
    "bodies": { "dms": { "flex": "dms.fbm", "as": ")" +
         as + R"(", "model": "dms.fe.h5" } },
    "joints": { "wall": { "type": "fixed", "a": "ground", "b": "dms" } },
    "forces": { "push": { "type": "force", "on": "dms/3", "value": [0, 0, 10] } },
    "analyses": [ { "type": "dynamic", "end": 1, "step": 1e-2, "output_step": 0.05 } ])" +
         outputs + " }";
}

// Truth: the list of outputs.
TEST(Picture, ChannelsAreThoseThatWereAskedForAndThePictureHasTheMotionBeside) {
  const Program femflex;
  make_chain(femflex);
  write_text(femflex.file("s.json"),
             chain_system("flex", R"(, "outputs": [ "dms/3", "wall/reaction" ])"));
  const CommandResult done = femflex("simulate s.json -o r.h5");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const tools::ResultSeries series = tools::read_results(femflex.file("r.h5"));
  std::string names;
  for (const mbd_solver::Channel& channel : series.channels)
    names += channel.name + " ";
  EXPECT_EQ(names,
            "dms/3/position/x dms/3/position/y dms/3/position/z wall/reaction/x wall/reaction/y "
            "wall/reaction/z ");
  const tools::ResultPicture picture = tools::read_picture(femflex.file("r.h5"));
  EXPECT_EQ(picture.motion.time.size(), 21);
  for (const char* name : {"dms/position/x", "dms/orientation/w", "dms/zeta/2"})
    EXPECT_GE(picture.motion.find(name), 0) << name;
  EXPECT_EQ(femflex("view r.h5 -o r.html").exit_code, 0);
}

// Truth: the same motion of node 3 from the modal coordinates of the reduced body, which contains
// all modes of the chain, and from the full model, which has no body file.
TEST(Picture, AFullModelIsShownByItsNodes) {
  const Program femflex;
  make_chain(femflex);
  for (const std::string as : {"flex", "full"}) {
    write_text(femflex.file(as + ".json"),
               chain_system(as, R"(, "outputs": [ "dms/3/displacement/z" ])"));
    const CommandResult done = femflex("simulate " + as + ".json -o " + as + ".h5");
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const CommandResult shown = femflex("view " + as + ".h5 -o " + as + ".html");
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
  }
  const tools::ResultSeries flex = tools::read_results(femflex.file("flex.h5"));
  const tools::ResultPicture full = tools::read_picture(femflex.file("full.h5"));
  const Eigen::Index column = full.motion.find("dms/3/displacement/z");
  ASSERT_GE(column, 0);
  ASSERT_EQ(full.motion.time.size(), flex.time.size());
  const double scale = flex.values.col(0).cwiseAbs().maxCoeff();
  EXPECT_GT(scale, 0.0);
  EXPECT_LE((full.motion.values.col(column) - flex.values.col(0)).cwiseAbs().maxCoeff(),
            tolerance(1e-6) * scale);
  EXPECT_NE(read_text(femflex.file("full.html")).find("\"disp\":"), std::string::npos);
}

// Truth: a run without "outputs" has the same channels for a reduced and for a full body.
TEST(Picture, ARunWithoutOutputsHasNoNodesAmongItsChannels) {
  const Program femflex;
  make_chain(femflex);
  write_text(femflex.file("s.json"), chain_system("full", ""));
  ASSERT_EQ(femflex("simulate s.json -o r.h5").exit_code, 0);
  const tools::ResultSeries series = tools::read_results(femflex.file("r.h5"));
  EXPECT_GE(series.find("dms/zeta/1"), 0);
  EXPECT_GE(series.find("wall/reaction/x"), 0);
  EXPECT_GE(series.find("energy/total"), 0);
  for (const mbd_solver::Channel& channel : series.channels)
    EXPECT_EQ(channel.name.find("displacement"), std::string::npos) << channel.name;
}

// Truth: the list of outputs. Masses of a lattice in a system are bodies with a slash in their
// names.
TEST(Picture, MassesOfALatticeInASystemMoveInThePicture) {
  const Program femflex;
  write_text(
      femflex.file("net.json"),
      R"({ "dimension": 3, "gravity": 0, "nodes": [ { "id": 1, "x": [0, 0, 0], "mass": 1, "fixed": true },
               { "id": 2, "x": [1, 0, 0], "mass": 1, "v": [0.1, 0, 0] } ],
               "springs": [ { "i": 1, "j": 2, "k": 100, "law": "linear" } ] })");
  write_text(
      femflex.file("s.json"),
      R"({ "femflex": 1, "name": "s", "units": "m-kg-s", "bodies": { "net": { "lattice": "net.json" } },
               "analyses": [ { "type": "dynamic", "end": 0.5, "step": 1e-2 } ], "outputs": [ "energy" ] })");
  const CommandResult done = femflex("simulate s.json -o r.h5");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  for (const mbd_solver::Channel& channel : tools::read_results(femflex.file("r.h5")).channels)
    EXPECT_EQ(channel.name.rfind("energy/", 0), 0U) << channel.name;
  const tools::ResultPicture picture = tools::read_picture(femflex.file("r.h5"));
  const Eigen::Index column = picture.motion.find("net/2/position/x");
  ASSERT_GE(column, 0);
  EXPECT_GT(picture.motion.values.col(column).maxCoeff(), 1.005);
  EXPECT_EQ(femflex("view r.h5 -o r.html").exit_code, 0);
}

// Truth: docs/formats/results.md. The layout is checked before it is used.
TEST(Picture, AnIncompleteMotionIsAnError) {
  const TemporaryFolder folder;
  {
    tools::ResultsFile file(folder / "r.h5");
    const std::vector<mbd_solver::Channel> channels{{"a/position/x", "m"}};
    file.begin(channels);
    file.begin_picture({"a/position/x", "a/position/y"});
    const std::vector<double> row{1.0};
    file.append(0.0, row);
    file.append_picture(0.0, std::vector<double>{1.0, 2.0});
    file.append_picture(1.0, std::vector<double>{});
    file.commit(true);
  }
  EXPECT_THROW(static_cast<void>(tools::read_picture(folder / "r.h5")), ParseError);
}

}  // namespace
}  // namespace femflex::testing
