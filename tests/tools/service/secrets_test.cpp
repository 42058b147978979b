// Tests that an agent does not disclose parts that it does not offer. Truth in every test: the
// offer in its file.
#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include "assembly/part_offer.h"
#include "running_service.h"
#include "support/support.h"

namespace femflex::service {
namespace {

using nlohmann::json;
using tools::PartBook;

constexpr const char* kSupplier = R"({ "name": "bars", "offer": ["BA1"], "parts": {
  "BA1": { "bar": { "mass": 11, "stiffness": 2e6 }, "token": "of the bar",
           "attributes": { "cost": 4711.25, "alloy": "6082-T6" } } } })";

/// A truss of two remote bars and an inner assembly, without an offer.
std::string truss(const std::string& url, const std::string& more = {}) {
  return R"({ "name": "truss", )" + more + R"( "parts": {
    "BA1": { "remote": { "agent": ")" +
         url + R"(", "token": "of the bar" } },
    "INNER": { "assembly": { "parts": ["BA1", "BA1"], "objects": [[1, 2], [2, 3]] } },
    "OWN": { "bar": { "mass": 1, "stiffness": 3e6 }, "attributes": { "alloy": "secret alloy" } },
    "TRUSS": { "assembly": { "parts": ["INNER", "OWN"], "objects": [[1, 2, 3], [3, 4]] } } } })";
}

/// Status and body of the answer, without the name of the requested part.
std::string heard(httplib::Client& client, const std::string& path, const std::string& part) {
  const httplib::Result result = client.Get(path);
  if (!result) return "no answer";
  std::string body = result->body;
  for (std::size_t at = 0; (at = body.find(part, at)) != std::string::npos;)
    body.replace(at, part.size(), "PN");
  return std::to_string(result->status) + " " + body;
}

std::vector<std::string> paths_of(const std::string& part) {
  return {"/v1/agents/" + part,
          "/v1/agents/" + part + "/dynamics",
          "/v1/agents/" + part + "/dynamics?form=text",
          "/v1/agents/" + part + "/mass",
          "/v1/agents/" + part + "/cost",
          "/v1/agents/" + part + "/alloy",
          "/query?Dynamics+" + part,
          "/query?" + part + "+Dynamics",
          "/query?q=Alloy%2B" + part,
          "/" + part + "+Dynamics",
          "/Cost+" + part};
}

TEST(AHouse, AnswersForItsAssemblyAloneUnlessItsFileOffersMore) {
  const Running bars(kSupplier);
  const Running house(truss(url_of(bars)));
  httplib::Client client = house.client();
  EXPECT_EQ(client.Get("/v1/agents/TRUSS/dynamics")->status, 200);
  const json list = json::parse(client.Get("/v1/agents")->body)["agents"];
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0]["part"], "TRUSS");
  // requests for withheld parts get the same bytes as requests for parts that do not exist
  for (const char* part : {"BA1", "INNER", "OWN"}) {
    const std::vector<std::string> withheld = paths_of(part);
    const std::vector<std::string> unknown = paths_of("XYZZY");
    for (std::size_t k = 0; k < withheld.size(); ++k) {
      const std::string answer = heard(client, withheld[k], part);
      EXPECT_TRUE(answer.starts_with("404 ")) << withheld[k] << ": " << answer;
      EXPECT_EQ(answer, heard(client, unknown[k], "XYZZY")) << withheld[k];
    }
  }
}

TEST(AHouse, NamesNothingThatItWithholdsWhenSomethingGoesWrong) {
  auto bars = std::make_unique<Running>(kSupplier);
  Running house(truss(url_of(*bars)));
  httplib::Client client = house.client();
  bars->stop();
  const httplib::Result down = client.Get("/v1/agents/TRUSS/dynamics");
  ASSERT_TRUE(down);
  EXPECT_EQ(down->status, 502);
  for (const char* secret : {"BA1", "INNER", "OWN", "of the bar"})
    EXPECT_EQ(down->body.find(secret), std::string::npos) << down->body;
  // the supplier has a different part now, and its error message contains the requested number
  const Running other(R"({ "parts": { "BA2": { "bar": { "mass": 1, "stiffness": 1 } } } })");
  const Running asking(truss(url_of(other)));
  const httplib::Result lacking = asking.client().Get("/v1/agents/TRUSS/dynamics");
  ASSERT_TRUE(lacking);
  EXPECT_EQ(lacking->status, 502);
  EXPECT_NE(lacking->body.find(url_of(other) + " answers 404"), std::string::npos);
  for (const char* secret : {"BA1", "BA2", "INNER"})
    EXPECT_EQ(lacking->body.find(secret), std::string::npos) << lacking->body;
  // parts that do not fit each other; their names must appear in the log only
  Running broken(R"({ "parts": { "HUSH": { "bar": { "mass": 1, "stiffness": 1 } },
    "A": { "assembly": { "parts": ["HUSH"], "objects": [[1, 2, 3]] } } } })");
  const httplib::Result wrong = broken.client().Get("/v1/agents/A/dynamics");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->status, 422);
  EXPECT_EQ(wrong->body.find("HUSH"), std::string::npos) << wrong->body;
  broken.stop();
  bool is_logged = false;
  for (const std::string& line : broken.log())
    is_logged = is_logged || line.find("HUSH") != std::string::npos;
  EXPECT_TRUE(is_logged);
}

