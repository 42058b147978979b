// Tests `info` on spring-mass models of every format. Truth: the numbers in the file.
#include <gtest/gtest.h>

#include "lattice/run_lattice.h"
#include "program.h"

namespace femflex::tools {
namespace {

using testing::Program;

constexpr const char* kFydik = R"(<?xml version="1.0"?>
<MODEL name="pair" type="2D">
  <SIMULATOR time="1" timeStep="0.001" method="2" timeSpeed="1" fps="25" timeBreak="3"/>
  <MASSPOINT index="0" initMass="1" fixedX="true" fixedY="true"/>
  <MASSPOINT index="1" initMass="2" initCoordX="1" halo="7"/>
  <MASSPOINT index="2" initMass="0.5" initCoordX="1" initCoordY="2"/>
  <TRANSLATIONALSPRING index="0" massObject1Index="0" massObject2Index="1" stiffness="40"/>
  <TRANSLATIONALSPRING index="1" massObject1Index="1" massObject2Index="2" stiffness="40"/>
  <ROTATIONALSPRING index="0" translationalSpring1Index="0" translationalSpring2Index="1" stiffness="3"/>
</MODEL>)";

class LatticeInfo : public ::testing::Test {
 protected:
  Json info(const std::string& name, const std::string& text) {
    testing::write_text(femflex.file(name), text);
    return femflex.json("info " + name).find("files")->items()[0];
  }
  static double number(const Json& info, const char* key) { return info.find(key)->number(); }
  Program femflex;
};

TEST_F(LatticeInfo, SaysWhatIsInAFydikModel) {
  if (!has_fydik()) GTEST_SKIP() << "built without an XML reader";
  const Json file = info("pair.model.fdk", kFydik);
  EXPECT_EQ(file.find("format")->text(), "FyDiK model");
  EXPECT_EQ(number(*file.find("nodes"), "count"), 3.0);
  EXPECT_EQ(number(file, "springs"), 2.0);
  EXPECT_EQ(number(file, "rotational_springs"), 1.0);
  EXPECT_EQ(number(file, "held_dofs"), 2.0);
  EXPECT_EQ(number(file, "mass"), 3.5);
  EXPECT_EQ(number(file, "start_time"), 1.0);
  EXPECT_EQ(number(file, "end_time"), 3.0);
  EXPECT_EQ(number(file, "output_step"), 0.04);
  EXPECT_EQ(file.find("integrator")->text(), "rk4");
  std::string codes;
  for (const Json& each : file.find("warnings")->items())
    codes += each.find("code")->text() + " ";
  EXPECT_NE(codes.find("not-used"), std::string::npos) << codes;
  const std::string text = femflex("info pair.model.fdk").out;
  for (const char* part : {"3 nodes",
                           "2 springs",
                           "1 rotational spring,",
                           "2 held DOFs",
                           "mass 3.5 kg",
                           "from 1 s to 3 s",
                           "rk4"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

// The matrix screen of 2007: masses 0.5 and 2 on the diagonal, k = 100 below and d = 1 above it.
TEST_F(LatticeInfo, SaysWhatIsInAKDMatrixWhateverItsNumbersLookLike) {
  const Json plain = info("net.csv", "0.5,1,0,0\n100,2,1,0\n");
  EXPECT_EQ(plain.find("format")->text(), "K/D matrix");
  EXPECT_EQ(number(plain, "springs"), 1.0);
  EXPECT_EQ(number(plain, "mass"), 2.5);
  EXPECT_EQ(number(plain, "dimension"), 2.0);
  // five columns of integers, like a list of matrix entries by labels
  EXPECT_EQ(info("five.csv", "1,1,1,0,0\n5,1,1,1,0\n5,5,1,0,1\n").find("format")->text(),
            "K/D matrix");
  // wider rows, whose first five columns could be such a list
  EXPECT_EQ(info("held.csv", "1;1;1;0;0;xy\n5;1;1;1;0;-\n5;5;1;0;1;-\n").find("format")->text(),
            "K/D matrix");
  EXPECT_EQ(
      info("mark.csv", "\xEF\xBB\xBF# made by a table\n0.2,2,2,0,0\n9,0.2,2,2,0\n9,9,0.2,1,1.7\n")
          .find("format")
          ->text(),
      "K/D matrix");
}

// Files of other readers keep their kind: matrix entries by node and DOF, and tables of nodes.
TEST_F(LatticeInfo, LeavesListsOfEntriesAndNodesToTheirReaders) {
  const Json labels = info("k.mtx", "1,1, 1,1, 4.0\n1,2, 1,1, -2.0\n1,2, 1,2, 5.0\n");
  EXPECT_EQ(labels.find("format")->text(), "abaqus-labels");
  EXPECT_NE(info("nodes.csv", "1,0,0,0\n2,1,0,0\n3,2,0,0\n").find("format")->text(), "K/D matrix");
}

TEST_F(LatticeInfo, SaysWhatIsInPolynomialsStatesAndJson) {
  const Json h = info("h.txt", "# Duffing\nH = 0.5*[1]^2 + 0.5*[0]^2 + 1.25*[0]^4\n");
  EXPECT_EQ(h.find("format")->text(), "polynomial Hamiltonian");
  EXPECT_EQ(number(h, "states"), 2.0);
  EXPECT_EQ(number(h, "terms"), 3.0);
  ASSERT_EQ(femflex("lattice h.txt --initial 1,0 --end 1 --dt 0.01 --save-state s.h5").exit_code,
            0);
  const Json state = femflex.json("info s.h5").find("files")->items()[0];
  EXPECT_EQ(state.find("format")->text(), "lattice state");
  EXPECT_EQ(number(state, "time"), 1.0);
  EXPECT_EQ(number(state, "steps"), 100.0);
  // with this number of nodes, the springs come after the part of the file that is inspected first
  std::string nodes;
  for (int i = 1; i <= 3000; ++i)
    nodes += (i > 1 ? "," : "") + std::string("{\"id\":") + std::to_string(i) + ",\"x\":[" +
             std::to_string(i) + "],\"mass\":1}\n";
  std::string springs;
  for (int i = 1; i < 3000; ++i)
    springs += (i > 1 ? "," : "") + std::string("{\"i\":") + std::to_string(i) +
               ",\"j\":" + std::to_string(i + 1) + ",\"k\":5}\n";
  const Json big =
      info("big.json",
           "\xEF\xBB\xBF{\"dimension\":1,\"nodes\":[" + nodes + "],\"springs\":[" + springs + "]}");
  EXPECT_EQ(big.find("format")->text(), "femflex lattice");
  EXPECT_EQ(number(big, "springs"), 2999.0);
}

// A verb that does not accept lattices reports what kind of file it received.
TEST_F(LatticeInfo, OtherVerbsKnowALatticeForWhatItIs) {
  testing::write_text(femflex.file("net.csv"), "0.5,1,0,0\n100,2,1,0\n");
  const auto seen = femflex("view net.csv -o v.html");
  EXPECT_EQ(seen.exit_code, 2);
  EXPECT_NE(seen.err.find("is a lattice"), std::string::npos) << seen.err;
}

}  // namespace
}  // namespace femflex::tools
