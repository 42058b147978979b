// Tests agents in separate processes, as suppliers would run them; uses only the loopback
// interface.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <limits>
#include <thread>

#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <fcntl.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "span_parts.h"
#include "support/support.h"

namespace femflex::service {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// A process `femflex serve FILE`, which is ended with SIGTERM.
class Process {
 public:
  Process(const testing::TemporaryFolder& folder,
          const std::string& name,
          const std::string& file,
          int port = 0)
      : port_file_(folder / (name + ".port")) {
    testing::write_text(folder / (name + ".json"), file);
    std::filesystem::remove(port_file_);
    const std::string program = testing::femflex_program().string();
    const std::string input = (folder / (name + ".json")).string();
    const std::string port_text = std::to_string(port);
    const std::string out = port_file_.string();
    process_ = ::fork();
    if (process_ == 0) {
      const int null = ::open("/dev/null", O_WRONLY);
      ::dup2(null, STDOUT_FILENO);
      ::execl(program.c_str(),
              "femflex",
              "serve",
              input.c_str(),
              "--port",
              port_text.c_str(),
              "--port-file",
              out.c_str(),
              "--agent-timeout",
              "2",
              "--quiet",
              static_cast<char*>(nullptr));
      ::_exit(127);
    }
    const auto give_up = Clock::now() + 20s;
    while (Clock::now() < give_up) {
      std::ifstream in(port_file_);
      if (in >> port_) break;
      std::this_thread::sleep_for(10ms);
    }
    while (Clock::now() < give_up) {
      if (httplib::Client("127.0.0.1", port_).Get("/v1/health")) break;
      std::this_thread::sleep_for(10ms);
    }
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  Process(Process&&) = delete;
  Process& operator=(Process&&) = delete;
  ~Process() { stop(); }

  /// Sends SIGTERM; returns the exit status.
  int stop() {
    if (process_ <= 0) return -1;
    ::kill(process_, SIGTERM);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  int port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  /// Resident memory [kB] of the process.
  long resident() const {
    std::ifstream in("/proc/" + std::to_string(process_) + "/status");
    std::string word;
    while (in >> word) {
      if (word == "VmRSS:") {
        long kilobytes = 0;
        in >> kilobytes;
        return kilobytes;
      }
    }
    return 0;
  }
  long open_files() const {
    long count = 0;
    const std::filesystem::path folder = "/proc/" + std::to_string(process_) + "/fd";
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder))
      ++count;
    return count;
  }

 private:
  std::filesystem::path port_file_;
  pid_t process_ = -1;
  int port_ = 0;
};

json remote(const std::string& url) {
  return {{"remote", {{"agent", url}}}};
}

/// Three processes: the bars; the triangle made of remote bars; the span made of remote triangles
/// and a remote bar.
struct Suppliers {
  explicit Suppliers(const testing::TemporaryFolder& folder)
      : bars(folder, "bars", bars_file()),
        triangle(folder, "triangle", triangle_file(bars.url())),
        span(folder, "span", span_file(bars.url(), triangle.url())) {}

  static std::string bars_file() {
    const json parts = span_parts();
    return json{{"offer", {"BB3x6", "BD3x5"}},
                {"parts", {{"BB3x6", parts["BB3x6"]}, {"BD3x5", parts["BD3x5"]}}}}
        .dump();
  }
  static std::string triangle_file(const std::string& bars) {
    return json{
        {"parts",
         {{"BB3x6", remote(bars)}, {"BD3x5", remote(bars)}, {"TR6x4", span_parts()["TR6x4"]}}}}
        .dump();
  }
  static std::string span_file(const std::string& bars, const std::string& triangle) {
    return json{{"offer", {"SPAN24", "SPAN24-ends"}},
                {"parts",
                 {{"BB3x6", remote(bars)},
                  {"TR6x4", remote(triangle)},
                  {"SPAN24", span_parts()["SPAN24"]},
                  {"SPAN24-ends", span_parts()["SPAN24-ends"]}}}}
        .dump();
  }