std::string code_of_offer(const std::string& file) {
  try {
    tools::offered_parts(parsed(file));
  } catch (const Error& error) {
    return error.code();
  }
  return "no error";
}

TEST(AnOffer, NamesPartsOfTheHouseAlone) {
  const std::string far = R"("R": { "remote": { "agent": "http://127.0.0.1:1" } })";
  const auto file = [&](const std::string& offer, const std::string& parts) {
    return "{ " + offer + "\"parts\": { " + far + (parts.empty() ? "" : ", ") + parts + " } }";
  };
  const std::string bar = R"("B": { "bar": { "mass": 1, "stiffness": 1 } })";
  const auto assembly = [&](const std::string& words) {
    return bar + R"(, "A": { "assembly": { )" + words + " } }";
  };
  const std::string joined = R"("parts": ["R", "B"], "objects": [[1, 2], [2, 3]])";
  EXPECT_EQ(code_of_offer(file(R"("offer": ["R"], )", bar)), "remote-offered");
  EXPECT_EQ(code_of_offer(file("", "")), "remote-offered");
  EXPECT_EQ(code_of_offer(file("", bar)), "no-offer");
  EXPECT_EQ(code_of_offer(file("", assembly(joined))), "no error");
  EXPECT_EQ(code_of_offer(file(R"("offer": ["A", "B"], )", assembly(joined))), "no error");
  EXPECT_EQ(code_of_offer(file(R"("offer": [], )", bar)), "no error");
  EXPECT_EQ(code_of_offer(file(R"("offer": ["C"], )", bar)), "unknown-part");
  // two assemblies that no other assembly uses: the file must say which of them is offered
  EXPECT_EQ(
      code_of_offer(file("", assembly(joined) + R"(, "A2": { "assembly": { )" + joined + "} }")),
      "no-offer");
  // a remote part inside assemblies: alone, beside others, with connections, in two nested
  // assemblies
  for (const char* words : {R"("parts": ["R"], "objects": [[1, 2]])",
                            R"("parts": ["R", "B"], "objects": [[1, 2], [3, 4]])",
                            R"("parts": ["R", "B"], "objects": [[0, 0], [1, 0]])",
                            R"("parts": ["R", "B"], "connections": [[1, 1, 0, 0], [1, 2]])"}) {
    EXPECT_EQ(code_of_offer(file("", assembly(words))), "remote-offered") << words;
  }
  EXPECT_EQ(code_of_offer(file(R"("offer": ["AA"], )",
                               assembly(R"("parts": ["R"], "objects": [[1, 2]])") +
                                   R"(, "AA": { "assembly": { "parts": ["A"],
                                        "objects": [[1, 2]] } })")),
            "remote-offered");
  EXPECT_EQ(
      code_of_offer(file("", assembly(R"("parts": ["R", "B"], "connections": [[1, 2, 2, 1]])"))),
      "no error");
}

