// Tests a registry with several agents ("houses"): assemblies contain part numbers, and the
// registry knows the agents' addresses. Uses only the loopback interface.
#include <array>
#include <complex>
#include <filesystem>
#include <functional>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>

#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include "assembly/directory.h"
#include "running_service.h"
#include "scripted_host.h"
#include "span_parts.h"
#include "support/support.h"

namespace femflex::service {
namespace {

using nlohmann::json;
using tools::PartBook;

std::string refusal_code(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return "no error";
}

/// Three agents: two makers of bars, and a maker of triangles who gets the addresses of the bars
/// from the registry.
class Trade : public ::testing::Test {
 protected:
  Trade() {
    testing::write_text(directory_, R"({ "houses": {} })");
    ServiceOptions options;
    options.registry = directory_;
    registry_ = std::make_unique<Running>(R"({ "parts": {} })", options);
    start_thick();
    thin_ = std::make_unique<Running>(json{{"parts", {{"BD3x5", parts_["BD3x5"]}}}}.dump());
    triangles_ = std::make_unique<Running>(
        json{{"registry", url_of(*registry_)}, {"parts", {{"TR6x4", parts_["TR6x4"]}}}}.dump());
    list();
  }

  void start_thick() {
    thick_ = std::make_unique<Running>(json{{"parts", {{"BB3x6", parts_["BB3x6"]}}}}.dump());
  }

  /// Writes the registry's directory with the present addresses.
  void list() {
    const auto house = [](const Running& where, const char* part) {
      return json{{"agent", url_of(where)}, {"parts", {part}}};
    };
    testing::write_text(directory_,
                        json{{"name", "trade"},
                             {"houses",
                              {{"thick", house(*thick_, "BB3x6")},
                               {"thin", house(*thin_, "BD3x5")},
                               {"triangles", house(*triangles_, "TR6x4")}}}}
                            .dump());
  }

  /// The span, an assembly that contains only part numbers.
  tools::AssemblyFile span(const std::string& registry) const {
    return parsed(json{{"registry", registry}, {"parts", {{"SPAN24", parts_["SPAN24"]}}}}.dump());
  }
  static std::string document_of(PartBook& book) { return *book.dynamics("SPAN24", {}).document; }
  std::string at_home() const {
    PartBook book(parsed(json{{"parts", parts_}}.dump()), nullptr);
    return document_of(book);
  }

