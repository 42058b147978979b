// `femflex solve` as a user runs it: CalculiX where it is installed, programs that play an FE code,
// refusals, and Ctrl-C.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "document/json.h"
#include "program.h"
#include "schema_check.h"

namespace femflex::testing {
namespace {

using tools::Json;

class Solve : public ::testing::Test {
 protected:
  CommandResult done(const std::string& words) {
    const CommandResult result = femflex_(words);
    EXPECT_EQ(result.exit_code, 0) << words << "\n" << result.out << result.err;
    return result;
  }
  std::string code(const std::string& words, int exit_code = 2) {
    const CommandResult result = femflex_(words + " --json");
    EXPECT_EQ(result.exit_code, exit_code) << words << result.err;
    const Json document = tools::parse_json(result.out, words);
    const Json* error = document.find("error");
    return error == nullptr ? "no error" : error->find("code")->text();
  }
  /// A script that plays an FE code.
  void play(const std::string& name, const std::string& lines) {
    write_text(femflex_.file(name), "#!/bin/sh\n" + lines);
    chmod(femflex_.file(name).c_str(), 0755);
  }
  std::size_t files() const {
    std::size_t out = 0;
    for (const auto& each : std::filesystem::directory_iterator(femflex_.file("")))
      out += each.is_regular_file() || each.is_directory() ? 1 : 0;
    return out;
  }
  void copy(const std::string& from, const std::string& to) {
    std::filesystem::copy_file(data(from), femflex_.file(to));
  }
  Program femflex_;
};

// Truth: the matrices that the same deck left in the data.
TEST_F(Solve, CalculixGivesTheMatricesOfTheData) {
  if (std::system("command -v ccx > /dev/null 2>&1") != 0)  // NOLINT(concurrency-mt-unsafe)
    GTEST_SKIP() << "no CalculiX is installed";
  copy("calculix/decks/held_C3D10.inp", "part.inp");
  write_text(femflex_.file("part.sti"), "mine");
  const std::string deck = read_text(femflex_.file("part.inp"));
  const Json document = femflex_.json("solve part.inp --units m-kg-s -o m.fe.h5");
  const Json schema = tools::read_json_file(data("../tools/schemas/solve.json"));
  EXPECT_EQ(schema_fault(schema, document), "");
  EXPECT_EQ(document.find("program")->text(), "ccx");
  EXPECT_FALSE(document.find("proofs")->items().empty());
  for (const Json& proof : document.find("proofs")->items())
    EXPECT_TRUE(proof.find("passed")->boolean()) << proof.find("name")->text();
  EXPECT_EQ(read_text(femflex_.file("part.inp")), deck);
  EXPECT_EQ(read_text(femflex_.file("part.sti")), "mine");
  EXPECT_EQ(files(), 3U);
  const std::string base = "'" + data("calculix/decks/held_C3D10").string();
  done("import " + base + ".inp' " + base + ".sti.gz' " + base + ".mas.gz' " + base +
       ".dof' --units m-kg-s -o given.fe.h5");
  const Json ours = femflex_.json("modes m.fe.h5 --normal 3");
  const Json given = femflex_.json("modes given.fe.h5 --normal 3");
  for (std::size_t k = 0; k < 3; ++k) {
    const double f = given.find("modes")->items()[k].find("frequency_hz")->number();
    EXPECT_NEAR(ours.find("modes")->items()[k].find("frequency_hz")->number(), f, 1e-9 * f);
  }
}

// Truth: what was asked for. The deck of NASTRAN gets one line, and its punch file is imported.
TEST_F(Solve, RunsWhatIsNamed) {
  copy("double_mass_spring/dms.bdf", "dms.bdf");
  copy("double_mass_spring/dms.ou1.op4", "given.op4");
  const std::string here = femflex_.file("").string();
  play("mystran", "cp '" + here + "given.op4' job.OU1\ncp \"$1\" '" + here + "seen.bdf'\n");
  done(
      "solve dms.bdf --solver mystran --program ./mystran --units m-kg-s --interface 3 -o m.fe.h5");
  EXPECT_NE(read_text(femflex_.file("seen.bdf")).find("OUTPUT4 KGG,MGG,,,//-1/21"),
            std::string::npos);
  done("solve dms.bdf --solver nastran --deck run.bdf");
  const std::string deck = read_text(femflex_.file("run.bdf"));
  EXPECT_NE(deck.find("PARAM,EXTOUT,DMIGPCH\n"), std::string::npos);
  EXPECT_GT(deck.find("PARAM,EXTOUT"), deck.find("BEGIN BULK"));
  EXPECT_NE(code("solve dms.bdf --solver nastran --deck dms.bdf"), "no error");
}

// Truth: a punch file that the deck includes is not a result; what the program wrote comes first;
// and files that cannot be imported are kept.
TEST_F(Solve, TellsResultsFromIncludedFiles) {
  copy("double_mass_spring/dms.bdf", "dms.bdf");
  std::string deck = read_text(femflex_.file("dms.bdf"));
  deck.insert(deck.find("BEGIN BULK") + 11, "INCLUDE 'own.pch'\n");
  write_text(femflex_.file("dms.bdf"), deck);
  const auto punch = [](const char* scale) {
    std::string out;
    for (const char* name : {"KAAX", "MAAX"}) {
      out += std::string("DMIG    ") + name + "           0       6       2       0\n";
      out += std::string("DMIG*   ") + name + "                           3               3\n";
      out += std::string("*                      3               3          ") + scale + "\n";
    }
    return out;
  };
  write_text(femflex_.file("own.pch"), punch("1.0D+00"));
  play("nastran", "echo ' FATAL: no licence' > job.f06\nexit 0\n");
  const CommandResult none =
      femflex_("solve dms.bdf --program ./nastran --units m-kg-s --interface 3 -o m.fe.h5");
  EXPECT_EQ(none.exit_code, 3) << none.out;
  EXPECT_NE(none.err.find("wrote no matrices: FATAL: no licence"), std::string::npos) << none.err;
  write_text(femflex_.file("job.pch"), punch("4.0D+00"));
  const std::string here = femflex_.file("").string();
  play("NASTRAN", "cp '" + here + "job.pch' .\n");
  const CommandResult mine = done(
      "solve dms.bdf --program ./NASTRAN --units m-kg-s --interface 3 --keep run -o m.fe.h5 "
      "--force");
  EXPECT_NE((mine.out + mine.err).find("that of job.pch is used"), std::string::npos)
      << mine.out << mine.err;
  std::filesystem::remove(femflex_.file("dms.bdf"));
  copy("double_mass_spring/dms.bdf", "dms.bdf");
  play("nastran", "echo 'DMIG,KAAX,0,6,2,0' > job.pch\n");
  EXPECT_NE(femflex_("solve dms.bdf --program ./nastran --units m-kg-s -o n.fe.h5").exit_code, 0);
  bool is_kept = false;
  for (const auto& each : std::filesystem::directory_iterator(femflex_.file("")))
    is_kept = is_kept || each.path().filename().string().starts_with(".femflex-solve-");
  EXPECT_TRUE(is_kept);
}

// Truth: the rule of CalculiX, which opens included files beside the deck that runs.
TEST_F(Solve, BringsTheFilesThatIncludedFilesInclude) {
  std::filesystem::create_directories(femflex_.file("parts"));
  write_text(femflex_.file("run.inp"), "*INCLUDE, INPUT=parts/mesh.inp\n");
  write_text(femflex_.file("parts/mesh.inp"), "*INCLUDE, INPUT=points.inp\n");
  write_text(femflex_.file("parts/points.inp"), "*NODE\n1, 0, 0, 0\n");
  play("ccx", "echo \" *ERROR $(tail -n 1 points.inp)\"\nexit 1\n");
  const CommandResult beside = femflex_("solve run.inp --program ./ccx -o m.fe.h5");
  EXPECT_NE(beside.err.find("*ERROR 1, 0, 0, 0"), std::string::npos) << beside.err;
  write_text(femflex_.file("points.inp"), "*NODE\n2, 0, 0, 0\n");
  const CommandResult top = femflex_("solve run.inp --program ./ccx -o m.fe.h5");
  EXPECT_NE(top.err.find("*ERROR 2, 0, 0, 0"), std::string::npos) << top.err;
}

TEST_F(Solve, SaysWhatIsMissing) {
  copy("double_mass_spring/dms.bdf", "dms.bdf");
  EXPECT_EQ(code("solve dms.bdf --program ./nowhere -o m.fe.h5"), "no-program");
  write_text(femflex_.file("static.bdf"), "SOL 101\nCEND\nBEGIN BULK\nENDDATA\n");
  EXPECT_EQ(code("solve static.bdf --solver mystran --program ./nowhere -o m.fe.h5"), "no-sol-103");
  write_text(femflex_.file("part.inp"), "*NODE\n1, 0, 0, 0\n*INCLUDE, INPUT=../mesh.inp\n");
  EXPECT_EQ(code("solve part.inp -o m.fe.h5"), "include");
  write_text(femflex_.file("part.inp"), "*NODE\n1, 0, 0, 0\n*INCLUDE, INPUT=part.inp\n");
  EXPECT_EQ(code("solve part.inp -o m.fe.h5"), "include");
  write_text(femflex_.file("part.inp"), "*NODE\n1, 0, 0, 0\n");
  // Truth: the matrices of the model part have no preload
  const std::string modes = "*STEP, PERTURBATION\n*FREQUENCY\n3\n*END STEP\n";
  for (const char* first : {"*STEP, NLGEOM\n", "*STEP\n"}) {
    write_text(femflex_.file("part.inp"),
               std::string("*NODE\n1, 0, 0, 0\n") + first + "*STATIC\n*END STEP\n" + modes);
    EXPECT_EQ(code("solve part.inp --program ./nowhere -o m.fe.h5"), "preload") << first;
  }
  write_text(femflex_.file("step.inp"), "*STEP, NLGEOM\n*STATIC\n*END STEP\n");
  write_text(femflex_.file("part.inp"), "*NODE\n1, 0, 0, 0\n*INCLUDE, INPUT=step.inp\n");
  EXPECT_EQ(code("solve part.inp --program ./nowhere -o m.fe.h5"), "include");
  write_text(femflex_.file("part.inp"), "*NODE\n1, 0, 0, 0\n" + modes);
  EXPECT_EQ(code("solve part.inp --program ./nowhere -o m.fe.h5"), "no-program");
  write_text(femflex_.file("part.inp"), "*NODE\n1, 0, 0, 0\n");
  play("ccx", "echo ' *ERROR reading *ELEMENT: no card'\nexit 1\n");
  const CommandResult failed = femflex_("solve part.inp --program ./ccx -o m.fe.h5");
  EXPECT_EQ(failed.exit_code, 3) << failed.err;
  EXPECT_NE(failed.err.find("*ERROR reading *ELEMENT: no card"), std::string::npos) << failed.err;
  EXPECT_FALSE(femflex_.has("m.fe.h5"));
  play("ccx", "exit 0\n");
  EXPECT_NE(femflex_("solve part.inp --program ./ccx -o m.fe.h5").err.find("wrote no matrices"),
            std::string::npos);
}

// Truth: after SIGINT neither femflex nor the program runs, and the folder of the run is gone.
TEST_F(Solve, EndsTheProgramWithItself) {
  write_text(femflex_.file("part.inp"), "*NODE\n1, 0, 0, 0\n");
  const std::string pid = femflex_.file("pid").string();
  play("ccx", "echo $$ > '" + pid + ".part'; mv '" + pid + ".part' '" + pid + "'\nsleep 60\n");
  const pid_t child = fork();
  if (child == 0) {
    std::filesystem::current_path(femflex_.file(""));
    execl(femflex_program().c_str(),
          "femflex",
          "solve",
          "part.inp",
          "--program",
          "./ccx",
          "-q",
          "-o",
          "m.fe.h5",
          nullptr);
    _exit(127);
  }
  for (int k = 0; k < 500 && !femflex_.has("pid"); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(femflex_.has("pid"));
  kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
  const pid_t program = std::stoi(read_text(femflex_.file("pid")));
  EXPECT_NE(kill(program, 0), 0);
  EXPECT_EQ(files(), 3U);  // deck, program, pid
}

}  // namespace
}  // namespace femflex::testing