// One token for the file and one for a part. Each gives access only to its own object.
TEST(Tokens, OpenTheirOwnDoorAlone) {
  const Running house(R"({ "token": "house", "offer": ["A", "B"], "parts": {
    "A": { "bar": { "mass": 1, "stiffness": 1 } },
    "B": { "bar": { "mass": 1, "stiffness": 1 }, "token": "part" },
    "C": { "bar": { "mass": 1, "stiffness": 1 }, "token": "inner" } } })");
  httplib::Client client = house.client();
  const auto status = [&](const std::string& path, const std::string& authorization) {
    httplib::Headers headers;
    if (!authorization.empty()) headers.emplace("Authorization", authorization);
    const httplib::Result result = client.Get(path, headers);
    EXPECT_TRUE(result);
    return result->status;
  };
  const std::string a = "/v1/agents/A/dynamics";
  const std::string b = "/v1/agents/B/dynamics";
  const std::string c = "/v1/agents/C/dynamics";
  EXPECT_EQ(status(a, ""), 401);
  EXPECT_EQ(status(b, ""), 401);
  EXPECT_EQ(status(c, ""), 401);
  EXPECT_EQ(status("/v1/agents/XYZ", ""), 401);
  EXPECT_EQ(status("/v1/agents", ""), 401);
  EXPECT_EQ(status(a, "Bearer house"), 200);
  EXPECT_EQ(status(b, "Bearer house"), 403);
  EXPECT_EQ(status(c, "Bearer house"), 404);
  EXPECT_EQ(status("/v1/agents", "Bearer house"), 200);
  EXPECT_EQ(status(a, "Bearer part"), 403);
  EXPECT_EQ(status(b, "Bearer part"), 200);
  EXPECT_EQ(status(c, "Bearer inner"), 403);
  EXPECT_EQ(status("/v1/agents", "Bearer part"), 403);
  for (const char* wrong : {"Bearer hous", "Bearer house1", "Bearer HOUSE", "Bearer ", "Bearer x"})
    EXPECT_GE(status(a, wrong), 401) << wrong;
  // browsers can send only a password; RFC 7617: "user:house"
  EXPECT_EQ(status(a, "Basic dXNlcjpob3VzZQ=="), 200);
  EXPECT_EQ(status(a, "Basic aG91c2U="), 401);
  EXPECT_EQ(client.Get("/v1/health")->status, 200);
  EXPECT_EQ(client.Post("/v1/dynamics", "{ [ 1 ] } kg\\(s^2)", "text/plain")->status, 401);
}

TEST(Tokens, OfAHouseGuardItsFiles) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "a.json", "{ \"bodies\": {} }");
  tools::AssemblyFile file{.name = "files"};
  file.token = "house";
  const Running house(std::move(file), ServiceOptions{}, Shelf({folder / "a.json"}));
  for (const char* path : {"/", "/v1/files", "/files/a.json", "/files/b.json", "/view/a.json"}) {
    const httplib::Result result = house.client().Get(path);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->status, 401) << path;
    EXPECT_TRUE(result->get_header_value("WWW-Authenticate").starts_with("Basic ")) << path;
  }
  const httplib::Headers token{{"Authorization", "Bearer house"}};
  EXPECT_EQ(house.client().Get("/files/a.json", token)->status, 200);
}

TEST(Tokens, ThatCannotTravelInAHeaderAreRefusedWithoutBeingShown) {
  for (const char* token : {"a\\r\\nX-Evil: 1", " a", "a ", "", "100%41", "t\\u00f6ken", "a\\tb"}) {
    for (const char* place : {R"({ "token": "%", "parts": {} })",
                              R"({ "parts": { "A": { "token": "%",
                                   "bar": { "mass": 1, "stiffness": 1 } } } })",
                              R"({ "parts": { "A": { "remote": { "agent": "http://127.0.0.1:1",
                                   "token": "%" } } } })"}) {
      std::string file = place;
      file.replace(file.find('%'), 1, token);
      try {
        parsed(file);
        ADD_FAILURE() << "taken: " << file;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), "token");
        EXPECT_EQ(std::string(error.what()).find("Evil"), std::string::npos);
      }
    }
  }
}

TEST(Tokens, OverAnOpenWireAreWarnedOf) {
  const auto warnings = [](const std::string& url) {
    Diagnostics diagnostics;
    tools::read_assembly(tools::parse_json(R"({ "parts": { "A": { "remote": {
        "agent": ")" + url + R"(", "token": "t" } } } })",
                                           "t.json"),
                         ".",
                         diagnostics,
                         no_progress());
    return diagnostics.warnings().size();
  };
  EXPECT_EQ(warnings("http://supplier.example:8081"), 1U);
  EXPECT_EQ(warnings("http://192.0.2.1"), 1U);
  EXPECT_EQ(warnings("https://supplier.example"), 0U);
  for (const char* loopback :
       {"http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "http://127.9.9.9"})
    EXPECT_EQ(warnings(loopback), 0U) << loopback;
}

}  // namespace
}  // namespace femflex::service