  Process bars, triangle, span;
};

std::string body_of(int port, const std::string& path) {
  httplib::Client client("127.0.0.1", port);
  const httplib::Result result = client.Get(path);
  return result && result->status == 200 ? result->body : std::string();
}

// Truth: one process that contains all parts.
TEST(AgentProcesses, GiveTheSameSpanAsOneProcessBitForBit) {
  const testing::TemporaryFolder folder;
  const Suppliers three(folder);
  const Process one(
      folder, "one", json{{"offer", {"SPAN24", "SPAN24-ends"}}, {"parts", span_parts()}}.dump());
  for (const char* path : {"/v1/agents/SPAN24/dynamics",
                           "/query?Dynamics+SPAN24",
                           "/v1/agents/SPAN24-ends/dynamics",
                           "/v1/agents/SPAN24/mass",
                           "/v1/agents/SPAN24/cost"}) {
    const std::string expected = body_of(one.port(), path);
    ASSERT_FALSE(expected.empty()) << path;
    EXPECT_EQ(body_of(three.span.port(), path), expected) << path;
  }
}

TEST(AgentProcesses, SayWhichAgentIsDownAndRecover) {
  const testing::TemporaryFolder folder;
  Suppliers three(folder);
  const std::string path = "/v1/agents/SPAN24/dynamics";
  const std::string expected = body_of(three.span.port(), path);
  ASSERT_FALSE(expected.empty());
  const int port = three.bars.port();
  EXPECT_EQ(three.bars.stop(), 0);

  httplib::Client client("127.0.0.1", three.span.port());
  client.set_read_timeout(20s);
  const auto start = Clock::now();
  const httplib::Result down = client.Get(path);
  const auto took = Clock::now() - start;
  ASSERT_TRUE(down);
  EXPECT_GE(down->status, 502);
  EXPECT_LE(down->status, 504);
  const json error = json::parse(down->body)["error"];
  EXPECT_TRUE(error["code"] == "agent-down" || error["code"] == "agent-timeout") << error;
  EXPECT_NE(error["message"].get<std::string>().find(std::to_string(port)), std::string::npos)
      << error;
  // the longest wait for agents is 2 s at each of two levels
  EXPECT_LT(took, 10s);

  const Process back(folder, "bars", Suppliers::bars_file(), port);
  ASSERT_EQ(back.port(), port);
  EXPECT_EQ(body_of(three.span.port(), path), expected);
}

TEST(AgentProcesses, NoticeALoopOverTwoHosts) {
  const testing::TemporaryFolder folder;
  const auto looped =
      [](const std::string& number, const std::string& other, const std::string& url) {
        return json{
            {"offer", {"B", number}},
            {"parts",
             {{"B", {{"bar", {{"mass", 1}, {"stiffness", 1}}}}},
              {other, remote(url)},
              {number, {{"assembly", {{"parts", {"B", other}}, {"objects", {{1, 2}, {2, 3}}}}}}}}}}
            .dump();
      };
  // the first agent needs to know the port of the second one before the second one runs
  int port = 0;
  {
    const Process probe(folder, "probe", looped("X", "Y", "http://127.0.0.1:1"));
    port = probe.port();
  }
  const Process first(
      folder, "first", looped("X", "Y", "http://127.0.0.1:" + std::to_string(port)));
  const Process second(folder, "second", looped("Y", "X", first.url()), port);
  ASSERT_EQ(second.port(), port);
  httplib::Client client("127.0.0.1", first.port());
  client.set_read_timeout(20s);
  const httplib::Result result = client.Get("/v1/agents/X/dynamics");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 508);
  EXPECT_EQ(json::parse(result->body)["error"]["code"], "loop");
  EXPECT_FALSE(body_of(first.port(), "/v1/agents/B/dynamics").empty());
}

TEST(AgentProcesses, SeeThatAPartHasChanged) {
  const testing::TemporaryFolder folder;
  Suppliers three(folder);
  const std::string path = "/v1/agents/SPAN24/dynamics";
  const std::string before = body_of(three.span.port(), path);
  const int port = three.bars.port();
  three.bars.stop();
  json heavier = json::parse(Suppliers::bars_file());
  heavier["parts"]["BD3x5"]["bar"]["mass"] = 4000.0;
  const Process changed(folder, "bars", heavier.dump(), port);
  const std::string after = body_of(three.span.port(), path);
  ASSERT_FALSE(after.empty());
  EXPECT_NE(after, before);
}

// Truth: the same span from one file.
TEST(AgentProcesses, OfTheExampleGiveTheSpanOfOneFile) {
  const testing::TemporaryFolder folder;
  const std::string program = testing::femflex_program().string();
  const std::filesystem::path source = testing::data("..");
  const testing::CommandResult three =
      testing::run((source / "examples/substructures/three_suppliers.sh").string() + " " + program,
                   folder.path());
  const testing::CommandResult one = testing::run(
      program + " assemble " + testing::data("substructure/span.json").string(), folder.path());
  EXPECT_EQ(three.exit_code, 0) << three.err;
  EXPECT_EQ(three.out, one.out);
}

