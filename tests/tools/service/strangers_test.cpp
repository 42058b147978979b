// Tests remote hosts that are hostile, broken, or not agents: how they are reported, and that they
// do no harm. Truth: RFC 9112, and the limits of time and size in the tests.
#include <chrono>

#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "femflex/errors.h"

#include "document/plain_text.h"
#include "running_service.h"
#include "scripted_host.h"

namespace femflex::service {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using tools::AgentError;
using tools::PartBook;

std::string file_asking(const std::string& url) {
  return R"({ "parts": { "A": { "remote": { "agent": ")" + url +
         R"(", "token": "t0p secret" } } } })";
}

/// The error when a part is requested from such a host.
AgentError error_of(const ScriptedHost& host,
                    const ClientOptions& options = {.connect = 500ms, .total = 3000ms}) {
  PartBook book(parsed(file_asking(host.url())), http_parts(options));
  try {
    book.dynamics("A", {});
  } catch (const AgentError& error) {
    return error;
  }
  return {0, "no error", "no error", {}};
}

const std::string kPart = R"({"part":"A","units":"kg/s^2","ports":["1"],"size":1,"coefficients":[
  {"power":0,"rows":[0],"columns":[0],"values":[5]}]})";

TEST(AStranger, ThatAnswersRightIsUnderstoodInEveryFraming) {
  std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const char c : kPart)
    chunked += std::string("1;x=y\r\n") + c + "\r\n";
  for (const std::string& answer : {http_answer("200 OK", kPart),
                                    http_answer("200", kPart),
                                    "HTTP/1.1 100 Continue\r\n\r\n" + http_answer("200 OK", kPart),
                                    "HTTP/1.0 200 OK\r\n\r\n" + kPart,
                                    "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + kPart,
                                    chunked + "0\r\nTrailer: 1\r\n\r\n"}) {
    const ScriptedHost host(answer);
    PartBook book(parsed(file_asking(host.url())), http_parts());
    EXPECT_EQ(book.dynamics("A", {}).part->coefficients[0].coeff(0, 0), 5.0) << answer;
  }
}