  testing::TemporaryFolder folder_;
  std::filesystem::path directory_ = folder_ / "directory.json";
  json parts_ = span_parts();
  std::unique_ptr<Running> registry_, thick_, thin_, triangles_;
};

// Truth: the same assembly with all parts in one file.
TEST_F(Trade, ByNumbersAloneGivesTheSpanOfOneFileBitForBit) {
  const std::string expected = at_home();
  PartBook by_registry(span(url_of(*registry_)), http_parts());
  EXPECT_EQ(document_of(by_registry), expected);
  PartBook by_file(span(directory_.string()), http_parts());
  EXPECT_EQ(document_of(by_file), expected);
}

// Only the directory changes; the same book and the same triangle service continue.
TEST_F(Trade, GoesOnWhenAHouseMoves) {
  const std::string expected = at_home();
  PartBook book(span(url_of(*registry_)), http_parts());
  ASSERT_EQ(document_of(book), expected);
  const int before = thick_->port();
  const std::unique_ptr<Running> old = std::move(thick_);
  start_thick();
  ASSERT_NE(thick_->port(), before);
  old->stop();
  EXPECT_EQ(refusal_code([&]() { document_of(book); }), "agent-down");
  list();
  EXPECT_EQ(document_of(book), expected);
}

TEST_F(Trade, GoesOnWithTheLastAddressWhileTheRegistryIsDown) {
  PartBook book(
      parsed(json{
          {"registry", url_of(*registry_)},
          {"parts",
           {{"A", {{"assembly", {{"parts", {"BB3x6", "BB3x6"}}, {"objects", {{1, 2}, {2, 3}}}}}}}}}}
                 .dump()),
      http_parts());
  const std::string before = *book.dynamics("A", {}).document;
  registry_->stop();
  EXPECT_EQ(*book.dynamics("A", {}).document, before);
  PartBook other(span(url_of(*registry_)), http_parts());
  EXPECT_EQ(refusal_code([&]() { document_of(other); }), "agent-down");
}

TEST_F(Trade, NamesTheRegistryAndTheNearestNumberOfAPartThatNobodyHolds) {
  PartBook book(
      parsed(json{{"registry", url_of(*registry_)},
                  {"parts", {{"A", {{"assembly", {{"parts", {"BB3x7"}}, {"objects", {{1, 2}}}}}}}}}}
                 .dump()),
      http_parts());
  try {
    book.dynamics("A", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "unknown-part");
    EXPECT_NE(error.message().find("registry " + url_of(*registry_)), std::string::npos);
    EXPECT_NE(error.fix().find("BB3x6"), std::string::npos) << error.fix();
  }
}

TEST_F(Trade, ListsHousesAndPartsOverHttp) {
  httplib::Client client = registry_->client();
  const json all = json::parse(client.Get("/v1/registry")->body);
  EXPECT_EQ(all["houses"].size(), 3U);
  const json one = json::parse(client.Get("/v1/registry/TR6x4")->body);
  EXPECT_EQ(one["agent"], url_of(*triangles_));
  EXPECT_EQ(one["house"], "triangles");
  EXPECT_EQ(client.Get("/v1/registry/NONE")->status, 404);
  EXPECT_EQ(client.Get("/v1/registry/..%2F..")->status, 404);
  EXPECT_EQ(client.Get("/v1/registryX")->status, 404);
  EXPECT_EQ(client.Post("/v1/registry", "x", "text/plain")->status, 405);
  testing::write_text(directory_, "{");
  const httplib::Result broken = client.Get("/v1/registry/TR6x4");
  EXPECT_EQ(broken->status, 503);
  EXPECT_EQ(broken->body.find(folder_.path().string()), std::string::npos);
}

// Truth: H = 1 / (k + i w c - w^2 m / 2) of a bar that is fixed at its other end.
TEST_F(Trade, AnswersAClientWithoutAFile) {
  const auto ask = [&](const std::string& words) {
    return testing::run(testing::femflex_program().string() + " ask " + words, folder_.path());
  };
  const testing::CommandResult listed = ask(url_of(*thick_));
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_NE(listed.out.find("BB3x6"), std::string::npos);
  const testing::CommandResult houses = ask(url_of(*registry_) + " --registry");
  EXPECT_NE(houses.out.find("triangles"), std::string::npos) << houses.out << houses.err;

  const std::string request =
      " --part BB3x6 --fixed 1 --ports 2 --frf 0-100Hz --points 20 --step --end 0.1 --force 1000 "
      "--csv step.csv --frf-csv frf.csv --page bar.html -o bar.txt";
  for (const std::string& place :
       {url_of(*thick_), url_of(*registry_) + " --registry", directory_.string()}) {
    const testing::CommandResult asked = ask(place + request);
    ASSERT_EQ(asked.exit_code, 0) << place << asked.err;
    std::istringstream rows(testing::read_text(folder_ / "frf.csv"));
    std::string row;
    std::getline(rows, row);
    EXPECT_EQ(row, "hz,2->2 real,2->2 imaginary,2->2 magnitude,2->2 phase deg");
    int count = 0;
    while (std::getline(rows, row)) {
      std::array<double, 5> v{};
      char comma = 0;
      std::istringstream cells(row);
      cells >> v[0] >> comma >> v[1] >> comma >> v[2] >> comma >> v[3] >> comma >> v[4];
      const std::complex<double> s(0.0, 2.0 * std::numbers::pi * v[0]);
      const std::complex<double> H = 1.0 / (3.51e8 + s * (157978.197483 + s * 3555.144 / 2.0));
      EXPECT_LT(std::abs(H - std::complex<double>(v[1], v[2])),
                testing::tolerance(1e-12) * std::abs(H));
      EXPECT_NEAR(v[3], std::abs(H), testing::tolerance(1e-12) * std::abs(H));
      ++count;
    }
    EXPECT_EQ(count, 20);
    const std::string page = testing::read_text(folder_ / "bar.html");
    for (const char* heading : {"Magnitude", "Phase", "Step response", "Poles"})
      EXPECT_NE(page.find(heading), std::string::npos) << heading;
    EXPECT_TRUE(testing::read_text(folder_ / "bar.txt").starts_with("{ [ 1777.572 "));
    const std::string step = testing::read_text(folder_ / "step.csv");
    EXPECT_TRUE(step.starts_with("time,step 2->2\n")) << step.substr(0, 40);
  }
  for (const char* words : {" --part BB3x6 --step",
                            " --frf 1-2Hz --ports 2",
                            " --part BB3x6 --end 1",
                            " --part BB3x6 --ports 2",
                            " --part BB3x6 --points 20",
                            " --part BB3x6 --ports 2 --frf 1-2Hz --force 1000"})
    EXPECT_EQ(ask(url_of(*thick_) + words).exit_code, 2) << words;
  EXPECT_EQ(ask(url_of(*thick_) + " --part BB3x6 --frf 1-2Hz").exit_code, 2);
  const testing::CommandResult unknown = ask(url_of(*thick_) + " --part BB3x7");
  EXPECT_EQ(unknown.exit_code, 3);
  const testing::CommandResult forgotten = ask(url_of(*registry_) + " --part BB3x6");
  EXPECT_NE(forgotten.err.find("add --registry"), std::string::npos) << forgotten.err;
  EXPECT_NE(unknown.err.find("BB3x6"), std::string::npos) << unknown.err;
}

// Escape sequences, marks that change the writing direction, and lists of other objects.
TEST(AListOfAStranger, IsPrintedPlainOrRefused) {
  const testing::TemporaryFolder folder;
  const auto asked = [&](const std::string& body, const std::string& options) {
    const ScriptedHost host("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) +
                            "\r\n\r\n" + body);
    return testing::run(testing::femflex_program().string() + " ask " + host.url() + options,
                        folder.path());
  };
  const std::string rogue =
      R"({ "agents": [ { "part": "A\u001b[2J\u202e", "kind": "\n\u009b", "queries": [1, {}] }, 5 ] })";
  for (const char* options : {"", " --json"}) {
    const testing::CommandResult result = asked(rogue, options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("A?[2J?"), std::string::npos) << result.out;
    for (const char* raw : {"\x1b", "\xc2\x9b", "\xe2\x80\xae", "\\u"})
      EXPECT_EQ(result.out.find(raw), std::string::npos) << options;
  }
  for (const char* body : {"{}", "[]", "5", R"({ "agents": 5 })", R"({ "houses": [] })"}) {
    const testing::CommandResult result = asked(body, "");
    EXPECT_NE(result.exit_code, 0) << body;
    EXPECT_NE(result.err.find("127.0.0.1"), std::string::npos) << result.err;
  }
}

TEST(ADirectory, RefusesWhatItCannotMean) {
  const auto code = [](const std::string& text) {
    return refusal_code([&]() { tools::read_directory(tools::parse_json(text, "d.json")); });
  };
  const std::string a = R"({ "agent": "http://a.example", "parts": ["P", "Q"] })";
  EXPECT_EQ(code(R"({ "houses": { "a": )" + a + " } }"), "no error");
  EXPECT_EQ(code(R"({ "houses": { "a": )" + a + R"(, "b": )" + a + " } }"), "part-twice");
  EXPECT_EQ(code(R"({ "houses": { "a": { "agent": "a.example", "parts": [] } } })"), "url");
  EXPECT_EQ(code(R"({ "houses": { "a": { "agent": "http://a", "parts": ["a b"] } } })"),
            "part-number");
  EXPECT_NE(code("{}"), "no error");
  EXPECT_EQ(refusal_code([&]() { parsed(R"({ "houses": { "a": )" + a + " } }"); }), "directory");
  EXPECT_NE(code(R"({ "houses": { "a": { "agent": "http://a", "part": ["P"] } } })"), "no error");
}

// Without a registry, an unknown part number is an error of the file.
TEST(ADirectory, IsNamedWhereAnAssemblyNeedsIt) {
  const std::string parts =
      R"("parts": { "A": { "assembly": { "parts": ["B"], "objects": [[1, 2]] } } } })";
  EXPECT_EQ(refusal_code([&]() { parsed("{" + parts); }), "unknown-part");
  EXPECT_EQ(refusal_code([&]() { parsed(R"({ "registry": "http://a.example", )" + parts); }),
            "no error");
  EXPECT_EQ(refusal_code([&]() { parsed(R"({ "registry": { "token": "x" }, )" + parts); }),
            "registry");
  EXPECT_EQ(refusal_code([&]() { parsed(R"({ "registry": "ftp://a.example", )" + parts); }), "url");
}

}  // namespace
}  // namespace femflex::service
