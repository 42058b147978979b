// Tests the command line: exit codes, errors, help, completion.
#include <algorithm>

#include <gtest/gtest.h>

#include "cli/help.h"
#include "cli/progress_bar.h"
#include "cli/verbs.h"
#include "document/json_text.h"
#include "support/support.h"

namespace femflex::cli {
namespace {

testing::CommandResult femflex(const std::string& words) {
  const testing::TemporaryFolder folder;
  return testing::run(testing::femflex_program().string() + " " + words, folder.path());
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Required by the product description: results on stdout, and exit code 0 on success.
TEST(CommandLine, HelpOfEveryVerbShowsUsageOptionsAndAnExample) {
  for (const Verb& verb : verbs()) {
    const auto result = femflex(verb.name + " --help");
    EXPECT_EQ(result.exit_code, 0) << verb.name;
    EXPECT_NE(result.out.find("usage: femflex " + verb.name), std::string::npos) << verb.name;
    EXPECT_NE(result.out.find("--json"), std::string::npos) << verb.name;
    ASSERT_FALSE(verb.examples.empty()) << verb.name;
    for (const std::string& example : verb.examples) {
      EXPECT_NE(example.find("femflex " + verb.name), std::string::npos) << example;
      EXPECT_NE(result.out.find(example), std::string::npos) << verb.name;
    }
  }
}

// Exit code 2 means bad usage; the nearest verb differs by one letter.
TEST(CommandLine, AMisspeltVerbIsOneLineThatNamesTheRightOne) {
  const auto result = femflex("completoin bash");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(lines_of(result.err), 1U) << result.err;
  EXPECT_NE(result.err.find("did you mean 'completion'?"), std::string::npos) << result.err;
}

TEST(CommandLine, AMisspeltOptionIsOneLineThatNamesTheRightOne) {
  const auto result = femflex("man --markdwon");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(lines_of(result.err), 1U) << result.err;
  EXPECT_NE(result.err.find("did you mean '--markdown'?"), std::string::npos) << result.err;
}

// Three verbs read FE files; a name where numbers are expected is the name of a set of nodes.
TEST(CommandLine, AnInterfaceByNameSaysHowToUseASet) {
  for (const std::string verb : {"import", "solve", "reduce"}) {
    const auto result = femflex(verb + " model.bdf --interface EYES -o model.fe.h5");
    EXPECT_EQ(result.exit_code, 2) << verb;
    EXPECT_NE(result.err.find("--spider 9001=rbe3:set:NAME"), std::string::npos) << result.err;
  }
}

// Options without a value in the table are switched on by their name alone.
TEST(CommandLine, AFlagTakesNoValue) {
  for (const char* word : {"--quiet=3", "--quiet=false", "--markdown=true"}) {
    const auto result = femflex(std::string("man ") + word);
    EXPECT_EQ(result.exit_code, 2) << word;
    EXPECT_EQ(lines_of(result.err), 1U) << result.err;
    EXPECT_NE(result.err.find("takes no value"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
  }
  // behind "--" it is an input
  EXPECT_NE(femflex("info -- --quiet=3").err.find("no such file"), std::string::npos);
}

// As in shells, every word after "--" is an input, even one that looks like an option.
TEST(CommandLine, BehindTwoDashesEverythingIsAnInput) {
  const auto result = femflex("info -- --nothing");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("no such file"), std::string::npos) << result.err;
  const auto page = femflex("man -- import");
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_NE(page.out.find("import"), std::string::npos);
}

// The form of an error is fixed: kind, code, message, where, fix.
TEST(CommandLine, WithJsonAnErrorIsADocumentOnStdoutToo) {
  const auto result = femflex("--json man --markdwon");
  EXPECT_EQ(result.exit_code, 2);
  const tools::Json doc = tools::parse_json(result.out, "stdout");
  const tools::Json* error = doc.find("error");
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->find("kind")->text(), "UsageError");
  EXPECT_EQ(error->find("code")->text(), "usage");
  EXPECT_NE(error->find("message")->text().find("--markdwon"), std::string::npos);
  EXPECT_TRUE(error->find("where")->is_object());
  EXPECT_TRUE(error->find("fix")->is_text());
}

class BadUsage : public ::testing::TestWithParam<const char*> {};

// Each call violates the table of its verb, and ends with code 2 and one line.
TEST_P(BadUsage, EndsWithCodeTwoAndOneLine) {
  const auto result = femflex(GetParam());
  EXPECT_EQ(result.exit_code, 2) << GetParam();
  EXPECT_EQ(result.out, "") << GetParam();
  EXPECT_EQ(lines_of(result.err), 1U) << result.err;
}

INSTANTIATE_TEST_SUITE_P(Calls,
                         BadUsage,
                         ::testing::Values("completion",
                                           "completion bash zsh",
                                           "completion fish",
                                           "man --threads",
                                           "man --threads many",
                                           "man --threads 0",
                                           "man --units furlongs",
                                           "man --threads 1 --threads 2",
                                           "man nothing"));

// Truth: the same call with a stderr that takes text. A message that nobody can read must not
// change the outcome of a run, and must not end in the files that it writes.
TEST(CommandLine, AStderrThatCannotBeWrittenChangesNoOutcome) {
  for (const char* where : {" 2>&-", " 2>/dev/full"}) {
    EXPECT_EQ(femflex(std::string("info no-such-file") + where).exit_code, 2) << where;
    EXPECT_EQ(femflex(where).exit_code, 2) << where;
    EXPECT_EQ(femflex(std::string("--version") + where).exit_code, 0) << where;
  }
}

// Truth: the words typed; an empty value, of an unset shell variable for example, is no value.
TEST(CommandLine, AnEmptyValueIsRefusedByTheNameOfItsOption) {
  for (const char* words :
       {"simulate m.json -o ''", "lattice m.json --resume ''", "lattice m.json --variant ''"}) {
    const auto result = femflex(words);
    EXPECT_EQ(result.exit_code, 2) << words;
    EXPECT_NE(result.err.find("the value is empty"), std::string::npos) << result.err;
  }
}

// Truth: the name; a result is HDF5, and no verb writes its files to stdout.
TEST(CommandLine, OutputNamesThatContradictTheirContentAreRefused) {
  for (const char* words : {"simulate m.json -o run.csv",
                            "lattice m.json --end 1 -o run.csv",
                            "lattice m.json --to-fe a.json",
                            "lattice m.json --end 1 --csv -",
                            "simulate m.json -o -"}) {
    const auto result = femflex(words);
    EXPECT_EQ(result.exit_code, 2) << words;
    const bool names_output =
        result.err.find("HDF5") != std::string::npos || result.err.find("'-'") != std::string::npos;
    EXPECT_TRUE(names_output) << words << result.err;
  }
}

// A shell loads the script without an error and completes the first letters of a verb.
TEST(CommandLine, BashCompletesVerbsFromTheTable) {
  const auto result = testing::run("bash -c 'source <(" + testing::femflex_program().string() +
                                       " completion bash); COMP_WORDS=(femflex compl); "
                                       "COMP_CWORD=1; _femflex; echo ${COMPREPLY[@]}'",
                                   "/");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, "completion\n");
}

TEST(CommandLine, ManPagesHoldEveryOptionOfTheirVerb) {
  for (const Verb& verb : verbs()) {
    const std::string page = man_page(&verb);
    EXPECT_EQ(page.rfind(".TH ", 0), 0U);
    for (const Option& option : verb.options) {
      std::string name;
      for (const char c : option.name)
        name += c == '-' ? std::string("\\-") : std::string(1, c);
      EXPECT_NE(page.find(name), std::string::npos) << verb.name << option.name;
    }
  }
}

// 21 of 84 MB in 3 s: a quarter, 7 MB/s, 9 s left.
TEST(CommandLine, AProgressLineTellsPartRateAndRemainingTime) {
  EXPECT_EQ(progress_line("reading a.op4", 21e6, 84e6, "B", 3.0),
            "reading a.op4 [#####...............]  25 %  7 MB/s  0:09 left");
}

}  // namespace
}  // namespace femflex::cli
