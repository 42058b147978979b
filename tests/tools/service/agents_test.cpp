// Tests the HTTP service with clients that are correct, wrong, slow and hostile. Truth: the sample
// of the thesis, the part's own file, RFC 9110.
#include <chrono>
#include <mutex>
#include <thread>

#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include "femflex/substructure/text_form.h"

#include "assembly/part_json.h"
#include "document/json_text.h"
#include "raw_client.h"
#include "running_service.h"
#include "service/http_client.h"
#include "service/http_service.h"
#include "support/support.h"

namespace femflex::service {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using tools::PartBook;

constexpr const char* kBars =
    R"({ "name": "bars", "offer": ["BB3x6", "SECRET", "HIDDEN"], "parts": {
  "BB3x6": { "bar": { "mass": 3555.144, "stiffness": 3.51e8, "damping": 157978.197483 },
             "attributes": { "cost": 4200, "size": 6, "colour": "grey" } },
  "SECRET": { "bar": { "mass": 1, "stiffness": 2 }, "token": "open sesame" },
  "HIDDEN": { "assembly": { "parts": ["BB3x6", "BB3x6"], "objects": [[1, 2], [2, 3]] }, "ports": [1, 3] } } })";

/// Status and error code of a reply, such as "404 unknown-part".
std::string said(const httplib::Result& result) {
  if (!result) return "no answer: " + httplib::to_string(result.error());
  const json document = json::parse(result->body, nullptr, false);
  if (document.is_discarded() || !document.contains("error")) {
    return std::to_string(result->status) + " without an error in JSON: " + result->body;
  }
  return std::to_string(result->status) + " " + document["error"]["code"].get<std::string>();
}

// Truth: the sample of the thesis, polynomial by polynomial.
TEST(Agents, AnswerTheQueryOfTheThesisInBothSpellings) {
  const Running agents(kBars);
  httplib::Client client = agents.client();
  const json sample =
      json::parse(testing::read_text(testing::data("substructure/expected/text_interface.json")));
  const auto expected = sample["example_polynomials"].get<substructure::PolynomialMatrix>();
  for (const char* target : {"/query?Dynamics+BB3x6",
                             "/query?BB3x6+Dynamics",
                             "/query?q=Dynamics%2BBB3x6",
                             "/Dynamics+BB3x6",
                             "/BB3x6+Dynamics",
                             "/v1/agents/BB3x6/dynamics?form=text"}) {
    const httplib::Result result = client.Get(target);
    ASSERT_TRUE(result) << target;
    EXPECT_EQ(result->status, 200) << target;
    EXPECT_TRUE(result->get_header_value("Content-Type").starts_with("text/plain")) << target;
    EXPECT_EQ(substructure::to_polynomials(substructure::read_text(result->body)), expected);
  }
  const httplib::Result posted = client.Post("/query", "BB3x6+Dynamics\n", "text/plain");
  ASSERT_TRUE(posted);
  EXPECT_EQ(substructure::to_polynomials(substructure::read_text(posted->body)), expected);
}

TEST(Agents, ListThemselvesAndWhatTheyAnswer) {
  const Running agents(kBars);
  httplib::Client client = agents.client();
  const httplib::Result result = client.Get("/v1/agents");
  ASSERT_TRUE(result);
  const json list = json::parse(result->body)["agents"];
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0]["part"], "BB3x6");
  EXPECT_EQ(list[0]["queries"], (json{"colour", "cost", "dynamics", "mass", "size"}));
  EXPECT_EQ(list[1]["kind"], "assembly");
  EXPECT_EQ(list[2]["protected"], true);
  EXPECT_EQ(json::parse(client.Get("/v1/agents/BB3x6/mass")->body)["value"], 3555.144);
  EXPECT_EQ(json::parse(client.Get("/v1/agents/HIDDEN/mass")->body)["value"], 2 * 3555.144);
  EXPECT_EQ(client.Get("/query?Cost+BB3x6")->body, "4200\n");
  EXPECT_EQ(client.Get("/query?BB3x6+Colour")->body, "grey\n");
}

