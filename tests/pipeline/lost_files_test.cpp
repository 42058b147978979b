// Tests that no result is lost: what every verb that writes files does on a full disk, with names
// that cannot be written, with an input file as output, and when it is stopped or killed.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"

#include "program.h"
#include "results/outputs.h"
#include "results/results_file.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// A command line with OUT in place of the output file, and that file.
struct Call {
  std::string words;
  std::string output;
};

std::vector<Call> calls() {
  const std::string span = "'" + data("substructure/span.json").string() + "'";
  const std::string bars = "'" + data("../examples/substructures/bars.json").string() + "'";
  const std::string ladder = "'" + data("lattice/staal/model_table4.json").string() + "'";
  std::vector<Call> out = {
      {"import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --units m-kg-s -o OUT", "m.fe.h5"},
      {"modes dms.fe.h5 --normal 2 -o OUT", "modes.fe.h5"},
      {"reduce dms.fe.h5 --select dynamic -o ok.fbm --report OUT", "reduce.html"},
      {"validate dms.fbm --against dms.fe.h5 --modes 2 --report OUT", "validate.html"},
      {"simulate step.json -o OUT", "run.h5"},
      {"simulate step.json -o ok.h5 --csv OUT", "run.csv"},
      {"simulate step.json -o ok.h5 --report OUT", "run.html"},
      {"lattice lattice.json --end 1 -o OUT", "chain.h5"},
      {"lattice lattice.json --end 1 --csv OUT", "chain.csv"},
      {"lattice lattice.json --end 1 --save-state OUT", "state.h5"},
      {"lattice lattice.json --statics -o OUT", "rest.h5"},
      {"lattice lattice.json --write OUT", "copy.json"},
      {"lattice " + ladder + " --statics --to-fe OUT", "ladder.fe.h5"},
      {"lattice " + ladder + " --branch OUT", "branch.csv"},
      {"assemble " + span + " --csv OUT", "span.csv"},
      {"assemble " + bars + " --part BB3x6 -o OUT", "bar.txt"},
      {"back-transform step.h5 --nodes 2 -o OUT", "eta.h5"},
      {"back-transform step.h5 --nodes 2 -o ok.h5 --csv OUT", "eta.csv"},
      {"compare step.h5 step.h5 --csv OUT", "both.csv"},
      {"compare step.h5 step.h5 --report OUT", "compare.html"},
      {"study step.json --reference full --variants one --report OUT", "study.html"},
      {"view dms.fbm -o OUT", "view.html"},
      {"new pendulum -o OUT", "new.json"}};
  for (const char* ending :
       {".fbm", ".flex", ".fem", ".SID_FEM", ".npz", ".hdf5", ".vtu", ".glb"}) {
    const std::string name = std::string("body") + ending;
    out.push_back({"convert dms.fbm OUT", name});
    out.push_back({"transform dms.fbm --move 0,0,1 -o OUT", name});
    out.push_back({"reduce dms.fe.h5 --select dynamic -o OUT", name});
  }
  return out;
}

std::string with_output(const Call& call, const std::string& output) {
  std::string words = call.words;
  return words.replace(words.find("OUT"), 3, output);
}

class LostFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(femflex_("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --modes " +
                       dms("dms_static.pch") + ":static --modes " + dms("dms_constraint.pch") +
                       ":constraint --units m-kg-s -o dms.fe.h5")
                  .exit_code,
              0);
    ASSERT_EQ(femflex_("modes dms.fe.h5 --normal 2").exit_code, 0);
    for (const char* words : {"--select static,constraint --damping 0.1 -o static.fbm",
                              "--select constraint -o constraint.fbm",
                              "--select dynamic -o dms.fbm"})
      ASSERT_EQ(femflex_(std::string("reduce dms.fe.h5 ") + words).exit_code, 0);
    fs::copy_file(data("../examples/double_mass_spring/step.json"), file("step.json"));
    ASSERT_EQ(femflex_("simulate step.json -o step.h5").exit_code, 0);
    ASSERT_EQ(femflex_("new lattice").exit_code, 0);
    ASSERT_EQ(femflex_("new pendulum").exit_code, 0);
  }

  fs::path file(const std::string& name) const { return femflex_.file(name); }

  /// Runs the line in a shell, so that limits and signals act as for a user.
  CommandResult shell(const std::string& line) const {
    return run(line, femflex_.file("step.json").parent_path());
  }
  static std::string program() { return "'" + femflex_program().string() + "' "; }

  std::vector<std::string> parts() const {
    std::vector<std::string> out;
    for (const auto& each : fs::directory_iterator(file("step.json").parent_path())) {
      const std::string name = each.path().filename().string();
      if (name.ends_with(".part") || name.ends_with(".part.h5")) out.push_back(name);
    }
    return out;
  }

  Program femflex_;
};