// Exit code 2 and a remedy, before a port is opened.
TEST(AgentProcesses, DoNotStartOnHalfOfWhatTheyNeed) {
  const testing::TemporaryFolder folder;
  const std::string bar = R"({ "bar": { "mass": 1, "stiffness": 1 } })";
  const auto refused = [&](const std::string& file, const std::string& options) {
    testing::write_text(folder / "a.json", file);
    const testing::CommandResult result =
        testing::run("timeout 20 " + testing::femflex_program().string() +
                         " serve a.json --port 0 --json " + options,
                     folder.path());
    EXPECT_EQ(result.exit_code, 2) << options << result.out;
    const json document = json::parse(result.out, nullptr, false);
    return document.contains("error") ? document["error"]["code"].get<std::string>() : result.out;
  };
  const std::string one = R"({ "parts": { "A": )" + bar + " } }";
  const std::string two = R"({ "parts": { "A": )" + bar + R"(, "B": )" + bar + " } }";
  EXPECT_EQ(refused(two, ""), "no-offer");
  EXPECT_EQ(refused(R"({ "offer": ["AA"], "parts": { "A": )" + bar + " } }", ""), "unknown-part");
  EXPECT_EQ(refused(one, "--certificate a.json"), "usage");
  EXPECT_EQ(refused(one, "--key a.json"), "usage");
  EXPECT_EQ(refused(one, "--certificate a.json --key a.json"), "tls");
  EXPECT_EQ(refused(one, "--ca a.json"), "tls");
  EXPECT_EQ(refused(one, "--token-env FEMFLEX_NO_SUCH_VARIABLE"), "token");
}

// FEMFLEX_LOAD_SECONDS sets a longer duration than the usual three seconds.
TEST(AgentProcesses, AnswerManyClientsRightWithoutGrowth) {
  const char* wanted = std::getenv("FEMFLEX_LOAD_SECONDS");
  const auto duration = std::chrono::seconds(wanted == nullptr ? 3 : std::atoi(wanted));
  constexpr int kClients = 200;
  const testing::TemporaryFolder folder;
  const Suppliers three(folder);
  const std::string path = "/v1/agents/SPAN24/dynamics";
  const std::string expected = body_of(three.span.port(), path);
  ASSERT_FALSE(expected.empty());
  std::atomic<long> right{0};
  std::atomic<long> wrong{0};
  std::atomic<long> failed{0};
  const auto load = [&](Clock::duration time) {
    const auto start = Clock::now();
    std::vector<std::jthread> clients;
    for (int k = 0; k < kClients; ++k) {
      clients.emplace_back([&, k]() {
        httplib::Client client("127.0.0.1", three.span.port());
        client.set_keep_alive(k % 2 == 0);
        client.set_read_timeout(30s);
        client.set_connection_timeout(30s);
        while (Clock::now() - start < time) {
          const httplib::Result result = client.Get(path);
          if (!result) {
            ++failed;
          } else if (result->status != 200 || result->body != expected) {
            ++wrong;
          } else {
            ++right;
          }
        }
      });
    }
  };
  // A leak increases with every group of clients; memory that the allocator keeps increases only
  // with some.
  constexpr long kAllocatorSlack = 15'000;  // [kB]
  constexpr int kCrowds = 8;
  constexpr int kPerDuration = 4;  // groups of clients in FEMFLEX_LOAD_SECONDS
  long smallest_growth = std::numeric_limits<long>::max();
  long resident = 0;
  for (int crowd = 0; crowd < kCrowds; ++crowd) {
    load(Clock::duration(duration) / kPerDuration);
    const long now = three.span.resident();
    if (crowd > 0) smallest_growth = std::min(smallest_growth, now - resident);
    resident = now;
  }
  EXPECT_LT(smallest_growth, kAllocatorSlack);
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(failed.load(), 0);
  EXPECT_GT(right.load(), kClients);
  // connections of clients that have left are closed
  long open = three.span.open_files();
  for (int k = 0; k < 100 && open > 60; ++k) {
    std::this_thread::sleep_for(100ms);
    open = three.span.open_files();
  }
  EXPECT_LE(open, 60);
  RecordProperty("answers", static_cast<int>(right.load()));
  RecordProperty("resident_kb", static_cast<int>(three.span.resident()));
}

}  // namespace
}  // namespace femflex::service