// Truth: RFC 9110, section 13.1.2.
TEST(Agents, SendDynamicsOnceAVersion) {
  const Running agents(kBars);
  httplib::Client client = agents.client();
  const httplib::Result first = client.Get("/v1/agents/BB3x6/dynamics");
  ASSERT_TRUE(first);
  const std::string etag = first->get_header_value("ETag");
  EXPECT_GT(etag.size(), 10U);
  const httplib::Result second =
      client.Get("/v1/agents/BB3x6/dynamics", httplib::Headers{{"If-None-Match", etag}});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->status, 304);
  EXPECT_TRUE(second->body.empty());
  // the text form has a different ETag
  EXPECT_NE(client.Get("/query?Dynamics+BB3x6")->get_header_value("ETag"), etag);
}

TEST(Agents, ShowAProtectedPartToItsTokenAlone) {
  const Running agents(kBars);
  httplib::Client client = agents.client();
  const char* path = "/v1/agents/SECRET/dynamics";
  const auto with = [&](const std::string& header) {
    return client.Get(path, httplib::Headers{{"Authorization", header}});
  };
  EXPECT_EQ(said(client.Get(path)), "401 token-missing");
  EXPECT_EQ(said(with("Bearer open")), "403 token-wrong");
  EXPECT_EQ(said(with("Basic open sesame")), "401 token-missing");
  EXPECT_EQ(said(client.Get("/v1/agents/SECRET/mass")), "401 token-missing");
  EXPECT_EQ(said(client.Get("/query?SECRET+Dynamics")), "401 token-missing");
  EXPECT_EQ(with("Bearer open sesame")->status, 200);
}

TEST(Agents, AnswerWrongQuestionsWithTypedErrors) {
  const Running agents(kBars);
  httplib::Client client = agents.client();
  EXPECT_EQ(said(client.Get("/v1/agents/BB3x7/dynamics")), "404 unknown-part");
  EXPECT_EQ(said(client.Get("/query?Dynamics+BB3x7")), "404 unknown-part");
  EXPECT_EQ(said(client.Get("/v1/agents/BB3x6/smell")), "404 no-such-query");
  EXPECT_EQ(said(client.Get("/query?Dynamics")), "400 query");
  EXPECT_EQ(said(client.Get("/query?a+b+c")), "400 query");
  EXPECT_EQ(said(client.Get("/nowhere")), "404 no-such-path");
  EXPECT_EQ(said(client.Delete("/v1/agents/BB3x6")), "405 method");
  EXPECT_EQ(said(client.Put("/v1/agents/BB3x6", "x", "text/plain")), "405 method");
  EXPECT_EQ(said(client.Post("/v1/agents/BB3x6", "x", "text/plain")), "405 method");
  EXPECT_EQ(said(client.Post("/nowhere", "x", "text/plain")), "404 no-such-path");
  // RFC 9110, section 15.5.6: a 405 names the methods of the path
  EXPECT_EQ(client.Put("/v1/agents/BB3x6", "x", "text/plain")->get_header_value("Allow"), "GET");
  EXPECT_EQ(client.Post("/v1/agents/BB3x6", "x", "text/plain")->get_header_value("Allow"), "GET");
  const auto check = [&](const std::string& text) {
    return said(client.Post("/v1/dynamics", text, "text/plain"));
  };
  EXPECT_EQ(check("{ [ 1 "), "400 truncated");
  EXPECT_EQ(check("{ [ 1 ] } kg\\(m^2)"), "400 units");
  EXPECT_EQ(check("{ [ 1 ] [ 2 ] } kg\\(s^2)"), "422 not-square");
  const httplib::Result good = client.Post("/v1/dynamics", "{ [ 1 ] } kg\\(s^2)", "text/plain");
  EXPECT_EQ(good->status, 200);
}

TEST(Agents, RefuseOversizedBodies) {
  const Running agents(kBars, {.body_bytes = 1000});
  httplib::Client client = agents.client();
  EXPECT_EQ(said(client.Post("/v1/dynamics", std::string(5000, ' '), "text/plain")),
            "413 too-large");
  EXPECT_EQ(client.Get("/v1/health")->status, 200);
  // the same in chunks, whose total size is not announced
  RawClient pieces(agents.port());
  pieces.send(
      "POST /v1/dynamics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int k = 0; k < 1000; ++k) {
    if (!pieces.send("64\r\n" + std::string(100, ' ') + "\r\n")) break;
  }
  EXPECT_EQ(pieces.status(), 413);
}