/// A program that runs in parallel with the test.
class Running {
 public:
  Running(const fs::path& folder, const std::vector<std::string>& words) {
    process_ = ::fork();
    if (process_ != 0) return;
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    const int nothing = ::open("/dev/null", O_RDWR);
    const int said = ::open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(said, STDERR_FILENO);
    const std::string program = femflex_program().string();
    std::vector<char*> call{const_cast<char*>(program.c_str())};  // NOLINT: execv wants it so
    for (const std::string& word : words)
      call.push_back(const_cast<char*>(word.c_str()));  // NOLINT
    call.push_back(nullptr);
    ::execv(program.c_str(), call.data());
    ::_exit(127);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  Running(Running&&) = delete;
  Running& operator=(Running&&) = delete;
  ~Running() {
    if (process_ > 0) end(SIGKILL);
  }

  pid_t process() const { return process_; }
  /// Sends a signal and waits for the end.
  /// @return the exit code, or 128 plus the signal
  int end(int signal) {
    ::kill(process_, signal);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t process_ = -1;
};

/// Waits until `condition` is true, at most one minute, because test machines may be slow.
bool comes_true(const std::function<bool()>& condition) {
  for (const auto until = std::chrono::steady_clock::now() + 60s;
       std::chrono::steady_clock::now() < until;
       std::this_thread::sleep_for(10ms)) {
    if (condition()) return true;
  }
  return false;
}

// The product description, section 3, requires: "a crash or a full disk never leaves a half file
// under the asked name". A limit of 512 bytes simulates a full disk.
TEST_F(LostFiles, AFullDiskIsAnErrorThatKeepsTheOldFileInEveryVerb) {
  for (const Call& call : calls()) {
    if (call.output == "copy.json" || call.output == "bar.txt") continue;  // smaller than the limit
    write_text(file(call.output), "old");
    const CommandResult result =
        shell("ulimit -f 1; " + program() + with_output(call, call.output));
    EXPECT_EQ(result.exit_code, 2) << call.words << result.err;
    EXPECT_NE(result.err.find("cannot be written: File too large"), std::string::npos)
        << call.words << "\n"
        << result.err;
    EXPECT_EQ(read_text(file(call.output)), "old") << call.words;
    EXPECT_EQ(parts(), std::vector<std::string>{}) << call.words;
    fs::remove(file(call.output));
  }
}

// Same test with a real full disk. It needs root to mount a small disk.
TEST_F(LostFiles, AFullDiskOfItsOwnGivesTheSame) {
  const fs::path disk = file("disk");
  fs::create_directory(disk);
  if (shell("mount -t tmpfs -o size=64k none disk").exit_code != 0)
    GTEST_SKIP() << "small disks are for root";
  for (const Call& call : calls()) {
    shell("rm -rf disk/*; printf old > disk/" + call.output + "; cat /dev/zero > disk/filler");
    const CommandResult result = femflex_(with_output(call, "disk/" + call.output));
    EXPECT_EQ(result.exit_code, 2) << call.words << result.out << result.err;
    // a forecast of the size
    const bool is_told = result.err.find("No space left on device") != std::string::npos ||
                         result.err.find("would take") != std::string::npos;
    EXPECT_TRUE(is_told) << call.words << "\n" << result.err;
    EXPECT_EQ(read_text(disk / call.output), "old") << call.words;
    EXPECT_EQ(std::distance(fs::directory_iterator(disk), {}), 2) << call.words;
  }
  EXPECT_EQ(shell("umount disk").exit_code, 0);
}

TEST_F(LostFiles, NamesThatCannotBeWrittenAreErrorsInEveryVerb) {
  for (const Call& call : calls()) {
    const std::string ending = fs::path(call.output).extension().string();
    fs::create_directory(file("folder" + ending));
    const std::string long_name = std::string(300, 'x') + ending;
    for (const std::string& name : {"no/such/" + call.output, "folder" + ending, long_name}) {
      const CommandResult result = femflex_(with_output(call, name));
      EXPECT_EQ(result.exit_code, 2) << call.words << result.err;
      EXPECT_NE(result.err.find(name), std::string::npos) << call.words << "\n" << result.err;
      EXPECT_EQ(parts(), std::vector<std::string>{}) << call.words;
    }
    fs::remove(file("folder" + ending));
  }
}

// The same file by another path, by a link, and as companion file.
TEST_F(LostFiles, NoVerbWritesOverItsInput) {
  fs::create_symlink("step.json", file("link.json"));
  fs::create_hard_link(file("step.h5"), file("hard.h5"));
  ASSERT_EQ(femflex_("convert dms.fbm dms.flex").exit_code, 0);
  for (const auto& [words, input] : std::vector<std::pair<std::string, std::string>>{
           {"simulate step.json -o step.json", "step.json"},
           {"simulate step.json -o link.json", "step.json"},
           {"simulate step.json -o ./step.json", "step.json"},
           {"simulate step.json -o static.fbm", "static.fbm"},
           {"simulate step.json -o new.h5 --csv step.json", "step.json"},
           {"simulate step.json -o same.h5 --csv same.h5", "step.json"},
           {"study step.json --reference full --variants one --report step.json", "step.json"},
           {"study step.json --reference step.h5 --variants one --report step.h5", "step.h5"},
           {"reduce dms.fe.h5 -o dms.fe.h5", "dms.fe.h5"},
           {"reduce dms.fe.h5 -o new.fbm --report dms.fe.h5", "dms.fe.h5"},
           {"convert dms.fbm dms.fbm", "dms.fbm"},
           {"convert dms.flex dms.flex.h5 --format fbm", "dms.flex.h5"},
           {"transform dms.fbm -o dms.fbm", "dms.fbm"},
           {"validate dms.fbm --against dms.fe.h5 --report dms.fe.h5", "dms.fe.h5"},
           {"lattice lattice.json --end 1 -o lattice.json", "lattice.json"},
           {"lattice lattice.json --end 1 --csv lattice.json", "lattice.json"},
           {"back-transform step.h5 -o hard.h5", "step.h5"},
           {"compare step.h5 step.h5 --csv step.h5", "step.h5"},
           {"view dms.fbm -o dms.fbm", "dms.fbm"}}) {
    const std::string before = read_text(file(input));
    const CommandResult result = femflex_(words);
    EXPECT_EQ(result.exit_code, 2) << words << "\n" << result.out << result.err;
    EXPECT_TRUE(result.err.find("overwrit") != std::string::npos ||
                result.err.find("two outputs") != std::string::npos)
        << words << "\n"
        << result.err;
    EXPECT_TRUE(read_text(file(input)) == before) << words;
  }
  // this call adds to the file
  EXPECT_EQ(femflex_("modes dms.fe.h5 --normal 2 -o dms.fe.h5").exit_code, 0);
}

/// Runs so long that they never end: those that write rows often, and those that write rows rarely.
const std::vector<std::vector<std::string>> kLongRuns = {
    {"simulate", "pendulum.json", "--end", "1e7", "--output-step", "1"},
    {"lattice", "lattice.json", "--end", "1e7", "--output-step", "1"}};

// Truth: the rows of a stopped run are the first rows of a run that ends normally.
TEST_F(LostFiles, AStoppedRunKeepsItsRowsAndTheOldFile) {
  for (const int signal : {SIGINT, SIGTERM}) {
    for (const std::vector<std::string>& run_words : kLongRuns) {
      for (const bool is_taken : {false, true}) {
        std::vector<std::string> words = run_words;
        fs::remove(file("r.h5"));
        if (is_taken) write_text(file("r.h5"), "old");
        words.insert(words.end(), {"-o", "r.h5"});
        Running run(file("step.json").parent_path(), words);
        const fs::path part = file("r.h5." + std::to_string(run.process()) + "-0.part");
        ASSERT_TRUE(comes_true([&]() { return tools::is_results_file(part); })) << words[0];
        EXPECT_EQ(run.end(signal), 130) << words[0];
        const std::string kept = is_taken ? "r.partial.h5" : "r.h5";
        EXPECT_NE(read_text(file("said")).find(kept), std::string::npos) << read_text(file("said"));
        const tools::ResultSeries series = tools::read_results(file(kept));
        EXPECT_FALSE(series.is_complete);
        EXPECT_GT(series.time.size(), 1);
        for (Eigen::Index r = 0; r < series.time.size(); ++r)
          ASSERT_NEAR(series.time(r), static_cast<double>(r), 1e-9 * static_cast<double>(r));
        if (is_taken) {
          EXPECT_EQ(read_text(file("r.h5")), "old");
        }
        EXPECT_EQ(parts(), std::vector<std::string>{});
      }
    }
  }
}

// Truth: docs/formats/results.md. A killed program leaves readable rows, and the next run continues
// from them.
TEST_F(LostFiles, AKilledRunLeavesRowsThatCanBeRead) {
  for (std::vector<std::string> words : kLongRuns) {
    words.insert(words.end(), {"-o", "k.h5"});
    write_text(file("k.h5"), "old");
    std::string part;
    {
      Running run(file("step.json").parent_path(), words);
      part = "k.h5." + std::to_string(run.process()) + "-0.part";
      ASSERT_TRUE(comes_true([&]() { return tools::is_results_file(file(part)); })) << words[0];
      EXPECT_EQ(run.end(SIGKILL), 128 + SIGKILL);
    }
    EXPECT_EQ(read_text(file("k.h5")), "old");
    const tools::ResultSeries series = tools::read_results(file(part));
    EXPECT_FALSE(series.is_complete);
    EXPECT_GT(series.time.size(), 0);
    EXPECT_EQ(femflex_("compare " + part + " " + part).exit_code, 0);
    const CommandResult next = femflex_(words[0] + " " + words[1] + " --end 1 -o k.h5");
    EXPECT_EQ(next.exit_code, 0) << next.err;
    EXPECT_NE(next.err.find("k.partial.h5"), std::string::npos) << next.err;
    EXPECT_EQ(tools::read_results(file("k.partial.h5")).time, series.time);
    EXPECT_EQ(parts(), std::vector<std::string>{});
    fs::remove(file("k.partial.h5"));
  }
}

// Few rows: 100 rows of 1e9 s, with 1e9 steps in between.
TEST_F(LostFiles, ALongWayBetweenRowsIsLeftAtASignal) {
  for (std::vector<std::string> words : kLongRuns) {
    words = {words[0], words[1], "--end", "1e9", "--output-step", "1e7", "-o", "f.h5"};
    Running run(file("step.json").parent_path(), words);
    ASSERT_TRUE(comes_true([&]() { return !parts().empty(); }));
    EXPECT_EQ(run.end(SIGTERM), 130) << words[0];
    EXPECT_EQ(parts(), std::vector<std::string>{}) << words[0];
  }
}

// Truth: a stopped lattice run continues from its state bit for bit like the run without
// interruption.
TEST_F(LostFiles, AStoppedLatticeGoesOnFromItsState) {
  const std::vector<std::string> words = {"lattice",
                                          "lattice.json",
                                          "--dt",
                                          "1e-4",
                                          "--end",
                                          "1e7",
                                          "--save-state",
                                          "s.h5",
                                          "--output-step",
                                          "1e-2",
                                          "--force",
                                          "-o",
                                          "r.h5"};
  Running run(file("step.json").parent_path(), words);
  const fs::path part = file("r.h5." + std::to_string(run.process()) + "-0.part");
  ASSERT_TRUE(comes_true([&]() { return tools::is_results_file(part); }));
  EXPECT_EQ(run.end(SIGINT), 130);
  ASSERT_TRUE(fs::exists(file("s.h5"))) << read_text(file("said"));
  const double time = io::Hdf5File::open(file("s.h5")).real_attribute("/", "time");
  const std::string end = " --dt 1e-4 --end " + std::to_string(time + 0.01);
  ASSERT_EQ(femflex_("lattice lattice.json --resume s.h5 --save-state a.h5" + end).exit_code, 0);
  ASSERT_EQ(femflex_("lattice lattice.json --save-state b.h5" + end).exit_code, 0);
  EXPECT_EQ(io::Hdf5File::open(file("a.h5")).read_reals("/q"),
            io::Hdf5File::open(file("b.h5")).read_reals("/q"));
}

// The state of a stopped run is saved also if its table cannot be written, and the message tells
// both. Truth: that file; a folder has the name of the table.
TEST_F(LostFiles, AStoppedLatticeKeepsItsStateIfItsTableCannotBeWritten) {
  const std::vector<std::string> words = {"lattice",
                                          "lattice.json",
                                          "--dt",
                                          "1e-4",
                                          "--end",
                                          "1e7",
                                          "--save-state",
                                          "s.h5",
                                          "--csv",
                                          "t.csv",
                                          "--output-step",
                                          "1e-2",
                                          "--force",
                                          "-o",
                                          "r.h5"};
  Running run(file("step.json").parent_path(), words);
  const fs::path part = file("r.h5." + std::to_string(run.process()) + "-0.part");
  ASSERT_TRUE(comes_true([&]() { return tools::is_results_file(part); }));
  fs::create_directories(file("t.csv") / "folder");
  EXPECT_NE(run.end(SIGINT), 0);
  const std::string said = read_text(file("said"));
  EXPECT_TRUE(fs::exists(file("s.h5"))) << said;
  EXPECT_NE(said.find("t.csv"), std::string::npos) << said;
  EXPECT_NE(said.find("r.h5"), std::string::npos) << said;
  EXPECT_NE(said.find("--resume"), std::string::npos) << said;
}

// 9e8 rows of 88 or 184 bytes need more than 20 GB; this is reported before the first row.
TEST_F(LostFiles, RowsThatTheDiskCannotTakeAreRefusedBeforeTheRun) {
  for (const char* words : {"simulate pendulum.json --end 900", "lattice lattice.json --end 900"}) {
    const CommandResult result = femflex_(std::string(words) + " --output-step 1e-6 -o r.h5");
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find("would take"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("--output-step"), std::string::npos) << result.err;
    EXPECT_EQ(parts(), std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace femflex::testing