TEST(AStranger, IsNamedInEveryErrorAndItsWordsAreMadePlain) {
  struct Case {
    std::string answer, code;
  };
  for (const Case& one : std::vector<Case>{
           {http_answer("500 X", R"({"error":{"code":5}})"), "agent-error"},
           {http_answer("500 X", R"({"error":{"code":"a","message":[1]}})"), "a"},
           {http_answer("500 X", R"({"error":{"code":"\u001b[31m","message":"x"}})"),
            "agent-error"},
           {http_answer("500 X", R"({"error":7})"), "agent-error"},
           {http_answer("500 X", R"([{"error":7}])"), "agent-error"},
           {http_answer(
                "500 X",
                R"({"error":{"code":"c","message":"\u001b[2J\r\nfemflex: ok\u009b\u202e"}})"),
            "c"},
           {http_answer("500 X", "{\"error\":{\"code\":"), "agent-error"},
           {http_answer("500 X", "\xff\xfe\x1b[2J"), "agent-error"},
           {http_answer("401 X", "{}"), "agent-error"},
           {http_answer("200 OK", "\x1b[2J"), "bad-answer"},
           {http_answer("200 OK", R"({"part":"A"})"), "bad-answer"},
           {http_answer("200 OK", std::string(100000, '[')), "bad-answer"},
           {http_answer("200 OK", R"({"units":"\u001b[2J\n"})"), "bad-answer"},
           {http_answer("204 No Content", ""), "agent-error"},
           {"HTTP/1.1 2000\r\n\r\n", "bad-answer"},
           {"HTTP/1.1 abc\r\n\r\n", "not-http"},
           {"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "not-http"},
           {"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "not-http"},
           {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "not-http"},
           {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "not-http"},
           {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", "agent-down"},
           {"", "agent-down"},
           {"220 mail.example ESMTP\r\n", "not-http"},
           {std::string("\x15\x03\x03\x00\x02\x02\x32", 7), "not-http"}}) {
    const ScriptedHost host(one.answer);
    const AgentError error = error_of(host);
    EXPECT_EQ(error.code(), one.code) << one.answer << "\n" << error.what();
    const std::string said = error.what();
    EXPECT_NE(said.find(host.url()), std::string::npos) << said;
    EXPECT_EQ(said, tools::plain_text(said, 10000)) << said;
    EXPECT_EQ(said.find("t0p secret"), std::string::npos);
    EXPECT_EQ(said.find("json."), std::string::npos) << said;
    EXPECT_GE(error.status(), 502) << said;
  }
}

TEST(AStranger, OfAnotherProtocolIsCalledThat) {
  const ScriptedHost host("SSH-2.0-OpenSSH_9.2p1\r\n", /*speaks_first=*/true);
  const AgentError error = error_of(host);
  EXPECT_EQ(error.code(), "not-http");
  EXPECT_NE(error.message().find("is not an HTTP server: it says 'SSH-2.0-OpenSSH_9.2p1'"),
            std::string::npos)
      << error.message();
}

// A client that follows a redirect would send its token to another host.
TEST(AStranger, ThatPointsElsewhereIsNotFollowed) {
  ScriptedHost thief(http_answer("200 OK", kPart));
  for (const char* status :
       {"301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"}) {
    const ScriptedHost host(http_answer(status, "", "Location: " + thief.url() + "/v1\r\n"));
    const AgentError error = error_of(host);
    EXPECT_EQ(error.status(), 502);
    EXPECT_NE(error.message().find(thief.url()), std::string::npos) << error.message();
  }
  EXPECT_TRUE(thief.asked().empty());
}

TEST(AStranger, CannotMakeAnAskerWaitNorFillItsMemory) {
  const ClientOptions options{.connect = 500ms, .total = 1500ms, .answer_bytes = 100'000};
  const std::string big(3'000'000, 'a');
  for (const std::string& answer :
       {"HTTP/1.1 200 " + big + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: " + big + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\n" +
            [] {
              std::string many;
              for (int k = 0; k < 100'000; ++k)
                many += "X-" + std::to_string(k) + ": 1\r\n";
              return many;
            }(),
        http_answer("200 OK", big),
        "HTTP/1.1 200 OK\r\n\r\n" + big,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" + big,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + big}) {
    const ScriptedHost host(answer);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(error_of(host, options).code(), "too-large") << answer.substr(0, 60);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  }
}

TEST(AStranger, CannotSendNumbersThatAreNone) {
  const auto with =
      [](const std::string& size, const std::string& rows, const std::string& values) {
        return http_answer("200 OK",
                           R"({"part":"A","units":"kg/s^2","ports":["1"],"size":)" + size +
                               R"(,"coefficients":[{"power":0,"rows":[)" + rows +
                               R"(],"columns":[0],"values":[)" + values + "]}]}");
      };
  EXPECT_EQ(error_of(ScriptedHost(with("1", "0", "5"))).code(), "no error");
  for (const std::string& answer : {with("1", "0", "1e999"),
                                    with("1", "0", "NaN"),
                                    with("1", "0", "null"),
                                    with("1", "0", "\"5\""),
                                    with("1", "1", "5"),
                                    with("1", "-1", "5"),
                                    with("1", "0,0", "5"),
                                    with("0", "0", "5"),
                                    with("-1", "0", "5"),
                                    with("2000000000", "0", "5"),
                                    with("1e300", "0", "5")}) {
    const AgentError error = error_of(ScriptedHost(answer));
    EXPECT_EQ(error.code(), "bad-answer") << answer << error.what();
  }
  // a name with escape sequences for the user's terminal
  const std::string ports =
      R"({"part":"A","units":"kg/s^2","ports":["\u001b[2J"],"size":1,"coefficients":[
      {"power":0,"rows":[0],"columns":[0],"values":[5]}]})";
  EXPECT_EQ(error_of(ScriptedHost(http_answer("200 OK", ports))).code(), "bad-answer");
}

// Requirement R52 for a part from an agent: x'' = 5 x.
TEST(AStranger, WithANegativeStiffnessIsRemarkedOn) {
  std::string part = kPart;
  part.replace(part.find("[5]"), 3, "[-5]");
  const ScriptedHost host(http_answer("200 OK", part));
  PartBook book(parsed(file_asking(host.url())), http_parts());
  Diagnostics diagnostics;
  tools::RequestContext context;
  context.warnings = &diagnostics;
  book.dynamics("A", context);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "negative-stiffness");
  EXPECT_EQ(diagnostics.warnings()[0].where.file, host.url());
}

// Agents pass the list of previous agents on in a header. A foreign header must not get into it
// beside the credentials.
TEST(AChain, CarriesNoHeaderOfItsOwn) {
  ScriptedHost host(http_answer("200 OK", kPart));
  const Running house(R"({ "parts": { "B": { "bar": { "mass": 1, "stiffness": 1 } },
    "R": { "remote": { "agent": ")" +
                      host.url() + R"(" } },
    "A": { "assembly": { "parts": ["R", "B"], "objects": [[1], [1, 2]] } } } })");
  for (const char* chain : {"x%0d%0aX-Evil: 1", "x\x01", "x y", "x%20y", "\xc3\xa9"}) {
    const httplib::Result result =
        house.client().Get("/v1/agents/A/dynamics", httplib::Headers{{kChainHeader, chain}});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->status, 400) << chain;
  }
  EXPECT_TRUE(host.asked().empty());
  EXPECT_EQ(house.client()
                .Get("/v1/agents/A/dynamics", httplib::Headers{{kChainHeader, "a/B,c/D"}})
                ->status,
            200);
  ASSERT_EQ(host.asked().size(), 1U);
  EXPECT_NE(host.asked()[0].find(std::string(kChainHeader) + ": a/B,c/D,"), std::string::npos);
}

TEST(PlainText, KeepsLettersAndNothingThatActs) {
  using tools::plain_text;
  EXPECT_EQ(plain_text("Träger №5 梁", 100), "Träger №5 梁");
  EXPECT_EQ(plain_text("a\x1b[31m\nb\x7f\xc2\x9b\xe2\x80\xae", 100), "a?[31m?b???");
  EXPECT_EQ(plain_text("\xff\xc3(\xe2\x82", 100),
            "??"
            "(??");
  EXPECT_EQ(plain_text(std::string("a\0b", 3), 100), "a?b");
  EXPECT_EQ(plain_text("abcdef", 3), "abc...");
  EXPECT_EQ(plain_text("ab\xc3\xa4", 3), "ab...");
}

}  // namespace
}  // namespace femflex::service