TEST(Agents, RefuseOversizedHeadersAndPaths) {
  const Running agents(kBars, {.request_time = 2000ms});
  RawClient many(agents.port());
  many.send("GET /v1/health HTTP/1.1\r\nHost: localhost\r\n");
  for (int k = 0; k < 1000; ++k) {
    if (!many.send("X-Filler-" + std::to_string(k) + ": 0123456789\r\n")) break;
  }
  EXPECT_EQ(many.status(), 431);
  RawClient range(agents.port());
  range.send("GET /v1/health HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-1");
  for (int k = 0; k < 1500; ++k) {
    if (!range.send(",1-2")) break;
  }
  range.send("\r\n\r\n");
  EXPECT_GT(range.status(), 0);
  RawClient path(agents.port());
  path.send("GET /" + std::string(7800, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(path.status(), 404);
  EXPECT_EQ(agents.client().Get("/v1/health")->status, 200);
}

TEST(Agents, AnswerGarbageAndLiveOn) {
  const Running agents(kBars, {.request_time = 300ms});
  for (const std::string& garbage :
       {std::string("\r\n\r\n"),
        std::string("GARBAGE\r\n\r\n"),
        std::string("GET\r\n\r\n"),
        std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nno colon\r\n\r\n"),
        std::string("\0\1\2\3\xff\xfe\r\n\r\n", 10),
        std::string("POST /query HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
        std::string("POST /query HTTP/1.1\r\nContent-Length: "
                    "99999999999999999999\r\n\r\n"),
        std::string("POST /query HTTP/1.1\r\nTransfer-Encoding: "
                    "chunked\r\n\r\nzz\r\n")}) {
    RawClient client(agents.port());
    client.send(garbage);
    const int status = client.status();
    EXPECT_TRUE(status == 0 || (status >= 400 && status < 600)) << status << " for " << garbage;
  }
  EXPECT_EQ(agents.client().Get("/v1/health")->status, 200);
}

// A client that sends single bytes with pauses never exceeds the time-out of a single read. Only
// the time limit of the whole request ends it.
TEST(Agents, EndSlowClientsWithARequestTimeout) {
  const Running agents(kBars, {.request_time = 400ms, .workers = 8});
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int k = 0; k < 8; ++k) {
    slow.push_back(std::make_unique<RawClient>(agents.port()));
    slow.back()->send("GET /v1/health HT");
  }
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < 40 && std::chrono::steady_clock::now() - start < 5s; ++k) {
    bool open = false;
    for (auto& client : slow)
      open = client->send("T") || open;
    if (!open) break;
    std::this_thread::sleep_for(50ms);
  }
  for (auto& client : slow)
    EXPECT_EQ(client->status(), 408);
  EXPECT_EQ(agents.client().Get("/v1/health")->status, 200);
  // the same with a body that is never completed
  RawClient body(agents.port());
  body.send("POST /v1/dynamics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{ [ 1 ");
  EXPECT_EQ(body.status(), 408);
}

// An answer of several megabytes fills all network buffers; its thread must not wait forever.
TEST(Agents, EndClientsThatDoNotReadTheirAnswer) {
  json rows = json::array();
  for (int i = 0; i < 300; ++i)
    rows.push_back(std::vector<double>(300, 0.1 + i));
  const Running agents(
      json{{"parts", {{"BIG", {{"matrices", {{"K", rows}, {"M", rows}}}}}}}}.dump(),
      {.send_time = 500ms, .workers = 2});
  const std::string ask = "GET /v1/agents/BIG/dynamics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  std::vector<std::unique_ptr<RawClient>> deaf;
  for (int k = 0; k < 2; ++k) {
    deaf.push_back(std::make_unique<RawClient>(agents.port()));
    for (int n = 0; n < 20; ++n)
      deaf.back()->send(ask);
  }
  // both workers are busy until the time limit
  httplib::Client client = agents.client();
  client.set_read_timeout(20s);
  const httplib::Result result = client.Get("/v1/health");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 200);
}

TEST(Agents, KeepAConnectionForManyRequests) {
  const Running agents(kBars);
  RawClient client(agents.port());
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(client.send("GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    EXPECT_EQ(client.status(), 200);
  }
}

TEST(Agents, LogRequestsWithoutTheirTokens) {
  Running agents(kBars);
  agents.client().Get("/v1/agents/SECRET/dynamics?x=\"",
                      httplib::Headers{{"Authorization", "Bearer open sesame"}});
  agents.stop();
  bool found = false;
  for (const std::string& line : agents.log()) {
    const json entry = json::parse(line);
    EXPECT_EQ(line.find("sesame"), std::string::npos);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    if (entry["target"].get<std::string>().starts_with("/v1/agents/SECRET")) {
      found = true;
      EXPECT_EQ(entry["status"], 200);
      EXPECT_EQ(entry["method"], "GET");
    }
  }
  EXPECT_TRUE(found);
}

TEST(Agents, StopWhileClientsAreConnected) {
  auto agents = std::make_unique<Running>(kBars);
  const RawClient idle(agents->port());
  RawClient kept(agents->port());
  kept.send("GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(kept.status(), 200);
  agents->stop();
  EXPECT_FALSE(agents->client().Get("/v1/health"));
}

TEST(Agents, SayThatAPortIsTaken) {
  const Running agents(kBars);
  PartBook book(parsed(kBars), nullptr);
  // with SO_REUSEADDR alone, two listeners on one port are impossible
  EXPECT_THROW(HttpService(book, {.port = agents.port()}), UsageError);
}

// Truth: the part itself, read from its file.
TEST(RemoteParts, AreTheSameBitForBitAndAskedOnceAVersion) {
  Running bars(kBars);
  const std::string url = "http://127.0.0.1:" + std::to_string(bars.port());
  const std::string file = R"({ "parts": {
    "BB3x6": { "remote": { "agent": ")" +
                           url + R"(" } },
    "SECRET": { "remote": { "agent": ")" +
                           url + R"(", "token": "open sesame" } },
    "HIDDEN": { "assembly": { "parts": ["BB3x6", "BB3x6"], "objects": [[1, 2], [2, 3]] }, "ports": [1, 3] },
    "ALL": { "assembly": { "parts": ["HIDDEN", "SECRET"], "objects": [[1, 2], [2, 3]] } } } })";
  PartBook local(parsed(kBars), nullptr);
  PartBook remote(parsed(file), http_parts());
  EXPECT_EQ(*remote.dynamics("HIDDEN", {}).document, *local.dynamics("HIDDEN", {}).document);
  EXPECT_EQ(remote.dynamics("ALL", {}).part->port_count(), 3);
  EXPECT_EQ(remote.attribute("HIDDEN", "mass", {}).number(), 2 * 3555.144);
  remote.dynamics("HIDDEN", {});
  bars.stop();
  int whole = 0;
  int unchanged = 0;
  for (const std::string& line : bars.log()) {
    const json entry = json::parse(line);
    if (entry["target"] != "/v1/agents/BB3x6/dynamics") continue;
    whole += entry["status"] == 200 ? 1 : 0;
    unchanged += entry["status"] == 304 ? 1 : 0;
  }
  EXPECT_EQ(whole, 1);
  EXPECT_EQ(unchanged, 2);
}

TEST(RemoteParts, ThatSendNonsenseGiveATypedError) {
  // an HTTP host that is not an agent
  const Running bars(kBars);
  const std::string url = "http://127.0.0.1:" + std::to_string(bars.port()) + "/v1/dynamics?";
  PartBook book(parsed(R"({ "parts": { "A": { "remote": { "agent": "http://127.0.0.1:)" +
                       std::to_string(bars.port()) + R"(", "part": "BB9" } } } })"),
                http_parts());
  try {
    book.dynamics("A", {});
    FAIL() << "no error";
  } catch (const tools::AgentError& error) {
    EXPECT_EQ(error.status(), 502);
    EXPECT_EQ(error.code(), "unknown-part");
  }
}

TEST(RemoteParts, OfASilentHostEndAtTheDeadline) {
  const SilentHost silent;
  PartBook book(parsed(R"({ "parts": { "A": { "remote": { "agent": "http://127.0.0.1:)" +
                       std::to_string(silent.port()) + R"(" } } } })"),
                http_parts({.connect = 300ms, .total = 500ms}));
  try {
    book.dynamics("A", {});
    FAIL() << "no error";
  } catch (const tools::AgentError& error) {
    EXPECT_EQ(error.status(), 504);
    EXPECT_EQ(error.code(), "agent-timeout");
  }
}

}  // namespace
}  // namespace femflex::service
